import { outboundFetch } from "@vitaline/outbound";
import type { TenantContext } from "@vitaline/store";
import { voicePlatforms } from "../platforms.ts";
import { oneAgent, wholeList, type AgentList, type Extent } from "../transport/agent-pages.ts";
import { connectionTo } from "../transport/request.ts";

/** The agents in the provider's platform account. AppError `not_found`, `not_doable` for an inactive provider, and those of ListAgents. */
export const providerAgents = (ctx: TenantContext, providerId: string): Promise<AgentList> => listAgents(ctx, providerId, wholeList);

/** Checks the provider's key with one small request to the platform. AppErrors as providerAgents. */
export async function probeVoiceProvider(ctx: TenantContext, providerId: string): Promise<void> {
  await listAgents(ctx, providerId, oneAgent);
}

const listAgents = async (ctx: TenantContext, providerId: string, extent: Extent): Promise<AgentList> => {
  const { providerType, ...connection } = await connectionTo(ctx, providerId);
  return voicePlatforms[providerType].listAgents(connection, outboundFetch, extent);
};
