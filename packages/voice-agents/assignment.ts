import type { VoiceAgent, VoiceProviderType } from "@vitaline/contract";
import { notFound } from "@vitaline/core";
import { keys, type AgentAssignmentRow, type TenantContext, type VoiceAgentDirectoryRow, type VoiceAgentRow } from "@vitaline/store";

export const asVoiceAgent = (ctx: TenantContext, { agentData, version, ...row }: VoiceAgentRow): VoiceAgent => ({
  ...row,
  tenantId: ctx.tenantId,
  agentData: agentData ?? null,
  version: version ?? 1,
});

export const directoryRow = (
  tenantId: string,
  { id, officeId, voiceProviderId, providerType, agentName, isActive, createdAt }: VoiceAgentRow,
): VoiceAgentDirectoryRow => ({ tenantId, id, officeId, voiceProviderId, providerType, agentName, isActive, createdAt });

export const auditDetail = ({ officeId, voiceProviderId, isActive }: VoiceAgentRow): Record<string, string | boolean> => ({
  ...(officeId ? { officeId } : {}),
  voiceProviderId,
  isActive,
});

/** "-" stands for the tenant as a whole. */
export const agentKey = (officeId: string | undefined, id: string) => keys.voiceAgent(officeId ?? "-", id);

/** Without `officeId`: of the tenant or any of its offices. AppError `not_found`. */
export async function findAgent(ctx: TenantContext, id: string, officeId: string | undefined): Promise<VoiceAgentRow> {
  const location = officeId === undefined ? await ctx.store.get(keys.voiceAgentDirectory(id)) : { tenantId: ctx.tenantId, officeId };
  // The directory is shared by all tenants.
  const row = location?.tenantId === ctx.tenantId ? await ctx.store.get(agentKey(location.officeId, id)) : undefined;
  if (!row) throw notFound();
  return row;
}

export type Assignment = { assignmentId: string; voiceProviderId: string; officeId?: string };

/**
 * The agent's assignment; undefined if there is none, or if it, its voice provider or its office is inactive. Two strongly
 * consistent reads in sequence, one for an unassigned agent.
 */
export async function findActiveAssignment(
  ctx: TenantContext,
  platform: VoiceProviderType,
  externalAgentId: string,
): Promise<Assignment | undefined> {
  return assignmentOf(ctx, await ctx.store.get(keys.agentAssignment(platform, externalAgentId)));
}

/** As findActiveAssignment, for a row of `keys.agentAssignment` that was read already. */
export async function assignmentOf(ctx: TenantContext, row: AgentAssignmentRow | undefined): Promise<Assignment | undefined> {
  if (!row?.isActive) return undefined;
  const { assignmentId, voiceProviderId, officeId } = row;
  const provider = keys.voiceProvider(voiceProviderId);
  const rows = await ctx.store.batchGet(officeId === undefined ? [provider] : [provider, keys.office(officeId)]);
  return rows.every((required) => required?.isActive) ? { assignmentId, voiceProviderId, officeId } : undefined;
}
