import type { IdempotencyRow } from "@vitaline/store";
import { describe, expect, it } from "vitest";
import { decideRequest, firstAnswerStays, transitionOf, type RepeatKind, type RequestEvent } from "./request-row.ts";

const nowMs = 1_000_000;
const mine = "this request";
const rowOf = (status: IdempotencyRow["status"], more: Partial<IdempotencyRow> = {}): IdempotencyRow => ({
  ...{ status, tool: "scheduleAppointment", callKey: "c", startedAtMs: nowMs - 60_000, requestId: "earlier", expiresAt: 2_000 },
  ...more,
});
const rows = {
  absent: undefined,
  started: rowOf("started"),
  unknown: rowOf("unknown"),
  "unknown+task": rowOf("unknown", { taskId: "t" }),
  done: rowOf("done", { taskId: "t" }),
};
type Found = keyof typeof rows;

const parsed = (table: string): string[][] =>
  table
    .trim()
    .split("\n")
    .slice(2)
    .map((line) => line.split("|").map((cell) => cell.trim()));

describe("a request that comes", () => {
  const table = parsed(`
    found            | means       | the run
    -----------------|-------------|--------
    absent           |             | run
    started now      |             | wait
    started 29 s ago |             | wait
    started 30 s ago |             | run
    unknown          |             | run
    done             | retry       | replay
    done             | new_request | run
    done             | new_attempt | run
  `);
  it.each(table)("and finds its row %s, meaning %s: %s", (found = "", means, decision) => {
    const ageMs = { "started now": 0, "started 29 s ago": 29_000, "started 30 s ago": 30_000 }[found];
    const row = ageMs === undefined ? rows[found as Found] : rowOf("started", { startedAtMs: nowMs - ageMs });
    expect(decideRequest(row, (means || undefined) as RepeatKind | undefined, nowMs)).toBe(decision);
  });
});

describe("the row of a request", () => {
  /** `-` leaves the row unchanged. With the tool's own lock, the row changes only at the end of a run. */
  const table = parsed(`
    found        | by         | event           | becomes | if it is      | with it
    -------------|------------|-----------------|---------|---------------|----------------------
    absent       | requestRow | started         | started | absent        |
    started      | requestRow | started         | started | as read       |
    unknown      | requestRow | started         | started | as read       |
    unknown+task | requestRow | started         | started | as read       |
    done         | requestRow | started         | started | as read       |
    absent       | ownLock    | started         | -       |               |
    started      | ownLock    | started         | -       |               |
    unknown      | ownLock    | started         | -       |               |
    unknown+task | ownLock    | started         | -       |               |
    done         | ownLock    | started         | -       |               |
    absent       | requestRow | answered        | done    | not done      |
    started      | requestRow | answered        | done    | not done      |
    unknown      | requestRow | answered        | done    | not done      |
    unknown+task | requestRow | answered        | done    | not done      | close task
    done         | requestRow | answered        | done    | not done      |
    absent       | ownLock    | answered        | done    | not done      |
    started      | ownLock    | answered        | done    | not done      |
    unknown      | ownLock    | answered        | done    | not done      |
    unknown+task | ownLock    | answered        | done    | not done      | close task
    done         | ownLock    | answered        | done    | that answer   |
    absent       | requestRow | outcome unknown | unknown | not done      | schedule recovery, open task
    started      | requestRow | outcome unknown | unknown | not done      | schedule recovery, open task
    unknown      | requestRow | outcome unknown | unknown | not done      | schedule recovery, open task
    unknown+task | requestRow | outcome unknown | unknown | not done      | schedule recovery
    done         | requestRow | outcome unknown | unknown | not done      | schedule recovery, open task
    absent       | ownLock    | outcome unknown | unknown | not done      | schedule recovery, open task
    started      | ownLock    | outcome unknown | unknown | not done      | schedule recovery, open task
    unknown      | ownLock    | outcome unknown | unknown | not done      | schedule recovery, open task
    unknown+task | ownLock    | outcome unknown | unknown | not done      | schedule recovery
    done         | ownLock    | outcome unknown | unknown | that answer   | schedule recovery, open task
    absent       | requestRow | failed          | absent  | ours          |
    started      | requestRow | failed          | absent  | ours          |
    unknown      | requestRow | failed          | unknown | ours          |
    unknown+task | requestRow | failed          | unknown | ours          |
    done         | requestRow | failed          | done    | ours          |
    absent       | ownLock    | failed          | -       |               |
    started      | ownLock    | failed          | -       |               |
    unknown      | ownLock    | failed          | -       |               |
    unknown+task | ownLock    | failed          | -       |               |
    done         | ownLock    | failed          | -       |               |
    absent       | either     | looked up       | -       |               |
    started      | either     | looked up       | -       |               |
    unknown      | either     | looked up       | done    | still unknown |
    unknown+task | either     | looked up       | done    | still unknown |
    done         | either     | looked up       | -       |               |
  `);
  const conditions: Record<string, (row: IdempotencyRow | undefined) => object> = {
    absent: () => ({ exists: false }),
    "as read": (row) => ({ equals: { status: row?.status, startedAtMs: row?.startedAtMs } }),
    ours: () => ({ equals: { requestId: mine } }),
    "not done": () => ({ notEquals: { status: "done" } }),
    "that answer": (row) => ({ equals: { requestId: row?.requestId } }),
    "still unknown": (row) => ({ equals: { status: "unknown", requestId: row?.requestId } }),
  };

  it.each(table)(
    "%s, deduplicated by the %s, when %s: becomes %s, if it is %s; %s",
    (found = "", deduplication, event, becomes, when = "", more = "") => {
      const row = rows[found as Found];
      const expected = {
        nextState: becomes,
        condition: conditions[when]?.(row),
        alsoWrites: more === "" ? [] : more.split(", "),
      };
      for (const one of deduplication === "either" ? (["requestRow", "ownLock"] as const) : [deduplication as "requestRow" | "ownLock"])
        expect(transitionOf({ row, deduplication: one, requestId: mine }, event as RequestEvent)).toEqual(
          becomes === "-" ? undefined : expected,
        );
    },
  );

  it("has a line for every state, deduplication and event", () => {
    const lines = table.flatMap(([found, deduplication, event]) =>
      (deduplication === "either" ? ["requestRow", "ownLock"] : [deduplication]).map((one) => `${found} ${one} ${event}`),
    );
    const events: RequestEvent[] = ["started", "answered", "outcome unknown", "failed", "looked up"];
    const all = Object.keys(rows).flatMap((found) =>
      ["requestRow", "ownLock"].flatMap((deduplication) => events.map((event) => `${found} ${deduplication} ${event}`)),
    );
    expect(lines.toSorted()).toEqual(all.toSorted());
  });
});

describe("of two answers to one request", () => {
  it.each([
    ["yes", "yes", "first"],
    ["yes", "no", "first"],
    ["no", "no", "first"],
    ["no", "yes", "second"],
  ])("%s before %s: the %s stays", (first, second, stays) => {
    const answer = (word: string) => (word === "no" ? { code: "slot_taken" } : {});
    expect(firstAnswerStays(answer(first), answer(second))).toBe(stays === "first");
  });
});
