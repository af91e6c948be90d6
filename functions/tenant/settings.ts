import { listApiKeys, revokeApiKey, rotateApiKey } from "@vitaline/api-keys";
import type { apiKeys, tenant } from "@vitaline/contract";
import { settingsOf, tenantInfo, updateContactPreferences, updateTenantSettings } from "@vitaline/tenants";
import type { Handlers } from "../lib/api/serve.ts";

export const settingsHandlers: Handlers<typeof tenant & typeof apiKeys> = {
  tenantInfo: (ctx, { query }) => tenantInfo(ctx, ctx.session.tenant, query.withKey),
  tenantSettings: async (ctx) => settingsOf(ctx.session.tenant),
  updateTenantSettings: (ctx, { body, ifMatch }) => updateTenantSettings(ctx, body, ifMatch),
  updateContactPreferences: (ctx, { body, ifMatch }) => updateContactPreferences(ctx, body, ifMatch),
  regenerateApiKey: async (ctx, { body }) => ({ apiKey: await rotateApiKey(ctx, body.overlapSeconds) }),
  listApiKeys: (ctx) => listApiKeys(ctx),
  revokeApiKey: (ctx, { params }) => revokeApiKey(ctx, params.keyId),
};
