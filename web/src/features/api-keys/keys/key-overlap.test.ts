import { tenant } from "@vitaline/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { oldKeyExpiry, overlapOptions, timeLeft, regenerationWarning } from "./key-overlap.ts";

const now = new Date("2026-11-22T13:00:00.000Z");
const after = (seconds: number): string => new Date(now.getTime() + seconds * 1000).toISOString();

test("the API accepts every option, and the first expires the old key immediately", () => {
  const seconds = overlapOptions.map(({ value }) => Number(value));
  expect(seconds).toEqual([0, 3600, 86_400, 604_800]);
  for (const overlapSeconds of seconds) expect(tenant.regenerateApiKey.body.safeParse({ overlapSeconds }).success).toBe(true);
});

test("an option shows until when the old key works, in the given time zone", () => {
  expect(oldKeyExpiry(0, now, "UTC")).toBe("The current key stops working at once.");
  expect(oldKeyExpiry(3600, now, "America/New_York")).toMatch(/until Nov 22, 9:00\sAM\.$/);
});

test("only an immediate expiry breaks existing integrations now", () => {
  const said = overlapOptions.map(({ value }) => regenerationWarning(Number(value)));
  expect(said.map((text) => text.startsWith("This will invalidate the current key"))).toEqual([true, false, false, false]);
  expect(new Set(said.slice(1)).size).toBe(1);
});

test.each([
  [1, "1 s"],
  [59, "59 s"],
  [60, "1 min 0 s"],
  [3599, "59 min 59 s"],
  [3600, "1 h 0 min"],
  [86_399, "23 h 59 min"],
  [86_400, "1 d 0 h"],
  [604_800, "7 d 0 h"],
])("%i seconds are %s", (seconds, words) => {
  expect(timeLeft(after(seconds), now)).toBe(words);
});

test("an expired key has no time left, and a valid one always has some", () => {
  const hasSome = (seconds: number): boolean => /^\d+ (d|h|min|s)/.test(timeLeft(after(seconds), now) ?? "");
  fc.assert(fc.property(fc.integer({ min: -604_800, max: 604_800 }), (seconds) => hasSome(seconds) === seconds > 0));
  expect([hasSome(0), hasSome(1)]).toEqual([false, true]);
});
