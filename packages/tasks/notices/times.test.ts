import { expect, test } from "vitest";
import { isQuiet, nextAt } from "./times.ts";

const ny = "America/New_York";
const at = (text: string): number => Date.parse(text);

test("a daily notice comes at the clinic's own hour, today or tomorrow, also when the clocks change", () => {
  expect(nextAt(ny, "07:30", at("2026-06-01T11:00:00Z")).toISOString()).toBe("2026-06-01T11:30:00.000Z");
  expect(nextAt(ny, "07:30", at("2026-06-01T11:30:00Z")).toISOString()).toBe("2026-06-02T11:30:00.000Z");
  expect(nextAt(ny, "07:30", at("2026-10-31T20:00:00Z")).toISOString()).toBe("2026-11-01T12:30:00.000Z");
  expect(nextAt("Asia/Tokyo", "00:00", at("2026-06-01T15:00:00Z")).toISOString()).toBe("2026-06-02T15:00:00.000Z");
});

test("quiet hours are the clinic's, and may go past midnight", () => {
  const night = { from: "21:00", to: "07:00" };
  for (const [utc, quiet] of [
    ["2026-06-02T00:59:00Z", false],
    ["2026-06-02T01:00:00Z", true],
    ["2026-06-02T10:59:00Z", true],
    ["2026-06-02T11:00:00Z", false],
  ] as const)
    expect([utc, isQuiet(ny, night, at(utc))]).toEqual([utc, quiet]);
  expect(isQuiet(ny, { from: "12:00", to: "13:00" }, at("2026-06-02T16:30:00Z"))).toBe(true);
  expect(isQuiet(ny, undefined, at("2026-06-02T03:00:00Z"))).toBe(false);
});
