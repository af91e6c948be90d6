import type { SystemHealthRow } from "@vitaline/store";
import fc from "fast-check";
import { expect, test } from "vitest";
import { missedSince, uptimeOf, withOverdue } from "./health-days.ts";

const minute = 60_000;
const start = Date.UTC(2030, 0, 1, 12);
const at = (minutes: number): Date => new Date(start + minutes * minute);
const latest = (minutes: number): SystemHealthRow => ({ checkedAt: at(minutes).toISOString(), parts: [] });
const total = (missed: Map<string, number>): number => [...missed.values()].reduce((sum, count) => sum + count, 0);
const day = (probes: number, healthy: number) => ({ date: "2030-01-01", probes, healthy, expiresAt: 0 });

test("a schedule of five minutes has no missed probes, even if each is early or late within them", () => {
  fc.assert(
    fc.property(fc.double({ min: 0.1, max: 7.4, noNaN: true }), (gap) => {
      expect(total(missedSince(latest(0).checkedAt, at(gap)))).toBe(0);
    }),
  );
});

test("missed probes of a gap are counted on their own days, and none older than thirty days", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 * 288 }), (due) => {
      const missed = missedSince(latest(0).checkedAt, at(due * 5));
      expect(total(missed)).toBe(due - 1);
      for (const count of missed.values()) expect(count).toBeLessThanOrEqual(288);
    }),
    { numRuns: 30 },
  );
  const overMidnight = missedSince(at(0).toISOString(), at(12 * 60 + 10));
  expect([...overMidnight]).toEqual([
    ["2030-01-01", 143],
    ["2030-01-02", 2],
  ]);
  expect(total(missedSince(at(0).toISOString(), at(90 * 24 * 60)))).toBe(30 * 288);
});

test("uptime is successful of due: null before the first, lower with every probe that is overdue", () => {
  expect(uptimeOf(withOverdue(undefined, [], at(0)))).toBeNull();
  expect(uptimeOf(withOverdue(latest(0), [day(1, 1)], at(6.9)))).toBe(100);
  expect(uptimeOf(withOverdue(latest(0), [day(1, 1)], at(7)))).toBe(50);
  expect(uptimeOf(withOverdue(latest(0), [day(288, 287)], at(1)))).toBe(99.65);
  // A schedule that stopped before the period
  expect(uptimeOf(withOverdue(latest(-40 * 24 * 60), [], at(0)))).toBe(0);
});

test("overdue probes count on their own days, for the platform and its components alike, and none before the first of thirty days", () => {
  const known = { ...day(143, 143), partProbes: 143, ok_api: 143 };
  const over = withOverdue(latest(12 * 60 - 10), [known], at(12 * 60 + 7));
  expect(over).toEqual([
    { ...known, probes: 144, partProbes: 144 },
    { date: "2030-01-02", probes: 2, healthy: 0, partProbes: 2 },
  ]);
  expect(withOverdue(latest(0), [known], at(6.9))).toEqual([known]);
  expect(withOverdue(undefined, [], at(0))).toEqual([]);
  const stopped = withOverdue(latest(-90 * 24 * 60), [], at(0));
  expect([stopped.length, stopped[0]?.date]).toEqual([30, "2029-12-03"]);
});
