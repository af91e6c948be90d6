import { expect, test } from "vitest";
import { mostAsks, waitMs } from "./watch.tsx";

test("what is under way is asked for quickly at first, then every half a minute, for a quarter of an hour", () => {
  const waits = Array.from({ length: mostAsks }, (_, asked) => waitMs(asked));
  expect(waits.slice(0, 6)).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000]);
  expect(Math.round(waits.reduce((sum, ms) => sum + ms) / 60_000)).toBe(15);
});
