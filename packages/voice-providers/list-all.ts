import type { ListedVoiceProvider } from "@vitaline/contract";
import { keys, type Page, type VoiceProviderDirectoryRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { withTenantNames } from "@vitaline/tenants";

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
