import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  DeleteFunctionConcurrencyCommand,
  GetFunctionConcurrencyCommand,
  InvokeCommand,
  LambdaClient,
  PutFunctionConcurrencyCommand,
  type InvocationType,
} from "@aws-sdk/client-lambda";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startCloud, type Cloud } from "../cloud.ts";
import { synthesizeFixture } from "../fixtures/app.ts";
import { openLogs, type Logs } from "./logs.ts";

let folder: string;
let assembly: string;
let logs: Logs;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "local-concurrency-"));
  assembly = await synthesizeFixture(folder);
  logs = openLogs(path.join(folder, "logs"));
}, 120_000);
afterAll(async () => {
  await logs?.close();
  await rm(folder, { recursive: true, force: true });
});

type Key = { accessKeyId: string; secretAccessKey: string };

async function on(data: string, work: (at: ReturnType<typeof asked>) => Promise<void>): Promise<void> {
  const cloud = await startCloud({ assembly, port: 0, awsPort: 0, logs, dataDir: path.join(folder, data) });
  try {
    await work(asked(cloud));
  } finally {
    await cloud.close();
  }
}

function asked(cloud: Cloud, credentials: Key = cloud.operator) {
  const client = new LambdaClient({ endpoint: cloud.aws.url, region: cloud.region, credentials, maxAttempts: 1 });
  const get = (FunctionName: string) => client.send(new GetFunctionConcurrencyCommand({ FunctionName }));
  return {
    cloud,
    get: (FunctionName: string) => get(FunctionName).then((answer) => answer.ReservedConcurrentExecutions),
    put: (FunctionName: string, ReservedConcurrentExecutions: number) =>
      client.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions })),
    remove: (FunctionName: string) => client.send(new DeleteFunctionConcurrencyCommand({ FunctionName })),
    invoke: (FunctionName: string, payload: object, InvocationType: InvocationType = "RequestResponse") =>
      client.send(new InvokeCommand({ FunctionName, InvocationType, Payload: JSON.stringify(payload) })),
    status: async (method: string, target: string) => (await fetch(`${cloud.origin}${target}`, { method })).status,
    thing: async (id: string) =>
      (await (await fetch(`${cloud.origin}/api/things/${id}`)).json()) as { seen?: number; seenBySecond?: number; tries?: number },
  };
}

const throttled = {
  name: "TooManyRequestsException",
  Reason: "ReservedFunctionConcurrentInvocationLimitExceeded",
  $metadata: { httpStatusCode: 429 },
};

test("a function has the reserved concurrency of its template until it is changed, and the change outlives a restart", async () => {
  await on("changed", async ({ get, put, remove }) => {
    expect([await get("fixture-api"), await get("fixture-second")]).toEqual([undefined, 1]);
    expect(await put("fixture-api", 3)).toMatchObject({ ReservedConcurrentExecutions: 3, $metadata: { httpStatusCode: 200 } });
    expect((await remove("arn:aws:lambda:us-east-1:000000000000:function:fixture-second")).$metadata.httpStatusCode).toBe(204);
    expect([await get("fixture-api"), await get("fixture-second")]).toEqual([3, undefined]);
  });
  await on("changed", async ({ get, remove }) => {
    expect([await get("fixture-api"), await get("fixture-second")]).toEqual([3, undefined]);
    await remove("fixture-api");
    await remove("fixture-api");
    expect(await get("fixture-api")).toBeUndefined();
  });
});

test("unknown functions, numbers below zero and callers without the permission are refused", async () => {
  await on("refused", async ({ cloud, get, put, remove }) => {
    for (const refused of [get("fixture-missing"), put("fixture-missing", 0), remove("fixture-missing")])
      await expect(refused).rejects.toMatchObject({ name: "ResourceNotFoundException", $metadata: { httpStatusCode: 404 } });
    for (const number of [-1, 0.5]) await expect(put("fixture-api", number)).rejects.toMatchObject({ $metadata: { httpStatusCode: 400 } });
    const poor = asked(cloud, cloud.functions[0]!);
    for (const refused of [poor.get("fixture-api"), poor.put("fixture-api", 0), poor.remove("fixture-api")])
      await expect(refused).rejects.toMatchObject({ name: "AccessDeniedException", $metadata: { httpStatusCode: 403 } });
    expect(await get("fixture-api")).toBeUndefined();
  });
});

test("a function with none takes no request, event, record or schedule, and serves the records once it has some again", async () => {
  await on("stopped", async ({ cloud, put, invoke, status, thing }) => {
    await put("fixture-consumer", 0);
    await put("fixture-second", 0);
    expect(await status("PUT", "/api/things/both-kept")).toBe(201);
    await put("fixture-api", 0);
    expect(await status("PUT", "/api/things/both-refused")).toBe(503);
    await expect(invoke("fixture-consumer", { name: "refused" })).rejects.toMatchObject(throttled);
    await expect(cloud.runScheduled("consumer")).rejects.toThrow("Rate Exceeded");
    await put("fixture-api", 1);
    expect(await thing("both-kept")).toMatchObject({ seen: 0, seenBySecond: 0 });
    expect(await status("GET", "/api/things/both-refused")).toBe(404);
  });
  await on("stopped", async ({ cloud, put, remove, invoke, status, thing }) => {
    await expect(invoke("fixture-consumer", { name: "refused" })).rejects.toMatchObject(throttled);
    await remove("fixture-consumer");
    await put("fixture-second", 1);
    await cloud.drained();
    expect(await thing("both-kept")).toMatchObject({ seen: 1, seenBySecond: 1 });
    expect(await status("GET", "/api/things/refused")).toBe(404);
  });
});

test("an event for a function with none goes to its failure queue without a retry", async () => {
  await on("events", async ({ cloud, put, remove, invoke, status }) => {
    await put("fixture-consumer", 0);
    expect((await invoke("fixture-consumer", { name: "event" }, "Event")).StatusCode).toBe(202);
    await cloud.drained();
    await remove("fixture-consumer");
    const [line = "", ...others] = (await readFile(path.join(folder, "events/queues/fixture-failures.jsonl"), "utf8")).trim().split("\n");
    expect(JSON.parse(line)).toMatchObject({
      requestContext: { condition: "ZeroReservedConcurrency", approximateInvokeCount: 0 },
      requestPayload: { name: "event" },
    });
    expect([others, await status("GET", "/api/things/event")]).toEqual([[], 404]);
  });
});
