import { keys, type AccessReportRow, type Audit, type Store, type TenantContext } from "@vitaline/store";
import type { Key } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import type { AskedCounter } from "../log/asking-limit.ts";
import { tenantNames, userNames, userNamesInTenant } from "../log/display-names.ts";

/** The owner of reports: a tenant, or the platform's administrators. */
export type AccessScope = {
  /** Undefined for the platform. */
  tenantId?: string;
  keyOf(reportId: string): Key<AccessReportRow>;
  partition: string;
  asked: AskedCounter;
  find(reportId: string): Promise<AccessReportRow | undefined>;
  /** Of users, as the owner knows them: a tenant its own. */
  userNames(userIds: readonly string[]): Promise<Map<string, string>>;
  tenantNames(tenantIds: readonly string[]): Promise<Map<string, string>>;
  /** The store to write a report's row to; its audit rows go to the log of the tenant that it is about. */
  storeFor(row: Pick<AccessReportRow, "tenantId">): Pick<Store<never>, "query" | "commit" | "writeUnaudited">;
};

export const tenantAccessScope = (ctx: TenantContext): AccessScope => ofTenant(ctx, ctx.store, ctx.tenantId);

const ofTenant = (ctx: TenantContext, store: TenantContext["store"], tenantId: string): AccessScope => ({
  tenantId,
  keyOf: keys.tenantAccessReport,
  partition: keys.tenantPartitions.accessReports(tenantId),
  asked: { store, keyOf: keys.tenantReportCount },
  find: (reportId) => store.get(keys.tenantAccessReport(reportId)),
  userNames: (userIds) => userNamesInTenant(ctx, userIds),
  tenantNames: async () => new Map([[tenantId, (await store.get(keys.tenantConfig()))?.name ?? tenantId]]),
  storeFor: () => store,
});

export const platformAccessScope = (ctx: PlatformContext): AccessScope => ofPlatform(ctx, ctx.platform);

const ofPlatform = (ctx: PlatformContext, platform: PlatformContext["platform"]): AccessScope => ({
  keyOf: keys.platformAccessReport,
  partition: keys.partitions.platformAccessReports,
  asked: { store: platform, keyOf: keys.platformReportCount },
  find: (reportId) => platform.get(keys.platformAccessReport(reportId)),
  userNames: (userIds) => userNames(ctx, userIds),
  tenantNames: (tenantIds) => tenantNames(ctx, tenantIds),
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
