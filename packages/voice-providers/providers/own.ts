import type { ChangedVoiceProvider, NewVoiceProvider, VoiceProvider } from "@vitaline/contract";
import { AppError, notFound, awaitAllThenThrow } from "@vitaline/core";
import { keys, type TenantContext, type TenantRow } from "@vitaline/store";
import { createVoiceProvider } from "./create.ts";
import { deleteVoiceProvider } from "./delete.ts";
import { updateVoiceProvider } from "./update.ts";
import { asVoiceProvider } from "./voice-provider.ts";

/** AppError `forbidden` where the tenant's policies leave voice providers to the platform. */
function requireOwnProvidersPolicy(tenant: TenantRow | undefined): void {
  if (!tenant) throw notFound();
  if (tenant.policies?.ownVoiceProviders) return;
  throw new AppError("forbidden", "Your organization may not set up voice platforms itself. Please ask the platform to do it.");
}

/** For the tenant itself, without secrets. AppErrors `not_found` and `forbidden`. */
export async function readOwnVoiceProvider(ctx: TenantContext, id: string): Promise<VoiceProvider> {
  const [tenant, row] = await awaitAllThenThrow([ctx.store.get(keys.tenantConfig()), ctx.store.get(keys.voiceProvider(id))]);
  if (!row) throw notFound();
  requireOwnProvidersPolicy(tenant);
  return asVoiceProvider(ctx, row, tenant?.defaultVoiceProviderId);
}

/** For the tenant itself. AppErrors `forbidden`, and as createVoiceProvider. */
export async function createOwnVoiceProvider(ctx: TenantContext, input: NewVoiceProvider): Promise<VoiceProvider> {
  requireOwnProvidersPolicy(await ctx.store.get(keys.tenantConfig()));
  return createVoiceProvider(ctx, input);
}

/** For the tenant itself. AppErrors `forbidden`, and as updateVoiceProvider. */
export async function updateOwnVoiceProvider(
  ctx: TenantContext,
  id: string,
  input: ChangedVoiceProvider,
  ifMatch: number | undefined,
): Promise<VoiceProvider> {
  await readOwnVoiceProvider(ctx, id);
  return updateVoiceProvider(ctx, id, input, ifMatch);
}

/** For the tenant itself. AppErrors `forbidden`, and as deleteVoiceProvider. */
export async function deleteOwnVoiceProvider(ctx: TenantContext, id: string, ifMatch: number | undefined): Promise<void> {
  await readOwnVoiceProvider(ctx, id);
  return deleteVoiceProvider(ctx, id, ifMatch);
}
