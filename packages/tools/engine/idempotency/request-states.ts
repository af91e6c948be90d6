import { abandonedAfterMs, type Condition, type IdempotencyRow } from "@vitaline/store";
import type { Invocation } from "../../sdk/define-tool.ts";

/**
 * State of a request's row: `started` while a run works on it, `unknown` when a write was sent and its outcome is not known, `done` when
 * it was answered. Pure functions; request-record.ts does the writes.
 */
export type RequestState = "absent" | IdempotencyRow["status"];
const stateOf = (row: IdempotencyRow | undefined): RequestState => row?.status ?? "absent";

/** An answered request sent again is a retry ("again"), a "new wish" if its result no longer stands, or another "try" after a refusal. */
export type Meaning = "again" | "new wish" | "try";

export function decideArrival(row: IdempotencyRow | undefined, meaning: Meaning | undefined, nowMs: number): "run" | "wait" | "replay" {
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

export type RequestEvent = "claimed" | "answered" | "outcome lost" | "failed" | "looked up";

export type Found = { row: IdempotencyRow | undefined; claim: Invocation["claim"]; requestId: string };

/** Written in the same commit as the row: a reminder for the probe, and the staff task. */
export type Extra = "remind probe" | "open task" | "close task";
export type Step = { becomes: RequestState; when: Condition; extra: readonly Extra[] };

/** undefined if the event leaves the row unchanged. */
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
      // An earlier unknown outcome stays recorded.
      return claim === "request"
        ? { becomes: state === "started" ? "absent" : state, when: { equals: { requestId } }, extra: [] }
        : undefined;
    case "looked up":
      return row && state === "unknown" ? { becomes: "done", when: isUnchanged(row), extra: [] } : undefined;
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

/** A run that claimed the row has replaced the earlier answer; one that did not replaces exactly that answer. */
const unlessAnswered = (row: IdempotencyRow | undefined, claim: Found["claim"]): Condition =>
  claim === "own" && row?.status === "done" ? { equals: { requestId: row.requestId } } : { notEquals: { status: "done" } };
