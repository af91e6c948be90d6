import { NewPlatformAccessReport } from "@vitaline/contract";
import * as z from "zod/mini";

const Values = z.object({
  kind: z.enum(["patient", "user"]),
  tenantId: z.string(),
  patientId: z.string(),
  fhirProviderId: z.string(),
  userId: z.string(),
  start: z.string(),
  end: z.string(),
});
export type AccessValues = z.infer<typeof Values>;

export type AccessRequest = z.input<typeof NewPlatformAccessReport>;

const required: Partial<Record<keyof AccessValues, string>> = {
  tenantId: "Choose the organization: a patient ID belongs to only one",
  patientId: "Find the patient, or enter the patient's ID",
  userId: "Choose a person, or enter the user ID",
  start: "Choose the first day",
  end: "Choose the last day",
};

const requestOf = ({ kind, tenantId, patientId, fhirProviderId, userId, start, end }: AccessValues, timeZone: string): AccessRequest => {
  const days = { start, end, timeZone };
  if (kind === "user") return { kind, userId: userId.trim(), ...days, ...(tenantId && { tenantId }) };
  return { kind, patientId: patientId.trim(), ...days, tenantId, ...(fhirProviderId && { fhirProviderId }) };
};

const names = ["tenantId", "patientId", "userId", "start", "end"] as const;

/** A tenant's request names no organization; the API module leaves it out. */
const ownTenant = "0".repeat(26);

export const accessSchema = (timeZone: string, isTenant: boolean): z.ZodMiniType<AccessRequest, AccessValues> => {
  const whole = (typed: AccessValues): AccessRequest => requestOf(isTenant ? { ...typed, tenantId: ownTenant } : typed, timeZone);
  const checked = z.check<AccessValues>(({ value, issues }) => {
    const wrong = new Map<unknown, string>();
    for (const { path, message } of NewPlatformAccessReport.safeParse(whole(value)).error?.issues ?? []) wrong.set(path[0], message);
    if (value.start !== "" && value.end !== "" && value.start > value.end) wrong.set("start", "The first day must not be after the last");
    for (const name of names) {
      const message = wrong.get(name);
      if (message !== undefined)
        issues.push({ code: "custom", path: [name], message: (value[name].trim() === "" && required[name]) || message, input: "" });
    }
  });
  return z.pipe(Values.check(checked), z.transform(whole));
};
