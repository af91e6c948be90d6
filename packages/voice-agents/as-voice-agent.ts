import type { VoiceAgent } from "@vitaline/contract";
import type { TenantContext, VoiceAgentDirectoryRow, VoiceAgentRow } from "@vitaline/store";

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
