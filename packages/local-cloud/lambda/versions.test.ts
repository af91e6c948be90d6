import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import type { Datum } from "../aws/cloudwatch/index.ts";
import { type Lambda, startLambda } from "./index.ts";

const folder = mkdtempSync(path.join(tmpdir(), "versions-"));
const codeOf = (release: string): string => {
  const codeDir = path.join(folder, release);
  mkdirSync(codeDir, { recursive: true });
  const answer = `{ release: "${release}", version: context.functionVersion, variable: process.env.AWS_LAMBDA_FUNCTION_VERSION, arn: context.invokedFunctionArn }`;
  writeFileSync(
    path.join(codeDir, "index.mjs"),
    `export const handler = async (event, context) => { if (event.fails) throw new Error("fails"); return ${answer}; };\n`,
  );
  return codeDir;
};

const arn = "arn:aws:lambda:us-east-1:000000000000:function:asked";
let lambda: Lambda;
const data: Datum[] = [];
const start = (): void => {
  data.length = 0;
  const place = {
    account: "000000000000",
    region: "us-east-1",
    where: "stack/asked",
    roleArn: "role",
    accessKeyId: "a",
    secretAccessKey: "b",
  };
  const spec = { ...place, name: "asked", arn, codeDir: codeOf("former"), module: "index", exportName: "handler", env: {} };
  lambda = startLambda(
    [{ ...spec, memoryMb: 128, timeoutSeconds: 5, reservedConcurrency: 1, versions: ["1"], aliases: { live: { "1": 1 } } }],
    {
      awsUrl: "http://127.0.0.1:1",
      logs: { file: "", write: () => undefined, close: async () => undefined },
      record: (one) => void data.push(one),
      clock: Date.now,
    },
  );
};
afterEach(() => lambda.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ask = async (qualifier?: string, event: object = {}): Promise<Record<string, string>> => {
  const outcome = await lambda.invoke(qualifier === undefined ? arn : `${arn}:${qualifier}`, event);
  return outcome.ok ? (JSON.parse(outcome.payload) as Record<string, string>) : { failed: outcome.reason };
};

test("an alias runs its version, whose code stays when other code is published", async () => {
  start();
  expect(await ask("live")).toEqual({ release: "former", version: "1", variable: "1", arn: `${arn}:live` });
  expect(await ask()).toMatchObject({ version: "$LATEST", arn });
  const next = lambda.publish("asked", codeOf("next"));
  expect([next, await ask("live"), await ask(next)]).toMatchObject(["2", { release: "former" }, { release: "next", version: "2" }]);
  expect([await ask("nowhere"), await ask("3")]).toEqual([{ failed: "error" }, { failed: "error" }]);
});

test("an alias divides invocations by share, and goes back at once", async () => {
  start();
  const next = lambda.publish("asked", codeOf("next"));
  lambda.route("asked", "live", { "1": 0.5, [next]: 0.5 });
  const served = new Set<string>();
  for (let count = 0; count < 60; count++) served.add((await ask("live"))["release"] ?? "");
  expect(served).toEqual(new Set(["former", "next"]));
  lambda.route("asked", "live", { "1": 1 });
  for (let count = 0; count < 5; count++) expect(await ask("live")).toMatchObject({ release: "former" });
  for (const shares of [{ "1": 0.5 }, { "7": 1 }, { $LATEST: 1 }] as Record<string, number>[])
    expect(() => lambda.route("asked", "live", shares)).toThrow("cannot be divided");
});

test("metrics tell the versions of an alias apart, and the function counts both", async () => {
  start();
  const next = lambda.publish("asked", codeOf("next"));
  await ask("live");
  lambda.route("asked", "live", { [next]: 1 });
  await ask("live", { fails: true });
  const errors = (dimensions: object) =>
    data.filter((one) => one.name === "Errors" && JSON.stringify(one.dimensions) === JSON.stringify(dimensions)).map(({ value }) => value);
  const of = { FunctionName: "asked", Resource: "asked:live" };
  expect(errors({ FunctionName: "asked" })).toEqual([0, 1]);
  expect([errors({ ...of, ExecutedVersion: "1" }), errors({ ...of, ExecutedVersion: next })]).toEqual([[0], [1]]);
});

test("all versions share the function's reserved concurrency", async () => {
  start();
  const next = lambda.publish("asked", codeOf("next"));
  const answers = await Promise.all([ask("1"), ask(next)]);
  expect(answers.filter(({ failed }) => failed === "throttled")).toHaveLength(1);
  expect(lambda.usage("asked")).toMatchObject({ running: 0, peak: 1, throttled: 1 });
});
