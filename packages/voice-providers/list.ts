import type { VoiceProvider } from "@vitaline/contract";
import { allDone, notFound } from "@vitaline/core";
import { keys, type Page, type TenantContext, type VoiceProviderRow } from "@vitaline/store";
import { asVoiceProvider } from "./as-voice-provider.ts";

/** A page of a tenant's providers, oldest first. AppError `not_found` for an unknown tenant. */
export async function listVoiceProviders(ctx: TenantContext, page: { limit: number; cursor?: string }): Promise<Page<VoiceProvider>> {
  const [tenant, { rows, next }] = await allDone([
    ctx.store.get(keys.tenantConfig()),
    ctx.store.query<VoiceProviderRow>(keys.tenantPartitions.config(ctx.tenantId), { ...page, prefix: "VOICE#" }),
  ]);
  if (!tenant) throw notFound();
  return { rows: rows.map((row) => asVoiceProvider(ctx, row, tenant.defaultVoiceProviderId)), next };
}
