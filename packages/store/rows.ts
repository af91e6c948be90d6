import type { CallStatus, FhirProvider, Jwk, OrganizationType, Role } from "@vitaline/contract";

/** What each row holds, beside its key. Instants are ISO 8601 in UTC; `expiresAt` is in epoch seconds, as DynamoDB's TTL wants. */

export type UserRow = {
  id: string;
  email: string;
  passwordHash: string;
  role: Role;
  firstName: string;
  lastName: string;
  tenantId?: string;
  isActive: boolean;
  /** Raised to end every session of the user at once. */
  epoch: number;
  createdAt: string;
};

/** What lists show of a user: no hash, and when they last signed in. */
export type UserDirectoryRow = Omit<UserRow, "passwordHash" | "epoch"> & { tenantName?: string; lastLogin?: string };

export type EmailRow = { userId: string; tenantId?: string };

export type SessionRow = {
  userId: string;
  tenantId?: string;
  userEpoch: number;
  tenantEpoch: number;
  startedAt: string;
  lastSeen: string;
  endedAt?: string;
  expiresAt: number;
};

export type CountRow = { count: number; expiresAt: number };

export type TenantRow = {
  id: string;
  name: string;
  organizationType: OrganizationType;
  contactEmail: string;
  contactPhone?: string;
  address?: string;
  description?: string;
  isActive: boolean;
  /** Raised to end every session of the tenant at once. */
  epoch: number;
  apiKeyId: string;
  /** The key before it, while both are accepted. */
  retiringApiKeyId?: string;
  fhirProviderId?: string;
  /** IANA zone in which the tenant's voice agents speak of times. */
  timeZone: string;
  createdAt: string;
};

export type TenantDirectoryRow = Omit<TenantRow, "epoch" | "apiKeyId" | "retiringApiKeyId" | "timeZone">;

export type OfficeRow = {
  id: string;
  name: string;
  address?: string;
  phone?: string;
  email?: string;
  isActive: boolean;
  createdAt: string;
};
export type NameClaimRow = { id: string };
export type RefRow = { tenantId: string; kind: "office" };

export type ApiKeyRow = {
  id: string;
  lookup: string;
  last4: string;
  status: "active" | "retiring" | "revoked";
  createdAt: string;
  createdBy: string;
  notAfter?: string;
};
/** A value under the vault key; see packages/aws/vault.ts. */
export type SealedRow = { ciphertext: string };
export type KeyLookupRow = { tenantId: string; keyId: string; status: "active" | "revoked"; notAfter?: string };

export type FhirProviderRow = Omit<
  FhirProvider,
  "providerName" | "hasClientSecret" | "redirectUri" | "authUrl" | "tokenUrl" | "description"
> & {
  redirectUri?: string;
  authUrl?: string;
  tokenUrl?: string;
  description?: string;
  /** Secrets Manager ARN and pinned version of the client secret. */
  clientSecret?: { arn: string; versionId: string };
};
export type FhirUsedByRow = { tenantId: string; officeId?: string };
export type FhirTokenRow = { sealed?: string; tokenExpiresAt?: string; leaseOwner?: string; leaseUntilMs?: number; expiresAt: number };

export type PlatformKeyRow = {
  /** Stem of the two kids under which the key is published. */
  id: string;
  arn: string;
  jwks: Jwk[];
  createdAt: string;
  activeFrom: string;
};
export type NewestKeyRow = { id: string };

export type CallRow = {
  callKey: string;
  platform: "vapi" | "retellai" | "elevenlabs" | "openai" | "mcp";
  platformCallId: string;
  /** See packages/calls/rank.ts: it never goes down. */
  rank: number;
  status: CallStatus;
  startedAt: string;
  endedAt?: string;
  durationSeconds?: number;
  endedReason?: string;
  outcome?: string;
  officeId?: string;
  agentId?: string;
  direction?: "inbound" | "outbound";
  forwarded: boolean;
  /** What the platform's own evaluation said, when it said anything. */
  success?: boolean;
  /** The moment the call entered the counters; set once. */
  countedAt?: string;
  costAmount?: number;
  costCurrency?: string;
  toolsUsed?: Set<string>;
  /** What was said, sealed in the files bucket. */
  transcript?: { key: string; bytes: number; sha256: string };
  /** A summary that came without a transcript. */
  summary?: { key: string; bytes: number; sha256: string };
  gsi1pk: string;
  gsi1sk: string;
};

export type CallStateRow = {
  level: 0 | 1 | 2;
  patientId?: string;
  /** FHIR provider where the patient was matched; another one asks for identity anew. */
  providerId?: string;
  /** Names of the factors that matched, for the next step up. */
  factors?: string[];
  tries: number;
  /** Identity checks that were counted already, by the key of their request, and what each was answered; level 0: not verified. */
  answered?: { request: string; level: 0 | 1 | 2; attemptsLeft: number }[];
  closedAt?: string;
  expiresAt: number;
};

export type ToolRunRow = {
  id: string;
  tool: string;
  at: string;
  ms: number;
  success: boolean;
  code?: string;
  requestId: string;
  callKey: string;
};

export type IdempotencyRow = {
  status: "started" | "done" | "unknown";
  tool: string;
  callKey: string;
  argsDigest: string;
  startedAtMs: number;
  requestId: string;
  /** Sealed answer of the first run. */
  sealedAnswer?: string;
  /** Sealed: what was to be written at the EHR, by which an unknown outcome can be found. */
  sealedIntent?: string;
  /** The same in the open, ids only, where it could not be sealed: better than to lose what is at the EHR. */
  intent?: Record<string, string>;
  expiresAt: number;
};

/** `requestId` is the request of the owner that is at it. */
export type SlotLockRow = { owner: string; requestId: string; expiresAt: number };

export const auditCategories = ["patient_access", "data_query", "api_call", "configuration_change"] as const;
export type AuditCategory = (typeof auditCategories)[number];

export type AuditRow = {
  id: string;
  at: string;
  tenantId?: string;
  actorKind: string;
  actorId: string;
  category: AuditCategory;
  /** noun.verb, as in office.create or tool.getPatientInfo. */
  action: string;
  resourceType: string;
  resourceId?: string;
  success: boolean;
  code?: string;
  clientAddress: string;
  requestId: string;
  callKey?: string;
  /** Ids, codes and counts only. */
  detail?: Record<string, string | number | boolean>;
  expiresAt: number;
};

/** Sums of the projection; one attribute per number, `w_<shard>` the last stream position counted. */
export type StatsRow = Record<string, number | string>;

export type DueRow = { kind: "idempotency"; tenantId: string; id: string; dueAt: string; tries?: number; expiresAt: number };

/** `body` is the event as it came, in JSON; it may name a patient by an id, never by a name. */
export type InboxRow = { id: string; at: string; from: "project"; reason: string; body: string };
