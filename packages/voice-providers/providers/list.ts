import type { ListedVoiceProvider, VoiceProvider } from "@vitaline/contract";
import { awaitAllThenThrow, notFound } from "@vitaline/core";
import { keys, type Page, type TenantContext, type VoiceProviderDirectoryRow, type VoiceProviderRow } from "@vitaline/store";
import type { DirectoryContext } from "@vitaline/store/scoped.ts";
import { withTenantNames } from "@vitaline/tenants";
import { asVoiceProvider } from "./voice-provider.ts";

/** Oldest first. AppError `not_found` for an unknown tenant. */
export async function listVoiceProviders(ctx: TenantContext, page: { limit: number; cursor?: string }): Promise<Page<VoiceProvider>> {
  const [tenant, { rows, next }] = await awaitAllThenThrow([
    ctx.store.get(keys.tenantConfig()),
    ctx.store.query<VoiceProviderRow>(keys.tenantPartitions.config(ctx.tenantId), { ...page, prefix: "VOICE#" }),
  ]);
  if (!tenant) throw notFound();
  return { rows: rows.map((row) => asVoiceProvider(ctx, row, tenant.defaultVoiceProviderId)), next };
}

/** AppError `not_found`. */
export async function tenantOfVoiceProvider(ctx: DirectoryContext, providerId: string): Promise<string> {
  const owner = await ctx.platform.get(keys.refOwner(providerId));
  if (owner?.kind !== "voiceProvider") throw notFound();
  return owner.tenantId;
}

/** Newest first. One Query and one batch read of tenant names. */
export async function listAllVoiceProviders(
  ctx: DirectoryContext,
  page: { limit: number; cursor?: string },
): Promise<Page<ListedVoiceProvider>> {
  const { rows, next } = await ctx.platform.query<VoiceProviderDirectoryRow>(keys.partitions.voice, {
    ...page,
    prefix: "PROVIDER#",
    descending: true,
  });
  return { rows: await withTenantNames(ctx, rows), next };
}
