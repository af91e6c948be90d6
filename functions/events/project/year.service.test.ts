import { callMetrics, recordCallEvent } from "@vitaline/calls";
import { verifyTenant } from "@vitaline/audit";
import { keys, type StatsRow } from "@vitaline/store";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
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

/** What a tenant does while a shard is open: a call with a tool run, or a change of its settings. */
async function work(shard: number): Promise<{ tenantId: string; isCall: boolean }> {
  const tenantId = it.tenants[Math.floor(shard / 2) % 2]!;
  const ctx = it.inTenant(tenantId);
  if (shard % 2 === 1) {
    await ctx.store.commit([], { category: "configuration_change", action: "tenant.update", resourceType: "Tenant" });
    return { tenantId, isCall: false };
  }
  const callId = `call-${shard}`;
  const startedAt = new Date(Date.now() - 120_000).toISOString();
  await ctx.store.commit([], {
    ...{ category: "patient_access", action: "tool.getPatientInfo", resourceType: "Patient", callKey: keys.callKeyOf("vapi", callId) },
    detail: { tool: "getPatientInfo", ms: 5, platform: "vapi" },
  });
  await recordCallEvent(ctx, { platform: "vapi", callId, status: "completed", startedAt, durationSeconds: 60, success: true });
  return { tenantId, isCall: true };
}

test(`A02: after ${days} days, in which ${shards} shards followed each other, totals are exact, the archive is whole and nothing has grown`, async () => {
  const stream = it.aws.dynamodb.stream(process.env["TABLE_NAME"] ?? "");
  const begunAt = Date.now();
  const [calls, audits] = [new Map<string, number>(), new Map<string, number>()];
  for (let shard = 0; shard < shards; shard++) {
    vi.setSystemTime(begunAt + shard * shardHours * 3_600_000);
    const { tenantId, isCall } = await work(shard);
    if (isCall) calls.set(tenantId, (calls.get(tenantId) ?? 0) + 1);
    audits.set(tenantId, (audits.get(tenantId) ?? 0) + 1);
    for (let Records = await stream.read("year", 1000); Records.length > 0; Records = await stream.read("year", 1000)) {
      await stream.ack("year", Records.at(-1)?.dynamodb.SequenceNumber ?? "");
      const event = StreamEvent.parse({ shardId: `shardId-${shard}`, Records });
      for (const read of [project, archive]) {
        await read(event, invocation);
        // Every tenth batch is delivered again.
        if (shard % 10 === 0) await read(event, invocation);
      }
    }
    if (shard % 60 === 59) await it.aws.dynamodb.sweepExpired(Date.now());
  }
  for (const tenantId of it.tenants) {
    const { store } = it.inTenant(tenantId);
    expect((await callMetrics(it.inTenant(tenantId), "all")).totalCalls).toBe(calls.get(tenantId));
    const total = await store.get<StatsRow>(keys.stats("TOTAL"));
    expect(total).toMatchObject({ totalCalls: calls.get(tenantId), tool_getPatientInfo: calls.get(tenantId) });
    expect(Object.keys(total ?? {}).length).toBeLessThan(30);
    const found = await verifyTenant(it.platform(), tenantId);
    expect(found).toMatchObject({ flaws: [], waiting: 0, rows: audits.get(tenantId), intactRows: audits.get(tenantId) });
    expect(Object.keys((await store.get(keys.tenantChain())) ?? {}).length).toBeLessThan(20);
  }
  await it.aws.dynamodb.sweepExpired(Date.now());
  const hasPosition = async (shard: number) =>
    (await it.platform().platform.get(keys.countedPosition(shardHash(`shardId-${shard}`)))) !== undefined;
  expect([await hasPosition(0), await hasPosition(shards - 20), await hasPosition(shards - 1)]).toEqual([false, false, true]);
});
