import { expect, test } from "vitest";
import { lastMonths } from "./contact-messages-panel.tsx";

test("months go back into the previous year", () => {
  const months = lastMonths(new Date("2026-02-28T23:00:00Z"));
  expect(months.length).toBe(12);
  expect(months.slice(0, 3)).toEqual([
    ["2026-02", "February 2026"],
    ["2026-01", "January 2026"],
    ["2025-12", "December 2025"],
  ]);
});
