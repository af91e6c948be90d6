import { expect, test } from "vitest";
import { describeEarlier, formatMonth, formatOverage } from "./month-usage.tsx";

const usage = {
  month: "2026-11",
  calls: 3,
  minutes: 1900,
  earlierMinutes: 0,
  planName: "Light",
  bundledMinutes: 1800,
  overageMinutes: 100,
  overageRate: 0.18,
  overageCharge: 18,
  asOf: "2026-11-30T00:00:00.000Z",
};

test("a month is named as it is counted, in UTC", () => {
  expect(formatMonth("2026-11")).toBe("November 2026, days in UTC");
  expect(formatMonth("2027-01")).toBe("January 2027, days in UTC");
});

test("minutes beyond the plan have their price, and there is none within it", () => {
  expect(formatOverage(usage)).toBe("100 minutes over the plan: $18.00 at $0.18 a minute.");
  expect(formatOverage({ ...usage, overageMinutes: 0, overageCharge: 0 })).toBe("");
  expect(formatOverage({ ...usage, planName: null, bundledMinutes: null, overageMinutes: null, overageCharge: null })).toBe("");
});

test("minutes of earlier months' calls are explained where they are counted", () => {
  expect(describeEarlier(usage)).toBe("");
  expect(describeEarlier({ earlierMinutes: 121.5 })).toBe(
    "Includes 121.5 minutes of calls from earlier months that were reported this month.",
  );
  expect(describeEarlier({ earlierMinutes: 1 })).toContain("Includes 1 minute of");
});
