import { dayIn } from "@vitaline/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instantIn, partsIn, startFrom } from "./calendar.ts";
import { readWhen } from "./when/read-when.ts";
import { plainPhrasing } from "../test/sentences.fixture.ts";

const zones = ["America/New_York", "America/Los_Angeles", "America/Phoenix", "Pacific/Honolulu", "Asia/Kolkata", "Australia/Lord_Howe"];
/** The one day, or the time, of a reading for sure. */
const dayFrom = (said: string, timeZone: string, at: Date): string | undefined => {
  const read = readWhen(said, { now: at, timeZone });
  return read.kind === "reading" && read.dates?.[0]?.from === read.dates?.[0]?.until ? read.dates?.[0]?.from : undefined;
};
const minutesFrom = (said: string): number | undefined => {
  const read = readWhen(said, { now: new Date(0), timeZone: "UTC", hours: { start: "07:00", end: "19:00", timezone: "UTC" } });
  return read.kind === "reading" ? read.time : undefined;
};
const now = new Date("2026-11-20T23:30:00Z");

describe("local time", () => {
  it("comes back from its instant, in any zone and season", () => {
    const instants = fc.date({ min: new Date("2020-01-01T00:00:00Z"), max: new Date("2035-01-01T00:00:00Z"), noInvalidDate: true });
    fc.assert(
      fc.property(fc.constantFrom(...zones), instants, (zone, instant) => {
        const { hour, minute } = partsIn(zone, instant);
        const back = instantIn(zone, dayIn(zone, instant), hour * 60 + minute);
        // In the repeated hour of a clock change, either instant is right.
        expect(partsIn(zone, back)).toEqual(partsIn(zone, instant));
      }),
    );
  });

  it("is said as the clinic's clock shows it", () => {
    expect(plainPhrasing("America/New_York").time("2026-11-23T14:30:00Z")).toBe("Monday, November 23 at 9:30 AM");
    expect(plainPhrasing("America/Los_Angeles").time("2026-11-23T14:30:00Z")).toBe("Monday, November 23 at 6:30 AM");
  });

  it("understands the days that callers name, counted from the clinic's today", () => {
    const zone = "Asia/Kolkata";
    const days = {
      today: "2026-11-21",
      tomorrow: "2026-11-22",
      Monday: "2026-11-23",
      "next saturday": "2026-11-28",
      "Monday, November 23rd": "2026-11-23",
      "December 1": "2026-12-01",
      "January fifth": "2027-01-05",
      "2026-12-24": "2026-12-24",
    };
    for (const [said, day] of Object.entries(days)) expect(dayFrom(said, zone, now), said).toBe(day);
    expect([dayFrom("soon", zone, now), dayFrom("03/04/2027", zone, now)]).toEqual([undefined, undefined]);
  });

  it("understands the hours that callers name", () => {
    const hours = { "9:30 am": 570, "2 pm": 840, "12 am": 0, "12:15 p.m.": 735, "14:00": 840, "14:00:00": 840, noon: 720, "at 9": 540 };
    for (const [said, minutes] of Object.entries(hours)) expect(minutesFrom(said), said).toBe(minutes);
    for (const said of ["25:00", "9:75", "13 pm", "later"]) expect(minutesFrom(said), said).toBeUndefined();
  });

  it("takes a start with and without an offset", () => {
    for (const said of ["2026-11-23T09:30:00-05:00", "2026-11-23T14:30:00Z", "2026-11-23T09:30", "2026-11-23 09:30:00"])
      expect(startFrom(said, "America/New_York")?.toISOString(), said).toBe("2026-11-23T14:30:00.000Z");
    expect([startFrom("tomorrow", "America/New_York"), startFrom("2026-13-45T09:30", "America/New_York")]).toEqual([undefined, undefined]);
  });
});
