import type { Audit, ErasureRow } from "@vitaline/store";
import type { PlatformContext, PlatformStore } from "@vitaline/store/platform.ts";

/** Of an erasure the audit tells what kind it is and what it is about, by ids. */
export const auditOf = (row: ErasureRow, verb: string, detail: NonNullable<Audit["detail"]> = {}): Audit => ({
  category: "patient_access",
  action: `erasure.${verb}`,
  resourceType: "Erasure",
  resourceId: row.id,
  ...(row.callKey ? { callKey: row.callKey } : {}),
  detail: {
    kind: row.kind,
    reason: row.reason,
    ...(row.patientId && row.fhirProviderId ? { patientId: row.patientId, fhirProviderId: row.fhirProviderId } : {}),
    ...(row.kind === "tenant" ? { tenantId: row.tenantId } : {}),
    ...detail,
  },
});

/** A tenant that is being erased gets no more rows in its own log: what is done from then on stands in the platform's. */
export const logOf = ({ platform }: PlatformContext, { kind, tenantId, startedAt }: ErasureRow): PlatformStore =>
  kind === "tenant" && startedAt ? platform : platform.inTenant(tenantId);
