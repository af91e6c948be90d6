import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatAmountInput, Amounts } from "./use-amounts-form.ts";

describe("an amount", () => {
  const read = (hourlyWage: string) => Amounts.safeParse({ hourlyWage, averageVisitValue: "" });

  test("is parsed with currency sign and separators; an empty text removes it", () => {
    expect(["25", " 25.50 ", "$1,200.5", ""].map((text) => read(text).data?.hourlyWage)).toEqual([25, 25.5, 1200.5, null]);
    expect([formatAmountInput(25.5), formatAmountInput(null)]).toEqual(["25.50", ""]);
  });

  test.each(["-1", "a lot", "25,50 €", "1.234", "$", "1e3", "2000000"])("rejects %s", (text) => {
    expect(read(text).success).toBe(false);
  });

  test("survives a round trip through the form", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (cents) => {
        expect(read(formatAmountInput(cents / 100)).data?.hourlyWage).toBe(cents / 100);
      }),
    );
  });
});
