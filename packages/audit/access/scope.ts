import { keys, type AccessReportRow, type Audit, type Store, type TenantContext } from "@vitaline/store";
import type { Key } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import type { AskedCounter } from "../log/asking-limit.ts";

/** The owner of reports: a tenant, or the platform's administrators. */
export type AccessScope = {
  /** Undefined for the platform. */
  tenantId?: string;
  keyOf(reportId: string): Key<AccessReportRow>;
  asked: AskedCounter;
  find(reportId: string): Promise<AccessReportRow | undefined>;
  /** The store to write a report's row to; its audit rows go to the log of the tenant that it is about. */
  storeFor(row: Pick<AccessReportRow, "tenantId">): Pick<Store<never>, "commit" | "writeUnaudited">;
};

export const tenantAccessScope = ({ store, tenantId }: TenantContext): AccessScope => ({
  tenantId,
  keyOf: keys.tenantAccessReport,
  asked: { store, keyOf: keys.tenantReportCount },
  find: (reportId) => store.get(keys.tenantAccessReport(reportId)),
  storeFor: () => store,
});

export const platformAccessScope = ({ platform }: PlatformContext): AccessScope => ({
  keyOf: keys.platformAccessReport,
  asked: { store: platform, keyOf: keys.platformReportCount },
  find: (reportId) => platform.get(keys.platformAccessReport(reportId)),
  storeFor: ({ tenantId }) => (tenantId === undefined ? platform : platform.inTenant(tenantId)),
});

/** The folder of a report's files. */
export const folderOf = ({ tenantId }: Pick<AccessScope, "tenantId">, reportId: string): string =>
  `exports/${tenantId ?? "platform"}/access/${reportId}`;

/** Names the subject in the fields by which a later report finds this one. */
export const accessAudit = ({ id, about }: AccessReportRow, verb: string, detail: NonNullable<Audit["detail"]> = {}): Audit => ({
  category: about.kind === "patient" ? "patient_access" : "data_query",
  action: `accessReport.${verb}`,
  ...(about.kind === "patient"
    ? { resourceType: "Patient", resourceId: about.patientId }
    : { resourceType: "User", resourceId: about.userId }),
  detail: {
    reportId: id,
    ...(about.kind === "patient" && about.fhirProviderId !== undefined ? { fhirProviderId: about.fhirProviderId } : {}),
    ...detail,
  },
});
