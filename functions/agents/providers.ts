import type { voiceProviders } from "@vitaline/contract";
import {
  createVoiceProvider,
  listAllVoiceProviders,
  listVoiceProviders,
  providerAgents,
  tenantOfVoiceProvider,
  updateVoiceProvider,
} from "@vitaline/voice-providers";
import { inTenant } from "../lib/context.ts";
import { answerWith } from "../lib/reply.ts";
import type { Handlers } from "../lib/serve.ts";

/** The agents that a tenant has at a platform, and in a header whether that is not all of them. */
export const agentsAt = async (ctx: Parameters<typeof providerAgents>[0], providerId: string) => {
  const { agents, complete } = await providerAgents(ctx, providerId);
  return answerWith(agents, { headers: complete ? {} : { "vitaline-incomplete": "true" } });
};

export const providerVerbs: Handlers<typeof voiceProviders> = {
  listVoiceProviders: async (ctx, { params, query }) => {
    const { rows, next } = await listVoiceProviders(inTenant(ctx, params.tenantId), query);
    return answerWith(rows, { next });
  },
  createVoiceProvider: (ctx, { params, body }) => createVoiceProvider(inTenant(ctx, params.tenantId), body),
  updateVoiceProvider: (ctx, { params, body, ifMatch }) => updateVoiceProvider(inTenant(ctx, params.tenantId), params.id, body, ifMatch),
  listProviderAgents: async (ctx, { params }) =>
    agentsAt(inTenant(ctx, await tenantOfVoiceProvider(ctx, params.providerId)), params.providerId),
  listAllVoiceProviders: async (ctx, { query }) => {
    const { rows, next } = await listAllVoiceProviders(ctx, query);
    return answerWith(rows, { next });
  },
};
