import {
  findExport,
  listAccessReports,
  listExports,
  listReportablePeople,
  platformAccessScope,
  platformExportScope,
  readAccessReport,
  startAccessReport,
  startExport,
  tenantAccessScope,
  tenantExportScope,
} from "@vitaline/audit";
import { contract } from "@vitaline/contract";
import { notFound } from "@vitaline/core";
import { keys } from "@vitaline/store";
import { serve } from "../lib/api/serve.ts";
import { sessionAuth } from "../lib/auth/session.ts";
import { answerPage } from "../lib/http/response.ts";

export const handler = serve(contract.exports, sessionAuth, ["platform"])({
  async exportAudit(ctx, { body }) {
    const { tenantId } = body;
    if (tenantId && !(await ctx.platform.inTenant(tenantId).get(keys.tenantConfig()))) throw notFound();
    return startExport(ctx, platformExportScope(ctx), body);
  },
  auditExports: async (ctx, { query }) => answerPage(await listExports(platformExportScope(ctx), query)),
  auditExport: (ctx, { params }) => findExport(ctx, platformExportScope(ctx), params.exportId),
  exportTenantAudit: (ctx, { body }) => startExport(ctx, tenantExportScope(ctx), body),
  tenantAuditExports: async (ctx, { query }) => answerPage(await listExports(tenantExportScope(ctx), query)),
  tenantAuditExport: (ctx, { params }) => findExport(ctx, tenantExportScope(ctx), params.exportId),
  requestAccessReport: (ctx, { body }) => startAccessReport(ctx, tenantAccessScope(ctx), body),
  listAccessReports: async (ctx, { query }) => answerPage(await listAccessReports(ctx, tenantAccessScope(ctx), query)),
  listReportablePeople: async (ctx, { query }) => answerPage(await listReportablePeople(ctx, query)),
  accessReport: (ctx, { params, query }) => readAccessReport(ctx, tenantAccessScope(ctx), params.reportId, query),
  async requestPlatformAccessReport(ctx, { body }) {
    const { tenantId } = body;
    if (tenantId && !(await ctx.platform.inTenant(tenantId).get(keys.tenantConfig()))) throw notFound();
    return startAccessReport(ctx, platformAccessScope(ctx), body);
  },
  listPlatformAccessReports: async (ctx, { query }) => answerPage(await listAccessReports(ctx, platformAccessScope(ctx), query)),
  platformAccessReport: (ctx, { params, query }) => readAccessReport(ctx, platformAccessScope(ctx), params.reportId, query),
});
