import { expect, it } from "vitest";
import { dayMs, utcDate } from "./dates.ts";

it("a date is UTC's, from the first to the last millisecond of the day, and the same for an instant and its number", () => {
  const midnight = Date.parse("2028-02-29T00:00:00.000Z");
  expect([midnight - 1, midnight, midnight + dayMs - 1, midnight + dayMs].map(utcDate)).toEqual([
    "2028-02-28",
    "2028-02-29",
    "2028-02-29",
    "2028-03-01",
  ]);
  expect(utcDate(new Date(midnight))).toBe(utcDate(midnight));
});
