import type { ChartDay } from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { describeDays, hasNoCalls, longDay, measures, shortDay } from "./day-measures.ts";

const day = (date: string, numbers: Partial<ChartDay> = {}): ChartDay => ({
  ...{ date, calls: 0, resolved: 0, forwarded: 0, abandoned: 0, minutes: 0, revenueEvents: 0 },
  ...numbers,
});

describe("days", () => {
  test("are formatted in UTC in any time zone", () => {
    expect([shortDay("2026-11-21"), longDay("2026-03-01")]).toEqual(["Nov 21", "Sun, Mar 1, 2026"]);
  });

  test("are described with first and last day, total and maximum", () => {
    const days = [day("2026-11-20", { calls: 3, resolved: 2 }), day("2026-11-21", { calls: 12, resolved: 2, minutes: 30.25 })];
    const [calls, minutes, booked] = measures.map((measure) => describeDays(measure, days));
    expect(calls).toBe(
      "Calls by day, Nov 20 to Nov 21. All calls: 15 in total, most on Nov 21 with 12. Resolved: 4 in total, most on Nov 20 with 2. Transferred to staff: 0 in total.",
    );
    expect(minutes).toContain("Minutes: 30.3 in total, most on Nov 21 with 30.3.");
    expect(booked).toContain("Appointments: 0 in total.");
  });

  test("count as having no calls only if nothing was booked either", () => {
    expect(hasNoCalls([day("2026-11-20"), day("2026-11-21")])).toBe(true);
    expect(hasNoCalls([day("2026-11-20", { calls: 1 })])).toBe(false);
    expect(hasNoCalls([day("2026-11-20", { revenueEvents: 1 })])).toBe(false);
  });
});
