import { expect, test } from "vitest";
import { formatUptime, measuredOver } from "./health-words.ts";

test("an uptime says since when it is measured, until that is thirty days ago", () => {
  const now = "2026-11-30T12:00:00Z";
  expect(measuredOver("2026-11-30", now)).toBe("Measured since Nov 30, 2026 (UTC)");
  expect(measuredOver("2026-11-02", now)).toBe("Measured since Nov 2, 2026 (UTC)");
  expect([measuredOver("2026-11-01", now), measuredOver(null, now)]).toEqual(["Of the last 30 days", "Of the last 30 days"]);
  expect([99.9, 100, 99.876].map(formatUptime)).toEqual(["99.9%", "100%", "99.88%"]);
});
