import { keys, rowsOf, type ExportRow, type Store, type TenantContext, type TenantDirectoryRow, type OfficeRow } from "@vitaline/store";
import { partitions, type Key } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";

/** Where exports are asked for and kept: a tenant's own, or that of the platform's administrators. */
export type Desk = {
  /** Absent: the platform's. */
  tenantId?: string;
  keyOf(exportId: string): Key<ExportRow>;
  partition: string;
  find(exportId: string): Promise<ExportRow | undefined>;
  /** Writes the export's row, with its audit in the log of whose audit it is. */
  storeFor(row: Pick<ExportRow, "tenantId">): Pick<Store<never>, "query" | "commit" | "note">;
  /** Whose audit the export holds; undefined stands for the platform's own log. */
  tenantIds(row: ExportRow): AsyncIterable<string | undefined>;
  subjectOf(row: ExportRow): Promise<string>;
};

export const tenantDesk = ({ store, tenantId }: TenantContext): Desk => ({
  tenantId,
  keyOf: keys.tenantExport,
  partition: keys.tenantPartitions.exports(tenantId),
  find: (exportId) => store.get(keys.tenantExport(exportId)),
  storeFor: () => store,
  tenantIds: () => only(tenantId),
  subjectOf: async () => (await store.get(keys.tenantConfig()))?.name ?? tenantId,
});

export const platformDesk = ({ platform }: PlatformContext): Desk => ({
  keyOf: keys.platformExport,
  partition: partitions.platformExports,
  find: (exportId) => platform.get(keys.platformExport(exportId)),
  storeFor: ({ tenantId }) => (tenantId === undefined ? platform : platform.inTenant(tenantId)),
  tenantIds: ({ tenantId }) => (tenantId === undefined ? everybody(platform) : only(tenantId)),
  subjectOf: async ({ tenantId }) =>
    tenantId === undefined ? "All organizations" : ((await platform.inTenant(tenantId).get(keys.tenantConfig()))?.name ?? tenantId),
});

async function* only(tenantId: string): AsyncGenerator<string> {
  yield tenantId;
}

/** The platform itself, then every tenant; a page of the directory at a time. */
export async function* everybody(platform: PlatformContext["platform"]): AsyncGenerator<string | undefined> {
  yield undefined;
  for await (const row of rowsOf<TenantDirectoryRow | OfficeRow>(platform, partitions.tenantDirectory))
    if ("organizationType" in row) yield row.id;
}
