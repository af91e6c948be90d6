import type { VoiceProviderType } from "@vitaline/contract";
import type { OutboundFetch } from "@vitaline/outbound";
import { wholeList, type AgentList, type Connection, type ListAgents } from "./agent-list.ts";
import { listElevenLabsAgents } from "./elevenlabs/list-agents.ts";
import { listOpenAiAgents } from "./openai/list-agents.ts";
import { listRetellAgents } from "./retellai/list-agents.ts";
import { listVapiAgents } from "./vapi/list-agents.ts";

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
