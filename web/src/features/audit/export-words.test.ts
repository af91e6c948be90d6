import { expect, test } from "vitest";
import { formatBytes, isUnderWay } from "./export-words.ts";

test("a file's size is in the unit that says it best", () => {
  expect([0, 812, 1000, 1_449_000, 2e9, 5e13].map(formatBytes)).toEqual(["0 bytes", "812 bytes", "1 KB", "1.4 MB", "2 GB", "50,000 GB"]);
});

test("an export that ended either way is not under way", () => {
  expect((["queued", "running", "ready", "failed"] as const).map((state) => isUnderWay({ state }))).toEqual([true, true, false, false]);
});
