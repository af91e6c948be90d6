import { ErasureKind, NewErasure } from "@vitaline/contract";
import * as z from "zod/mini";
import { kindNames } from "./erasure-format.tsx";

const Typed = z.object({
  kind: ErasureKind,
  tenantId: z.string(),
  callId: z.string(),
  fhirProviderId: z.string(),
  patientId: z.string(),
  confirmName: z.string(),
  reason: z.string(),
});
export type TypedErasure = z.infer<typeof Typed>;

export type AskedErasure = { tenantId: string; body: NewErasure };

const lacking: Partial<Record<keyof TypedErasure, string>> = {
  tenantId: "Choose an organization",
  callId: "Call ID is required",
  fhirProviderId: "Choose a record system",
  patientId: "Patient ID is required",
  confirmName: "Type the organization's name",
  reason: "Choose a reason",
};

const bodyOf = ({ kind, reason, ...typed }: TypedErasure): Record<string, string> => {
  if (kind === "call") return { kind, reason, callId: typed.callId.trim().toLowerCase() };
  if (kind === "patient") return { kind, reason, fhirProviderId: typed.fhirProviderId, patientId: typed.patientId.trim() };
  return { kind, reason, confirmName: typed.confirmName.trim() };
};

/** Reports all missing or invalid fields at once, in the form's order. */
const isWhole = z.check<TypedErasure>(({ value, issues }) => {
  const wrong = new Map<unknown, string>();
  if (value.tenantId === "") wrong.set("tenantId", "");
  for (const { path, message } of NewErasure.safeParse(bodyOf(value)).error?.issues ?? []) wrong.set(path[0], message);
  for (const name of fieldOrder) {
    const message = wrong.get(name);
    if (message === undefined) continue;
    const said = (value[name].trim() === "" ? lacking[name] : undefined) ?? message;
    issues.push({ code: "custom", path: [name], message: said, input: "" });
  }
});

export const noErasure: TypedErasure = {
  kind: "call",
  tenantId: "",
  callId: "",
  fhirProviderId: "",
  patientId: "",
  confirmName: "",
  reason: "",
};

export const fieldOrder = Object.keys(noErasure) as (keyof TypedErasure)[];

export const RequestValues: z.ZodMiniType<AskedErasure, TypedErasure> = z.pipe(
  Typed.check(isWhole),
  z.transform((typed: TypedErasure) => ({ tenantId: typed.tenantId, body: bodyOf(typed) as NewErasure })),
);

export const kindChoices = ErasureKind.options.map((value) => ({ value, label: kindNames[value] }));
