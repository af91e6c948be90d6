import {
  type ErasureRow,
  type ExportRow,
  keys,
  type OfficeRow,
  rowsOf,
  type Store,
  type TenantContext,
  type TenantDirectoryRow,
} from "@vitaline/store";
import { partitions, type Key } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import type { AskedCounter } from "../log/asking-limit.ts";
import { type DisplayNames, displayNames, namesInTenant, userNames, userNamesInTenant } from "../log/display-names.ts";

/** The owner of exports: a tenant, or the platform's administrators. */
export type ExportScope = {
  /** Undefined for the platform. */
  tenantId?: string;
  keyOf(exportId: string): Key<ExportRow>;
  partition: string;
  asked: AskedCounter;
  find(exportId: string): Promise<ExportRow | undefined>;
  /** The store to write an export's row to; its audit rows go to the log of the exported tenant. */
  storeFor(row: Pick<ExportRow, "tenantId">): Pick<Store<never>, "query" | "commit" | "writeUnaudited">;
  /** The exported tenants; undefined stands for the platform's own log. */
  tenantIds(row: ExportRow): AsyncIterable<string | undefined>;
  subjectOf(row: ExportRow): Promise<string>;
  /** Of the actors and tenants in the rows. */
  names(): DisplayNames;
  /** Of users, as the owner knows them: a tenant its own. */
  userNames(userIds: readonly string[]): Promise<Map<string, string>>;
};

export const tenantExportScope = (ctx: TenantContext): ExportScope => ofTenant(ctx, ctx.store, ctx.tenantId);

const ofTenant = (ctx: TenantContext, store: TenantContext["store"], tenantId: string): ExportScope => ({
  tenantId,
  keyOf: keys.tenantExport,
  partition: keys.tenantPartitions.exports(tenantId),
  asked: { store, keyOf: keys.tenantReportCount },
  find: (exportId) => store.get(keys.tenantExport(exportId)),
  storeFor: () => store,
  tenantIds: () => single(tenantId),
  subjectOf: async () => (await store.get(keys.tenantConfig()))?.name ?? tenantId,
  names: () => namesInTenant(ctx),
  userNames: (userIds) => userNamesInTenant(ctx, userIds),
});

export const platformExportScope = (ctx: PlatformContext): ExportScope => ofPlatform(ctx, ctx.platform);

const ofPlatform = (ctx: PlatformContext, platform: PlatformContext["platform"]): ExportScope => ({
  keyOf: keys.platformExport,
  partition: partitions.platformExports,
  asked: { store: platform, keyOf: keys.platformReportCount },
  find: (exportId) => platform.get(keys.platformExport(exportId)),
  storeFor: ({ tenantId }) => (tenantId === undefined ? platform : platform.inTenant(tenantId)),
  tenantIds: ({ tenantId }) => (tenantId === undefined ? loggedTenantIds(platform) : single(tenantId)),
  subjectOf: async ({ tenantId }) =>
    tenantId === undefined ? "All organizations" : ((await platform.inTenant(tenantId).get(keys.tenantConfig()))?.name ?? tenantId),
  names: () => displayNames(ctx),
  userNames: (userIds) => userNames(ctx, userIds),
});

async function* single(tenantId: string): AsyncGenerator<string> {
  yield tenantId;
}

/** Undefined for the platform itself, then every tenant id; reads the directory page by page. */
export async function* allTenantIds(platform: PlatformContext["platform"]): AsyncGenerator<string | undefined> {
  yield undefined;
  for await (const row of rowsOf<TenantDirectoryRow | OfficeRow>(platform, partitions.tenantDirectory))
    if ("organizationType" in row) yield row.id;
}

/** The same, and then the tenants that were erased: their audit stays. */
export async function* loggedTenantIds(platform: PlatformContext["platform"]): AsyncGenerator<string | undefined> {
  const known = new Set<string | undefined>();
  for await (const tenantId of allTenantIds(platform)) {
    known.add(tenantId);
    yield tenantId;
  }
  for await (const { kind, tenantId } of rowsOf<ErasureRow>(platform, partitions.erasures)) {
    if (kind !== "tenant" || known.has(tenantId)) continue;
    known.add(tenantId);
    yield tenantId;
  }
}
