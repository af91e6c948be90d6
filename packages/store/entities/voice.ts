import type { VoiceProviderType } from "@vitaline/contract";
import { sha256In } from "@vitaline/core";
import { partitions, tenantPartitions } from "./partitions.ts";
import { entityIn, tenantEntity, viewIn, type SealedRow } from "./entity.ts";

/** A tenant's account at a voice platform; its API key and webhook secret are sealed in the vault. */
export type VoiceProviderRow = {
  id: string;
  providerType: VoiceProviderType;
  providerName: string;
  baseUrl?: string;
  model?: string;
  voice?: string;
  /** JSON text, because its nesting and numbers may exceed DynamoDB's limits. */
  settings: string;
  apiKeyLast4?: string;
  hasWebhookSecret?: boolean;
  isActive: boolean;
  createdAt: string;
  version?: number;
};
export const voiceProvider = tenantEntity<VoiceProviderRow, [id: string]>({
  entity: "voiceProvider",
  writes: "audited",
  lifetime: "permanent",
  at: (tenantId, id) => ({ pk: tenantPartitions.config(tenantId), sk: `VOICE#${id}` }),
});
export const sealedVoiceKey = tenantEntity<SealedRow, [id: string]>({
  entity: "sealedVoiceKey",
  writes: "audited",
  lifetime: "permanent",
  at: (tenantId, id) => ({ pk: tenantPartitions.vault(tenantId), sk: `VOICE#${id}` }),
});

/** A voice provider in the list over all tenants. */
export type VoiceProviderDirectoryRow = Pick<VoiceProviderRow, "id" | "providerType" | "providerName" | "isActive" | "createdAt"> & {
  tenantId: string;
};
/** Sorted by id alone, so that the list over all tenants is newest first. */
export const voiceProviderDirectory = tenantEntity<VoiceProviderDirectoryRow, [id: string]>({
  entity: "voiceProviderDirectory",
  writes: "audited",
  lifetime: "permanent",
  isLookup: true,
  at: (_tenantId, id) => ({ pk: partitions.voice, sk: `PROVIDER#${id}` }),
});

/** Tenant and signing secret of a voice provider: one read authenticates a signed request. */
export type HookRow = {
  tenantId: string;
  providerType: VoiceProviderType;
  isActive: boolean;
  /** The tenant is inactive. */
  suspended?: boolean;
  /** The secret, sealed for the purpose "webhook"; absent when none is set. */
  ciphertext?: string;
  /** The secret before, accepted until `untilMs`, so that no request is refused while it is changed at the platform too. */
  previous?: { ciphertext: string; untilMs: number };
};
export const hook = tenantEntity<HookRow, [voiceProviderId: string]>({
  entity: "hook",
  writes: "audited",
  lifetime: "permanent",
  isLookup: true,
  at: (_tenantId, voiceProviderId) => ({ pk: partitions.ref(voiceProviderId), sk: "HOOK" }),
});
export const hookOwner = (voiceProviderId: string) => viewIn("directory", hook(voiceProviderId));

/** An agent of a voice platform, assigned to a tenant or one of its offices. */
export type VoiceAgentRow = {
  id: string;
  officeId?: string;
  voiceProviderId: string;
  providerType: VoiceProviderType;
  externalAgentId: string;
  agentName: string;
  /** The agent in the platform's list when it was assigned. */
  agentData?: { id?: string; name?: string; description?: string | null; isActive?: boolean };
  isActive: boolean;
  createdAt: string;
  version?: number;
};
export const voiceAgent = tenantEntity<VoiceAgentRow, [officeId: string, id: string]>({
  entity: "voiceAgent",
  writes: "audited",
  lifetime: "permanent",
  at: (tenantId, officeId, id) => ({ pk: tenantPartitions.config(tenantId), sk: `AGENT#${officeId}#${id}` }),
});

export type VoiceAgentDirectoryRow = Pick<
  VoiceAgentRow,
  "id" | "officeId" | "voiceProviderId" | "providerType" | "agentName" | "isActive" | "createdAt"
> & { tenantId: string };
export const voiceAgentDirectory = tenantEntity<VoiceAgentDirectoryRow, [id: string]>({
  entity: "voiceAgentDirectory",
  writes: "audited",
  lifetime: "permanent",
  isLookup: true,
  at: (_tenantId, id) => ({ pk: partitions.voice, sk: `AGENT#${id}` }),
});

/** The assignment of a platform's agent; unique per agent. */
export type AgentAssignmentRow = { assignmentId: string; officeId?: string; voiceProviderId: string; isActive: boolean };
export const agentAssignment = tenantEntity<AgentAssignmentRow, [platformName: string, agentId: string]>({
  entity: "agentAssignment",
  writes: "audited",
  lifetime: "permanent",
  at: (tenantId, platformName, agentId) => ({
    pk: tenantPartitions.config(tenantId),
    sk: `EXT#${sha256In("external-agent", platformName, agentId)}`,
  }),
});

/** All conversations up to `until` are recorded; absent before the first completed run. `checkedAt`: start of the last run. */
export type ReconciledRow = { id: string; tenantId: string; until?: string; checkedAt: string; expiresAt: number };
export const reconciled = entityIn("health")<ReconciledRow, [voiceProviderId: string]>({
  entity: "reconciled",
  writes: "bookkeeping",
  lifetime: "expires",
  at: (voiceProviderId) => ({ pk: partitions.reconciled, sk: voiceProviderId }),
});
