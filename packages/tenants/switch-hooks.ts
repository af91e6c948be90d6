import {
  changedMeanwhile,
  keys,
  update,
  type Condition,
  type HookRow,
  type TenantContext,
  type TenantRow,
  type VoiceProviderRow,
  type Write,
} from "@vitaline/store";

/** As many as go into one transaction with what else a switch of their tenant writes. */
export const mostVoiceProviders = 80;

/** That no voice provider was made since the tenant was read: its hook would not be switched. */
export const sameProviders = ({ voiceProviders }: TenantRow): Pick<Condition, "equals" | "absent"> =>
  voiceProviders === undefined ? { absent: ["voiceProviders"] } : { equals: { voiceProviders } };

/**
 * Writes that refuse what a tenant's voice platforms sign, or let it in again, from the next request on; they go together with
 * `sameProviders`. AppError `stale_version` while the list of providers is behind the tenant's own count of them.
 */
export async function switchHooks(ctx: TenantContext, { voiceProviders = 0 }: TenantRow, isActive: boolean): Promise<Write[]> {
  const { rows } = await ctx.store.query<VoiceProviderRow>(keys.tenantPartitions.config(ctx.tenantId), {
    prefix: "VOICE#",
    limit: mostVoiceProviders,
    now: true,
  });
  if (rows.length < voiceProviders) throw changedMeanwhile();
  const change = isActive ? { remove: ["suspended" as const] } : { set: { suspended: true } };
  // No condition that it is there: a provider from before there were hooks must not keep its tenant from being switched off.
  return rows.map(({ id }) => update<HookRow>(keys.hook(id), change));
}
