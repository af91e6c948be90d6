import { abandonedAfterMs, type Condition, type IdempotencyRow } from "@vitaline/store";
import type { Invocation } from "../../sdk/define-tool.ts";

/**
 * The row of a request, as a state machine: `absent`, or `started` by a run, or `unknown` when a run has sent something and does not know
 * what became of it, or `done` when it was answered. Everything here is pure; request-record.ts writes what it says.
 */
export type RequestState = "absent" | IdempotencyRow["status"];
const stateOf = (row: IdempotencyRow | undefined): RequestState => row?.status ?? "absent";

/**
 * What a request means that was answered before: the same "again"; a "new wish" in the same words, as what was done is not so any more;
 * or one more "try" after a no.
 */
export type Meaning = "again" | "new wish" | "try";

/** What a run does when it finds this row: begins, waits for the one that is at work, or gives the answer that is there. */
export function arrivalAt(row: IdempotencyRow | undefined, meaning: Meaning | undefined, nowMs: number): "run" | "wait" | "replay" {
  switch (stateOf(row)) {
    case "started":
      return nowMs - (row?.startedAtMs ?? 0) < abandonedAfterMs ? "wait" : "run";
    case "done":
      return meaning === "again" ? "replay" : "run";
    case "absent":
    case "unknown":
      return "run";
  }
}

/** What happens to a run, or to the row of one of unknown outcome that the probe looks into. */
export type RequestEvent = "claimed" | "answered" | "outcome lost" | "failed" | "looked up";

/** The row as a run found it, whether the row is the run's claim as well, and the run's own HTTP request. */
export type Found = { row: IdempotencyRow | undefined; claim: Invocation["claim"]; requestId: string };

/** What is written with the row: a reminder for the probe to look into it, and the task of staff to do so. */
export type Extra = "remind probe" | "open task" | "close task";
/** What an event makes of the row, on which condition, and what is written with it. */
export type Step = { becomes: RequestState; when: Condition; extra: readonly Extra[] };

/** The step of an event; undefined where it leaves the row alone. */
export function stepOf(found: Found, event: "answered" | "outcome lost"): Step;
export function stepOf(found: Found, event: RequestEvent): Step | undefined;
export function stepOf({ row, claim, requestId }: Found, event: RequestEvent): Step | undefined {
  const state = stateOf(row);
  const hasTask = unconfirmedTaskOf(row) !== undefined;
  switch (event) {
    case "claimed":
      return claim === "request" ? { becomes: "started", when: asRead(row), extra: [] } : undefined;
    case "answered":
      return { becomes: "done", when: unlessAnswered(row, claim), extra: hasTask ? ["close task"] : [] };
    case "outcome lost":
      return { becomes: "unknown", when: unlessAnswered(row, claim), extra: hasTask ? ["remind probe"] : ["remind probe", "open task"] };
    case "failed":
      // What was known before stays known.
      return claim === "request"
        ? { becomes: state === "started" ? "absent" : state, when: { equals: { requestId } }, extra: [] }
        : undefined;
    case "looked up":
      return row && state === "unknown" ? { becomes: "done", when: asFound(row), extra: [] } : undefined;
  }
}

/** The task that an earlier run of unknown outcome has left. */
export const unconfirmedTaskOf = (row: IdempotencyRow | undefined): string | undefined =>
  row?.status === "done" ? undefined : row?.taskId;

/** An answer that came first stays, but for a no, which a yes replaces: the no cannot have known of it. */
export const staysFirst = (first: { code?: string }, second: { code?: string }): boolean =>
  second.code !== undefined || first.code === undefined;

export const asFound = ({ status, requestId }: IdempotencyRow): Condition => ({ equals: { status, requestId } });

const asRead = (row: IdempotencyRow | undefined): Condition =>
  row ? { equals: { status: row.status, startedAtMs: row.startedAtMs } } : { exists: false };

/** A run that claimed the row has put away what was answered before; one that did not replaces that very answer. */
const unlessAnswered = (row: IdempotencyRow | undefined, claim: Found["claim"]): Condition =>
  claim === "own" && row?.status === "done" ? { equals: { requestId: row.requestId } } : { notEquals: { status: "done" } };
