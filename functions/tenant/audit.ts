import { auditStatus, tenantAuditLogs } from "@vitaline/audit";
import type { tenantAudit } from "@vitaline/contract";
import { answerWith } from "../lib/reply.ts";
import type { Handlers } from "../lib/serve.ts";

export const auditVerbs: Handlers<typeof tenantAudit> = {
  auditLogs: async (ctx, { query }) => {
    const { rows, next } = await tenantAuditLogs(ctx, query);
    return answerWith(rows, { next });
  },
  auditStatus: (ctx) => auditStatus(ctx),
};
