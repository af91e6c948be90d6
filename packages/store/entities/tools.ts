import { sha256In } from "@vitaline/core";
import type { PatientRef } from "./audit.ts";
import type { ActsFor } from "./calls.ts";
import { tenantPartitions } from "./partitions.ts";
import { tenantEntity, type LockRow, type CountRow, type QuotaUnits } from "./entity.ts";

export type ToolRunRow = {
  id: string;
  tool: string;
  at: string;
  ms: number;
  success: boolean;
  code?: string;
  requestId: string;
  callKey: string;
  /** The patient whose record was opened. */
  patient?: PatientRef;
  /** Older rows are indexed; newer ones are found by their call, or by the id of their audit row. */
  gsi1pk?: string;
  gsi1sk?: string;
  expiresAt: number;
};
export const toolRun = tenantEntity<ToolRunRow, [callKey: string, id: string]>({
  entity: "toolRun",
  writeKind: "projected",
  lifetime: "expires",
  gsi1: ["runs"],
  primaryKey: (tenantId, callKey, id) => ({ pk: tenantPartitions.callItems(tenantId, callKey), sk: `RUN#${id}` }),
});

/** The latest run of a tool request with effects: what a retry is answered with, or what is left to find out. */
export type IdempotencyRow = {
  status: "started" | "done" | "unknown";
  tool: string;
  callKey: string;
  /** Of a test call: its recovery makes no tasks, and is in no total. */
  isTest?: true;
  startedAtMs: number;
  /** Of the HTTP request that made the latest attempt. */
  requestId: string;
  /** The HTTP request of the earlier, fulfilled request with the same words, where the caller repeated them. */
  repeatOfRequestId?: string;
  /** The staff task created for the unknown outcome. */
  taskId?: string;
  /** Who spoke for the patient, while the outcome is unknown. */
  actsFor?: ActsFor;
  /** Sealed result of the first run. */
  sealedAnswer?: string;
  /** Sealed: the intended write, to look it up at the EHR when the outcome is unknown. */
  sealedWrite?: string;
  /** The intended write, ids only, in plain text: stored when sealing failed. */
  plannedWrite?: Record<string, string>;
  expiresAt: number;
};
export const idempotency = tenantEntity<IdempotencyRow, [id: string]>({
  entity: "idempotency",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (tenantId, id) => ({ pk: tenantPartitions.idempotency(tenantId, id), sk: "IDEMPOTENCY" }),
});

/** Keyed hash of a contact point → epoch milliseconds of its last change; "day_2026-11-24" → the number of changes that day. */
export type ContactChangesRow = { expiresAt: number; [contact: string]: number };
/** A patient's contact points that were changed in calls. `subject`: keyed hash of the patient. */
export const contactChanges = tenantEntity<ContactChangesRow, [subject: string]>({
  entity: "contactChanges",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (tenantId, subject) => ({
    pk: tenantPartitions.contactChanges(tenantId, sha256In("contact-changes", subject)),
    sk: "CHANGED",
  }),
});

/** A person being registered. `subject`: keyed hash. */
export const personLock = tenantEntity<LockRow, [subject: string]>({
  entity: "personLock",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (tenantId, subject) => ({ pk: tenantPartitions.counters(tenantId, sha256In("person-lock", subject)), sk: "LOCK" }),
});

/** A call's requests of a limited kind. */
export type CallRequestsRow = { expiresAt: number } & QuotaUnits<"request">;
export const callRequests = tenantEntity<CallRequestsRow, [callKey: string, kind: string]>({
  entity: "callRequests",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (tenantId, callKey, kind) => ({ pk: tenantPartitions.callItems(tenantId, callKey), sk: `REQUESTS#${kind}` }),
});

/** A tenant's tool runs by window of ten seconds, counted over all function instances. */
export type ToolRunCountsRow = { expiresAt: number } & { [window: `runs_${number}`]: number };
export const toolRunCounts = tenantEntity<ToolRunCountsRow, []>({
  entity: "toolRunCounts",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (tenantId) => ({ pk: tenantPartitions.counters(tenantId, sha256In("tool-run-counts")), sk: "RUNCOUNTS" }),
});
export const counter = tenantEntity<CountRow, [kind: string, subject: string, window: string]>({
  entity: "counter",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (tenantId, kind, subject, window) => ({
    pk: tenantPartitions.counters(tenantId, sha256In("attempts", kind, subject)),
    sk: window,
  }),
});
