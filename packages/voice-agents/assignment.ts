import type { VoiceAgent, VoiceProviderType } from "@vitaline/contract";
import { type ExternalAgentRow, keys, type TenantContext, type VoiceAgentDirectoryRow, type VoiceAgentRow } from "@vitaline/store";
import { notFound } from "@vitaline/core";

export const asVoiceAgent = (ctx: TenantContext, { agentData, version, ...row }: VoiceAgentRow): VoiceAgent => ({
  ...row,
  tenantId: ctx.tenantId,
  agentData: agentData ?? null,
  version: version ?? 1,
});

/** The row's entry in the list over all tenants. */
export const listedRow = (
  tenantId: string,
  { id, officeId, voiceProviderId, providerType, agentName, isActive, createdAt }: VoiceAgentRow,
): VoiceAgentDirectoryRow => ({ tenantId, id, officeId, voiceProviderId, providerType, agentName, isActive, createdAt });

/** What the audit says of an assignment. */
export const detailOf = ({ officeId, voiceProviderId, isActive }: VoiceAgentRow): Record<string, string | boolean> => ({
  ...(officeId ? { officeId } : {}),
  voiceProviderId,
  isActive,
});

/** Where an assignment's row lies: with its office, or with those of the tenant as a whole. */
export const agentKey = (officeId: string | undefined, id: string) => keys.voiceAgent(officeId ?? "-", id);

/** One assignment: of this office; without one, wherever in the tenant it is, as the list over all its offices shows them too. AppError `not_found`. */
export async function findAgent(ctx: TenantContext, id: string, officeId: string | undefined): Promise<VoiceAgentRow> {
  const place = officeId === undefined ? await ctx.store.get(keys.voiceAgentDirectory(id)) : { tenantId: ctx.tenantId, officeId };
  // The directory holds every tenant's entries.
  const row = place?.tenantId === ctx.tenantId ? await ctx.store.get(agentKey(place.officeId, id)) : undefined;
  if (!row) throw notFound();
  return row;
}

/** For whom an agent answers: an office, or the tenant as a whole. */
export type Assignment = { assignmentId: string; voiceProviderId: string; officeId?: string };

/**
 * For whom an agent of a voice platform answers in this tenant. undefined: for nobody, because it is not assigned, or its
 * assignment, voice provider or office is inactive. Two strongly consistent reads, one after the other; one for an agent without assignment.
 */
export async function resolveAgent(
  ctx: TenantContext,
  platform: VoiceProviderType,
  externalAgentId: string,
): Promise<Assignment | undefined> {
  return assignmentFor(ctx, await ctx.store.get(keys.externalAgent(platform, externalAgentId)));
}

/** The same, for whoever has read `keys.externalAgent` already, together with something else. */
export async function assignmentFor(ctx: TenantContext, claim: ExternalAgentRow | undefined): Promise<Assignment | undefined> {
  if (!claim?.isActive) return undefined;
  const { assignmentId, voiceProviderId, officeId } = claim;
  const provider = keys.voiceProvider(voiceProviderId);
  const rows = await ctx.store.batchGet(officeId === undefined ? [provider] : [provider, keys.office(officeId)]);
  return rows.every((row) => row?.isActive) ? { assignmentId, voiceProviderId, officeId } : undefined;
}
