import fc from "fast-check";
import { expect, test } from "vitest";
import { type SetupState, stepsOf } from "./steps.ts";

const nothing: SetupState = {
  isKeyCopied: false,
  hasTotp: false,
  metrics: { totalCalls: 0, successfulCalls: 0 },
  calls: [],
  toolRuns: [],
  offices: [],
  providers: [],
};
const done = (beginnings: Partial<SetupState>): boolean[] => stepsOf({ ...nothing, ...beginnings }).map(({ isDone }) => isDone);
const run = {
  id: "01hzzzzzzzzzzzzzzzzzzzzzz1",
  createdAt: "2026-01-01T00:00:00.000Z",
  toolName: "verifyInsurance",
  status: "failed" as const,
  code: "not_verified",
  ms: 3,
  requestId: "r",
  callId: "c",
};

test("a tenant that has just been made has six steps to go", () => {
  expect(done({})).toEqual([false, false, false, false, false, false]);
});

test.each<[string, Partial<SetupState>, boolean[]]>([
  ["a copied key", { isKeyCopied: true }, [true, false, false, false, false, false]],
  ["a first tool run, which needs the key", { toolRuns: [run] }, [true, true, false, false, false, false]],
  ["a call that is going on", { calls: [{ status: "in_progress" }] }, [true, true, false, false, false, false]],
  ["a call that failed", { metrics: { totalCalls: 1, successfulCalls: 0 } }, [true, true, false, false, false, false]],
  ["a completed call", { calls: [{ status: "completed" }] }, [true, true, false, false, true, false]],
  ["a completed call of long ago", { metrics: { totalCalls: 9, successfulCalls: 1 } }, [true, true, false, false, true, false]],
  ["an office", { offices: [{ id: "o" }] }, [false, false, true, false, false, false]],
  ["a record system", { providers: [{ isActive: true, connectionStatus: "unknown" }] }, [false, false, false, true, false, false]],
  [
    "one that is switched off",
    { providers: [{ isActive: false, connectionStatus: "healthy" }] },
    [false, false, false, false, false, false],
  ],
  [
    "one that is out of order",
    { providers: [{ isActive: true, connectionStatus: "unhealthy" }] },
    [false, false, false, true, false, false],
  ],
  ["a second factor", { hasTotp: true }, [false, false, false, false, false, true]],
])("%s counts for what it is", (_what, beginnings, expected) => {
  expect(done(beginnings)).toEqual(expected);
});

test("no step is undone by more of the same", () => {
  const count = fc.nat(3);
  fc.assert(
    fc.property(count, count, count, fc.boolean(), (calls, offices, runs, isKeyCopied) => {
      const beginnings = (more: number): Partial<SetupState> => ({
        isKeyCopied,
        metrics: { totalCalls: calls + more, successfulCalls: Math.min(calls, 1) },
        offices: Array.from({ length: offices + more }, (_, index) => ({ id: String(index) })),
        toolRuns: Array.from({ length: runs + more }, () => run),
      });
      const after = done(beginnings(1));
      expect(done(beginnings(0)).every((isDone, step) => !isDone || after[step])).toBe(true);
    }),
  );
});
