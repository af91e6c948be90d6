import { unseal } from "@vitaline/aws";
import type { VoiceProviderType } from "@vitaline/contract";
import { AppError, notFound } from "@vitaline/core";
import { outboundFetch } from "@vitaline/outbound";
import { keys, type TenantContext } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { oneAgent, wholeList, type AgentList, type Connection, type Extent } from "./agent-list.ts";
import { listAgents } from "./list-agents.ts";

/** Whose voice provider this is. AppError `not_found`. */
export async function tenantOfVoiceProvider(ctx: PlatformContext, providerId: string): Promise<string> {
  const owner = await ctx.platform.get(keys.idOwner(providerId));
  if (owner?.kind !== "voiceProvider") throw notFound();
  return owner.tenantId;
}

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

/** What is needed to ask the platform of an active provider. AppError `not_found`, `not_doable` for an inactive one. */
export async function connectionTo(ctx: TenantContext, providerId: string): Promise<Connection & { providerType: VoiceProviderType }> {
  const [row, sealed] = await ctx.store.batchGet([keys.voiceProvider(providerId), keys.sealedVoiceKey(providerId)]);
  if (!row || !sealed) throw notFound();
  if (!row.isActive) throw new AppError("not_doable", "This voice provider is inactive. Please activate it first.");
  const apiKey = await unseal("voice-provider-key", ctx.tenantId, sealed.ciphertext);
  const { baseUrl, model } = row;
  return { providerType: row.providerType, apiKey, baseUrl, model, now: ctx.clock, remainingMs: () => ctx.deadline.remainingMs() };
}
