import { partitions, tenantPartitions } from "./partitions.ts";
import { tenantEntity } from "./entity.ts";

/**
 * Scheduled work for `events/retry`. idempotency: a write with an unknown outcome; event: a kept event; retention: new
 * retention periods for stored rows; erasure: one that is to start or continue; emergency, daily: a mail to staff; trouble:
 * whether the tenant lacks a record system or its tools fail.
 */
export type DueRow = {
  kind: "idempotency" | "event" | "retention" | "erasure" | "emergency" | "daily" | "trouble";
  tenantId: string;
  id: string;
  dueAt: string;
  firstDueAt?: string;
  tries?: number;
  expiresAt: number;
};
/** Over all tenants; see due.ts for the shards. */
export const due = tenantEntity<DueRow, [shard: string, dueAt: string, kind: string, id: string]>({
  entity: "due",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (tenantId, shard, dueAt, kind, id) => ({ pk: partitions.due(shard), sk: `${dueAt}#${kind}#${tenantId}#${id}` }),
});

/** Kinds of rows under a tenant's retention periods, in the order of the job. */
export type RetainedPart = "calls" | "erased" | "runs" | "leads" | "tasks" | "messages";
/**
 * The last request to apply a tenant's retention periods to stored rows, and its progress: `part`, and `after`, the sort key of
 * the last finished row in it. `owner`: the running invocation.
 */
export type RetentionRunRow = {
  id: string;
  at: string;
  owner?: string;
  heartbeatAt?: string;
  part?: RetainedPart;
  after?: string;
  /** Rows, and files of calls, processed so far. */
  rows?: number;
  files?: number;
  doneAt?: string;
  /** It also fills in `CallRow.hasSignals`. */
  fillsEvidence?: boolean;
  /** It also adds rows of before to the list of work. */
  fillsToDo?: boolean;
  /** It also fills in `CallRow.toolFailed`. */
  fillsToolFailed?: boolean;
  /** It also fills in `CallRow.failedTools`. */
  fillsFailedTools?: boolean;
};
export const retentionRun = tenantEntity<RetentionRunRow, []>({
  entity: "retentionRun",
  writeKind: "bookkeeping",
  lifetime: "permanent",
  primaryKey: (tenantId) => ({ pk: tenantPartitions.retention(tenantId), sk: "RUN" }),
});
