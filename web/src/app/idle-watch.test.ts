import fc from "fast-check";
import { expect, test } from "vitest";
import { idlenessAt, shouldReport } from "./idle-watch.tsx";

const minute = 60_000;
const elapsed = fc.integer({ min: 0, max: 60 * minute });

test("a person is warned for a whole minute, and that minute is over before the server's fifteen are", () => {
  expect(idlenessAt(13 * minute - 1, 0)).toEqual({ phase: "awake" });
  expect(idlenessAt(13 * minute, 0)).toEqual({ phase: "warned", secondsLeft: 60 });
  expect(idlenessAt(14 * minute - 1, 0)).toEqual({ phase: "warned", secondsLeft: 1 });
  expect(idlenessAt(14 * minute, 0)).toEqual({ phase: "over" });
});

test("time only leads from awake over warned to over, whenever the clock is looked at", () => {
  const order = ["awake", "warned", "over"];
  fc.assert(
    fc.property(elapsed, elapsed, fc.integer({ min: 0 }), (one, other, start) => {
      const [before, after] = [Math.min(one, other), Math.max(one, other)].map((at) => idlenessAt(start + at, start).phase);
      expect(order.indexOf(before ?? "")).toBeLessThanOrEqual(order.indexOf(after ?? ""));
    }),
  );
});

test("activity is reported once a minute, and not at all once the warning is shown", () => {
  fc.assert(
    fc.property(elapsed, (at) => {
      expect(shouldReport(at, 0)).toBe(at >= minute && at < 13 * minute);
    }),
  );
});
