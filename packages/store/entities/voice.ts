import type { VoiceProviderType } from "@vitaline/contract";
import { sha256In } from "@vitaline/core";
import { partitions, tenantPartitions } from "./partitions.ts";
import { entityIn, tenantEntity, keyInScope, type SealedRow } from "./entity.ts";

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
  writeKind: "audited",
  lifetime: "permanent",
  primaryKey: (tenantId, id) => ({ pk: tenantPartitions.config(tenantId), sk: `VOICE#${id}` }),
});
export const sealedVoiceKey = tenantEntity<SealedRow, [id: string]>({
  entity: "sealedVoiceKey",
  writeKind: "audited",
  lifetime: "permanent",
  primaryKey: (tenantId, id) => ({ pk: tenantPartitions.vault(tenantId), sk: `VOICE#${id}` }),
});

/** A voice provider in the list over all tenants. */
export type VoiceProviderDirectoryRow = Pick<VoiceProviderRow, "id" | "providerType" | "providerName" | "isActive" | "createdAt"> & {
  tenantId: string;
};
/** Sorted by id alone, so that the list over all tenants is newest first. */
export const voiceProviderDirectory = tenantEntity<VoiceProviderDirectoryRow, [id: string]>({
  entity: "voiceProviderDirectory",
  writeKind: "audited",
  lifetime: "permanent",
  isOutsideTenantPartition: true,
  primaryKey: (_tenantId, id) => ({ pk: partitions.voice, sk: `PROVIDER#${id}` }),
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
  writeKind: "audited",
  lifetime: "permanent",
  isOutsideTenantPartition: true,
  primaryKey: (_tenantId, voiceProviderId) => ({ pk: partitions.ref(voiceProviderId), sk: "HOOK" }),
});
/** For the request whose signature is checked with this row: its tenant is known from here on. */
export const hookBeforeTenant = (voiceProviderId: string) => keyInScope("directory", hook(voiceProviderId));

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
  writeKind: "audited",
  lifetime: "permanent",
  primaryKey: (tenantId, officeId, id) => ({ pk: tenantPartitions.config(tenantId), sk: `AGENT#${officeId}#${id}` }),
});

export type VoiceAgentDirectoryRow = Pick<
  VoiceAgentRow,
  "id" | "officeId" | "voiceProviderId" | "providerType" | "agentName" | "isActive" | "createdAt"
> & { tenantId: string };
export const voiceAgentDirectory = tenantEntity<VoiceAgentDirectoryRow, [id: string]>({
  entity: "voiceAgentDirectory",
  writeKind: "audited",
  lifetime: "permanent",
  isOutsideTenantPartition: true,
  primaryKey: (_tenantId, id) => ({ pk: partitions.voice, sk: `AGENT#${id}` }),
});

/** The assignment of a platform's agent; unique per agent. */
export type AgentAssignmentRow = { assignmentId: string; officeId?: string; voiceProviderId: string; isActive: boolean };
export const agentAssignment = tenantEntity<AgentAssignmentRow, [platformName: string, agentId: string]>({
  entity: "agentAssignment",
  writeKind: "audited",
  lifetime: "permanent",
  primaryKey: (tenantId, platformName, agentId) => ({
    pk: tenantPartitions.config(tenantId),
    sk: `ASSIGNMENT#${sha256In("external-agent", platformName, agentId)}`,
  }),
});

/** All conversations up to `until` are recorded; absent before the first completed run. `checkedAt`: start of the last run. */
export type ReconciledRow = { id: string; tenantId: string; until?: string; checkedAt: string; expiresAt: number };
export const reconciled = entityIn("health")<ReconciledRow, [voiceProviderId: string]>({
  entity: "reconciled",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (voiceProviderId) => ({ pk: partitions.reconciled, sk: voiceProviderId }),
});
