import { describe, expect, test } from "vitest";
import { formatTimeZone } from "../../lib/format/times.ts";
import { formatWeeklyHours } from "./hours-text.ts";

const nineToFive = { start: "09:00", end: "17:00" };

describe("a week's hours in words", () => {
  test("are one line where all days are alike", () => {
    expect(formatWeeklyHours(nineToFive)).toEqual(["Every day 9:00 AM – 5:00 PM"]);
    expect(formatWeeklyHours({ start: "00:00", end: "23:59" })).toEqual(["Every day open 24 hours"]);
  });

  test("join the days that are alike, as they follow each other", () => {
    expect(formatWeeklyHours({ ...nineToFive, days: { saturday: { start: "10:00", end: "12:30" }, sunday: null } })).toEqual([
      "Mon–Fri 9:00 AM – 5:00 PM",
      "Sat 10:00 AM – 12:30 PM",
      "Sun closed",
    ]);
    expect(formatWeeklyHours({ ...nineToFive, days: { wednesday: null } })).toEqual([
      "Mon–Tue 9:00 AM – 5:00 PM",
      "Wed closed",
      "Thu–Sun 9:00 AM – 5:00 PM",
    ]);
  });

  test("leave out the breaks, and days with other breaks are not alike", () => {
    const breaks = [{ start: "12:00", end: "13:00" }];
    expect(formatWeeklyHours({ ...nineToFive, breaks, days: { friday: nineToFive, saturday: null, sunday: null } })).toEqual([
      "Mon–Thu 9:00 AM – 12:00 PM, 1:00 PM – 5:00 PM",
      "Fri 9:00 AM – 5:00 PM",
      "Sat–Sun closed",
    ]);
    expect(formatWeeklyHours({ start: "00:00", end: "23:59", breaks })).toEqual(["Every day 12:00 AM – 12:00 PM, 1:00 PM – midnight"]);
  });

  test("call a day's first and last minute by their names", () => {
    expect(formatWeeklyHours({ start: "00:00", end: "12:00" })).toEqual(["Every day 12:00 AM – 12:00 PM"]);
    expect(formatWeeklyHours({ start: "17:00", end: "23:59" })).toEqual(["Every day 5:00 PM – midnight"]);
  });
});

test("a zone is called by its name in all seasons", () => {
  expect(formatTimeZone("America/New_York")).toBe("Eastern Time");
  expect(formatTimeZone("America/Los_Angeles")).toBe("Pacific Time");
});
