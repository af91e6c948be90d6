export { userActivity } from "./activity.ts";
export { complianceMetrics } from "./metrics.ts";
