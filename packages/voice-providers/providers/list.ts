import type { ListedVoiceProvider, VoiceProvider } from "@vitaline/contract";
import { allDone, notFound } from "@vitaline/core";
import { keys, type Page, type TenantContext, type VoiceProviderDirectoryRow, type VoiceProviderRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { withTenantNames } from "@vitaline/tenants";
import { asVoiceProvider } from "./voice-provider.ts";

/** A page of a tenant's providers, oldest first. AppError `not_found` for an unknown tenant. */
export async function listVoiceProviders(ctx: TenantContext, page: { limit: number; cursor?: string }): Promise<Page<VoiceProvider>> {
  const [tenant, { rows, next }] = await allDone([
    ctx.store.get(keys.tenantConfig()),
    ctx.store.query<VoiceProviderRow>(keys.tenantPartitions.config(ctx.tenantId), { ...page, prefix: "VOICE#" }),
  ]);
  if (!tenant) throw notFound();
  return { rows: rows.map((row) => asVoiceProvider(ctx, row, tenant.defaultVoiceProviderId)), next };
}

/** Whose voice provider this is. AppError `not_found`. */
export async function tenantOfVoiceProvider(ctx: PlatformContext, providerId: string): Promise<string> {
  const owner = await ctx.platform.get(keys.idOwner(providerId));
  if (owner?.kind !== "voiceProvider") throw notFound();
  return owner.tenantId;
}

/** A page of all tenants' providers, newest first: one query, and one read of the names of the tenants on it. */
export async function listAllVoiceProviders(
  ctx: PlatformContext,
  page: { limit: number; cursor?: string },
): Promise<Page<ListedVoiceProvider>> {
  const { rows, next } = await ctx.platform.query<VoiceProviderDirectoryRow>(keys.partitions.voice, {
    ...page,
    prefix: "PROVIDER#",
    descending: true,
  });
  return { rows: await withTenantNames(ctx, rows), next };
}
