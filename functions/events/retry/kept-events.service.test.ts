import { callMetrics, deleteKeptEvent, replayKeptEvent } from "@vitaline/calls";
import { listKeptEvents } from "@vitaline/calls/platform-kept-events.ts";
import { type CallRow, type DueRow, keys, put, remove, update } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { addTenantRow } from "../../../test/kit/store/tenant-row.ts";
import { ingestOrKeep } from "../../lib/call-events/ingest.ts";
import { project } from "../project/project.ts";
import { shardedStream } from "../../lib/dynamodb-stream/stream.fixture.ts";
import { handler, maxReplays } from "./handler.ts";

let it: TestAws;
let stream: ReturnType<typeof shardedStream>;
let passed = 0;
beforeEach(async () => {
  it = await startTestAws();
  stream = shardedStream(it, { shards: 1, recordsPerShard: 1_000_000 });
  passed = 0;
  for (const id of it.tenants) await addTenantRow(it.platform(), id, "Clinic");
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await it.close();
});

type How = ReturnType<NonNullable<Parameters<TestAws["fault"]>[0]>>;
const outage = { status: 503, code: "SlowDown", message: "later" };
const denied = { status: 403, code: "AccessDenied", message: "no" };
const bucketIs = (how: How): void => it.fault(({ operation }) => (operation === "PutObject" ? how : undefined));

const ctxOf = (at: 0 | 1) => it.inTenant(it.tenants[at]);
const report = (id: string, transcript = "I would like a refill") => ({
  message: {
    type: "end-of-call-report",
    call: { id },
    endedReason: "customer-ended-call",
    durationSeconds: 60,
    artifact: { transcript },
    analysis: { summary: "A refill", successEvaluation: "true" },
  },
});
const callOf = (at: 0 | 1, id: string) => ctxOf(at).store.get<CallRow>(keys.call(keys.callKeyOf("vapi", id)));
const kept = async () => (await listKeptEvents(it.platform(), { limit: 100 })).rows;
const keptContentOf = async (at: 0 | 1) => (await ctxOf(at).store.query(`TENANT#${it.tenants[at]}#INBOX`)).rows;
const dueIn = async (shard: string) => (await it.platform().platform.query<DueRow>(partitions.due(shard))).rows;
const shards = ["0", "1", "2", "3"];

/** A minute later: makes all rows due, or the given ones, and runs the retries. */
async function retryDue(isDue: (row: DueRow) => boolean = () => true): Promise<void> {
  for (const shard of shards)
    for (const row of (await dueIn(shard)).filter(isDue)) {
      const { store } = it.inTenant(row.tenantId);
      const dueAt = new Date(Date.now() - 1000).toISOString();
      await store.writeUnaudited(remove(keys.due(shard, row.dueAt, row.kind, row.id)));
      await store.writeUnaudited(put(keys.due(shard, dueAt, row.kind, row.id), { ...row, dueAt }));
    }
  await handler(
    {},
    {
      awsRequestId: "retry",
      functionName: "retry",
      invokedFunctionArn: "arn:aws:lambda:us-east-1:111111111111:function:retry",
      getRemainingTimeInMillis: () => 55_000,
    },
  );
}
const nothingWaits = async (): Promise<void> => {
  expect(await kept()).toEqual([]);
  expect([await keptContentOf(0), await keptContentOf(1)]).toEqual([[], []]);
  expect((await Promise.all(shards.map(dueIn))).flat()).toEqual([]);
};
/** Projects the table's stream with every batch delivered twice. */
async function projectAll(): Promise<void> {
  for (;;) {
    const [all = []] = await stream.read();
    const Records = all.slice(passed).map(({ record }) => record);
    passed = all.length;
    if (Records.length === 0) return;
    for (let time = 0; time < 2; time++) await project(it.platform(), { shardId: "shardId-0", Records });
  }
}

test("a report with texts that cannot be written is kept, is retried, and then is one record with its texts, counted once", async () => {
  bucketIs(outage);
  expect(await ingestOrKeep(ctxOf(0), "vapi", report("s3-down"))).toBe(true);
  expect(await callOf(0, "s3-down")).toBeUndefined();
  expect(await kept()).toMatchObject([{ tenantId: it.tenants[0], from: "vapi", reason: "unavailable", tries: 0 }]);
  await retryDue();
  expect(await kept()).toMatchObject([{ reason: "unavailable", tries: 1, nextTryAt: expect.any(String) }]);
  it.fault();
  await retryDue();
  expect(await callOf(0, "s3-down")).toMatchObject({
    status: "completed",
    success: true,
    durationSeconds: 60,
    transcript: { key: expect.any(String) },
  });
  await nothingWaits();
  // The platform may have resent it meanwhile
  await ingestOrKeep(ctxOf(0), "vapi", report("s3-down"));
  await projectAll();
  expect(await callMetrics(ctxOf(0), "all")).toMatchObject({ totalCalls: 1 });
  expect(await callMetrics(ctxOf(1), "all")).toMatchObject({ totalCalls: 0 });
});

test("an event that keeps failing is retried up to the limit, stays in the list, and is recorded when an administrator replays it", async () => {
  bucketIs(denied);
  await ingestOrKeep(ctxOf(1), "vapi", report("poison"));
  for (let time = 0; time < maxReplays; time++) await retryDue();
  const [event, ...others] = await kept();
  expect(others).toEqual([]);
  expect(event).toMatchObject({ tenantId: it.tenants[1], reason: "AccessDenied", tries: maxReplays, nextTryAt: null, replayable: true });
  expect((await Promise.all(shards.map(dueIn))).flat()).toEqual([]);
  await retryDue();
  expect(await kept()).toEqual([event]);

  it.fault();
  await replayKeptEvent(ctxOf(1), event?.id ?? "");
  await retryDue();
  expect(await callOf(1, "poison")).toMatchObject({ status: "completed", transcript: { key: expect.any(String) } });
  await nothingWaits();
});

test("a replay replaces the scheduled retry: with both due the event is processed once", async () => {
  bucketIs(denied);
  await ingestOrKeep(ctxOf(0), "vapi", report("hurried"));
  const [event] = await kept();
  for (let time = 0; time < 2; time++) await replayKeptEvent(ctxOf(0), event?.id ?? "");
  await retryDue();
  expect(await kept()).toMatchObject([{ id: event?.id, tries: 1 }]);
  expect((await Promise.all(shards.map(dueIn))).flat()).toMatchObject([{ id: event?.id, tries: 1 }]);
  it.fault();
  await retryDue();
  await nothingWaits();
});

test("failing events do not delay the events behind them, nor those of another tenant", async () => {
  bucketIs(denied);
  for (let at = 0; at < 25; at++) await ingestOrKeep(ctxOf(0), "vapi", report(`bad-${at}`));
  // A damaged event always fails
  for (const { id } of await kept()) await ctxOf(0).store.writeUnaudited(update(keys.keptEventContent(id), { set: { sealed: "damaged" } }));
  await ingestOrKeep(ctxOf(0), "vapi", report("good"));
  await ingestOrKeep(ctxOf(1), "vapi", report("good"));
  it.fault();
  await retryDue();
  expect(await callOf(1, "good")).toMatchObject({ status: "completed" });
  // Failed events wait longer
  await retryDue((row) => row.tries === undefined);
  expect(await callOf(0, "good")).toMatchObject({ status: "completed" });
  expect(new Set((await kept()).map(({ tenantId }) => tenantId))).toEqual(new Set([it.tenants[0]]));
  for (const { id } of await kept()) await deleteKeptEvent(ctxOf(0), id);
  await retryDue();
  await nothingWaits();
});

test("an invalid event is an error for its sender, and a message without an event is ignored", async () => {
  const noId = { message: { type: "end-of-call-report", call: { id: 7n.toString().repeat(2000) } } };
  await expect(ingestOrKeep(ctxOf(0), "vapi", noId)).rejects.toMatchObject({ code: "invalid_request" });
  expect(await ingestOrKeep(ctxOf(0), "vapi", { message: { type: "conversation-update" } })).toBe(false);
  await nothingWaits();
});

test("an event that cannot be stored is requested again from the platform, and leaves no partial rows", async () => {
  // First the bucket fails, then the table for each of the three rows of the kept event
  for (let failing = 1; failing <= 3; failing++) {
    let puts = 0;
    it.fault(({ operation }) => {
      if (operation === "PutObject") return outage;
      return operation === "PutItem" && ++puts >= failing ? { status: 500, code: "InternalServerError", message: "later" } : undefined;
    });
    const refused = ingestOrKeep(ctxOf(0), "vapi", report(`lost-${failing}`));
    await expect(refused).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 60 });
    it.fault();
    await retryDue();
    await nothingWaits();
  }
  // With its row stored it need not be sent again
  expect(await callOf(0, "lost-3")).toMatchObject({ status: "completed" });
});

test("a kept event of every kind is decoded as at first", async () => {
  bucketIs(outage);
  await ingestOrKeep(ctxOf(0), "summary", { callId: "flat", summary: "In short" });
  await ingestOrKeep(ctxOf(0), "report", { platform: "mcp", callId: "told", summary: "In short", status: "completed" });
  expect(await kept()).toMatchObject([{ from: "report" }, { from: "summary" }]);
  it.fault();
  await retryDue();
  expect(await callOf(0, "flat")).toMatchObject({ summary: { key: expect.any(String) } });
  expect(await ctxOf(0).store.get(keys.call(keys.callKeyOf("mcp", "told")))).toMatchObject({ status: "completed" });
  await nothingWaits();
});
