export { platformHealth } from "./platform-health.ts";
export { probeAll } from "./probe-all.ts";
export { tenantHealth } from "./tenant-health.ts";
