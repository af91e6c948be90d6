import { auditStatus, tenantAuditLogs } from "@vitaline/audit";
import type { tenantAudit, tenantHealth as healthRoutes } from "@vitaline/contract";
import { tenantHealth } from "@vitaline/system-health";
import type { Handlers } from "../lib/api/serve.ts";
import { withScopes } from "../lib/context/platform-context.ts";
import { answerPage } from "../lib/http/response.ts";

export const auditAndHealthHandlers: Handlers<typeof tenantAudit & typeof healthRoutes> = {
  auditLogs: async (ctx, { query }) => answerPage(await tenantAuditLogs(ctx, query)),
  auditStatus: (ctx) => auditStatus(ctx),
  tenantSystemHealth: (ctx) => tenantHealth(withScopes(ctx, "health", "ehr"), ctx.session.tenant),
};
