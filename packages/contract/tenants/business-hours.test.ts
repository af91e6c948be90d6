import { expect, test } from "vitest";
import * as z from "zod/mini";
import { BusinessHours, HoursChange, suggestedTimeZones, TimeZone } from "./business-hours.ts";

test("a time zone is any IANA name, aliases included, and no offset", () => {
  const names = [...Intl.supportedValuesOf("timeZone"), ...suggestedTimeZones, "UTC", "Etc/UTC", "GMT", "Asia/Kolkata", "US/Eastern"];
  expect(names.filter((name) => !z.safeParse(TimeZone, name).success)).toEqual([]);
  const others = ["+05:30", "-0500", "+00", "-08", "", " UTC", "UTC+5", "GMT-3", "Mars/Olympus", "Etc/Unknown", "A".repeat(61)];
  expect(others.filter((name) => z.safeParse(TimeZone, name).success)).toEqual([]);
});

const faultsOf = (hours: unknown): Record<string, string> =>
  Object.fromEntries((z.safeParse(HoursChange, hours).error?.issues ?? []).map(({ path, message }) => [path.join("."), message]));
const afterOpening = "Must be after the office opens: to open later, change that";
const beforeClosing = "Must be before the office closes: to close earlier, change that";
const lunch = { start: "12:00", end: "13:00" };
const nineToFive = { start: "09:00", end: "17:00", timezone: "America/New_York" };

test("hours have breaks for all days and for single ones, or none, as before there were any", () => {
  for (const hours of [
    nineToFive,
    { ...nineToFive, breaks: [] },
    {
      ...nineToFive,
      breaks: [lunch, { start: "15:00", end: "15:15" }],
      days: { friday: { start: "08:00", end: "16:00", breaks: [lunch] } },
    },
    { ...nineToFive, breaks: [lunch], days: { friday: { start: "08:00", end: "12:00" }, sunday: null } },
  ]) {
    expect(z.parse(HoursChange, hours)).toEqual(hours);
    expect(z.parse(BusinessHours, hours)).toEqual(hours);
  }
  // A change may set the breaks alone, or remove them.
  for (const change of [{ breaks: [lunch] }, { breaks: null }, { end: "18:00" }]) expect(z.parse(HoursChange, change)).toEqual(change);
});

test("a break is within the hours of its day and after the break before it; the error names its time and what to do", () => {
  const faults = (...breaks: { start: string; end: string }[]) => faultsOf({ ...nineToFive, breaks });
  expect(faults({ start: "09:00", end: "09:30" })).toEqual({ "breaks.0.start": afterOpening });
  expect(faults({ start: "16:30", end: "17:00" })).toEqual({ "breaks.0.end": beforeClosing });
  expect(faults({ start: "13:00", end: "12:00" })).toEqual({ "breaks.0.end": "Must be after the start" });
  for (const start of ["10:00", "12:30", "13:00"])
    expect(faults(lunch, { start, end: "13:30" })).toEqual({
      "breaks.1.start": "Must be after the break before it",
    });
  expect(faults(lunch, { start: "", end: "" })).toEqual({
    "breaks.1.start": "Must be a time such as 09:00",
    "breaks.1.end": "Must be a time such as 09:00",
  });
  // All faults at once, not one after the other.
  const late = { start: "12:00", end: "18:00" };
  expect(faultsOf({ ...nineToFive, breaks: [late], days: { friday: { start: "09:00", end: "17:00", breaks: [late] } } })).toEqual({
    "breaks.0.end": beforeClosing,
    "days.friday.breaks.0.end": beforeClosing,
  });
  const many = ["10", "11", "12", "13"].map((hour) => ({ start: `${hour}:00`, end: `${hour}:30` }));
  expect(faults(...many.slice(1))).toEqual({});
  expect(faults(...many)).toEqual({ breaks: "Must be at most 3 breaks" });
  expect(faultsOf({ days: { friday: { start: "08:00", end: "12:30", breaks: [lunch] } } })).toEqual({
    "days.friday.breaks.0.end": beforeClosing,
  });
  expect(faultsOf({ start: "12:30", breaks: [lunch] })).toEqual({ "breaks.0.start": afterOpening });
  expect(faultsOf({ breaks: [{ ...lunch, name: "Lunch" }] })).toHaveProperty(["breaks.0"]);
});
