import fc from "fast-check";
import { expect, it } from "vitest";
import { dayIn, minuteIn } from "./wall-clock.ts";

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
});
