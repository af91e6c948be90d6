import { allRoutes } from "@vitaline/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedPlatform, type TestPlatform } from "../../kit/platform.ts";
import { secretsAfterSweep, sweep } from "./every-route.ts";

let it: TestPlatform;
beforeAll(async () => {
  it = await sharedPlatform();
});
afterAll(() => it.close());

let sweeping: Promise<number> | undefined;
const swept = (): Promise<number> => (sweeping ??= sweep(it, 2));

test("two requests of all kinds to every route get no 5xx, an answer of its schema, and no secret", async () => {
  // About half succeed with five requests each; far fewer would mean that only refusals were tested
  expect(await swept()).toBeGreaterThan(allRoutes().length / 4);
});

test("the requests did not change tenant two, and no secret is in the table in plain text", async () => {
  await swept();
  expect(await secretsAfterSweep()).toEqual([]);
});
