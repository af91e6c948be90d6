import { listApiKeys, revokeApiKey, rotateApiKey } from "@vitaline/api-keys";
import { auditStatus, tenantAuditLogs } from "@vitaline/audit";
import type { apiKeys, tenant, tenantAudit, tenantHealth as healthRoutes, tenantOffices } from "@vitaline/contract";
import { createOffice, officeCards, officeDetail, updateOffice } from "@vitaline/offices";
import { tenantHealth } from "@vitaline/system-health";
import { settingsOf, tenantInfo, updateContactPreferences, updateTenantSettings } from "@vitaline/tenants";
import type { Handlers } from "../lib/api/serve.ts";
import { withScopes } from "../lib/context/platform-context.ts";
import { answerPage } from "../lib/http/response.ts";

export const settingsHandlers: Handlers<typeof tenant & typeof apiKeys> = {
  tenantInfo: (ctx, { query }) => tenantInfo(ctx, ctx.session.tenant, query.withKey),
  tenantSettings: async (ctx) => settingsOf(ctx.session.tenant),
  updateTenantSettings: (ctx, { body, ifMatch }) => updateTenantSettings(ctx, body, ifMatch),
  updateContactPreferences: (ctx, { body, ifMatch }) => updateContactPreferences(ctx, body, ifMatch),
  regenerateApiKey: async (ctx, { body }) => ({ apiKey: await rotateApiKey(ctx, body.overlapSeconds) }),
  listApiKeys: (ctx) => listApiKeys(ctx),
  revokeApiKey: (ctx, { params }) => revokeApiKey(ctx, params.keyId),
};

export const officeHandlers: Handlers<typeof tenantOffices> = {
  officeCards: (ctx) => officeCards(withScopes(ctx, "ehr"), ctx.session.tenant),
  createOwnOffice: (ctx, { body }) => createOffice(ctx, body),
  getOwnOffice: (ctx, { params }) => officeDetail(withScopes(ctx, "ehr"), params.officeId),
  updateOwnOffice: (ctx, { params, body, ifMatch }) => updateOffice(ctx, params.officeId, body, ifMatch),
};

export const complianceHandlers: Handlers<typeof tenantAudit & typeof healthRoutes> = {
  auditLogs: async (ctx, { query }) => answerPage(await tenantAuditLogs(ctx, query)),
  auditStatus: (ctx) => auditStatus(ctx),
  tenantSystemHealth: (ctx) => tenantHealth(withScopes(ctx, "health", "ehr"), ctx.session.tenant),
};
