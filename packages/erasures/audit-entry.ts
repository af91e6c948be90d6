import { keys, type Audit, type ErasureRow } from "@vitaline/store";
import type { PlatformContext, PlatformStore } from "@vitaline/store/platform.ts";

/** What is erased stands where the audit has ids of patients, calls and tenants: where those are not shown, it is not either. */
const subjectOf = ({ callKey, patientId, tenantId }: ErasureRow): Pick<Audit, "resourceType" | "resourceId" | "callKey"> => {
  if (callKey) return { resourceType: "Call", resourceId: callKey, callKey };
  return patientId ? { resourceType: "Patient", resourceId: patientId } : { resourceType: "Tenant", resourceId: tenantId };
};

/** Of an erasure the audit tells what kind it is and what it is about, by ids. */
export const auditOf = (row: ErasureRow, verb: string, detail: NonNullable<Audit["detail"]> = {}): Audit => ({
  // Which tenant was erased is for everyone to see who looks at all of them
  category: row.kind === "tenant" ? "configuration_change" : "patient_access",
  action: `erasure.${verb}`,
  ...subjectOf(row),
  detail: {
    erasureId: row.id,
    kind: row.kind,
    reason: row.reason,
    ...(row.fhirProviderId ? { fhirProviderId: row.fhirProviderId } : {}),
    ...detail,
  },
});

/** A tenant that is being erased gets no more rows in its own log: what is done from then on stands in the platform's. */
export const logOf = ({ platform }: PlatformContext, { kind, tenantId, startedAt }: ErasureRow): PlatformStore =>
  kind === "tenant" && startedAt ? platform : platform.inTenant(tenantId);

/** The row by which of one call, patient or tenant only one erasure is under way. */
export const subjectKey = ({ tenantId, kind, callKey = "", fhirProviderId = "", patientId = "" }: ErasureRow) =>
  keys.erasureSubject(tenantId, JSON.stringify([kind, callKey, fhirProviderId, patientId]));
