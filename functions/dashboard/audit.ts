import { auditDashboard, platformAuditLogs } from "@vitaline/audit";
import type { platformAudit } from "@vitaline/contract";
import { answerWith } from "../lib/reply.ts";
import type { Handlers } from "../lib/serve.ts";

export const auditVerbs: Handlers<typeof platformAudit> = {
  platformAuditLogs: async (ctx, { query }) => {
    const { rows, next } = await platformAuditLogs(ctx, query);
    return answerWith(rows, { next });
  },
  auditDashboard: (ctx, { query }) => auditDashboard(ctx, query.limit),
};
