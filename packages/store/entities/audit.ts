import { partitions, tenantPartitions } from "./partitions.ts";
import { platformEntity, tenantEntity, type CountRow } from "./entity.ts";

export const auditCategories = ["patient_access", "data_query", "api_call", "configuration_change"] as const;
export type AuditCategory = (typeof auditCategories)[number];

/** A patient's id in a record system, and our id of its connection. */
export type PatientRef = { id: string; fhirProviderId?: string };

export type AuditRow = {
  id: string;
  at: string;
  tenantId?: string;
  actorKind: string;
  actorId: string;
  /** In a tenant's log: the user is none of the tenant's own. */
  actorRole?: "system_admin";
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
  /** The patients of what was read or changed, where the resource is another: a call, a task. */
  patients?: readonly PatientRef[];
  /** Ids, codes and counts only. Exception: `viewAsBy`, the name of the system administrator who views the tenant. */
  detail?: Record<string, string | number | boolean>;
  expiresAt: number;
};
export const audit = tenantEntity<AuditRow, [month: string, category: string, id: string]>({
  entity: "audit",
  writeKind: "audited",
  lifetime: "expires",
  primaryKey: (tenantId, month, category, id) => ({ pk: tenantPartitions.audit(tenantId, month, category), sk: id }),
});
export const platformAudit = platformEntity<AuditRow, [month: string, category: string, id: string]>({
  entity: "platformAudit",
  writeKind: "audited",
  lifetime: "expires",
  primaryKey: (month, category, id) => ({ pk: partitions.platformAudit(month, category), sk: id }),
});
/** The platform's activity feed, without patient data: users' acts apart from others, each month in four shards. */
export const feed = platformEntity<AuditRow, [month: string, group: "people" | "others", shard: string, id: string]>({
  entity: "feed",
  writeKind: "projected",
  lifetime: "expires",
  primaryKey: (month, group, shard, id) => ({ pk: partitions.feed(month, group, shard), sk: id }),
});

/** The head of a tenant's hash chain over its audit rows, and the result of the last verification. */
export type ChainRow = {
  /** Hash of the last row; input of the next row's hash. */
  hash: string;
  batches: number;
  rows: number;
  at: string;
  lastVerifiedAt?: string;
  verifiedRows?: number;
  intactRows?: number;
  /** Up to where `verifyRecent` has found the chain and the table the same: batches, the hash after them, and the time of rows. */
  checkedBatches?: number;
  checkedHash?: string;
  checkedUntil?: string;
  /** Flaws found by the last `verifyRecent`, which are also missing in `intactRows`. */
  recentFlaws?: number;
};
export const tenantChain = tenantEntity<ChainRow, []>({
  entity: "tenantChain",
  writeKind: "projected",
  lifetime: "permanent",
  primaryKey: (tenantId) => ({ pk: tenantPartitions.chain(tenantId), sk: "HEAD" }),
});
export const platformChain = platformEntity<ChainRow, []>({
  entity: "platformChain",
  writeKind: "projected",
  lifetime: "permanent",
  primaryKey: () => ({ pk: partitions.platformChain, sk: "HEAD" }),
});

/** How far a shard of the table's stream is archived in a chain. */
export type ArchivedPositionRow = { position: string; expiresAt: number };
const archivedUpTo = (shardHash: string): string => `POSITION#${shardHash}`;
export const archivedPosition = tenantEntity<ArchivedPositionRow, [shardHash: string]>({
  entity: "archivedPosition",
  writeKind: "projected",
  lifetime: "expires",
  primaryKey: (tenantId, shardHash) => ({ pk: tenantPartitions.chain(tenantId), sk: archivedUpTo(shardHash) }),
});
export const platformArchivedPosition = platformEntity<ArchivedPositionRow, [shardHash: string]>({
  entity: "platformArchivedPosition",
  writeKind: "projected",
  lifetime: "expires",
  primaryKey: (shardHash) => ({ pk: partitions.platformChain, sk: archivedUpTo(shardHash) }),
});

/** An export of the audit. */
export type ExportRow = {
  id: string;
  status: "queued" | "running" | "ready" | "failed";
  format: "csv" | "json" | "pdf";
  /** Days in `timeZone` (IANA), both included. */
  start: string;
  end: string;
  timeZone: string;
  /** Absent: all tenants. */
  tenantId?: string;
  category?: AuditCategory;
  search?: string;
  requestedBy: string;
  requestedAt: string;
  tries: number;
  heartbeatAt: string;
  rows?: number;
  bytes?: number;
  /** Failed because the function's time was over before the last row. */
  tooLong?: true;
  /** Object key in the files bucket. */
  file?: string;
  expiresAt: number;
};
export const tenantExport = tenantEntity<ExportRow, [id: string]>({
  entity: "tenantExport",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (tenantId, id) => ({ pk: tenantPartitions.exports(tenantId), sk: id }),
});
export const platformExport = platformEntity<ExportRow, [id: string]>({
  entity: "platformExport",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (id) => ({ pk: partitions.platformExports, sk: id }),
});

/** A report of who saw a patient's data, or of what a user did. Its rows are in files. */
export type AccessReportRow = {
  id: string;
  status: "queued" | "running" | "ready" | "failed";
  about: { kind: "patient"; patientId: string; fhirProviderId?: string } | { kind: "user"; userId: string };
  /** Days in `timeZone` (IANA), both included. */
  start: string;
  end: string;
  timeZone: string;
  /** Absent: the logs of all tenants and of the platform. */
  tenantId?: string;
  requestedBy: string;
  requestedAt: string;
  tries: number;
  /** Counts the saved states, so that of two invocations only one continues. */
  seq: number;
  heartbeatAt: string;
  progress: AccessReportProgress;
  expiresAt: number;
};
/**
 * Where the next invocation continues. `step`: the first pass finds what belongs to the subject, the second one lists. `source`, `after`:
 * the log, and the last row read of it. `links`: the file of what was found. `pages`: the files of listed rows, in order.
 */
export type AccessReportProgress = {
  step: "find" | "list" | "write";
  source: number;
  after: string;
  /** The part of the step that is done, from 0 to 1. */
  done: number;
  links?: string;
  pages: string[];
  rows: number;
  examined: number;
};
export const tenantAccessReport = tenantEntity<AccessReportRow, [id: string]>({
  entity: "tenantAccessReport",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (tenantId, id) => ({ pk: tenantPartitions.accessReports(tenantId), sk: id }),
});
export const platformAccessReport = platformEntity<AccessReportRow, [id: string]>({
  entity: "platformAccessReport",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (id) => ({ pk: partitions.platformAccessReports, sk: id }),
});
/** How many reports and exports a user has asked for in an hour. */
export const tenantReportCount = tenantEntity<CountRow, [userId: string, hour: string]>({
  entity: "tenantReportCount",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (tenantId, userId, hour) => ({ pk: tenantPartitions.accessReports(tenantId), sk: `COUNT#${hour}#${userId}` }),
});
export const platformReportCount = platformEntity<CountRow, [userId: string, hour: string]>({
  entity: "platformReportCount",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (userId, hour) => ({ pk: partitions.platformAccessReports, sk: `COUNT#${hour}#${userId}` }),
});

/** Sums of the projection, one attribute each, and the row's name. */
export type StatsRow = Record<string, number | string>;
export const stats = tenantEntity<StatsRow, [row: string]>({
  entity: "stats",
  writeKind: "projected",
  lifetime: "permanent",
  primaryKey: (tenantId, row) => ({ pk: tenantPartitions.stats(tenantId), sk: row }),
});
/** Counts from before the sums were split into parts. */
export const platformStats = platformEntity<StatsRow, [row: string]>({
  entity: "platformStats",
  writeKind: "projected",
  lifetime: "permanent",
  primaryKey: (row) => ({ pk: partitions.platformStats, sk: row }),
});
/** Each shard of the stream adds to one of the parts, so that shards do not wait for each other; a sum is that of all parts. */
export const platformStatsParts = ["0", "1", "2", "3", "4", "5", "6", "7"] as const;
export const platformStatsPart = platformEntity<StatsRow, [part: string, row: string]>({
  entity: "platformStatsPart",
  writeKind: "projected",
  lifetime: "permanent",
  primaryKey: (part, row) => ({ pk: partitions.platformStatsPart(part), sk: row }),
});
/** How far the totals have counted a shard of the table's stream. A shard lives for hours, and its records for one day. */
export type CountedPositionRow = { position: string; expiresAt: number };
export const countedPosition = platformEntity<CountedPositionRow, [shardHash: string]>({
  entity: "countedPosition",
  writeKind: "projected",
  lifetime: "expires",
  primaryKey: (shardHash) => ({ pk: partitions.countedPosition(shardHash), sk: "STATS" }),
});
/** A user who signed in on a day. */
export const activeUser = platformEntity<{ at: string; expiresAt: number }, [date: string, userId: string]>({
  entity: "activeUser",
  writeKind: "projected",
  lifetime: "expires",
  primaryKey: (date, userId) => ({ pk: partitions.activeUsers(date), sk: userId }),
});
