import {
  contract,
  type OwnVoiceProvider,
  type tenantVoiceAgents,
  type tenantVoiceProviders,
  type voiceAgents,
  type VoiceProvider,
  type voiceProviders,
} from "@vitaline/contract";
import {
  assignVoiceAgent,
  deleteVoiceAgent,
  listAllVoiceAgents,
  listVoiceAgents,
  tenantOfOffice,
  updateVoiceAgent,
} from "@vitaline/voice-agents";
import {
  createOwnVoiceProvider,
  createVoiceProvider,
  deleteOwnVoiceProvider,
  deleteVoiceProvider,
  listAllVoiceProviders,
  listVoiceProviders,
  providerAgents,
  readOwnVoiceProvider,
  tenantOfVoiceProvider,
  updateOwnVoiceProvider,
  updateVoiceProvider,
} from "@vitaline/voice-providers";
import { serve, type Handlers } from "../lib/api/serve.ts";
import { sessionAuth } from "../lib/auth/session.ts";
import type { SessionContext } from "../lib/auth/types.ts";
import { withOutboundLoopbackRule } from "../lib/context/ehr-context.ts";
import { inTenant } from "../lib/context/platform-context.ts";
import { answerPage, answerWith } from "../lib/http/response.ts";

/** The agents at the provider's platform; a header marks an incomplete list. */
const listPlatformAgents = async (ctx: Parameters<typeof providerAgents>[0], providerId: string) => {
  const { agents, complete } = await providerAgents(ctx, providerId);
  return answerWith(agents, { headers: complete ? {} : { "vitaline-incomplete": "true" } });
};

const providerHandlers: Handlers<typeof voiceProviders, "directory"> = {
  listVoiceProviders: async (ctx, { params, query }) => answerPage(await listVoiceProviders(inTenant(ctx, params.tenantId), query)),
  createVoiceProvider: (ctx, { params, body }) => createVoiceProvider(inTenant(ctx, params.tenantId), body),
  updateVoiceProvider: (ctx, { params, body, ifMatch }) => updateVoiceProvider(inTenant(ctx, params.tenantId), params.id, body, ifMatch),
  deleteVoiceProvider: (ctx, { params, ifMatch }) => deleteVoiceProvider(inTenant(ctx, params.tenantId), params.id, ifMatch),
  listProviderAgents: async (ctx, { params }) =>
    listPlatformAgents(inTenant(ctx, await tenantOfVoiceProvider(ctx, params.providerId)), params.providerId),
  listAllVoiceProviders: async (ctx, { query }) => answerPage(await listAllVoiceProviders(ctx, query)),
};

const inTenantOf = async (ctx: SessionContext<"directory">, officeId: string) => inTenant(ctx, await tenantOfOffice(ctx, officeId));

const agentHandlers: Handlers<typeof voiceAgents, "directory"> = {
  listVoiceAgents: async (ctx, { params, query }) => answerPage(await listVoiceAgents(inTenant(ctx, params.tenantId), undefined, query)),
  assignVoiceAgent: (ctx, { params, body }) => assignVoiceAgent(inTenant(ctx, params.tenantId), undefined, body),
  updateVoiceAgent: (ctx, { params: { tenantId, id }, body, ifMatch }) => updateVoiceAgent(inTenant(ctx, tenantId), { id }, body, ifMatch),
  deleteVoiceAgent: (ctx, { params: { tenantId, id }, ifMatch }) => deleteVoiceAgent(inTenant(ctx, tenantId), { id }, ifMatch),
  listOfficeVoiceAgents: async (ctx, { params, query }) =>
    answerPage(await listVoiceAgents(await inTenantOf(ctx, params.officeId), params.officeId, query)),
  assignOfficeVoiceAgent: async (ctx, { params, body }) => assignVoiceAgent(await inTenantOf(ctx, params.officeId), params.officeId, body),
  updateOfficeVoiceAgent: async (ctx, { params, body, ifMatch }) =>
    updateVoiceAgent(await inTenantOf(ctx, params.officeId), params, body, ifMatch),
  deleteOfficeVoiceAgent: async (ctx, { params, ifMatch }) => deleteVoiceAgent(await inTenantOf(ctx, params.officeId), params, ifMatch),
  listAllVoiceAgents: async (ctx, { query }) => answerPage(await listAllVoiceAgents(ctx, query)),
};

const asOwn = ({ id, providerType, providerName, config: { webhookUrl }, isDefault, isActive }: VoiceProvider): OwnVoiceProvider => ({
  id,
  providerType,
  providerName,
  webhookUrl,
  isDefault,
  isActive,
});

/** Tenants see their voice providers, set them up if their policies allow it, and assign agents to their own offices. */
const tenantHandlers: Handlers<typeof tenantVoiceProviders & typeof tenantVoiceAgents> = {
  listOwnVoiceProviders: async (ctx, { query }) => {
    const { rows, next } = await listVoiceProviders(ctx, query);
    return answerPage({ rows: rows.map(asOwn), next });
  },
  readOwnVoiceProvider: (ctx, { params }) => readOwnVoiceProvider(ctx, params.providerId),
  createOwnVoiceProvider: (ctx, { body }) => createOwnVoiceProvider(ctx, body),
  updateOwnVoiceProvider: (ctx, { params, body, ifMatch }) => updateOwnVoiceProvider(ctx, params.providerId, body, ifMatch),
  deleteOwnVoiceProvider: (ctx, { params, ifMatch }) => deleteOwnVoiceProvider(ctx, params.providerId, ifMatch),
  listOwnProviderAgents: (ctx, { params }) => listPlatformAgents(ctx, params.providerId),
  listOwnVoiceAgents: async (ctx, { query }) => answerPage(await listVoiceAgents(ctx, undefined, query)),
  assignOwnVoiceAgent: (ctx, { params, body }) => assignVoiceAgent(ctx, params.officeId, body),
  updateOwnVoiceAgent: (ctx, { params, body, ifMatch }) => updateVoiceAgent(ctx, params, body, ifMatch),
  deleteOwnVoiceAgent: (ctx, { params, ifMatch }) => deleteVoiceAgent(ctx, params, ifMatch),
};

export const handler = withOutboundLoopbackRule(
  serve(contract.agents, sessionAuth, ["accounts", "directory"])({ ...providerHandlers, ...agentHandlers, ...tenantHandlers }),
);
