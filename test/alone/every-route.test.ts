import { allRoutes } from "@vitaline/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { secretsAfterSweep, sweep } from "../api/routes/every-route.ts";
import { ownPlatform, type TestPlatform } from "../kit/platform.ts";
import type { PlatformOptions } from "../../packages/local-cloud/platform.ts";

type Resource = { Type: string; Properties?: Record<string, unknown> };
/** The test is about wrong answers, so a slow machine gets the gateway's full timeout. */
const withLongTimeouts: NonNullable<PlatformOptions["mutateTemplate"]> = (template) => {
  for (const { Type, Properties } of Object.values((template.Resources ?? {}) as Record<string, Resource>))
    if (Type === "AWS::Lambda::Function" && Properties) Properties["Timeout"] = Math.max(29, Number(Properties["Timeout"] ?? 0));
};

const timesEach = process.env["FULL"] === undefined ? 5 : Math.ceil(10_000 / allRoutes().length);

let it: TestPlatform;
beforeAll(async () => {
  it = await ownPlatform({ voices: true, calls: true, mutateTemplate: withLongTimeouts });
});
afterAll(() => it.close());

test(`${timesEach} requests of all kinds to every route get no 5xx, an answer of its schema, and no secret`, async () => {
  // About half succeed with five requests each; far fewer would mean that only refusals were tested
  expect(await sweep(it, timesEach)).toBeGreaterThan(allRoutes().length / 3);
});

test("the requests did not change tenant two, and no secret is in the table in plain text", async () => {
  expect(await secretsAfterSweep()).toEqual([]);
});
