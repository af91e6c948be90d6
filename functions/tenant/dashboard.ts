import { callChart, callMetrics, costSavings, planUsage, recentCalls, routingCounts, toolUsage } from "@vitaline/calls";
import type { tenantDashboard } from "@vitaline/contract";
import { answerWith } from "../lib/reply.ts";
import type { Handlers } from "../lib/serve.ts";

export const dashboardVerbs: Handlers<typeof tenantDashboard> = {
  tenantMetrics: (ctx, { query }) => callMetrics(ctx, query.range, query.officeId),
  recentCalls: async (ctx, { query }) => {
    const { rows, next } = await recentCalls(ctx, query);
    return answerWith(rows, { next });
  },
  toolUsage: (ctx, { query }) => toolUsage(ctx, query.range, query.officeId),
  routing: (ctx, { query }) => routingCounts(ctx, query.range, query.officeId),
  charts: (ctx, { query }) => callChart(ctx, query.range, query.officeId),
  savings: (ctx) => costSavings(ctx, ctx.session.tenant),
  usage: (ctx, { query }) => planUsage(ctx, ctx.session.tenant, query.month),
};
