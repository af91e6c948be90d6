import type {
  BusinessHours,
  CallStatus,
  ContactPreferences,
  DeliveryOutcome,
  DeliveryStatus,
  DeliveryType,
  ErasedCounts,
  ErasureKind,
  ErasureReason,
  ErasureStatus,
  FhirProvider,
  Jwk,
  KeptEventSource,
  LeadReason,
  TaskFinding,
  TaskKind,
  MessageChannel,
  MessagePurpose,
  MessageTemplates,
  OrganizationType,
  Retention,
  Role,
  SendingStatus,
  StaffDestination,
  VoiceProviderType,
  WebhookEventType,
} from "@vitaline/contract";

/** What each row holds, beside its key. Instants are ISO 8601 in UTC; `expiresAt` is in epoch seconds, as DynamoDB's TTL wants. */

/** A row that is a claim and nothing else: of which owner, which attempt is at work, and since when. See claims.ts. */
export type ClaimRow = { owner: string; attempt: string; claimedAtMs: number; expiresAt: number };
/** One owner's place in a row. `value` is what the owner's first attempt said; a settled one lets no attempt in any more. */
export type Place = { attempt: string; claimedAtMs: number; value?: string; settled?: true };
/** A row with places: `<name>` counts them, `<name>_<owner>` is one. */
export type Places<Name extends string> = { [count in Name]?: number } & { [place in `${Name}_${string}`]: Place };
/** What a lease adds to the row that it guards. */
export type Leased = { leaseOwner?: string; leaseUntilMs?: number };

export type UserRow = {
  id: string;
  email: string;
  /** Absent until an invitation is accepted. */
  passwordHash?: string;
  /** Somebody else chose the password: nothing but changing it is allowed. */
  mustChangePassword?: boolean;
  /** When the invitation was mailed that nobody has accepted yet. */
  invitedAt?: string;
  /** Sealed TOTP secret, and hashes of recovery codes not yet used. Without `confirmedAt` it is only offered. */
  totp?: { sealed: string; confirmedAt?: string; recovery: string[] };
  role: Role;
  firstName: string;
  lastName: string;
  tenantId?: string;
  isActive: boolean;
  /** Raised to end every session of the user at once. */
  epoch: number;
  createdAt: string;
  version?: number;
};

/** What lists show of a user: no secret, and when they last signed in. */
export type UserDirectoryRow = Omit<UserRow, "passwordHash" | "totp" | "epoch"> & {
  lastLogin?: string;
  /** Whence that was, as networkOf has it. */
  lastNetwork?: string;
  hasTotp?: boolean;
  /** The last time step of the second factor that was used: here, because a sign-in writes this row anyway. */
  totpStep?: number;
};
/** How many active system administrators there are, so that the last one stays. */
export type ActiveAdminsRow = { count: number };
/** `id`: of the user whose sign-ins are refused until then. */
export type AccountLockRow = { id: string; until: string; expiresAt: number };
/** A link that was mailed, by the hash of its secret; works once. */
export type MailedTokenRow = { kind: "invite" | "reset"; userId: string; tenantId?: string; userEpoch: number; expiresAt: number };

export type EmailRow = { userId: string; tenantId?: string };

export type SessionRow = {
  id: string;
  userId: string;
  tenantId?: string;
  userEpoch: number;
  tenantEpoch: number;
  startedAt: string;
  lastSeen: string;
  clientAddress?: string;
  userAgent?: string;
  /** A system administrator looking at a tenant: read-only, and over at this instant, or when the session ends that it was opened in. */
  viewAs?: { tenantId: string; until: string; openedIn?: string };
  /** What must be done before anything else is allowed. */
  pending?: "password_change" | "totp_enrolment";
  endedAt?: string;
  expiresAt: number;
};

/** `addresses`: whence it was counted, for whoever has to forget it. */
export type CountRow = { count: number; addresses?: Set<string>; expiresAt: number };

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
  /** The voice provider that new agents and unassigned numbers get. */
  defaultVoiceProviderId?: string;
  /** How many voice providers it has; absent where they were made before they were counted. */
  voiceProviders?: number;
  /** IANA zone of the tenant's business hours; voice agents speak in it where the called office has no hours of its own. */
  timeZone: string;
  contactPreferences?: ContactPreferences;
  policies?: {
    requireTotp?: boolean;
    ownFhirProviders?: boolean;
    messageAnyContact?: boolean;
    messageFreeText?: boolean;
    textCountries?: string[];
    toolLevels?: Partial<Record<string, 1 | 2>>;
    retention?: Partial<Retention>;
  };
  plan?: { name: string; monthlyPrice: number; bundledMinutes: number };
  /** US dollars; money appears on screen only when these are set. */
  hourlyWage?: number;
  averageVisitValue?: number;
  messageTemplates?: MessageTemplates;
  createdAt: string;
  version?: number;
  /** It is being erased: nothing is changed any more. */
  erasureId?: string;
};

export type TenantDirectoryRow = Omit<
  TenantRow,
  "epoch" | "apiKeyId" | "retiringApiKeyId" | "voiceProviders" | "timeZone" | "contactPreferences" | "messageTemplates" | "erasureId"
>;

/** An office; what is absent of its features it inherits from the tenant. */
export type OfficeRow = {
  id: string;
  name: string;
  address?: string;
  phone?: string;
  email?: string;
  isActive: boolean;
  staffCount?: number;
  businessHours?: BusinessHours;
  /** In the order in which they are tried. */
  staffRouting?: StaffDestination[];
  messageTemplates?: MessageTemplates;
  /** The office's own record system; absent: the tenant's. */
  fhirProviderId?: string;
  createdAt: string;
  version?: number;
};
export type NameClaimRow = { id: string };
export type RefRow = { tenantId: string; kind: "office" | "voiceProvider" };

/** How a tenant's agents reach a voice platform; its key and webhook secret are sealed in the vault. */
export type VoiceProviderRow = {
  id: string;
  providerType: VoiceProviderType;
  providerName: string;
  baseUrl?: string;
  model?: string;
  voice?: string;
  /** JSON text: what is in it may be deeper, and its numbers larger, than an item's attributes may be. */
  settings: string;
  apiKeyLast4?: string;
  hasWebhookSecret?: boolean;
  isActive: boolean;
  createdAt: string;
  version?: number;
};
/** What is signed with the secret of a voice provider comes from its platform. `ciphertext`: the secret, sealed for the purpose "webhook"; absent while there is none. */
export type HookRow = {
  tenantId: string;
  providerType: VoiceProviderType;
  isActive: boolean;
  /** The tenant is switched off. */
  suspended?: boolean;
  ciphertext?: string;
};

/** What the list over all tenants shows of a voice provider. */
export type VoiceProviderDirectoryRow = Pick<VoiceProviderRow, "id" | "providerType" | "providerName" | "isActive" | "createdAt"> & {
  tenantId: string;
};
/** An agent of a voice platform that answers for a tenant, or for one office of it. */
export type VoiceAgentRow = {
  id: string;
  officeId?: string;
  voiceProviderId: string;
  providerType: VoiceProviderType;
  externalAgentId: string;
  agentName: string;
  /** What the platform's list said of the agent when it was chosen. */
  agentData?: { id?: string; name?: string; description?: string | null; isActive?: boolean };
  isActive: boolean;
  createdAt: string;
  version?: number;
};
export type VoiceAgentDirectoryRow = Pick<
  VoiceAgentRow,
  "id" | "officeId" | "voiceProviderId" | "providerType" | "agentName" | "isActive" | "createdAt"
> & { tenantId: string };
/** Which assignment an agent of a platform has: one for each agent, however many ask at once. */
export type ExternalAgentRow = { assignmentId: string; officeId?: string; voiceProviderId: string; isActive: boolean };

export type ApiKeyRow = {
  id: string;
  lookup: string;
  last4: string;
  status: "active" | "retiring" | "revoked";
  createdAt: string;
  createdBy: string;
  notAfter?: string;
  /** A key that is over is shown for a while, then forgotten; what was done with it stays in the audit. */
  expiresAt?: number;
};
/** `lastUsedAt` is at most a minute behind. */
export type KeyUseRow = { id: string; lastUsedAt: string };
/** A value under the vault key; see packages/aws/vault.ts. */
export type SealedRow = { ciphertext: string };
/** `suspended`: its tenant is inactive. */
export type KeyLookupRow = {
  tenantId: string;
  keyId: string;
  status: "active" | "revoked";
  suspended?: boolean;
  notAfter?: string;
  expiresAt?: number;
};

export type FhirProviderRow = Pick<
  FhirProvider,
  "id" | "name" | "providerType" | "fhirVersion" | "baseUrl" | "clientId" | "scopes" | "isActive" | "createdAt"
> & {
  /** The tenant that keeps it; absent: the platform does. */
  ownerTenantId?: string;
  /** Absent in rows from before it could be chosen. */
  clientAuth?: FhirProvider["clientAuth"];
  /** Absent: client_credentials. */
  grant?: FhirProvider["grant"];
  /** Digest of the connection that somebody has let us in at. */
  authorizedFor?: string;
  /** PEM, public. */
  certificateData?: string;
  /** The provider's own private key, in Secrets Manager; RSA unless its type is said. */
  privateKey?: { arn: string; versionId: string; type?: "EC" };
  version?: number;
  redirectUri?: string;
  authUrl?: string;
  tokenUrl?: string;
  description?: string;
  /** Secrets Manager ARN and pinned version of the client secret. */
  clientSecret?: { arn: string; versionId: string };
};
export type FhirUsedByRow = { tenantId: string; officeId?: string };
/** One check of a connection, as short as can be: twenty of them still leave the row within one write unit. */
export type FhirCheck = [atMs: number, isHealthy: boolean, ms: number];
/** What the last probe of a connection found. */
export type FhirHealthRow = {
  status: "healthy" | "unhealthy";
  /** Raised by each check, as several may end at once. */
  version?: number;
  /** The last checks of this connection, oldest first, this one among them. */
  history?: FhirCheck[];
  checkedAt: string;
  ms: number;
  code?: string;
  certificateExpiry?: string;
  /** Something that is no failure, when there is none: fewer scopes than asked for. */
  warning?: string;
  software?: string;
  fhirVersion?: string;
  /** Digest of what was probed: a connection that was changed since has not been probed. */
  connection: string;
};
/** What several function instances need and one at a time makes: the holder of the lease. */
export type LeasedRow = Leased & { expiresAt: number };
export type FhirTokenRow = LeasedRow & { sealed?: string; tokenExpiresAt?: string };
/** `stated` is deflated JSON in base64; `issuedFor` is a digest of the connection. */
export type FhirCapabilityRow = LeasedRow & { stated?: string; issuedFor?: string; untilMs?: number };
/** What somebody has let us in with, and a digest of the connection that it is for. */
export type FhirConsentRow = {
  /** The refresh token in Secrets Manager, and since when this version lies there. */
  arn: string;
  versionId: string;
  versionAtMs: number;
  /** The one that the EHR has given in its place since then, sealed; this one counts. */
  sealed?: string;
  /** What was granted, space separated, where the EHR said so. */
  scope?: string;
  issuedFor: string;
};
export type OAuthStateRow = {
  providerId: string;
  /** Digest of the connection as it was when its user left. */
  connection: string;
  /** PKCE (RFC 7636); of no use without the code, which only the EHR gives. */
  verifier: string;
  /** Digest of what the browser that asked keeps in a cookie. */
  browser: string;
  userId: string;
  sid: string;
  /** The tenant whose administrator it is. */
  tenantId?: string;
  expiresAt: number;
};

export type PlatformKeyRow = {
  /** Stem of the two kids under which the key is published. */
  id: string;
  arn: string;
  jwks: Jwk[];
  createdAt: string;
  activeFrom: string;
  /** Taken out of the key set by hand, before its time. */
  retiredAt?: string;
};
export type NewestKeyRow = { id: string };

export type CallRow = {
  callKey: string;
  platform: "vapi" | "retellai" | "elevenlabs" | "openai" | "mcp";
  platformCallId: string;
  /** See packages/calls/events/rank.ts: it never goes down. */
  rank: number;
  status: CallStatus;
  /** Its place in the list: the start as it was known to the first word of the call. */
  startedAt: string;
  /** When it began by the platform's own word, once there is one; never in the future. */
  platformStartedAt?: string;
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
  agentName?: string;
  sentiment?: string;
  latencyP50Ms?: number;
  latencyP95Ms?: number;
  toolsUsed?: Set<string>;
  /** What was said, sealed in the files bucket. */
  transcript?: { key: string; bytes: number; sha256: string };
  /** A summary that came without a transcript. */
  summary?: { key: string; bytes: number; sha256: string };
  /** What the platform made of the call, told without either. */
  analysis?: { key: string; bytes: number; sha256: string };
  /** Who called whom and was put through to whom, told at the end without any of these. */
  numbers?: { key: string; bytes: number; sha256: string };
  /** The same, told while the call was going on. */
  arrival?: { key: string; bytes: number; sha256: string };
  /** Somebody has looked after the patient whom the call did not help; the note is sealed. */
  followUp?: { doneAt: string; doneBy: string; sealedNote?: string };
  /** Of the follow-up alone: what the platform says of a call has its rank. */
  version?: number;
  /** Its content was erased: what is left are the facts that totals and bills are made of. */
  erasedAt?: string;
  erasureId?: string;
  /** When its texts are over, in epoch seconds. Absent in rows from before retention was set. */
  textsUntil?: number;
  /** From when its periods are counted: its start, or the first word of it where that came very long after. Absent: the start. */
  keptFrom?: string;
  expiresAt: number;
  gsi1pk: string;
  gsi1sk: string;
};

/** A call that is going on, as far as anybody has said; expires when nothing is heard of it any more. */
export type LiveCallRow = Pick<
  CallRow,
  "callKey" | "platform" | "startedAt" | "platformStartedAt" | "status" | "officeId" | "agentId" | "direction"
> & { expiresAt: number };

export type CallStateRow = {
  level: 0 | 1 | 2;
  patientId?: string;
  /** FHIR provider where the patient was matched; another one asks for identity anew. */
  providerId?: string;
  /** Keyed hash of the name and birth date that matched: whoever the record system calls by another id must be the same person. */
  person?: string;
  /** Names of the factors that matched, for the next step up. */
  factors?: string[];
  /** When the identity ends, however long the row stays. */
  boundUntilMs?: number;
  /** How many further appointments were made in this call where the record system keeps no mark of it. */
  booked?: number;
  /** A slot that is kept for the caller, who was told that another is taken. */
  keptSlot?: string;
  tries: number;
  /** Identity checks that were counted already, by the key of their request, and what each was answered; level 0: not verified. `boundTo`: keyed, the patient. */
  answered?: { request: string; level: 0 | 1 | 2; attemptsLeft: number; boundTo?: string }[];
  closedAt?: string;
  expiresAt: number;
} & Places<"newPatient">;

/** The code itself is kept nowhere: `hash` is keyed. Without one there is no code to be said. */
export type CallCodeRow = {
  hash?: string;
  /** Of whom it was sent to, and at which record system. */
  patientId?: string;
  providerId?: string;
  endsAtMs?: number;
  /** How many were sent in the call, and the request that sent the last. */
  sent?: number;
  sentBy?: string;
  /** How often the code was guessed at, and the request that did so last. */
  tries?: number;
  triedBy?: string;
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
  gsi1pk: string;
  gsi1sk: string;
  expiresAt: number;
};

export type IdempotencyRow = {
  status: "started" | "done" | "unknown";
  tool: string;
  callKey: string;
  startedAtMs: number;
  requestId: string;
  /** Where the same words were said anew: the request in which they were said before. */
  after?: string;
  /** The task that its unknown outcome has left for staff. */
  taskId?: string;
  /** Sealed answer of the first run. */
  sealedAnswer?: string;
  /** Sealed: what was to be written at the EHR, by which an unknown outcome can be found. */
  sealedIntent?: string;
  /** The same in the open, ids only, where it could not be sealed: better than to lose what is at the EHR. */
  intent?: Record<string, string>;
  expiresAt: number;
};

/** Keyed hash of a contact point → when it was last changed, in epoch milliseconds; "day_2026-11-24" → how many changes there were. */
export type ContactChangesRow = { expiresAt: number; [contact: string]: number };

/** What the requests of a call have asked for, of a kind that is limited. */
export type CallRequestsRow = { expiresAt: number } & Places<"request">;

/** Of a week: `d0` to `d6` its days, `h0` to `h167` its hours. */
export type TriesRow = { expiresAt: number } & { [part: `${"d" | "h"}${number}`]: number };
/** A hint alone, as two who write it at once leave what one of them wrote; the locks decide. */
export type KeptSlotsRow = { slots: { slotId: string; keeper: string; expiresAt: number }[]; expiresAt: number };

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
  /** Ids, codes and counts only; and in `viewAsBy` the name of who looks at a tenant as its administrator. */
  detail?: Record<string, string | number | boolean>;
  expiresAt: number;
};

/** Sums of the projection; one attribute per number, `w_<shard>` the last stream position counted. */
export type StatsRow = Record<string, number | string>;

/** An export of the audit: asked for, being written, there, or failed. */
export type ExportRow = {
  id: string;
  status: "queued" | "running" | "ready" | "failed";
  format: "csv" | "json" | "pdf";
  /** Days, both included, of this IANA zone. */
  start: string;
  end: string;
  timeZone: string;
  /** Whose audit; absent: everybody's. */
  tenantId?: string;
  category?: AuditCategory;
  search?: string;
  requestedBy: string;
  requestedAt: string;
  /** How often writing was begun, and when it last said that it goes on. */
  tries: number;
  heartbeatAt: string;
  rows?: number;
  bytes?: number;
  /** Name in the files bucket. */
  file?: string;
  expiresAt: number;
};

/** Where a tenant's chain of audit rows stands, and what the last verification found. */
export type ChainRow = {
  /** Of the last row; the next row's is made with it. */
  hash: string;
  batches: number;
  rows: number;
  at: string;
  /** Lane of the stream → last position in the chain, "@" and the date of that; see functions/events/archive. */
  marks: Record<string, string>;
  lastVerifiedAt?: string;
  verifiedRows?: number;
  intactRows?: number;
};

/** Somebody wants to be found again: what a call's tool, or staff, noted of a possible patient. */
export type LeadRow = {
  id: string;
  at: string;
  /** Absent: staff wrote it down. */
  callKey?: string;
  officeId?: string;
  reason: LeadReason;
  /** How to reach them: JSON of the contract's LeadContact. */
  sealed: string;
  handledAt?: string;
  version?: number;
  expiresAt: number;
};

/** Something that a caller was promised, for the clinic to do. */
export type TaskRow = {
  id: string;
  at: string;
  kind: TaskKind;
  callKey?: string | undefined;
  officeId?: string | undefined;
  dueAt: string;
  /** JSON of the contract's TaskAbout. */
  sealed: string;
  finding?: TaskFinding | undefined;
  closedAt?: string | undefined;
  version: number;
  expiresAt: number;
};

/** The leads of a call, each in the place of the request that leaves it. */
export type LeadsOfCallRow = { expiresAt: number } & Places<"lead">;

export type ContactMessageRow = { id: string; at: string; sealed: string; mailedAt?: string };
export type UnmailedContactRow = { id: string; month: string; expiresAt: number };

/** One of the platform's own parts, when it was last asked. `code` says why it is not well. */
export type PartHealth = { name: string; status: "healthy" | "error"; ms: number; code?: string };
export type ConnectionCounts = Record<"healthy" | "warning" | "error" | "unknown", number>;
export type SystemHealthRow = {
  checkedAt: string;
  parts: PartHealth[];
  /** All tenants' active connections by state, as the last run left them. */
  connections?: { countedAt: string; fhir: ConnectionCounts; voice: ConnectionCounts };
};
/** `well` of `probes` succeeded, in `ms` together. Of the platform's own parts, a probe that was due and missed is one of `probes`. */
export type HealthDayRow = { date: string; probes: number; well: number; ms?: number; expiresAt: number };
export type VoiceHealthRow = {
  id: string;
  tenantId: string;
  status: "healthy" | "warning" | "error";
  checkedAt: string;
  ms: number;
  code?: string;
  /** Of the provider when it was probed: one that was changed since has not been. */
  version: number;
  expiresAt: number;
};

/** `until`: absent while no run has come to an end; `checkedAt`: when the last one began. */
export type ReconciledRow = { id: string; tenantId: string; until?: string; checkedAt: string; expiresAt: number };

export type ErasureRow = {
  id: string;
  kind: ErasureKind;
  tenantId: string;
  tenantName: string;
  callKey?: string;
  /** The record system's own id of the patient, and ours of the connection to it. */
  patientId?: string;
  fhirProviderId?: string;
  reason: ErasureReason;
  status: ErasureStatus;
  requestedBy: string;
  requestedAt: string;
  approvedBy?: string;
  approvedAt?: string;
  /** When it begins. */
  startsAt: string;
  /** The copy of what is erased, in the files bucket. */
  copy?: { files: ErasureCopyFile[]; expiresAt: string };
  /** Up to where the copy is written, while it is. */
  copying?: ErasureCopyPosition;
  startedAt?: string;
  erased?: ErasedCounts;
  finishedAt?: string;
  backupsGoneAt?: string;
  /** A JWT over all of this as it ended, and the public half of the key that signed it. */
  certificate?: { jws: string; key: { kty: "RSA"; n: string; e: string } };
  version: number;
};
export type ErasureCopyFile = { name: string; lines: number; bytes: number; sha256: string };
/** `stage` is the kind of rows, `after` the key of the last one that was written of it. */
export type ErasureCopyPosition = { stage: number; after: string };
export type ErasureSubjectRow = { erasureId: string };
export type ErasureRunRow = { runId: string; untilMs: number; expiresAt: number };

/**
 * idempotency: a write whose outcome is not known; event: one that was kept; retention: periods to be applied to what is stored;
 * erasure: one that is to begin or to go on.
 */
export type DueRow = {
  kind: "idempotency" | "event" | "retention" | "erasure";
  tenantId: string;
  id: string;
  dueAt: string;
  tries?: number;
  expiresAt: number;
};

/** Which kinds of rows a tenant's periods are applied to, in this order. */
export type RetainedPart = "calls" | "erased" | "runs" | "leads" | "tasks" | "messages";
/**
 * The last request to apply a tenant's periods to what is stored, and how far that is: `part`, and the sort key of the last row
 * that is done in it. `owner`: the invocation that is at it, as it said last at `heartbeatAt`.
 */
export type RetentionRunRow = {
  id: string;
  at: string;
  owner?: string;
  heartbeatAt?: string;
  part?: RetainedPart;
  after?: string;
  /** How many rows, and files of calls, are under the periods by now. */
  rows?: number;
  files?: number;
  doneAt?: string;
};

/** `code` says why it was not sent; `sendAt` when one that waits is to go. */
export type MessageRow = {
  id: string;
  at: string;
  channel: MessageChannel;
  purpose: MessagePurpose;
  status: SendingStatus;
  code?: string;
  sendAt?: string;
  providerMessageId?: string;
  callKey?: string;
  officeId?: string;
  /** Which word about it is the last, in whatever order they arrive. */
  rank: number;
  /** The shard and position of the stream record by which it counts towards its call's and its tenant's limits. */
  countedBy?: string;
  /** What was heard of its delivery, which may be before the rest stands here; of that, which word is the last. */
  outcome?: DeliveryOutcome;
  outcomeRank?: number;
  expiresAt: number;
};
/** `key`: as much of the message's own key as tells it from the few others. `subject`: keyed, of what visit a call has told and to what end. */
export type SentToRow = { sends: { key: string; messageId: string; atMs: number; subject?: string }[]; version: number; expiresAt: number };
/** Without a reason somebody has asked for it. A contact that messages bounced from is written to again after `expiresAt`. */
export type OptOutRow = { channel: MessageChannel; at: string; reason?: "bounced" | "complained"; expiresAt?: number };

/** What waits for its time. `tries`: how often the record system, or AWS, was asked in vain. */
export type OutgoingRow = {
  tenantId: string;
  id: string;
  dueAt: string;
  officeId?: string;
  callKey?: string;
  tries?: number;
  expiresAt: number;
} & (
  | {
      kind: "message";
      /** As much of the message's key as stands for it; `id` is its place among the few that may wait for its contact. */
      key: string;
      messageId: string;
      channel: MessageChannel;
      purpose: MessagePurpose;
      /** To whom and about what. */
      sealed: string;
    }
  | {
      kind: "reminder";
      providerId: string;
      appointmentId: string;
      /** When the appointment began as it was booked: another time is another reminder's. */
      start: string;
      /** `dueAt` is the time to send; before that, the time to find one. */
      planned?: true;
      /** What was sent, and in which ways it was tried: `dueAt` is the time to see whether it arrived. */
      sent?: { messageId: string; tried: MessageChannel[] };
    }
);

/**
 * The event as it came, in JSON. `body`: in the open, of the table's own stream; it may name a patient by an id, never by a name.
 * What a voice platform said is sealed: gzipped in `sealed`, or in the files bucket where it is too large for a row;
 * row and file go by themselves after thirty days. What is of the table's stream has no `expiresAt` and stays.
 */
export type InboxRow = {
  id: string;
  at: string;
  from: KeptEventSource;
  reason: string;
  /** Of the call that a platform's event is about, where it says which. */
  callKey?: string;
  body?: string;
  sealed?: string;
  file?: { key: string; bytes: number; sha256: string };
  expiresAt?: number;
};
/** `reason`: of the last try. `nextTryAt` is absent once nobody tries again unasked. `expiresAt`: as the event's own. */
export type KeptEventRow = {
  id: string;
  tenantId?: string;
  from: KeptEventSource;
  reason: string;
  at: string;
  bytes: number;
  tries: number;
  nextTryAt?: string;
  expiresAt?: number;
};

/** A tenant's own address that is told of events. `disabledReason`: it was switched off by itself. */
export type WebhookRow = {
  id: string;
  url: string;
  events: WebhookEventType[];
  description?: string;
  includeContact: boolean;
  isActive: boolean;
  disabledReason?: "gone" | "failing";
  createdAt: string;
  version: number;
};
export type WebhookCountRow = { count: number };
/** There as long as its webhook is. `failures`: one after the other; `nextTryAt`: until then nothing is sent. Both with `failingSince` alone. */
export type WebhookHealthRow = { webhookId: string; failingSince?: string; failures?: number; nextTryAt?: string };
/** The secret that signs, and the one before it, which signs, too, until an instant. */
export type SealedWebhookRow = SealedRow & { previous?: { ciphertext: string; until: string } };
/** The lease's owner delivers for the tenant. */
export type WebhookTenantRow = Leased & { tenantId: string };
/** Where the facts of an event lie, of which its payload is made when it is first sent. */
export type EventSource = { kind: "call"; callKey: string } | { kind: "audit"; month: string; category: AuditCategory; id: string };
export type DeliveryRow = {
  id: string;
  webhookId: string;
  type: DeliveryType;
  /** When it happened. */
  at: string;
  status: DeliveryStatus;
  /** Attempts since it was made or last replayed. */
  tries: number;
  /** The last ones, of all that were made. */
  attempts: { at: string; ms: number; httpStatus?: number; code?: string }[];
  /** Why it failed. */
  code?: string;
  /** While it is pending. */
  nextAttemptAt?: string;
  source?: EventSource;
  /** The payload, byte for byte, once it was made. */
  sealed?: string;
  /** Whether names and numbers are in it. */
  hasContact?: boolean;
  version: number;
  expiresAt: number;
  gsi1pk?: string;
  gsi1sk?: string;
};

/** Without office and start it was given up before we heard that it was made, and is in no calendar. */
export type CalendarEntryRow = {
  id: string;
  status: "booked" | "cancelled";
  start?: string;
  end?: string;
  officeId?: string;
  /** When it became so. */
  changedAt: string;
  expiresAt: number;
  gsi1pk?: string;
  gsi1sk?: string;
};
/** `lookup`: the hash of its address's secret part. */
export type CalendarFeedRow = { lookup: string; createdAt: string };
export type CalendarTokenRow = { tenantId: string; officeId: string };
