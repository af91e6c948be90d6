import fc from "fast-check";
import { expect, test } from "vitest";
import { waitMs } from "../subscriptions/health.ts";
import { retryDelayMs } from "./attempt.ts";

test("retries wait 5 s, 30 s, 2 min, 10 min, 1 h, 6 h and 24 h plus up to a fifth of jitter, and end after the last", () => {
  const seconds = [5, 30, 120, 600, 3600, 21_600, 86_400];
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (chance) => {
      for (const [index, step] of seconds.entries()) {
        const wait = retryDelayMs(index + 1, chance) ?? 0;
        expect(wait).toBeGreaterThanOrEqual(step * 1000);
        expect(wait).toBeLessThanOrEqual(step * 1200);
      }
      expect(retryDelayMs(seconds.length + 1, chance)).toBeUndefined();
    }),
  );
});

test("from its third failure on a webhook waits a minute, doubled each time up to an hour", () => {
  const rests = Array.from({ length: 11 }, (_, failures) => waitMs(failures));
  expect(rests.map((ms) => ms && ms / 60_000)).toEqual([undefined, undefined, undefined, 1, 2, 4, 8, 16, 32, 60, 60]);
  expect(waitMs(5000)).toBe(3_600_000);
});
