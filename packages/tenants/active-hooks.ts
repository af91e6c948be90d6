import {
  staleVersion,
  keys,
  update,
  type HookRow,
  type TenantContext,
  type TenantRow,
  type VoiceProviderRow,
  type Write,
} from "@vitaline/store";

/** As many as fit into the transaction of saveTenant. */
export const maxVoiceProviders = 80;

/** Fails if a voice provider was added or deleted since the tenant was read: a hook would be missed, or remain. */
export const providersUnchanged = (tenant: TenantRow): { equals: Record<string, number>; absent: string[] } => {
  const names = ["voiceProviderCount", "voiceProvidersDeleted"] as const;
  return {
    equals: Object.fromEntries(names.flatMap((name) => (tenant[name] === undefined ? [] : [[name, tenant[name]]]))),
    absent: names.filter((name) => tenant[name] === undefined),
  };
};

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
