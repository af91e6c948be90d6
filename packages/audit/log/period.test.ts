import { expect, test } from "vitest";
import { periodBounds, reportPeriod } from "./period.ts";
import { monthsBetween } from "./read-log.ts";

const now = new Date("2026-03-15T02:30:00.000Z");
const at = (start?: string, end?: string, timeZone = "UTC") => reportPeriod({ start, end, timeZone }, now);
const iso = (period: ReturnType<typeof at>) => Object.values(periodBounds(period)).map((ms) => new Date(ms).toISOString());

test("without dates a report covers the last thirty days, including today", () => {
  expect(at()).toEqual({ start: "2026-02-14", end: "2026-03-15", timeZone: "UTC" });
  expect(at(undefined, "2026-01-31")).toMatchObject({ start: "2026-01-02", end: "2026-01-31" });
  expect(at(undefined, undefined, "America/New_York")).toMatchObject({ start: "2026-02-13", end: "2026-03-14" });
});

test("days are whole days in the requester's time zone, even when the clock changes", () => {
  expect(iso(at("2026-03-01", "2026-03-01"))).toEqual(["2026-03-01T00:00:00.000Z", "2026-03-02T00:00:00.000Z"]);
  expect(iso(at("2026-03-08", "2026-03-08", "America/New_York"))).toEqual(["2026-03-08T05:00:00.000Z", "2026-03-09T04:00:00.000Z"]);
  expect(iso(at("2025-11-02", "2025-11-02", "America/New_York"))).toEqual(["2025-11-02T04:00:00.000Z", "2025-11-03T05:00:00.000Z"]);
  expect(iso(at("2026-03-14", "2026-03-15", "Asia/Kathmandu"))).toEqual(["2026-03-13T18:15:00.000Z", "2026-03-15T18:15:00.000Z"]);
});

test.each([
  ["2026-03-02", "2026-03-01", "start", "The start date must not be after the end date"],
  ["2026-03-16", "2026-03-17", "start", "The start date must not lie in the future"],
  ["2026-03-01", "2026-03-16", "end", "The end date must not lie in the future"],
  ["2025-03-14", "2026-03-15", "start", "A report covers at most one year"],
  ["0001-01-01", "0001-01-02", "start", "The start date must not be before 2000-01-01"],
  ["0000-01-01", "2026-03-15", "start", "The start date must not be before 2000-01-01"],
  [undefined, "0001-01-02", "end", "The end date must not be before 2000-01-01"],
  [undefined, "2000-01-02", "start", "The start date must not be before 2000-01-01"],
] as const)("from %s to %s is refused at the %s: %s", (start, end, field, message) => {
  expect(() => at(start, end)).toThrow(
    expect.objectContaining({ code: "invalid_request", message, fields: { [field]: message } }) as Error,
  );
});

test("a single day, today and a whole year are accepted", () => {
  for (const [start, end] of [
    ["2026-03-15", "2026-03-15"],
    ["2025-03-15", "2026-03-15"],
    ["2024-01-01", "2024-12-31"],
  ] as const)
    expect(at(start, end)).toMatchObject({ start, end });
});

test("the months of a period are all months that it touches", () => {
  const months = (from: string, until: string) => monthsBetween(Date.parse(from), Date.parse(until));
  expect(months("2025-11-30", "2026-02-01")).toEqual(["2025-11", "2025-12", "2026-01"]);
  expect(months("2026-01-31T23:59:59.999Z", "2026-02-01T00:00:00.001Z")).toEqual(["2026-01", "2026-02"]);
});
