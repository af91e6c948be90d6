import type { LeadReason, TaskFinding, TaskKind, ToDoKind } from "@vitaline/contract";
import { tenantPartitions } from "./partitions.ts";
import { tenantEntity, type QuotaUnits } from "./entity.ts";

/** A possible patient who wants to be contacted, recorded by a call's tool or by staff. */
export type LeadRow = {
  id: string;
  at: string;
  /** Absent: recorded by staff. */
  callKey?: string;
  officeId?: string;
  reason: LeadReason;
  /** JSON of the contract's LeadContact. */
  sealed: string;
  handledAt?: string;
  version?: number;
  expiresAt: number;
};
export const lead = tenantEntity<LeadRow, [id: string]>({
  entity: "lead",
  writeKind: "retained",
  lifetime: "expires",
  primaryKey: (tenantId, id) => ({ pk: tenantPartitions.leads(tenantId), sk: id }),
});

/** The leads of a call: one per request, however often it is repeated. */
export type LeadsOfCallRow = { expiresAt: number } & QuotaUnits<"lead">;
export const leadsOfCall = tenantEntity<LeadsOfCallRow, [callKey: string]>({
  entity: "leadsOfCall",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (tenantId, callKey) => ({ pk: tenantPartitions.callItems(tenantId, callKey), sk: "LEADS" }),
});

/** A promise to a caller that the clinic's staff must keep. */
export type TaskRow = {
  id: string;
  at: string;
  kind: TaskKind;
  /** What the caller asked for, as the tool names it; without patient data. */
  topic?: string | undefined;
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
export const task = tenantEntity<TaskRow, [id: string]>({
  entity: "task",
  writeKind: "retained",
  lifetime: "expires",
  primaryKey: (tenantId, id) => ({ pk: tenantPartitions.tasks(tenantId), sk: id }),
});

/**
 * An item of the clinic's list of work, projected from a task, a lead, a call or a connection. `sourceVersion`: of that row, as
 * projected; an older state of it changes nothing. Owner, note and a chosen due time are the item's own, and `version` is theirs.
 */
export type ToDoRow = {
  id: string;
  at: string;
  source: "task" | "lead" | "call" | "connection";
  sourceId: string;
  sourceVersion: number;
  kind: ToDoKind;
  topic?: string | undefined;
  callKey?: string | undefined;
  officeId?: string | undefined;
  dueAt: string;
  /** `dueAt`, where someone has chosen another than the source's. */
  chosenDueAt?: string | undefined;
  /** Whether the trouble lasts, also where someone has marked the item as done: see packages/tasks/to-do/troubles.ts. */
  isInTrouble?: boolean | undefined;
  finding?: TaskFinding | undefined;
  doneAt?: string | undefined;
  doneBy?: string | undefined;
  ownerId?: string | undefined;
  sealedNote?: string | undefined;
  /** Whom an emergency was mailed to. */
  noticed?: Set<string>;
  version?: number;
  expiresAt: number;
  gsi1pk: string;
  gsi1sk: string;
};
/** Bookkeeping: the projection writes it. What a user changes is audited. */
export const toDo = tenantEntity<ToDoRow, [id: string]>({
  entity: "toDo",
  writeKind: "bookkeeping",
  lifetime: "expires",
  gsi1: ["openToDo", "doneToDo"],
  primaryKey: (tenantId, id) => ({ pk: tenantPartitions.toDo(tenantId), sk: id }),
});

/** What a user is told by mail. `origin`: of the site where it was chosen. `nextDailyAt`: the due time of the next daily mail. */
export type NoticesRow = {
  userId: string;
  origin: string;
  daily: boolean;
  dailyAt: string;
  emergencies: boolean;
  quiet?: { from: string; to: string };
  nextDailyAt?: string;
  version: number;
};
/** Bookkeeping: each mail sets the time of the next. What the user chooses is audited. */
export const notices = tenantEntity<NoticesRow, [userId: string]>({
  entity: "notices",
  writeKind: "bookkeeping",
  lifetime: "permanent",
  primaryKey: (tenantId, userId) => ({ pk: tenantPartitions.config(tenantId), sk: `NOTICES#${userId}` }),
});
