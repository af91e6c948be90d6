import { expect, test } from "vitest";
import { formatCount, formatHours, formatPercent, formatSuccessRate, formatUses } from "./numbers.ts";
import { formatCallMinutes } from "./times.ts";

test("a success rate has one decimal, and is 0% while there are no calls", () => {
  expect(formatSuccessRate(0, 0)).toBe("0%");
  expect(formatSuccessRate(2, 3)).toBe("66.7%");
  expect(formatSuccessRate(3, 3)).toBe("100.0%");
  expect(formatPercent(88.4501)).toBe("88.5%");
});

test("hours keep what a short call saved", () => {
  expect([0, 0.04, 1.234, 66.237, 1234.5].map(formatHours)).toEqual(["0h", "0.04h", "1.23h", "66.2h", "1,234.5h"]);
});

test("counts read as words do", () => {
  expect([1, 0, 1204].map(formatUses)).toEqual(["1 use", "0 uses", "1,204 uses"]);
  expect(formatCount(1342)).toBe("1,342");
});

test("a call's length is in minutes, or the word Call while it is unknown", () => {
  expect([null, 0, 1, 29, 30, 89, 90, 272].map(formatCallMinutes)).toEqual(["Call", "Call", "<1m", "<1m", "1m", "1m", "2m", "5m"]);
});
