import { needsFollowUp, type JudgedCall } from "@vitaline/calls";
import { dayMs, deterministicId } from "@vitaline/core";
import {
  expiresAfter,
  keys,
  toDoIdOfCall,
  update,
  type CallRow,
  type LeadRow,
  type TaskRow,
  type TenantStore,
  type ToDoRow,
  type Write,
} from "@vitaline/store";

/** What a row that leaves work says about it. Without `doneAt` it is open. */
export type SourceState = Pick<
  ToDoRow,
  | ("id" | "at" | "source" | "sourceId" | "sourceVersion" | "kind" | "topic" | "callKey" | "officeId")
  | ("dueAt" | "finding" | "doneAt" | "isInTrouble" | "expiresAt")
>;

const hourMs = 3_600_000;
const after = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString();

export type TaskFacts = Omit<TaskRow, "sealed">;
export const stateOfTask = (row: TaskFacts): SourceState => {
  const { id, at, kind, topic, callKey, officeId, dueAt, finding, closedAt, version, expiresAt } = row;
  const ids = { id, source: "task", sourceId: id, sourceVersion: version } as const;
  return { ...ids, at, kind, topic, callKey, officeId, dueAt, finding, doneAt: closedAt, expiresAt };
};

const leadDueMs = dayMs;
export type LeadFacts = Omit<LeadRow, "sealed">;
export const stateOfLead = (row: LeadFacts): SourceState => {
  const { id, at, reason: topic, callKey, officeId, handledAt: doneAt, version = 1, expiresAt } = row;
  const ids = { id, source: "lead", sourceId: id, sourceVersion: version, kind: "lead" } as const;
  return { ...ids, at, topic, callKey, officeId, dueAt: after(at, leadDueMs), doneAt, expiresAt };
};

const followUpDueMs = 4 * hourMs;
/** Above all: the caller may be waiting for a call back. */
const unanswered: ReadonlySet<CallRow["status"]> = new Set(["no_answer", "cancelled"]);
export type CallFacts = JudgedCall & Pick<CallRow, "callKey" | "startedAt" | "officeId" | "version" | "erasedAt" | "expiresAt">;
/**
 * Undefined for a call that needs no follow-up and had none. `neededIt`: its row as it was before did; a later report has shown that
 * the caller was helped.
 */
export const stateOfCall = (row: CallFacts, neededIt = false): SourceState | undefined => {
  const { callKey, startedAt, status, officeId, endSeenAt, followUp, version = 1, expiresAt } = row;
  const isOpen = needsFollowUp(row);
  if (!isOpen && followUp === undefined && !neededIt) return undefined;
  const at = endSeenAt ?? startedAt;
  return {
    ...{ id: toDoIdOfCall(row), at, source: "call", sourceId: callKey, sourceVersion: version },
    ...{ kind: unanswered.has(status) ? "unanswered_call" : "unresolved_call", callKey, officeId },
    ...{ dueAt: after(at, followUpDueMs), doneAt: isOpen ? undefined : (followUp?.doneAt ?? at), expiresAt },
  };
};

export type ConnectionFacts = { topic: ConnectionTopic; connectionId: string; at: string; isWell: boolean };
type ConnectionTopic = "record_system" | "voice_platform" | "webhook" | Trouble;
/** Trouble that is no single connection's. */
export type Trouble = "no_record_system" | "tools_fail";
const connectionDueMs = hourMs;
const connectionDays = 90;
/** Checks are minutes apart. If-Match takes nine digits. */
const versionMs = 10_000;
const versionAt = (at: string): number => Math.floor(Date.parse(at) / versionMs);
/** One item for each connection and tenant, which opens again when the connection fails again. */
export const stateOfConnection = ({ topic, connectionId, at, isWell }: ConnectionFacts): SourceState => ({
  ...{ id: deterministicId(0, "to-do-of-connection", connectionId), at, source: "connection", sourceId: connectionId },
  ...{ sourceVersion: versionAt(at), kind: "connection", topic, dueAt: after(at, connectionDueMs) },
  ...{ doneAt: isWell ? at : undefined, expiresAt: expiresAfter(at, connectionDays) },
});

/** Where an item stands in the lists. */
export const placeOf = (
  tenantId: string,
  { id, kind, dueAt, doneAt }: Pick<ToDoRow, "id" | "kind" | "dueAt" | "doneAt">,
): Pick<ToDoRow, "gsi1pk" | "gsi1sk"> =>
  doneAt === undefined
    ? { gsi1pk: keys.tenantPartitions.openToDo(tenantId), gsi1sk: `${kind === "emergency" ? emergencies : others}#${dueAt}#${id}` }
    : { gsi1pk: keys.tenantPartitions.doneToDo(tenantId), gsi1sk: `${doneAt}#${id}` };
export const emergencies = "0";
const others = "1";

/**
 * A connection may fail and work again within one version. Any other state of the row's own version is told again by the stream, and
 * someone may have changed the row since.
 */
const followsAtOnce = ({ source, sourceVersion, doneAt }: SourceState, row: ToDoRow): boolean => {
  if (source !== "connection" || row.sourceVersion !== sourceVersion) return false;
  if (doneAt !== undefined) return versionAt(row.at) === sourceVersion;
  return row.doneAt !== undefined && (row.doneBy === undefined || row.isInTrouble === false);
};

/**
 * The write that projects a source's state; repeating it changes nothing, and an older state is ignored. An item that is done before
 * anyone saw it is not created. `seen`: the row as it was read; the write fails where someone has chosen another due time since.
 */
export function projectedWrite(tenantId: string, state: SourceState, seen?: ToDoRow): Write {
  const { id, at, source, doneAt, ...facts } = state;
  const chosenDueAt = seen?.chosenDueAt;
  const isOpen = doneAt === undefined;
  // Each trouble of a connection begins another time, with a due time of its own.
  const begins = source === "connection" && isOpen;
  const isAtOnce = seen !== undefined && followsAtOnce(state, seen);
  const dueAt = begins ? state.dueAt : (chosenDueAt ?? state.dueAt);
  const asChosen = chosenDueAt === undefined ? { absent: ["chosenDueAt"] } : { equals: { chosenDueAt } };
  return update<ToDoRow>(
    keys.toDo(id),
    {
      set: { id, source, ...facts, dueAt, doneAt, ...placeOf(tenantId, { ...state, dueAt }), ...(begins ? { at } : {}) },
      ...(begins ? {} : { setOnce: { at } }),
      remove: [...(isOpen ? (["doneAt", "doneBy"] as const) : []), ...(begins ? (["chosenDueAt"] as const) : [])],
    },
    {
      ...(isOpen ? {} : { exists: true }),
      ...(begins ? {} : asChosen),
      ...(begins && isAtOnce && seen.doneAt !== undefined ? { equals: { doneAt: seen.doneAt } } : {}),
      lessThanOrAbsent: { sourceVersion: source === "connection" && !isAtOnce ? state.sourceVersion : state.sourceVersion + 1 },
    },
  );
}

/** Writes a source's state over the item as it is, whose due time stays if someone has chosen it. One write, mostly. */
export async function projectState(store: TenantStore, state: SourceState): Promise<void> {
  for (let seen: ToDoRow | undefined; ;) {
    if (await store.writeUnaudited(projectedWrite(store.tenantId, state, seen))) return;
    const row = await store.get<ToDoRow>(keys.toDo(state.id));
    // Not refused for what someone has changed: the state is older or told again, or done and never was on the list.
    if (!row || (row.chosenDueAt === seen?.chosenDueAt && !followsAtOnce(state, row))) return;
    seen = row;
  }
}
