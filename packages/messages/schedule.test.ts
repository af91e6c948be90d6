import type { BusinessHours } from "@vitaline/contract";
import { isOpen } from "@vitaline/offices";
import fc from "fast-check";
import { expect, test } from "vitest";
import { reminderTime } from "./outgoing.ts";

const office: BusinessHours = {
  start: "09:00",
  end: "17:00",
  timezone: "America/New_York",
  days: { saturday: null, sunday: null, friday: { start: "08:00", end: "12:00" } },
};
const at = (text: string) => new Date(text);

test("for an office that never opens there is no reminder time", () => {
  const never: BusinessHours = {
    ...office,
    days: { monday: null, tuesday: null, wednesday: null, thursday: null, friday: null, saturday: null, sunday: null },
  };
  expect(reminderTime(never, at("2026-06-09T15:00:00Z"), at("2026-06-02T15:00:00Z"))).toBeUndefined();
});

test("a reminder is sent a day before, else in the last open hour before that, else at the next opening, else not at all", () => {
  const remind = (start: string, now: string) => reminderTime(office, at(start), at(now))?.toISOString();
  const booked = "2026-06-01T14:00:00Z";
  expect(remind("2026-06-03T15:00:00Z", booked)).toBe("2026-06-02T15:00:00.000Z");
  // Monday at ten: a day before is Sunday, and the last open hour was on Friday.
  expect(remind("2026-06-08T14:00:00Z", booked)).toBe("2026-06-05T15:00:00.000Z");
  // Booked on Saturday, so Monday's opening is the first possible time.
  expect(remind("2026-06-08T18:00:00Z", "2026-06-06T14:00:00Z")).toBe("2026-06-08T13:00:00.000Z");
  expect(remind("2026-06-08T13:30:00Z", "2026-06-06T14:00:00Z")).toBeUndefined();
});

const time = (minutes: number) => `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
const window = fc
  .tuple(fc.integer({ min: 0, max: 1380 }), fc.integer({ min: 10, max: 59 }))
  .map(([from, long]) => ({ start: time(from), end: time(Math.min(from + long, 1439)) }));
const hours = fc.record({
  hours: window,
  timezone: fc.constantFrom("America/New_York", "America/Los_Angeles", "Europe/Berlin", "Pacific/Auckland", "UTC"),
  monday: fc.option(window),
  thursday: fc.option(window),
});

test("for any opening hours, a reminder is sent within them, not before now and at least an hour before the appointment", () => {
  const instants = fc.date({ min: at("2026-01-01"), max: at("2027-12-31"), noInvalidDate: true });
  fc.assert(
    fc.property(hours, instants, fc.integer({ min: 25, max: 400 }), ({ hours: usual, timezone, ...days }, now, ahead) => {
      const own: BusinessHours = { ...usual, timezone, days };
      const start = new Date(now.getTime() + ahead * 3_600_000);
      const planned = reminderTime(own, start, now);
      if (!planned) return;
      expect(isOpen(own, planned)).toBe(true);
      expect(planned >= now).toBe(true);
      expect(start.getTime() - planned.getTime()).toBeGreaterThanOrEqual(3_600_000);
    }),
    { numRuns: 100, seed: 20_260_601 },
  );
});
