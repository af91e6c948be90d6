import { type OutboundFetch, outboundFetch } from "@vitaline/outbound";
import type { TenantContext } from "@vitaline/store";
import type { VoiceProviderType } from "@vitaline/contract";
import { type AgentList, type Extent, type ListAgents, oneAgent, wholeList } from "../transport/agent-pages.ts";
import { type Connection, connectionTo } from "../transport/connection.ts";
import { listElevenLabsAgents } from "../elevenlabs/api.ts";
import { listOpenAiAgents } from "../openai/api.ts";
import { listRetellAgents } from "../retellai/api.ts";
import { listVapiAgents } from "../vapi/api.ts";

const lists: Readonly<Record<VoiceProviderType, ListAgents>> = {
  vapi: listVapiAgents,
  retellai: listRetellAgents,
  elevenlabs: listElevenLabsAgents,
  openai: listOpenAiAgents,
};

/** The agents that a platform has under this key, at most a thousand, or fewer where `extent` says so. AppErrors as ListAgents has them. */
export const listAgents = (
  providerType: VoiceProviderType,
  connection: Connection,
  fetch: OutboundFetch,
  extent = wholeList,
): Promise<AgentList> => lists[providerType](connection, fetch, extent);

/** What the platform itself says which agents it has. AppError `not_found`, `not_doable` for an inactive provider, and those of ListAgents. */
export const providerAgents = (ctx: TenantContext, providerId: string): Promise<AgentList> => askProvider(ctx, providerId, wholeList);

/** Whether the platform answers to the provider's key, at the price of one small request of the tenant's. AppErrors as providerAgents has them. */
export async function tryVoiceProvider(ctx: TenantContext, providerId: string): Promise<void> {
  await askProvider(ctx, providerId, oneAgent);
}

const askProvider = async (ctx: TenantContext, providerId: string, extent: Extent): Promise<AgentList> => {
  const { providerType, ...connection } = await connectionTo(ctx, providerId);
  return listAgents(providerType, connection, outboundFetch, extent);
};
