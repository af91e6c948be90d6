import type { VoiceProviderType } from "@vitaline/contract";
import { keys, type ExternalAgentRow, type TenantContext } from "@vitaline/store";

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
