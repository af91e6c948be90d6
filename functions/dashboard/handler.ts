import { auditDashboard, platformAuditLogs } from "@vitaline/audit";
import { platformMetrics } from "@vitaline/calls/metrics/platform-metrics.ts";
import { complianceMetrics, userActivity } from "@vitaline/compliance";
import { listContactMessages } from "@vitaline/contact";
import { contract } from "@vitaline/contract";
import { maxTenants, platformHealth, tenantActivity } from "@vitaline/system-health";
import { listTenants } from "@vitaline/tenants";
import { serve } from "../lib/api/serve.ts";
import { sessionAuth } from "../lib/auth/session.ts";
import { answerPage } from "../lib/http/response.ts";

export const handler = serve(contract.dashboard, sessionAuth, ["platform"])({
  platformMetrics: (ctx) => platformMetrics(ctx),
  platformAuditLogs: async (ctx, { query }) => answerPage(await platformAuditLogs(ctx, query)),
  auditDashboard: (ctx, { query }) => auditDashboard(ctx, query.limit),
  complianceMetrics: (ctx) => complianceMetrics(ctx),
  userActivity: (ctx, { query }) => userActivity(ctx, query.limit),
  platformSystemHealth: (ctx, { query }) => platformHealth(ctx, query.connection),
  tenantActivity: async (ctx, { query: { limit = maxTenants, cursor } }) => {
    const { rows, next } = await listTenants(ctx, { limit: Math.min(limit, maxTenants), ...(cursor === undefined ? {} : { cursor }) });
    const tenantIds = rows.map(({ id }) => id);
    return answerPage({ rows: await tenantActivity(ctx, tenantIds), next });
  },
  contactMessages: async (ctx, { query }) => answerPage(await listContactMessages(ctx, query)),
});
