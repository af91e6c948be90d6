export { createTenant } from "./create.ts";
export { tenantInfo } from "./info.ts";
export { listTenants } from "./list.ts";
