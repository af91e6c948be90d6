import {
  type apiKeys,
  contract,
  type tenantHealth as healthRoutes,
  type tenant,
  type tenantAudit,
  type tenantOffices,
} from "@vitaline/contract";
import { listApiKeys, revokeApiKey, rotateApiKey } from "@vitaline/api-keys";
import { settingsOf, tenantInfo, updateContactPreferences, updateTenantSettings } from "@vitaline/tenants";
import { createOffice, officeCards, officeDetail, updateOffice } from "@vitaline/offices";
import { auditStatus, tenantAuditLogs } from "@vitaline/audit";
import { tenantHealth, tenantNotices } from "@vitaline/system-health";
import { type Handlers, serve } from "../lib/api/serve.ts";
import { sessionAuth } from "../lib/auth/session.ts";
import { withOutboundLoopbackRule } from "../lib/context/ehr-context.ts";
import { callHandlers, callWorkHandlers, dashboardHandlers, followUpHandlers } from "./calls.ts";
import { proxyHandlers } from "./proxies.ts";
import { calendarFeedHandlers, webhookHandlers } from "./webhooks.ts";
import { withScopes } from "../lib/context/platform-context.ts";
import { answerPage } from "../lib/http/response.ts";

const auditAndHealthHandlers: Handlers<typeof tenantAudit & typeof healthRoutes> = {
  auditLogs: async (ctx, { query }) => answerPage(await tenantAuditLogs(ctx, query)),
  auditStatus: (ctx) => auditStatus(ctx),
  tenantSystemHealth: (ctx) => tenantHealth(withScopes(ctx, "health", "ehr"), ctx.session.tenant),
  tenantNotices: (ctx) => tenantNotices(withScopes(ctx, "health", "ehr"), ctx.session.tenant),
};

const officeHandlers: Handlers<typeof tenantOffices> = {
  officeCards: (ctx) => officeCards(withScopes(ctx, "ehr"), ctx.session.tenant),
  createOwnOffice: (ctx, { body }) => createOffice(ctx, body),
  getOwnOffice: (ctx, { params }) => officeDetail(withScopes(ctx, "ehr"), params.officeId),
  updateOwnOffice: (ctx, { params, body, ifMatch }) => updateOffice(ctx, params.officeId, body, ifMatch),
};

const settingsHandlers: Handlers<typeof tenant & typeof apiKeys> = {
  tenantInfo: (ctx, { query }) => tenantInfo(ctx, ctx.session.tenant, query),
  tenantSettings: async (ctx) => settingsOf(ctx.session.tenant),
  updateTenantSettings: (ctx, { body, ifMatch }) => updateTenantSettings(ctx, body, ifMatch),
  updateContactPreferences: (ctx, { body, ifMatch }) => updateContactPreferences(ctx, body, ifMatch),
  regenerateApiKey: async (ctx, { body }) => ({ apiKey: await rotateApiKey(ctx, body.overlapSeconds) }),
  listApiKeys: (ctx) => listApiKeys(ctx),
  revokeApiKey: (ctx, { params }) => revokeApiKey(ctx, params.keyId),
};

/** It calls no webhook itself, but the outbound guard checks the addresses of new ones. */
export const handler = withOutboundLoopbackRule(
  serve(contract.tenant, sessionAuth, ["accounts"])({
    ...settingsHandlers,
    ...officeHandlers,
    ...dashboardHandlers,
    ...callHandlers,
    ...callWorkHandlers,
    ...followUpHandlers,
    ...proxyHandlers,
    ...webhookHandlers,
    ...calendarFeedHandlers,
    ...auditAndHealthHandlers,
  }),
);
