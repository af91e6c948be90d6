export { bindInvocationToTenant, withTenantBinding } from "./sessions.ts";
export { clientsPerTenant, hasTenantRole } from "./sessions.ts";
