import type { ChangedVoiceProvider, NewVoiceProvider, VoiceProvider } from "@vitaline/contract";
import { AppError, notFound } from "@vitaline/core";
import { keys, type TenantContext, type TenantRow } from "@vitaline/store";
import { createVoiceProvider } from "./create.ts";
import { updateVoiceProvider } from "./update.ts";
import { asVoiceProvider } from "./voice-provider.ts";

/** AppError `forbidden` where the tenant's policies leave voice providers to the platform. */
async function requireOwnProvidersPolicy(ctx: TenantContext): Promise<TenantRow> {
  const tenant = await ctx.store.get(keys.tenantConfig());
  if (!tenant) throw notFound();
  if (tenant.policies?.ownVoiceProviders) return tenant;
  throw new AppError("forbidden", "Your organization may not set up voice platforms itself. Please ask the platform to do it.");
}

/** For the tenant itself, without secrets. AppErrors `forbidden` and `not_found`. */
export async function readOwnVoiceProvider(ctx: TenantContext, id: string): Promise<VoiceProvider> {
  const { defaultVoiceProviderId } = await requireOwnProvidersPolicy(ctx);
  const row = await ctx.store.get(keys.voiceProvider(id));
  if (!row) throw notFound();
  return asVoiceProvider(ctx, row, defaultVoiceProviderId);
}

/** For the tenant itself. AppErrors `forbidden`, and as createVoiceProvider. */
export async function createOwnVoiceProvider(ctx: TenantContext, input: NewVoiceProvider): Promise<VoiceProvider> {
  await requireOwnProvidersPolicy(ctx);
  return createVoiceProvider(ctx, input);
}

/** For the tenant itself. AppErrors `forbidden`, and as updateVoiceProvider. */
export async function updateOwnVoiceProvider(
  ctx: TenantContext,
  id: string,
  input: ChangedVoiceProvider,
  ifMatch: number | undefined,
): Promise<VoiceProvider> {
  await requireOwnProvidersPolicy(ctx);
  return updateVoiceProvider(ctx, id, input, ifMatch);
}
