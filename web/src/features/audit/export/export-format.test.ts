import { expect, test } from "vitest";
import { AuditRange } from "@vitaline/contract";
import fc from "fast-check";
import {
  formatBytes,
  formatDate,
  formatPeriod,
  isDate,
  isInProgress,
  exportPeriod,
  filesText,
  firstKeptDay,
  readDate,
  defaultPeriod,
  yearsOf,
} from "./export-format.ts";

test("formats a file size in a suitable unit", () => {
  expect([0, 812, 1000, 1_449_000, 2e9, 5e13].map(formatBytes)).toEqual(["0 bytes", "812 bytes", "1 KB", "1.4 MB", "2 GB", "50,000 GB"]);
});

test("ready and failed exports are not in progress", () => {
  expect((["queued", "running", "ready", "failed"] as const).map((state) => isInProgress({ state }))).toEqual([true, true, false, false]);
});

const dayMs = 86_400_000;
const presets = (timeRange: AuditRange) => ({ timeRange, start: "", end: "" });

test("an export covers the whole time range, across midnight", () => {
  const evening = new Date("2026-05-02T03:30:00Z");
  expect(exportPeriod(presets("24hours"), "America/New_York", evening)).toEqual({ start: "2026-04-30", end: "2026-05-01" });
  expect(exportPeriod(presets("24hours"), "UTC", evening)).toEqual({ start: "2026-05-01", end: "2026-05-02" });
  expect(exportPeriod(presets("90days"), "Asia/Tokyo", evening)).toEqual({ start: "2026-02-01", end: "2026-05-02" });
});

test("an export of days of one's own covers those", () => {
  const own = { start: "2021-05-02", end: "2024-01-31" };
  expect(exportPeriod({ ...presets("90days"), ...own }, "UTC", new Date("2026-05-02T03:30:00Z"))).toEqual(own);
});

test("a period longer than a year becomes a file for each calendar year, without a gap and each at most a year long", () => {
  expect(yearsOf({ start: "2025-12-20", end: "2026-12-20" })).toEqual([{ start: "2025-12-20", end: "2026-12-20" }]);
  expect(yearsOf({ start: "2023-12-20", end: "2026-01-31" })).toEqual([
    { start: "2023-12-20", end: "2023-12-31" },
    { start: "2024-01-01", end: "2024-12-31" },
    { start: "2025-01-01", end: "2025-12-31" },
    { start: "2026-01-01", end: "2026-01-31" },
  ]);
  expect([filesText({ start: "2024-01-01", end: "2024-12-31" }), filesText({ start: "2024-01-01", end: "2025-01-02" })]).toEqual([
    undefined,
    "2 files, one for each year",
  ]);
});

test("the log begins seven years ago", () => {
  expect(firstKeptDay("UTC", new Date("2026-05-02T03:30:00Z"))).toBe("2019-05-02");
  expect(firstKeptDay("America/New_York", new Date("2026-05-02T03:30:00Z"))).toBe("2019-05-01");
  expect(firstKeptDay("UTC", new Date("2028-02-29T12:00:00Z"))).toBe("2021-02-28");
});

test("in any time zone an export covers its range plus at most a day", () => {
  const instants = fc.date({ min: new Date("2020-01-01"), max: new Date("2039-01-01"), noInvalidDate: true });
  const zones = fc.constantFrom("UTC", "America/New_York", "Asia/Kathmandu", "Pacific/Kiritimati", "Pacific/Pago_Pago");
  const lengths = { "24hours": 1, "7days": 7, "30days": 30, "90days": 90 };
  fc.assert(
    fc.property(fc.constantFrom(...AuditRange.options), zones, instants, (range, zone, now) => {
      const { start, end } = exportPeriod(presets(range), zone, now);
      const whole = (Date.parse(end) - Date.parse(start)) / dayMs;
      // Daylight saving time may move midnight by an hour.
      expect(Math.abs(whole - lengths[range])).toBeLessThanOrEqual(1);
    }),
  );
});

test("formats a period", () => {
  expect(formatPeriod({ start: "2026-04-24", end: "2026-05-01" })).toBe("Apr 24 to May 1, 2026");
  expect(formatPeriod({ start: "2025-12-25", end: "2026-01-01" })).toBe("Dec 25, 2025 to Jan 1, 2026");
  expect(formatPeriod({ start: "2026-05-01", end: "2026-05-01" })).toBe("May 1, 2026");
});

test("formats dates as MMM dd, yyyy and parses common spellings", () => {
  expect(["2026-05-01", "2024-02-29", "2025-12-31"].map(formatDate)).toEqual(["May 01, 2026", "Feb 29, 2024", "Dec 31, 2025"]);
  for (const typed of ["May 01, 2026", "may 1, 2026", " 2026-05-01 ", "5/1/2026", "1 May 2026"]) expect(readDate(typed)).toBe("2026-05-01");
  for (const typed of ["", "yesterday", "2026-13-01", "5/1", "12"]) expect(readDate(typed)).toBeUndefined();
});

test("only ISO dates count as dates", () => {
  expect(["2026-05-01", "2026-13-01", "May 1, 2026", ""].map(isDate)).toEqual([true, false, false, false]);
});

test("the default period is 30 days in the administrator's time zone, including today", () => {
  const now = new Date("2026-03-01T02:00:00Z");
  expect(defaultPeriod("UTC", now)).toEqual({ start: "2026-01-31", end: "2026-03-01" });
  expect(defaultPeriod("America/New_York", now)).toEqual({ start: "2026-01-30", end: "2026-02-28" });
});
