import { findExport, listExports, platformDesk, startExport, tenantDesk } from "@vitaline/audit";
import type { exports } from "@vitaline/contract";
import { notFound } from "@vitaline/core";
import { keys } from "@vitaline/store";
import { answerWith } from "../lib/reply.ts";
import type { Handlers } from "../lib/serve.ts";

export const exportVerbs: Handlers<typeof exports> = {
  async exportAudit(ctx, { body }) {
    const { tenantId } = body;
    if (tenantId && !(await ctx.platform.inTenant(tenantId).get(keys.tenantConfig()))) throw notFound();
    return startExport(ctx, platformDesk(ctx), body);
  },
  async auditExports(ctx, { query }) {
    const { rows, next } = await listExports(platformDesk(ctx), query);
    return answerWith(rows, { next });
  },
  auditExport: (ctx, { params }) => findExport(ctx, platformDesk(ctx), params.exportId),
  exportTenantAudit: (ctx, { body }) => startExport(ctx, tenantDesk(ctx), body),
  async tenantAuditExports(ctx, { query }) {
    const { rows, next } = await listExports(tenantDesk(ctx), query);
    return answerWith(rows, { next });
  },
  tenantAuditExport: (ctx, { params }) => findExport(ctx, tenantDesk(ctx), params.exportId),
};
