import { unseal } from "@vitaline/aws";
import type { VoiceProviderType } from "@vitaline/contract";
import { AppError, notFound } from "@vitaline/core";
import { keys, type TenantContext } from "@vitaline/store";

/** What is needed to ask a voice platform: the tenant's key, where, and by when. `baseUrl` ends without a slash. */
export type Connection = { apiKey: string; baseUrl?: string; model?: string; now(): Date; remainingMs(): number };

/** What is needed to ask the platform of an active provider. AppError `not_found`, `not_doable` for an inactive one. */
export async function connectionTo(ctx: TenantContext, providerId: string): Promise<Connection & { providerType: VoiceProviderType }> {
  const [row, sealed] = await ctx.store.batchGet([keys.voiceProvider(providerId), keys.sealedVoiceKey(providerId)]);
  if (!row || !sealed) throw notFound();
  if (!row.isActive) throw new AppError("not_doable", "This voice provider is inactive. Please activate it first.");
  const apiKey = await unseal("voice-provider-key", ctx.tenantId, sealed.ciphertext);
  const { baseUrl, model } = row;
  return { providerType: row.providerType, apiKey, baseUrl, model, now: ctx.clock, remainingMs: () => ctx.deadline.remainingMs() };
}
