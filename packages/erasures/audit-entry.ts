import { keys, type Audit, type ErasureRow } from "@vitaline/store";
import type { PlatformContext, PlatformStore } from "@vitaline/store/platform.ts";

/** In the usual fields for these ids, so that they are redacted wherever such ids are. */
const auditSubject = ({ callKey, patientId, tenantId }: ErasureRow): Pick<Audit, "resourceType" | "resourceId" | "callKey"> => {
  if (callKey) return { resourceType: "Call", resourceId: callKey, callKey };
  return patientId ? { resourceType: "Patient", resourceId: patientId } : { resourceType: "Tenant", resourceId: tenantId };
};

export const auditOf = (row: ErasureRow, verb: string, detail: NonNullable<Audit["detail"]> = {}): Audit => ({
  // Not patient access, so that readers of the feed see the tenant's id.
  category: row.kind === "tenant" ? "configuration_change" : "patient_access",
  action: `erasure.${verb}`,
  ...auditSubject(row),
  detail: {
    erasureId: row.id,
    kind: row.kind,
    reason: row.reason,
    ...(row.fhirProviderId ? { fhirProviderId: row.fhirProviderId } : {}),
    // Repeated after a restore, an erasure has only its audit rows to go by.
    ...(row.chartHash ? { charts: row.chartHash } : {}),
    ...detail,
  },
});

/** The tenant's log; the platform's once the tenant itself is being erased. */
export const auditLogOf = ({ platform }: PlatformContext, { kind, tenantId, startedAt }: ErasureRow): PlatformStore =>
  kind === "tenant" && startedAt ? platform : platform.inTenant(tenantId);

/** Key of the lock row that allows only one erasure of a call, patient or tenant at a time. */
export const subjectKey = ({ tenantId, kind, callKey = "", fhirProviderId = "", patientId = "" }: ErasureRow) =>
  keys.erasureSubject(tenantId, JSON.stringify([kind, callKey, fhirProviderId, patientId]));
