import type { BusinessHours } from "@vitaline/contract";
import { isOpen } from "@vitaline/offices";
import { wallClock } from "@vitaline/core";
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

test("however early or late the office is open, no reminder is sent before eight in the morning or from nine in the evening on", () => {
  const always: BusinessHours = { start: "00:00", end: "23:59", timezone: "America/New_York" };
  const remind = (hours: BusinessHours, start: string) => reminderTime(hours, at(start), at("2026-06-01T14:00:00Z"))?.toISOString();
  // New York is four hours behind: a visit at 02:30, and the last hour of the evening before.
  expect(remind(always, "2026-06-04T06:30:00Z")).toBe("2026-06-03T00:00:00.000Z");
  expect(remind(always, "2026-06-04T12:00:00Z")).toBe("2026-06-03T12:00:00.000Z");
  expect(remind(always, "2026-06-04T00:59:00Z")).toBe("2026-06-03T00:59:00.000Z");
  expect(remind(always, "2026-06-04T01:00:00Z")).toBe("2026-06-03T00:00:00.000Z");
  // Booked at ten for the next morning at seven: the same evening is too late, and the next morning is.
  expect(reminderTime(always, at("2026-06-02T11:00:00Z"), at("2026-06-02T02:00:00Z"))).toBeUndefined();
  const early = {
    ...always,
    start: "05:00",
    breaks: [
      { start: "06:00", end: "06:30" },
      { start: "07:30", end: "08:30" },
    ],
  };
  expect(remind(early, "2026-06-04T10:45:00Z")).toBe("2026-06-03T00:00:00.000Z");
  expect(remind(early, "2026-06-04T12:15:00Z")).toBe("2026-06-03T00:00:00.000Z");
  const nights: BusinessHours = {
    ...always,
    days: { tuesday: { start: "00:00", end: "07:00" }, wednesday: { start: "21:30", end: "23:59" } },
  };
  expect(remind(nights, "2026-06-04T06:00:00Z")).toBe("2026-06-02T00:00:00.000Z");
  const onlyNights: BusinessHours = { ...always, end: "06:00" };
  expect(remind(onlyNights, "2026-06-04T06:00:00Z")).toBeUndefined();
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
      const hour = new Date(wallClock(timezone, planned.getTime())).getUTCHours();
      expect(hour >= 8 && hour < 21).toBe(true);
      expect(planned >= now).toBe(true);
      expect(start.getTime() - planned.getTime()).toBeGreaterThanOrEqual(3_600_000);
    }),
    { numRuns: 100, seed: 20_260_601 },
  );
});
