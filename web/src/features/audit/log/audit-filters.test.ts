import { ActionType, AuditRange } from "@vitaline/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { areSameFilters, readFilters, defaultFilters, toQuery, writeFilters } from "./audit-filters.ts";

const filters = fc.record({
  search: fc.string({ maxLength: 100 }).map((text) => text.trim()),
  actionType: fc.constantFrom("all" as const, ...ActionType.options),
  timeRange: fc.constantFrom(...AuditRange.options),
});

test("filters survive a round trip through the URL, and other parameters stay", () => {
  fc.assert(
    fc.property(filters, (chosen) => {
      const address = writeFilters(new URLSearchParams("tab=audit&search=before"), chosen);
      expect(readFilters(new URLSearchParams(address.toString()))).toEqual(chosen);
      expect(address.get("tab")).toBe("audit");
    }),
  );
});

test("defaults are left out of the URL, and invalid values become defaults", () => {
  expect(writeFilters(new URLSearchParams("tab=audit&range=30days&search=x"), defaultFilters).toString()).toBe("tab=audit");
  expect(readFilters(new URLSearchParams("range=all&actionType=login&search=%20"))).toEqual(defaultFilters);
  expect(readFilters(new URLSearchParams({ search: "x".repeat(101), range: "30days" }))).toEqual({
    ...defaultFilters,
    timeRange: "30days",
  });
});

test("a blank search counts as empty", () => {
  expect(toQuery(readFilters(new URLSearchParams("search=%20%20")))).toEqual({ actionType: "all", timeRange: "7days" });
  expect(areSameFilters(defaultFilters, { ...defaultFilters, search: "  " })).toBe(true);
  expect(areSameFilters(defaultFilters, { ...defaultFilters, timeRange: "24hours" })).toBe(false);
});
