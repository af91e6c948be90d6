import { RoutingOutcome, RoutingReason } from "@vitaline/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { groupByReason, reasonNames } from "./routing-reasons.ts";

describe("calls to staff", () => {
  const counts = fc.uniqueArray(
    fc.record({
      reason: fc.constantFrom(...RoutingReason.options),
      outcome: fc.constantFrom(...RoutingOutcome.options),
      count: fc.integer({ min: 1, max: 9 }),
    }),
    { selector: ({ reason, outcome }) => `${reason} ${outcome}` },
  );

  test("are summed by reason, most frequent first, in any input order", () => {
    fc.assert(
      fc.property(counts, (given) => {
        const reasons = groupByReason(given);
        const sum = (list: readonly { count: number }[]) => list.reduce((total, { count }) => total + count, 0);
        expect(sum(reasons)).toBe(sum(given));
        expect(new Set(reasons.map(({ reason }) => reason)).size).toBe(reasons.length);
        expect(reasons.map(({ count }) => count)).toEqual(reasons.map(({ count }) => count).toSorted((one, other) => other - one));
        expect(groupByReason(given.toReversed()).map(({ reason }) => reason)).toEqual(reasons.map(({ reason }) => reason));
      }),
    );
  });

  test("list their outcomes, most frequent first", () => {
    expect(
      groupByReason([
        { reason: "billing", outcome: "voicemail", count: 1 },
        { reason: "billing", outcome: "transferred", count: 3 },
      ]),
    ).toEqual([{ reason: "billing", count: 4, outcomes: "3 transferred, 1 left a voicemail" }]);
    for (const reason of RoutingReason.options) expect(reasonNames[reason]).toMatch(/^[A-Z]/);
  });
});
