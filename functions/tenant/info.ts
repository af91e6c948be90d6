import { rotateApiKey } from "@vitaline/api-keys";
import type { tenant } from "@vitaline/contract";
import { settingsOf, tenantInfo, updateContactPreferences, updateTenantSettings } from "@vitaline/tenants";
import type { Handlers } from "../lib/serve.ts";

export const infoVerbs: Handlers<typeof tenant> = {
  tenantInfo: (ctx, { query }) => tenantInfo(ctx, ctx.session.tenant, query.withKey),
  regenerateApiKey: async (ctx, { body }) => ({ apiKey: await rotateApiKey(ctx, body.overlapSeconds) }),
  tenantSettings: async (ctx) => settingsOf(ctx.session.tenant),
  updateTenantSettings: (ctx, { body, ifMatch }) => updateTenantSettings(ctx, body, ifMatch),
  updateContactPreferences: (ctx, { body, ifMatch }) => updateContactPreferences(ctx, body, ifMatch),
};
