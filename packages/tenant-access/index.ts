export { actFor, servingOneTenant } from "./acting.ts";
export { clientsPerTenant, hasTenantRole } from "./sessions.ts";
