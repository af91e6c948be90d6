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
export const providersUnchanged = ({ voiceProviderCount }: TenantRow): Pick<Condition, "equals" | "absent"> =>
  voiceProviderCount === undefined ? { absent: ["voiceProviderCount"] } : { equals: { voiceProviderCount } };

/**
 * Writes that suspend or resume the hooks of the tenant's voice providers; commit them with `providersUnchanged`. AppError
 * `stale_version` if the query returns fewer providers than the tenant's count.
 */
export async function setHooksActive(ctx: TenantContext, { voiceProviderCount = 0 }: TenantRow, isActive: boolean): Promise<Write[]> {
  const { rows } = await ctx.store.query<VoiceProviderRow>(keys.tenantPartitions.config(ctx.tenantId), {
    prefix: "VOICE#",
    limit: maxVoiceProviders,
    now: true,
  });
  if (rows.length < voiceProviderCount) throw staleVersion();
  const change = isActive ? { remove: ["suspended" as const] } : { set: { suspended: true } };
  return rows.map(({ id }) => update<HookRow>(keys.hook(id), change));
}
