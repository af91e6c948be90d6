import { isAppError } from "@vitaline/core";
import { callMetrics, recordCallEvent } from "@vitaline/calls";
import { verifyTenant } from "@vitaline/audit";
import { keys, type StatsRow } from "@vitaline/store";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type * as z from "zod/mini";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { shardHash, StreamEvent } from "../../lib/dynamodb-stream/stream-event.ts";
import { handler as archive } from "../archive/handler.ts";
import { handler as project } from "./handler.ts";

const archiveBucket = "vitaline-test-archive";
/** DynamoDB closes a shard after about four hours, and continues it by another with its own id. */
const shardHours = 4;
const days = 365;
const shards = (days * 24) / shardHours;
const invocation = { awsRequestId: "year", getRemainingTimeInMillis: () => 60_000 };

let it: TestAws;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  it = await startTestAws();
  await it.aws.s3.ensureBucket({ name: archiveBucket, versioned: true, objectLock: { days: 1, mode: "COMPLIANCE" } });
  process.env["ARCHIVE_BUCKET"] = archiveBucket;
});
afterAll(async () => {
  delete process.env["ARCHIVE_BUCKET"];
  vi.useRealTimers();
  await it.close();
});

const made = { calls: new Map<string, number>(), audits: new Map<string, number>() };
const count = (of: Map<string, number>, tenantId: string): void => void of.set(tenantId, (of.get(tenantId) ?? 0) + 1);

/** What a tenant does: a call with a tool run, or a change of its settings. */
async function work(nth: number): Promise<void> {
  const tenantId = it.tenants[Math.floor(nth / 2) % 2]!;
  const ctx = it.inTenant(tenantId);
  count(made.audits, tenantId);
  if (nth % 2 === 1)
    return void (await ctx.store.commit([], { category: "configuration_change", action: "tenant.update", resourceType: "Tenant" }));
  count(made.calls, tenantId);
  const callId = `call-${nth}`;
  const startedAt = new Date(Date.now() - 120_000).toISOString();
  await ctx.store.commit([], {
    ...{ category: "patient_access", action: "tool.getPatientInfo", resourceType: "Patient", callKey: keys.callKeyOf("vapi", callId) },
    detail: { tool: "getPatientInfo", ms: 5, platform: "vapi" },
  });
  await recordCallEvent(ctx, { platform: "vapi", callId, status: "completed", startedAt, durationSeconds: 60, success: true });
}

type Records = z.infer<typeof StreamEvent>["Records"];

async function newRecords(): Promise<Records> {
  const stream = it.aws.dynamodb.stream(process.env["TABLE_NAME"] ?? "");
  const all: Records = [];
  for (let read = await stream.read("year", 1000); read.length > 0; read = await stream.read("year", 1000)) {
    await stream.ack("year", read.at(-1)?.dynamodb.SequenceNumber ?? "");
    all.push(...StreamEvent.parse({ shardId: "any", Records: read }).Records);
  }
  return all;
}

/** Every tenth batch is delivered again. */
async function deliver(shard: number, records: Records): Promise<void> {
  const event = { shardId: `shardId-${shard}`, Records: records };
  for (const read of [project, archive]) {
    await untilDone(() => read(event, invocation));
    if (shard % 10 === 0) await untilDone(() => read(event, invocation));
  }
}

/** As Lambda repeats a batch, for example when another invocation writes the same row. */
async function untilDone(work: () => Promise<unknown>): Promise<void> {
  for (let left = 50; ; left--)
    try {
      return void (await work());
    } catch (error) {
      if (left === 0 || !isAppError(error, "unavailable")) throw error;
    }
}

async function expectExactTotals(): Promise<void> {
  for (const tenantId of it.tenants) {
    const [calls, audits] = [made.calls.get(tenantId), made.audits.get(tenantId)];
    const { store } = it.inTenant(tenantId);
    expect((await callMetrics(it.inTenant(tenantId), "all")).totalCalls).toBe(calls);
    const total = await store.get<StatsRow>(keys.stats("TOTAL"));
    expect(total).toMatchObject({ totalCalls: calls, tool_getPatientInfo: calls });
    expect(Object.keys(total ?? {}).length).toBeLessThan(30);
    const found = await verifyTenant(it.platform(), tenantId);
    expect(found).toMatchObject({ flaws: [], waiting: 0, rows: audits, intactRows: audits });
    expect(Object.keys((await store.get(keys.tenantChain())) ?? {}).length).toBeLessThan(20);
  }
}

test(`A02: after ${days} days, in which ${shards} shards followed each other, totals are exact, the archive is whole and nothing has grown`, async () => {
  const begunAt = Date.now();
  for (let shard = 0; shard < shards; shard++) {
    vi.setSystemTime(begunAt + shard * shardHours * 3_600_000);
    await work(shard);
    await deliver(shard, await newRecords());
    if (shard % 60 === 59) await it.aws.dynamodb.sweepExpired(Date.now());
  }
  await expectExactTotals();
  await it.aws.dynamodb.sweepExpired(Date.now());
  const hasPosition = async (shard: number) =>
    (await it.platform().platform.get(keys.countedPosition(shardHash(`shardId-${shard}`)))) !== undefined;
  expect([await hasPosition(0), await hasPosition(shards - 20), await hasPosition(shards - 1)]).toEqual([false, false, true]);
});

/** At a million calls a day, after a year (npm run model): a shard for each 10 GB of the table. */
const parallelShards = 311;
const invocationsAtOnce = 8;

test(`A02: ${parallelShards} shards at once, each continued by another, leave totals exact and the archive whole`, async () => {
  const begunAt = Date.now();
  for (let round = 0; round < 2; round++) {
    vi.setSystemTime(begunAt + round * shardHours * 3_600_000);
    for (let nth = 0; nth < parallelShards; nth++) await work(10_000 + round * parallelShards + nth);
    // The records of one item stay in one shard, in their order; shards are read in any order.
    const byShard = Map.groupBy(
      await newRecords(),
      ({ dynamodb: { Keys } }) => Number.parseInt(shardHash(JSON.stringify(Keys)).slice(0, 8), 16) % parallelShards,
    );
    const inAnyOrder = [...byShard].toSorted(([one], [other]) => ((one * 7919) % parallelShards) - ((other * 7919) % parallelShards));
    expect(inAnyOrder.length).toBeGreaterThan(parallelShards / 2);
    const open = async (): Promise<void> => {
      for (let next = inAnyOrder.pop(); next; next = inAnyOrder.pop()) await deliver((round + 10) * 1000 + next[0], next[1]);
    };
    await Promise.all(Array.from({ length: invocationsAtOnce }, open));
  }
  await expectExactTotals();
});
