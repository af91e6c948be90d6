export type { Audit, Author } from "./audit.ts";
export { openCursor, sealCursor } from "./cursor.ts";
export * as keys from "./keys.ts";
export { allRows, pagesOf, rowsOf } from "./pages.ts";
export * from "./rows.ts";
export { tenantStore, type TenantContext, type TenantStore } from "./scope.ts";
export type { Page, Range, Store } from "./store.ts";
export { changedMeanwhile, nextVersion, onFreshRead } from "./version.ts";
export { check, create, put, remove, update, type Condition, type Write } from "./write.ts";
