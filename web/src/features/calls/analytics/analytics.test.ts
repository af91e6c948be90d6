import { Range, RoutingOutcome, RoutingReason, type ChartDay } from "@vitaline/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chartRangeOf } from "./analytics-filter.ts";
import { sayDays, isWithoutCalls, longDay, measures, shortDay } from "./day-measures.ts";
import { asTyped, MoneyAmounts } from "../estimates/use-amounts-form.ts";
import { byReason, reasonNames } from "./routing-reasons.ts";

const day = (date: string, numbers: Partial<ChartDay> = {}): ChartDay => ({
  ...{ date, calls: 0, resolved: 0, forwarded: 0, minutes: 0, revenueEvents: 0 },
  ...numbers,
});

describe("days", () => {
  test("are named as they are in UTC, wherever the browser is", () => {
    expect([shortDay("2026-11-21"), longDay("2026-03-01")]).toEqual(["Nov 21", "Sun, Mar 1, 2026"]);
  });

  test("are told in words: from when to when, how many, and when most", () => {
    const days = [day("2026-11-20", { calls: 3, resolved: 2 }), day("2026-11-21", { calls: 12, resolved: 2, minutes: 30.25 })];
    const [calls, minutes, booked] = measures.map((measure) => sayDays(measure, days));
    expect(calls).toBe(
      "Calls by day, Nov 20 to Nov 21 (UTC). All calls: 15 in total, most on Nov 21 with 12. Resolved: 4 in total, most on Nov 20 with 2. Put through to staff: 0 in total.",
    );
    expect(minutes).toContain("Minutes: 30.3 in total, most on Nov 21 with 30.3.");
    expect(booked).toContain("Appointments: 0 in total.");
  });

  test("are without calls only if nothing was booked either", () => {
    expect(isWithoutCalls([day("2026-11-20"), day("2026-11-21")])).toBe(true);
    expect(isWithoutCalls([day("2026-11-20", { calls: 1 })])).toBe(false);
    expect(isWithoutCalls([day("2026-11-20", { revenueEvents: 1 })])).toBe(false);
  });

  test("of all time are the last 90, as a chart has a first one", () => {
    expect(Range.options.map(chartRangeOf)).toEqual(["24hours", "7days", "30days", "90days", "90days"]);
  });
});

describe("calls to staff", () => {
  const counts = fc.uniqueArray(
    fc.record({
      reason: fc.constantFrom(...RoutingReason.options),
      outcome: fc.constantFrom(...RoutingOutcome.options),
      count: fc.integer({ min: 1, max: 9 }),
    }),
    { selector: ({ reason, outcome }) => `${reason} ${outcome}` },
  );

  test("are summed up by reason: each once, none lost, most often first, however they arrive", () => {
    fc.assert(
      fc.property(counts, (given) => {
        const reasons = byReason(given);
        const sum = (list: readonly { count: number }[]) => list.reduce((total, { count }) => total + count, 0);
        expect(sum(reasons)).toBe(sum(given));
        expect(new Set(reasons.map(({ reason }) => reason)).size).toBe(reasons.length);
        expect(reasons.map(({ count }) => count)).toEqual(reasons.map(({ count }) => count).toSorted((one, other) => other - one));
        expect(byReason(given.toReversed()).map(({ reason }) => reason)).toEqual(reasons.map(({ reason }) => reason));
      }),
    );
  });

  test("say what became of them, most often first", () => {
    expect(
      byReason([
        { reason: "billing", outcome: "voicemail", count: 1 },
        { reason: "billing", outcome: "transferred", count: 3 },
      ]),
    ).toEqual([{ reason: "billing", count: 4, outcomes: "3 put through, 1 left a voicemail" }]);
    for (const reason of RoutingReason.options) expect(reasonNames[reason]).toMatch(/^[A-Z]/);
  });
});

describe("an amount", () => {
  const read = (hourlyWage: string) => MoneyAmounts.safeParse({ hourlyWage, averageVisitValue: "" });

  test("is read as people write it, and nothing takes it away", () => {
    expect(["25", " 25.50 ", "$1,200.5", ""].map((text) => read(text).data?.hourlyWage)).toEqual([25, 25.5, 1200.5, null]);
    expect([asTyped(25.5), asTyped(null)]).toEqual(["25.50", ""]);
  });

  test.each(["-1", "a lot", "25,50 €", "1.234", "$", "1e3", "2000000"])("is not %s", (text) => {
    expect(read(text).success).toBe(false);
  });

  test("is the same after a form has shown it", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (cents) => {
        expect(read(asTyped(cents / 100)).data?.hourlyWage).toBe(cents / 100);
      }),
    );
  });
});
