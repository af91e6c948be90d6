export * from "./locks.ts";
export { dueKey, dueShards, outgoingKey, schedule, shards, shardsFrom, urgentShard } from "./due.ts";
export { auditCategories } from "./entities/audit.ts";
export * as keys from "./keys.ts";
/** The row types. */
export type * from "./keys.ts";
export { expiresAfter, cacheRetentionAndZone, retentionOf, retentionRequest, tenantRetention, tenantTimeZone } from "./retention.ts";
export type { Audit, AuditSource } from "./verbs/commit.ts";
export {
  allRows,
  batchGetNamed,
  openCursor,
  type Page,
  pagesOf,
  type Range,
  rowsOf,
  sealCursor,
  type Store,
  type TenantContext,
  tenantStore,
  type TenantStore,
} from "./verbs/store.ts";
export { fullName } from "./full-name.ts";
export { toDoIdOfCall } from "./to-do-id.ts";
export { tableHasStream } from "./verbs/table.ts";
export { check, create, put, remove, update, type Condition, type Write } from "./verbs/write.ts";
export { staleVersion, nextVersion, retryOnStale } from "./version.ts";
