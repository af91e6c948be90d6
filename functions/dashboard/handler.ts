import { platformMetrics } from "@vitaline/calls/platform-metrics.ts";
import { contract } from "@vitaline/contract";
import { people } from "../lib/people.ts";
import { serve } from "../lib/serve.ts";

export const handler = serve(
  contract.dashboard,
  people,
)({
  platformMetrics: (ctx) => platformMetrics(ctx),
});
