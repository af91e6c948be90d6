import { listApiKeys, revokeApiKey, rotateApiKey } from "@vitaline/api-keys";
import { planUsage } from "@vitaline/calls";
import type { tenants } from "@vitaline/contract";
import { createTenant, listTenants, planOf, tenantDetail, updateContactPreferencesOf, updateTenant } from "@vitaline/tenants";
import { inTenant } from "../lib/context.ts";
import { answerWith } from "../lib/reply.ts";
import type { Handlers } from "../lib/serve.ts";

export const tenantVerbs: Handlers<typeof tenants> = {
  listTenants: async (ctx, { query }) => {
    const { rows, next } = await listTenants(ctx, query);
    return answerWith(rows, { next });
  },
  createTenant: (ctx, { body }) => createTenant(ctx, body),
  getTenant: (ctx, { params, query }) => tenantDetail(ctx, params.tenantId, query.withKey),
  tenantUsage: async (ctx, { params }) => {
    const tenant = inTenant(ctx, params.tenantId);
    return planUsage(tenant, await planOf(tenant));
  },
  updateTenant: (ctx, { params, body, ifMatch }) => updateTenant(ctx, params.tenantId, body, ifMatch),
  updateTenantContactPreferences: (ctx, { params, body, ifMatch }) =>
    updateContactPreferencesOf(inTenant(ctx, params.tenantId), body, ifMatch),
  regenerateTenantApiKey: async (ctx, { params, body }) => ({
    apiKey: await rotateApiKey(inTenant(ctx, params.tenantId), body.overlapSeconds),
  }),
  listTenantApiKeys: (ctx, { params }) => listApiKeys(inTenant(ctx, params.tenantId)),
  revokeTenantApiKey: (ctx, { params }) => revokeApiKey(inTenant(ctx, params.tenantId), params.keyId),
};
