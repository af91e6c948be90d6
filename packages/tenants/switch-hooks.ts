import {
  staleVersion,
  keys,
  update,
  type Condition,
  type HookRow,
  type TenantContext,
  type TenantRow,
  type VoiceProviderRow,
  type Write,
} from "@vitaline/store";

/** As many as fit into the transaction of saveTenant. */
export const maxVoiceProviders = 80;

/** Fails if a voice provider was added since the tenant was read, because its hook would be missed. */
export const providersUnchanged = ({ voiceProviders }: TenantRow): Pick<Condition, "equals" | "absent"> =>
  voiceProviders === undefined ? { absent: ["voiceProviders"] } : { equals: { voiceProviders } };

/**
 * Writes that suspend or resume the hooks of the tenant's voice providers; commit them with `providersUnchanged`. AppError
 * `stale_version` if the query returns fewer providers than the tenant's count.
 */
export async function switchHooks(ctx: TenantContext, { voiceProviders = 0 }: TenantRow, isActive: boolean): Promise<Write[]> {
  const { rows } = await ctx.store.query<VoiceProviderRow>(keys.tenantPartitions.config(ctx.tenantId), {
    prefix: "VOICE#",
    limit: maxVoiceProviders,
    now: true,
  });
  if (rows.length < voiceProviders) throw staleVersion();
  const change = isActive ? { remove: ["suspended" as const] } : { set: { suspended: true } };
  return rows.map(({ id }) => update<HookRow>(keys.hook(id), change));
}
