import type { tenantVoiceAgents, tenantVoiceProviders, VoiceProvider, OwnVoiceProvider } from "@vitaline/contract";
import { assignVoiceAgent, deleteVoiceAgent, listVoiceAgents, updateVoiceAgent } from "@vitaline/voice-agents";
import { listVoiceProviders } from "@vitaline/voice-providers";
import { agentsAt } from "./providers.ts";
import { answerWith } from "../lib/reply.ts";
import type { Handlers } from "../lib/serve.ts";

const asOwn = ({ id, providerType, providerName, config: { webhookUrl }, isDefault, isActive }: VoiceProvider): OwnVoiceProvider => ({
  id,
  providerType,
  providerName,
  webhookUrl,
  isDefault,
  isActive,
});

/** What a tenant sees of its voice platforms, and sets for its own offices. */
export const tenantVerbs: Handlers<typeof tenantVoiceProviders & typeof tenantVoiceAgents> = {
  listOwnVoiceProviders: async (ctx, { query }) => {
    const { rows, next } = await listVoiceProviders(ctx, query);
    return answerWith(rows.map(asOwn), { next });
  },
  listOwnProviderAgents: (ctx, { params }) => agentsAt(ctx, params.providerId),
  listOwnVoiceAgents: async (ctx, { query }) => {
    const { rows, next } = await listVoiceAgents(ctx, undefined, query);
    return answerWith(rows, { next });
  },
  assignOwnVoiceAgent: (ctx, { params, body }) => assignVoiceAgent(ctx, params.officeId, body),
  updateOwnVoiceAgent: (ctx, { params, body, ifMatch }) => updateVoiceAgent(ctx, params, body, ifMatch),
  deleteOwnVoiceAgent: (ctx, { params, ifMatch }) => deleteVoiceAgent(ctx, params, ifMatch),
};
