import { ErasureKind, NewErasure } from "@vitaline/contract";
import * as z from "zod/mini";
import { kindNames } from "./erasure-format.tsx";

const Values = z.object({
  kind: ErasureKind,
  tenantId: z.string(),
  callId: z.string(),
  fhirProviderId: z.string(),
  patientId: z.string(),
  medicalRecordNumber: z.string(),
  birthDate: z.string(),
  confirmName: z.string(),
  reason: z.string(),
});
export type ErasureValues = z.infer<typeof Values>;

export type ErasureRequest = { tenantId: string; body: NewErasure };

const requiredMessages: Partial<Record<keyof ErasureValues, string>> = {
  tenantId: "Choose an organization",
  callId: "Call ID is required",
  fhirProviderId: "Choose a record system",
  patientId: "Patient ID is required",
  medicalRecordNumber: "Type the medical record number too",
  birthDate: "Type the date of birth too",
  confirmName: "Type the organization's name",
  reason: "Choose a reason",
};

/** Both or neither. */
const chartOf = ({ medicalRecordNumber, birthDate }: Pick<ErasureValues, "medicalRecordNumber" | "birthDate">): Record<string, string> =>
  medicalRecordNumber.trim() === "" && birthDate === "" ? {} : { medicalRecordNumber: medicalRecordNumber.trim(), birthDate };

const bodyOf = ({ kind, reason, ...typed }: ErasureValues): Record<string, string> => {
  if (kind === "call") return { kind, reason, callId: typed.callId.trim().toLowerCase() };
  if (kind === "patient")
    return { kind, reason, fhirProviderId: typed.fhirProviderId, patientId: typed.patientId.trim(), ...chartOf(typed) };
  return { kind, reason, confirmName: typed.confirmName.trim() };
};

/** Reports all missing or invalid fields at once, in the form's order. */
const checkRequired = z.check<ErasureValues>(({ value, issues }) => {
  const wrong = new Map<unknown, string>();
  if (value.tenantId === "") wrong.set("tenantId", "");
  for (const { path, message } of NewErasure.safeParse(bodyOf(value)).error?.issues ?? []) wrong.set(path[0], message);
  for (const name of fieldOrder) {
    const message = wrong.get(name);
    if (message === undefined) continue;
    const said = (value[name].trim() === "" ? requiredMessages[name] : undefined) ?? message;
    issues.push({ code: "custom", path: [name], message: said, input: "" });
  }
});

export const emptyErasure: ErasureValues = {
  kind: "call",
  tenantId: "",
  callId: "",
  fhirProviderId: "",
  patientId: "",
  medicalRecordNumber: "",
  birthDate: "",
  confirmName: "",
  reason: "",
};

export const fieldOrder = Object.keys(emptyErasure) as (keyof ErasureValues)[];

export const RequestValues: z.ZodMiniType<ErasureRequest, ErasureValues> = z.pipe(
  Values.check(checkRequired),
  z.transform((typed: ErasureValues) => ({ tenantId: typed.tenantId, body: bodyOf(typed) as NewErasure })),
);

export const kindChoices = ErasureKind.options.map((value) => ({ value, label: kindNames[value] }));
