/**
 * Every partition key of the table and of its index gsi1, by noun. This module imports nothing: infra derives the grants of the
 * functions from it. Free text and foreign ids are hashed by the callers in entities/.
 */

/** Partitions outside the tenants' own. */
export const partitions = {
  user: (userId: string) => `USER#${userId}`,
  email: (hash: string) => `EMAIL#${hash}`,
  sessions: (userId: string) => `SESSION#${userId}`,
  throttle: (kind: string, hash: string) => `THROTTLE#${kind}#${hash}`,
  mailedToken: (sha256: string) => `TOKEN#${sha256}`,
  userDirectory: "PLATFORM#USERS",

  tenantDirectory: "PLATFORM#TENANTS",
  /** Lookups by the id of an office or voice provider alone, before its tenant is known. */
  ref: (id: string) => `REF#${id}`,
  apiKey: (sha256: string) => `KEY#${sha256}`,

  voice: "PLATFORM#VOICE",

  fhirProviders: "PLATFORM#FHIR",
  fhirConnection: (providerId: string) => `FHIR#${providerId}`,
  fhirSlot: (providerId: string, hash: string) => `FHIR#${providerId}#SLOT#${hash}`,
  identityAttempts: (providerId: string, hash: string) => `FHIR#${providerId}#ATTEMPTS#${hash}`,
  oauth: (hash: string) => `OAUTH#${hash}`,
  platformKeys: "PLATFORM#KEYS",
  platformKeyUse: "PLATFORM#KEYUSE",

  platformAudit: (month: string, category: string) => `PLATFORM#AUDIT#${month}#${category}`,
  feed: (month: string, group: "people" | "others", shard: string) => `PLATFORM#FEED#${month}#${group}#${shard}`,
  platformChain: "PLATFORM#CHAIN",
  platformExports: "PLATFORM#EXPORTS",
  platformAccessReports: "PLATFORM#ACCESS",
  platformStats: "PLATFORM#STATS",
  platformStatsPart: (part: string) => `PLATFORM#STATS#${part}`,
  activeUsers: (date: string) => `PLATFORM#ACTIVE#${date}`,
  countedPosition: (shardHash: string) => `PLATFORM#COUNTED#${shardHash}`,

  outgoing: (shard: string) => `PLATFORM#OUTGOING#${shard}`,

  webhookTenants: "PLATFORM#WEBHOOKS",
  calendarToken: (sha256: string) => `CALENDAR#${sha256}`,

  platformKeptEventContent: "PLATFORM#INBOX",
  keptEvents: "PLATFORM#KEPT",
  due: (shard: string) => `PLATFORM#DUE#${shard}`,
  erasures: "PLATFORM#ERASURES",
  erasure: (idOrHash: string) => `ERASURE#${idOrHash}`,

  systemHealth: "PLATFORM#HEALTH",
  connectionDays: (connectionId: string) => `PLATFORM#HEALTH#DAYS#${connectionId}`,
  voiceHealth: "PLATFORM#HEALTH#VOICE",
  reconciled: "PLATFORM#RECONCILED",
  contact: (month: string) => `PLATFORM#CONTACT#${month}`,
  unmailedContact: "PLATFORM#CONTACT#UNMAILED",
  /** The tenants' requests to the operators. */
  requests: (state: "open" | "closed") => `PLATFORM#REQUESTS#${state}`,
} as const;

/** A tenant's own partitions. The store lets a tenant's handle query partitions with this prefix only. */
export const tenantPrefix = (tenantId: string): string => `TENANT#${tenantId}#`;

export const tenantPartitions = {
  users: (tenantId: string) => `${tenantPrefix(tenantId)}USERS`,
  config: (tenantId: string) => `${tenantPrefix(tenantId)}CONFIG`,
  vault: (tenantId: string) => `${tenantPrefix(tenantId)}VAULT`,
  officeNumbers: (tenantId: string) => `${tenantPrefix(tenantId)}NUMBERS`,
  keyUse: (tenantId: string) => `${tenantPrefix(tenantId)}KEYUSE`,

  callItems: (tenantId: string, callKey: string) => `${tenantPrefix(tenantId)}CALL#${callKey}`,
  live: (tenantId: string) => `${tenantPrefix(tenantId)}LIVE`,
  /** gsi1: calls by start. */
  calls: (tenantId: string) => `${tenantPrefix(tenantId)}CALLS`,
  callsOfNumber: (tenantId: string, hash: string) => `${tenantPrefix(tenantId)}NUMBER#${hash}`,
  /** gsi1: calls with erased content. */
  erasedCalls: (tenantId: string) => `${tenantPrefix(tenantId)}ERASED`,
  /** gsi1: older tool runs by time. */
  runs: (tenantId: string) => `${tenantPrefix(tenantId)}RUNS`,
  idempotency: (tenantId: string, id: string) => `${tenantPrefix(tenantId)}IDEMPOTENCY#${id}`,
  contactChanges: (tenantId: string, hash: string) => `${tenantPrefix(tenantId)}CHANGED#${hash}`,
  counters: (tenantId: string, hash: string) => `${tenantPrefix(tenantId)}COUNTER#${hash}`,

  audit: (tenantId: string, month: string, category: string) => `${tenantPrefix(tenantId)}AUDIT#${month}#${category}`,
  chain: (tenantId: string) => `${tenantPrefix(tenantId)}CHAIN`,
  exports: (tenantId: string) => `${tenantPrefix(tenantId)}EXPORTS`,
  accessReports: (tenantId: string) => `${tenantPrefix(tenantId)}ACCESS`,
  stats: (tenantId: string) => `${tenantPrefix(tenantId)}STATS`,

  leads: (tenantId: string) => `${tenantPrefix(tenantId)}LEADS`,
  tasks: (tenantId: string) => `${tenantPrefix(tenantId)}TASKS`,
  toDo: (tenantId: string) => `${tenantPrefix(tenantId)}TODO`,
  /** gsi1: open items, emergencies first, then by due time. */
  openToDo: (tenantId: string) => `${tenantPrefix(tenantId)}OPEN`,
  /** gsi1: done items by the time they were done. */
  doneToDo: (tenantId: string) => `${tenantPrefix(tenantId)}DONE`,

  proxies: (tenantId: string) => `${tenantPrefix(tenantId)}PROXIES`,
  proxiesOfPatients: (tenantId: string) => `${tenantPrefix(tenantId)}PROXIED`,

  messages: (tenantId: string) => `${tenantPrefix(tenantId)}MESSAGES`,
  sentTo: (tenantId: string, hash: string) => `${tenantPrefix(tenantId)}SEND#${hash}`,
  optOuts: (tenantId: string) => `${tenantPrefix(tenantId)}OPTOUT`,

  requests: (tenantId: string) => `${tenantPrefix(tenantId)}REQUESTS`,

  webhooks: (tenantId: string) => `${tenantPrefix(tenantId)}WEBHOOKS`,
  deliveries: (tenantId: string) => `${tenantPrefix(tenantId)}DELIVERIES`,
  /** gsi1: pending deliveries by due time. */
  dueDeliveries: (tenantId: string) => `${tenantPrefix(tenantId)}DUE`,
  calendarEntries: (tenantId: string) => `${tenantPrefix(tenantId)}CALENDAR`,
  /** gsi1: an office's appointments by start. */
  calendar: (tenantId: string, officeId: string) => `${tenantPrefix(tenantId)}CALENDAR#${officeId}`,

  keptEventContent: (tenantId: string) => `${tenantPrefix(tenantId)}INBOX`,
  retention: (tenantId: string) => `${tenantPrefix(tenantId)}RETENTION`,
} as const;

type Partition = string | ((...ids: never[]) => string);

/** "TENANT#*#CALL#*": `*` for each id. Trailing wildcards become one, because IAM's `*` also matches `#`. */
const patternOf = (partition: Partition): string => {
  if (typeof partition === "string") return partition;
  const wildcards = Array.from({ length: partition.length }, () => "*") as never[];
  return partition(...wildcards).replace(/(#\*)+$/, "#*");
};
const patternsOf = <P extends Record<string, Partition>>(group: P) =>
  Object.fromEntries(Object.entries(group).map(([name, partition]) => [name, patternOf(partition)])) as { [Name in keyof P]: string };

/**
 * The partitions as patterns of IAM's condition key `dynamodb:LeadingKeys` (StringLike). "FHIR#*" also matches the partitions
 * below it, such as FHIR#<id>#SLOT#<hash>.
 */
export const partitionPatterns = () => ({ platform: patternsOf(partitions), tenant: patternsOf(tenantPartitions) });
