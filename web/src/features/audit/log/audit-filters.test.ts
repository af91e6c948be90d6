import { ActionType, AuditRange } from "@vitaline/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { areSameFilters, dayErrors, readFilters, defaultFilters, toQuery, writeFilters } from "./audit-filters.ts";

const filters = fc.record({
  search: fc.string({ maxLength: 100 }).map((text) => text.trim()),
  actionType: fc.constantFrom("all" as const, ...ActionType.options),
  timeRange: fc.constantFrom(...AuditRange.options),
  ...{ start: fc.constant(""), end: fc.constant("") },
});
const withDays = fc.tuple(filters, fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 3000 })).map(([chosen, first, days]) => ({
  ...chosen,
  start: dayAt(first),
  end: dayAt(first + days),
}));
const dayAt = (day: number): string => new Date(Date.UTC(2020, 0, day)).toISOString().slice(0, 10);

test("filters survive a round trip through the URL, and other parameters stay", () => {
  fc.assert(
    fc.property(fc.oneof(filters, withDays), (chosen) => {
      const address = writeFilters(new URLSearchParams("tab=audit&search=before"), chosen);
      expect(readFilters(new URLSearchParams(address.toString()))).toEqual(chosen);
      expect(address.get("tab")).toBe("audit");
    }),
  );
});

test("defaults are left out of the URL, and invalid values become defaults", () => {
  expect(writeFilters(new URLSearchParams("tab=audit&range=30days&search=x"), defaultFilters).toString()).toBe("tab=audit");
  expect(readFilters(new URLSearchParams("range=all&actionType=login&search=%20"))).toEqual(defaultFilters);
  for (const days of ["start=2026-01-01", "end=2026-01-01", "start=2026-01-02&end=2026-01-01", "start=2026-01-01&end=x"])
    expect(readFilters(new URLSearchParams(days))).toEqual(defaultFilters);
  expect(readFilters(new URLSearchParams({ search: "x".repeat(101), range: "30days" }))).toEqual({
    ...defaultFilters,
    timeRange: "30days",
  });
});

test("a blank search counts as empty", () => {
  expect(toQuery(readFilters(new URLSearchParams("search=%20%20")), "UTC")).toEqual({ actionType: "all", timeRange: "7days" });
  expect(areSameFilters(defaultFilters, { ...defaultFilters, search: "  " })).toBe(true);
  expect(areSameFilters(defaultFilters, { ...defaultFilters, timeRange: "24hours" })).toBe(false);
});

test("days of one's own are sent with their time zone, and both are needed, in order and not after today", () => {
  const days = { start: "2020-01-31", end: "2026-02-01" };
  expect(toQuery({ ...defaultFilters, ...days }, "America/Chicago")).toEqual({
    ...{ actionType: "all", timeRange: "7days" },
    ...{ ...days, timeZone: "America/Chicago" },
  });
  const wrong = (start: string, end: string, first?: string) => Object.keys(dayErrors({ start, end }, "2026-02-01", first));
  expect([wrong("", ""), wrong(days.start, days.end), wrong(days.end, days.end)]).toEqual([[], [], []]);
  expect([wrong("", days.end), wrong(days.start, ""), wrong(days.start, "2026-02-02"), wrong(days.end, days.start)]).toEqual([
    ["start"],
    ["end"],
    ["end"],
    ["start"],
  ]);
  expect([wrong(days.start, days.end, "2025-11-01"), wrong("2025-11-01", days.end, "2025-11-01")]).toEqual([["start"], []]);
});
