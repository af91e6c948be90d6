import { platformMetrics } from "@vitaline/calls/platform-metrics.ts";
import { contract } from "@vitaline/contract";
import { serve } from "../lib/serve.ts";

export const handler = serve(contract.dashboard)({
  platformMetrics: (ctx) => platformMetrics(ctx),
});
