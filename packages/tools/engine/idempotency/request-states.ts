import { abandonedAfterMs, type Condition, type IdempotencyRow } from "@vitaline/store";
import type { CheckedRequest } from "../../sdk/define-tool.ts";

/**
 * State of a request's row: `started` while a run works on it, `unknown` when a write was sent and its outcome is not known, `done` when
 * it was answered. Pure functions; request-record.ts does the writes.
 */
export type RequestState = "absent" | IdempotencyRow["status"];
const stateOf = (row: IdempotencyRow | undefined): RequestState => row?.status ?? "absent";

/** An answered request sent again is a "retry", a "new_request" if its result no longer stands, or a "new_attempt" after a refusal. */
export type RepeatKind = "retry" | "new_request" | "new_attempt";

export function decideRequest(
  row: IdempotencyRow | undefined,
  repeatKind: RepeatKind | undefined,
  nowMs: number,
): "run" | "wait" | "replay" {
  switch (stateOf(row)) {
    case "started":
      return nowMs - (row?.startedAtMs ?? 0) < abandonedAfterMs ? "wait" : "run";
    case "done":
      return repeatKind === "retry" ? "replay" : "run";
    case "absent":
    case "unknown":
      return "run";
  }
}

export type RequestEvent = "started" | "answered" | "outcome unknown" | "failed" | "looked up";

/** `row` as it was read before; `requestId` of the current HTTP request. */
export type RequestSnapshot = { row: IdempotencyRow | undefined; deduplication: CheckedRequest["deduplication"]; requestId: string };

/** Written in the same commit as the row: the recovery by `events/retry`, and the staff task. */
export type TransitionWrite = "schedule recovery" | "open task" | "close task";
export type Transition = { nextState: RequestState; condition: Condition; alsoWrites: readonly TransitionWrite[] };

/** undefined if the event leaves the row unchanged. */
export function transitionOf(request: RequestSnapshot, event: "answered" | "outcome unknown"): Transition;
export function transitionOf(request: RequestSnapshot, event: RequestEvent): Transition | undefined;
export function transitionOf({ row, deduplication, requestId }: RequestSnapshot, event: RequestEvent): Transition | undefined {
  const state = stateOf(row);
  const hasTask = unconfirmedTaskOf(row) !== undefined;
  switch (event) {
    case "started":
      return deduplication === "requestRow" ? { nextState: "started", condition: asRead(row), alsoWrites: [] } : undefined;
    case "answered":
      return { nextState: "done", condition: unlessAnswered(row, deduplication), alsoWrites: hasTask ? ["close task"] : [] };
    case "outcome unknown":
      return {
        nextState: "unknown",
        condition: unlessAnswered(row, deduplication),
        alsoWrites: hasTask ? ["schedule recovery"] : ["schedule recovery", "open task"],
      };
    case "failed":
      // An earlier unknown outcome stays recorded.
      return deduplication === "requestRow"
        ? { nextState: state === "started" ? "absent" : state, condition: { equals: { requestId } }, alsoWrites: [] }
        : undefined;
    case "looked up":
      return row && state === "unknown" ? { nextState: "done", condition: isUnchanged(row), alsoWrites: [] } : undefined;
  }
}

export const unconfirmedTaskOf = (row: IdempotencyRow | undefined): string | undefined =>
  row?.status === "done" ? undefined : row?.taskId;

/** The first answer stays, except that a success replaces a refusal. */
export const firstAnswerStays = (first: { code?: string }, second: { code?: string }): boolean =>
  second.code !== undefined || first.code === undefined;

export const isUnchanged = ({ status, requestId }: IdempotencyRow): Condition => ({ equals: { status, requestId } });

const asRead = (row: IdempotencyRow | undefined): Condition =>
  row ? { equals: { status: row.status, startedAtMs: row.startedAtMs } } : { exists: false };

/** A run that started with the row has replaced the earlier answer; a tool that deduplicates itself replaces exactly that answer. */
const unlessAnswered = (row: IdempotencyRow | undefined, deduplication: RequestSnapshot["deduplication"]): Condition =>
  deduplication === "ownLock" && row?.status === "done" ? { equals: { requestId: row.requestId } } : { notEquals: { status: "done" } };
