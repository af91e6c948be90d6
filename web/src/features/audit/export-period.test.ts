import { AuditRange } from "@vitaline/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatPeriod, periodOf } from "./export-period.ts";

const dayMs = 86_400_000;

test("an export has every event that the same time range shows, from both sides of midnight", () => {
  const evening = new Date("2026-05-02T03:30:00Z");
  expect(periodOf("24hours", "America/New_York", evening)).toEqual({ start: "2026-04-30", end: "2026-05-01" });
  expect(periodOf("24hours", "UTC", evening)).toEqual({ start: "2026-05-01", end: "2026-05-02" });
  expect(periodOf("90days", "Asia/Tokyo", evening)).toEqual({ start: "2026-02-01", end: "2026-05-02" });
});

test("in any zone and at any hour it begins no later than the range and takes no more than a day besides", () => {
  const instants = fc.date({ min: new Date("2020-01-01"), max: new Date("2039-01-01"), noInvalidDate: true });
  const zones = fc.constantFrom("UTC", "America/New_York", "Asia/Kathmandu", "Pacific/Kiritimati", "Pacific/Pago_Pago");
  const lengths = { "24hours": 1, "7days": 7, "30days": 30, "90days": 90 };
  fc.assert(
    fc.property(fc.constantFrom(...AuditRange.options), zones, instants, (range, zone, now) => {
      const { start, end } = periodOf(range, zone, now);
      const whole = (Date.parse(end) - Date.parse(start)) / dayMs;
      // A clock that is set back or forward in between moves midnight by an hour.
      expect(Math.abs(whole - lengths[range])).toBeLessThanOrEqual(1);
    }),
  );
});

test("a period reads as people say it", () => {
  expect(formatPeriod({ start: "2026-04-24", end: "2026-05-01" })).toBe("Apr 24 to May 1, 2026");
  expect(formatPeriod({ start: "2025-12-25", end: "2026-01-01" })).toBe("Dec 25, 2025 to Jan 1, 2026");
  expect(formatPeriod({ start: "2026-05-01", end: "2026-05-01" })).toBe("May 1, 2026");
});
