import { rotateApiKey } from "@vitaline/api-keys";
import { callMetrics, recentCalls, toolUsage } from "@vitaline/calls";
import { contract } from "@vitaline/contract";
import { tenantInfo } from "@vitaline/tenants";
import { answerWith } from "../lib/reply.ts";
import { people } from "../lib/people.ts";
import { serve } from "../lib/serve.ts";

export const handler = serve(
  contract.tenant,
  people,
)({
  tenantInfo: (ctx) => tenantInfo(ctx, ctx.session.tenant),
  regenerateApiKey: async (ctx, { body }) => ({ apiKey: await rotateApiKey(ctx, body.overlapSeconds) }),
  tenantMetrics: (ctx, { query }) => callMetrics(ctx, query.range),
  recentCalls: async (ctx, { query }) => {
    const { rows, next } = await recentCalls(ctx, query);
    return answerWith(rows, { next });
  },
  toolUsage: (ctx, { query }) => toolUsage(ctx, query.range),
});
