import fc from "fast-check";
import { expect, it } from "vitest";
import { dayIn, dayMs, minuteIn, secondIn, utcDate } from "./dates.ts";

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

it("a day in a zone begins at its own midnight, also where the clocks change then", () => {
  const days = (timeZone: string, ...instants: string[]) => instants.map((one) => dayIn(timeZone, new Date(one)));
  expect(days("America/New_York", "2026-06-03T03:59:59.999Z", "2026-06-03T04:00:00Z")).toEqual(["2026-06-02", "2026-06-03"]);
  expect(days("Asia/Kolkata", "2026-06-02T18:29:59.999Z", "2026-06-02T18:30:00Z")).toEqual(["2026-06-02", "2026-06-03"]);
  // Clocks go forward at midnight.
  expect(days("America/Santiago", "2026-09-06T03:59:59Z", "2026-09-06T04:00:00Z")).toEqual(["2026-09-05", "2026-09-06"]);
});

it("the minute in every zone is the one of the zone's rules, before and after each change of its clock", () => {
  const zones = fc.constantFrom(...Intl.supportedValuesOf("timeZone"));
  const instants = fc.date({ min: new Date("1900-01-01"), max: new Date("2100-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(zones, instants, (timeZone, instant) => {
      const said = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" }).format(instant);
      expect(minuteIn(timeZone, instant)).toBe(said);
    }),
    { numRuns: 3000 },
  );
  // At one minute past midnight.
  expect([0, 1, 2].map((minute) => minuteIn("America/St_Johns", new Date(Date.UTC(2010, 2, 14, 3, 30 + minute))))).toEqual([
    "2010-03-14 00:00",
    "2010-03-14 01:01",
    "2010-03-14 01:02",
  ]);
});

it("a second in a zone is said with the offset of that moment, so both hours of a day on which clocks go back are told apart", () => {
  const said = (timeZone: string, ...instants: string[]) => instants.map((one) => secondIn(timeZone, new Date(one)));
  expect(said("America/New_York", "2026-11-01T05:59:59.999Z", "2026-11-01T06:00:00Z", "2026-03-08T07:00:00Z")).toEqual([
    "2026-11-01 01:59:59-04:00",
    "2026-11-01 01:00:00-05:00",
    "2026-03-08 03:00:00-04:00",
  ]);
  expect(said("Asia/Kolkata", "2026-06-02T18:30:07Z")).toEqual(["2026-06-03 00:00:07+05:30"]);
  expect(said("UTC", "2026-06-02T18:30:07Z")).toEqual(["2026-06-02 18:30:07+00:00"]);
  const zones = fc.constantFrom(...Intl.supportedValuesOf("timeZone"));
  const instants = fc.date({ min: new Date("2023-01-01"), max: new Date("2100-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(zones, instants, (timeZone, instant) => {
      expect(Date.parse(secondIn(timeZone, instant))).toBe(Math.floor(instant.getTime() / 1000) * 1000);
    }),
  );
});
