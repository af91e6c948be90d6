import { AppError, awaitAllThenThrow, notFound } from "@vitaline/core";
import {
  allRows,
  keys,
  nextVersion,
  remove,
  retryOnStale,
  type TenantContext,
  type VoiceAgentRow,
  type VoiceProviderRow,
} from "@vitaline/store";
import { countDeletedProvider } from "./default-provider.ts";

const stillUsed = (agents: readonly VoiceAgentRow[]) => {
  const ofOffices = agents.filter(({ officeId }) => officeId !== undefined).length;
  const counts = [
    ...(agents.length > ofOffices ? [`${agents.length - ofOffices} of the organization`] : []),
    ...(ofOffices > 0 ? [`${ofOffices} of its offices`] : []),
  ];
  return new AppError("not_doable", `Voice agents still use this provider: ${counts.join(", ")}. Please remove them first.`);
};
const stillActive = () => new AppError("not_doable", "This voice provider is active. Please deactivate it first.");

/**
 * Calls stay, with their audit. AppError `not_found`; `not_doable` while the provider is active or has agents; `stale_version` if
 * `ifMatch` is not the current version.
 */
export const deleteVoiceProvider = (ctx: TenantContext, id: string, ifMatch: number | undefined): Promise<void> =>
  retryOnStale(ifMatch, async () => {
    const [tenant, row] = await awaitAllThenThrow([ctx.store.get(keys.tenantConfig()), ctx.store.get(keys.voiceProvider(id))]);
    if (!tenant || !row) throw notFound();
    const { asRead } = nextVersion(row, ifMatch);
    // Later than the provider, which accepts no agent while it is inactive and has this version: none can be missed.
    const [agents, providers] = await awaitAllThenThrow([
      rowsOf<VoiceAgentRow>(ctx, "AGENT#"),
      tenant.voiceProviderCount === undefined ? rowsOf<VoiceProviderRow>(ctx, "VOICE#") : [],
    ]);
    const using = agents.filter(({ voiceProviderId }) => voiceProviderId === id);
    if (using.length > 0) throw stillUsed(using);
    if (row.isActive) throw stillActive();
    await ctx.store.commit(
      [
        countDeletedProvider(tenant, providers.length, id),
        remove(keys.voiceProvider(id), asRead),
        remove(keys.voiceProviderDirectory(id)),
        remove(keys.ref(id)),
        remove(keys.sealedVoiceKey(id)),
        remove(keys.hook(id)),
      ],
      {
        category: "configuration_change",
        action: "voiceProvider.delete",
        resourceType: "VoiceProvider",
        resourceId: id,
        detail: { providerType: row.providerType, isDefault: tenant.defaultVoiceProviderId === id },
      },
    );
  });

const rowsOf = <Row extends object>(ctx: TenantContext, prefix: string): Promise<Row[]> =>
  allRows<Row>(ctx.store, keys.tenantPartitions.config(ctx.tenantId), { prefix, now: true });
