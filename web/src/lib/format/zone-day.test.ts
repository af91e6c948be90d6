import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dayIn, daysAfter, endOfDay, instantOf, minuteIn, startOfDay } from "./zone-day.ts";

describe("a day in a time zone", () => {
  const zones = ["UTC", "America/New_York", "America/Havana", "Asia/Kathmandu", "Asia/Beirut", "Pacific/Kiritimati", "Pacific/Pago_Pago"];
  const days = fc.date({ min: new Date("2020-01-02"), max: new Date("2030-01-01"), noInvalidDate: true });

  test("starts at its first instant and ends one millisecond before the next day starts", () => {
    fc.assert(
      fc.property(days, fc.constantFrom(...zones), (date, zone) => {
        const day = date.toISOString().slice(0, 10);
        const [start, end] = [startOfDay(day, zone), endOfDay(day, zone)];
        expect([dayIn(zone, new Date(start)), dayIn(zone, new Date(end))]).toEqual([day, day]);
        expect(dayIn(zone, new Date(Date.parse(start) - 1))).toBe(daysAfter(day, -1));
        expect(dayIn(zone, new Date(Date.parse(end) + 1))).toBe(daysAfter(day, 1));
      }),
    );
  });

  test("has 23 hours when daylight saving time starts, and may not start at midnight", () => {
    const lasts = (day: string, zone: string) => (Date.parse(endOfDay(day, zone)) - Date.parse(startOfDay(day, zone)) + 1) / 3_600_000;
    expect([
      lasts("2026-03-08", "America/New_York"),
      lasts("2026-11-01", "America/New_York"),
      lasts("2026-11-02", "America/New_York"),
    ]).toEqual([23, 25, 24]);
    expect(startOfDay("2026-03-08", "America/Havana")).toBe("2026-03-08T05:00:00.000Z");
  });
});

describe("a minute in a time zone", () => {
  test("is read as it is written, also on days that change the clock", () => {
    const zone = "America/New_York";
    expect(minuteIn(zone, "2026-11-22T20:14:09.500Z")).toBe("2026-11-22T15:14");
    expect(instantOf(zone, "2026-11-22T15:14")).toBe("2026-11-22T20:14:00.000Z");
    expect(instantOf("Asia/Kathmandu", "2026-01-01T00:00")).toBe("2025-12-31T18:15:00.000Z");
    for (const minute of ["2026-03-08T01:59", "2026-03-08T03:00", "2026-11-01T00:59", "2026-11-01T01:30", "2026-11-01T03:00"])
      expect(minuteIn(zone, instantOf(zone, minute))).toBe(minute);
    expect(instantOf(zone, "2026-11-01T01:30")).toBe("2026-11-01T05:30:00.000Z");
    expect(minuteIn(zone, instantOf(zone, "2026-03-08T02:30"))).toBe("2026-03-08T03:30");
  });
});
