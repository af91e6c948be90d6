import type { VoiceProviderType } from "@vitaline/contract";
import { outboundFetch } from "@vitaline/outbound";
import type { TenantContext } from "@vitaline/store";
import { listAgents as listElevenLabsAgents } from "../elevenlabs/api.ts";
import { listAgents as listOpenAiModels } from "../openai/api.ts";
import { listAgents as listRetellAgents } from "../retellai/api.ts";
import { listAgents as listVapiAssistants } from "../vapi/api.ts";
import { oneAgent, wholeList, type AgentList, type Extent, type ListAgents } from "../transport/agent-pages.ts";
import { connectionTo } from "../transport/request.ts";

/** Apart from the adapters, so that functions which only list agents do not load them. */
export const agentLists: Readonly<Record<VoiceProviderType, ListAgents>> = {
  vapi: listVapiAssistants,
  retellai: listRetellAgents,
  elevenlabs: listElevenLabsAgents,
  openai: listOpenAiModels,
};

/** The agents in the provider's platform account. AppError `not_found`, `not_doable` for an inactive provider, and those of ListAgents. */
export const providerAgents = (ctx: TenantContext, providerId: string): Promise<AgentList> => listAgents(ctx, providerId, wholeList);

/** Checks the provider's key with one small request to the platform. AppErrors as providerAgents. */
export async function probeVoiceProvider(ctx: TenantContext, providerId: string): Promise<void> {
  await listAgents(ctx, providerId, oneAgent);
}

const listAgents = async (ctx: TenantContext, providerId: string, extent: Extent): Promise<AgentList> => {
  const { providerType, ...connection } = await connectionTo(ctx, providerId);
  return agentLists[providerType](connection, outboundFetch, extent);
};
