import type { BusinessHours } from "@vitaline/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fromWallClock } from "@vitaline/core";
import { isOpen, lastOpenHour, nextOpening, openingOn } from "./index.ts";

const office: BusinessHours = {
  start: "09:00",
  end: "17:00",
  timezone: "America/New_York",
  days: { saturday: null, sunday: null, friday: { start: "08:00", end: "12:00" } },
};
const at = (text: string) => new Date(text);
const next = (text: string) => nextOpening(office, at(text))?.toISOString();

const never: BusinessHours = {
  ...office,
  days: { monday: null, tuesday: null, wednesday: null, thursday: null, friday: null, saturday: null, sunday: null },
};

test("the doors open next while they are open at once, else over the weekend and over a change of clocks", () => {
  expect(next("2026-06-02T15:00:00Z")).toBe("2026-06-02T15:00:00.000Z");
  // Tuesday evening and Tuesday morning
  expect(next("2026-06-02T22:00:00Z")).toBe("2026-06-03T13:00:00.000Z");
  expect(next("2026-06-02T12:59:59Z")).toBe("2026-06-02T13:00:00.000Z");
  expect(next("2026-06-05T16:00:00Z")).toBe("2026-06-08T13:00:00.000Z");
  // Clocks go back on Sunday, November 1
  expect(next("2026-10-30T20:00:00Z")).toBe("2026-11-02T14:00:00.000Z");
});

test("a time that the clocks skip is the one after the change, east and west of Greenwich", () => {
  const instantOf = (timeZone: string, wall: string) => new Date(fromWallClock(timeZone, Date.parse(wall))).toISOString();
  expect(instantOf("America/New_York", "2026-03-08T02:30:00Z")).toBe("2026-03-08T07:30:00.000Z");
  expect(instantOf("Europe/Berlin", "2026-03-29T02:30:00Z")).toBe("2026-03-29T01:30:00.000Z");
  const early: BusinessHours = { ...office, days: { sunday: { start: "02:00", end: "06:00" } } };
  expect(nextOpening(early, at("2026-03-08T05:00:00Z"))?.toISOString()).toBe("2026-03-08T07:00:00.000Z");
});

test("of doors that never open there is no opening", () => {
  expect(nextOpening(never, at("2026-06-02T15:00:00Z"))).toBeUndefined();
  expect(lastOpenHour(never, at("2026-06-02T15:00:00Z"))).toBeUndefined();
});

test("hours that end in the last minute of the day end with the day: there is a way to be always open", () => {
  const always = (timezone: string): BusinessHours => ({ start: "00:00", end: "23:59", timezone });
  for (const instant of ["2026-06-03T03:59:00Z", "2026-06-03T03:59:59.999Z", "2026-06-03T04:00:00Z"])
    expect(isOpen(always("America/New_York"), at(instant))).toBe(true);
  const late: BusinessHours = {
    ...office,
    days: { tuesday: { start: "20:00", end: "23:59" }, wednesday: { start: "09:00", end: "23:58" } },
  };
  expect([isOpen(late, at("2026-06-03T03:59:30Z")), isOpen(late, at("2026-06-03T04:00:00Z"))]).toEqual([true, false]);
  expect(isOpen(late, at("2026-06-04T03:58:00Z"))).toBe(false);
});

const lunch = { start: "12:00", end: "13:00" };

test("an office is closed in its breaks: it opens next when the break ends, and its last open hour is before it", () => {
  const breaks = [lunch, { start: "15:00", end: "15:20" }];
  const resting: BusinessHours = { ...office, breaks };
  const open = (...times: string[]) => times.map((time) => isOpen(resting, at(`2026-06-02T${time}Z`)));
  // New York is four hours behind.
  expect(open("15:59:59", "16:00:00", "16:59:59", "17:00:00", "19:10:00", "19:20:00")).toEqual([true, false, false, true, false, true]);
  expect(nextOpening(resting, at("2026-06-02T16:00:00Z"))?.toISOString()).toBe("2026-06-02T17:00:00.000Z");
  expect(nextOpening(resting, at("2026-06-02T19:01:00Z"))?.toISOString()).toBe("2026-06-02T19:20:00.000Z");
  expect(lastOpenHour(resting, at("2026-06-02T16:30:00Z"))?.toISOString()).toBe("2026-06-02T15:00:00.000Z");
  expect(lastOpenHour(resting, at("2026-06-02T22:00:00Z"))?.toISOString()).toBe("2026-06-02T20:00:00.000Z");
  expect(openingOn(resting, "2026-06-02")).toEqual({
    ...{ opens: 540, closes: 1020 },
    windows: [
      { opens: 540, closes: 720 },
      { opens: 780, closes: 900 },
      { opens: 920, closes: 1020 },
    ],
  });
});

test("a day with hours of its own has only its own breaks", () => {
  const friday = { start: "08:00", end: "16:00" };
  const noonOfFriday = at("2026-06-05T16:30:00Z");
  const openOn = (own: object) => isOpen({ ...office, breaks: [lunch], days: { friday: { ...friday, ...own } } }, noonOfFriday);
  expect([openOn({}), openOn({ breaks: [lunch] })]).toEqual([true, false]);
});

const time = (minutes: number) => `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
const window = fc
  .tuple(fc.integer({ min: 0, max: 1380 }), fc.integer({ min: 10, max: 59 }))
  .map(([from, long]) => ({ start: time(from), end: time(Math.min(from + long, 1439)) }));
/** Some with a break in the middle. */
const windowWithBreak = fc.tuple(window, fc.boolean()).map(([{ start, end }, hasBreak]) => {
  const from = Number(start.slice(0, 2)) * 60 + Number(start.slice(3));
  return { start, end, ...(hasBreak ? { breaks: [{ start: time(from + 3), end: time(from + 6) }] } : {}) };
});
const hours = fc.record({
  hours: windowWithBreak,
  timezone: fc.constantFrom("America/New_York", "America/Los_Angeles", "Europe/Berlin", "Pacific/Auckland", "UTC"),
  monday: fc.option(windowWithBreak),
  thursday: fc.option(windowWithBreak),
});

test("for any hours, the next opening is open and no earlier instant is", () => {
  fc.assert(
    fc.property(
      hours,
      fc.date({ min: at("2026-01-01"), max: at("2027-12-31"), noInvalidDate: true }),
      ({ hours: usual, timezone, ...days }, now) => {
        const own: BusinessHours = { ...usual, timezone, days };
        const opening = nextOpening(own, now);
        expect(opening && opening >= now && isOpen(own, opening)).toBe(true);
        for (let minute = now.getTime(); minute < (opening?.getTime() ?? 0); minute += 5 * 60_000)
          expect(isOpen(own, new Date(minute)) && minute < (opening?.getTime() ?? 0) - 60_000).toBe(false);
      },
    ),
    { numRuns: 40, seed: 20_260_601 },
  );
});

test("an office is closed on its holidays, by the day of its own zone, also over more than a week of them", () => {
  const days = Array.from({ length: 14 }, (_, day) => ({ date: `2026-12-${day + 18}`, name: "Closed for the year" }));
  const closed = { ...office, holidays: [...days, { date: "2026-07-03", name: "Independence Day" }] };
  // Thursday evening in New York is Friday in UTC.
  expect(isOpen({ ...closed, start: "09:00", end: "23:59" }, at("2026-07-03T01:00:00Z"))).toBe(true);
  expect(isOpen(closed, at("2026-07-03T14:00:00Z"))).toBe(false);
  expect(isOpen(office, at("2026-07-03T14:00:00Z"))).toBe(true);
  expect(nextOpening(closed, at("2026-12-17T23:00:00Z"))?.toISOString()).toBe("2027-01-01T13:00:00.000Z");
  expect(lastOpenHour(closed, at("2026-12-31T15:00:00Z"))?.toISOString()).toBe("2026-12-17T21:00:00.000Z");
});
