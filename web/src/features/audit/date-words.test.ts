import { expect, test } from "vitest";
import { formatDate, isDate, readDate, usualPeriod } from "./date-words.ts";

test("dates read MMM dd, yyyy, and are read as people type them", () => {
  expect(["2026-05-01", "2024-02-29", "2025-12-31"].map(formatDate)).toEqual(["May 01, 2026", "Feb 29, 2024", "Dec 31, 2025"]);
  for (const typed of ["May 01, 2026", "may 1, 2026", " 2026-05-01 ", "5/1/2026", "1 May 2026"]) expect(readDate(typed)).toBe("2026-05-01");
  for (const typed of ["", "yesterday", "2026-13-01", "5/1", "12"]) expect(readDate(typed)).toBeUndefined();
});

test("only what machines write is a date that need not be read", () => {
  expect(["2026-05-01", "2026-13-01", "May 1, 2026", ""].map(isDate)).toEqual([true, false, false, false]);
});

test("the usual period is 30 days of the administrator's zone, today included", () => {
  const now = new Date("2026-03-01T02:00:00Z");
  expect(usualPeriod("UTC", now)).toEqual({ start: "2026-01-31", end: "2026-03-01" });
  expect(usualPeriod("America/New_York", now)).toEqual({ start: "2026-01-30", end: "2026-02-28" });
});
