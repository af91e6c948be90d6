import { ActionType, AuditRange } from "@vitaline/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { areSame, filtersIn, noFilters, queryOf, withFilters } from "./audit-filters.ts";

const filters = fc.record({
  search: fc.string({ maxLength: 100 }).map((text) => text.trim()),
  actionType: fc.constantFrom("all" as const, ...ActionType.options),
  timeRange: fc.constantFrom(...AuditRange.options),
});

test("filters come back from the address as they went into it, and the rest of the address stays", () => {
  fc.assert(
    fc.property(filters, (chosen) => {
      const address = withFilters(new URLSearchParams("tab=audit&search=before"), chosen);
      expect(filtersIn(new URLSearchParams(address.toString()))).toEqual(chosen);
      expect(address.get("tab")).toBe("audit");
    }),
  );
});

test("what is usual is not in the address, and what an address says wrongly is as usual", () => {
  expect(withFilters(new URLSearchParams("tab=audit&range=30days&search=x"), noFilters).toString()).toBe("tab=audit");
  expect(filtersIn(new URLSearchParams("range=all&actionType=login&search=%20"))).toEqual(noFilters);
  expect(filtersIn(new URLSearchParams({ search: "x".repeat(101), range: "30days" }))).toEqual({ ...noFilters, timeRange: "30days" });
});

test("a search of nothing but blanks is none", () => {
  expect(queryOf(filtersIn(new URLSearchParams("search=%20%20")))).toEqual({ actionType: "all", timeRange: "7days" });
  expect(areSame(noFilters, { ...noFilters, search: "  " })).toBe(true);
  expect(areSame(noFilters, { ...noFilters, timeRange: "24hours" })).toBe(false);
});
