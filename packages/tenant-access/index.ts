export { bindInvocationToTenant, servingOneTenant } from "./sessions.ts";
export { clientsPerTenant, hasTenantRole } from "./sessions.ts";
