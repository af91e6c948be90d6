import { expect, test } from "vitest";
import { maxPolls, pollDelayMs } from "./watch.tsx";

test("polling starts fast, slows down to every half minute, and ends after a quarter of an hour", () => {
  const waits = Array.from({ length: maxPolls }, (_, asked) => pollDelayMs(asked));
  expect(waits.slice(0, 6)).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000]);
  expect(Math.round(waits.reduce((sum, ms) => sum + ms) / 60_000)).toBe(15);
});
