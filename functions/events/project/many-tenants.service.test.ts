import { callMetrics, recordCallEvent, type CallEvent } from "@vitaline/calls";
import { isAppError, newId } from "@vitaline/core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { project } from "./project.ts";
import { shardedStream } from "../../lib/dynamodb-stream/stream.fixture.ts";

/** The parallel requests that platforms may have. */
const atOnce = 100;
const [eventsInAll, tenants] = [10_000, 50];
const platforms = ["vapi", "retellai", "elevenlabs", "openai"] as const;

let test: TestAws;
beforeAll(async () => {
  test = await startTestAws();
});
afterAll(() => test.close());

/** The events of a call, with its end twice; every third call is forwarded, every fifth unsuccessful. */
const lifeOf = (number: number): CallEvent[] => {
  const call = { platform: platforms[number % platforms.length]!, callId: `call-${number}` };
  const ended = { ...call, status: "completed", endedReason: "hangup", ...(number % 3 === 0 ? { forwarded: true } : {}) } as const;
  const report = { ...ended, durationSeconds: 60 + (number % 7), success: number % 5 !== 0, summary: "Said." };
  return [{ ...call, status: "ringing" }, { ...call, status: "in_progress" }, ended, report, report];
};

it(`${eventsInAll} events of ${tenants} tenants at once, in no order and some twice, are counted exactly, each for its own tenant`, async () => {
  const ids = Array.from({ length: tenants }, () => newId());
  const calls = eventsInAll / tenants / lifeOf(0).length;
  const told = ids.flatMap((tenantId, at) =>
    // All tenants have the same call ids, and different numbers of forwarded calls
    Array.from({ length: calls }, (_, number) => lifeOf(number + at)).flatMap((life) => life.map((event) => ({ tenantId, event }))),
  );
  const mixed = told.map((each, at) => ({ each, place: (at * 7919) % told.length })).toSorted((a, b) => a.place - b.place);
  const waiting = mixed.map(({ each }) => each);
  const send = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { tenantId, event } = next;
      await recordCallEvent(test.inTenant(tenantId), event).catch((error: unknown) => {
        if (!isAppError(error, "unavailable")) throw error;
        // Retries as platforms do
        waiting.unshift({ tenantId, event });
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, send));

  const stream = shardedStream(test, { shards: 4, recordsPerShard: 1_000_000 });
  const done = [0, 0, 0, 0];
  for (let more = true; more;) {
    more = false;
    for (const [shard, lineage] of (await stream.read()).entries()) {
      const batch = lineage.slice(done[shard], (done[shard] ?? 0) + 500);
      if (batch.length === 0) continue;
      await project(test.platform(), { shardId: `shardId-${shard}-0`, Records: batch.map(({ record }) => record) });
      done[shard] = (done[shard] ?? 0) + batch.length;
      more = true;
    }
  }

  for (const [at, tenantId] of ids.entries()) {
    const numbers = Array.from({ length: calls }, (_, number) => number + at);
    const resolved = numbers.filter((number) => number % 3 !== 0 && number % 5 !== 0);
    const { totalCalls, successfulCalls, resolutionRate } = await callMetrics(test.inTenant(tenantId), "all");
    expect([tenantId, totalCalls, successfulCalls]).toEqual([tenantId, calls, calls]);
    expect(resolutionRate).toBeCloseTo((100 * resolved.length) / calls, 0);
  }
}, 900_000);
