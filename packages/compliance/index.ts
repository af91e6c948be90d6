export { userActivity, complianceMetrics } from "./metrics.ts";
