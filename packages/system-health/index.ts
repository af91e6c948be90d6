export { platformHealth } from "./platform-health.ts";
export { probeAll, probeSome } from "./probe-all.ts";
export { maxTenants, tenantActivity } from "./tenant-activity.ts";
export { tenantHealth } from "./tenant-health.ts";
export { tenantNotices, tenantTroubles } from "./tenant-notices.ts";
