import { listCalls, readCall, recordCallEvent } from "@vitaline/calls";
import { newId } from "@vitaline/core";
import { type CallRow, keys, type TenantContext } from "@vitaline/store";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import type { StreamRecord } from "../../lib/dynamodb-stream/stream-event.ts";
import { shardedStream } from "../../lib/dynamodb-stream/stream.fixture.ts";

let test: TestAws;
let stream: ReturnType<typeof shardedStream>;
beforeAll(async () => {
  test = await startTestAws();
  stream = shardedStream(test, { shards: 1, recordsPerShard: 1_000_000 });
});
afterAll(() => test.close());

/** What a shard of the calls, and one of their audit rows, have not delivered yet. */
const queues: Record<"calls" | "audit", StreamRecord[]> = { calls: [], audit: [] };
let passed = 0;
const take = async (): Promise<void> => {
  const [all = []] = await stream.read();
  for (const { record } of all.slice(passed)) queues[record.dynamodb.Keys.sk.S === "CALL" ? "calls" : "audit"].push(record);
  passed = all.length;
};

/** Delivers what a shard has to a new instance of the function, which has no memory of earlier batches. `dies`: at which write, once. */
const project = async (shard: "calls" | "audit", dies?: number): Promise<void> => {
  await take();
  const Records = queues[shard].splice(0);
  for (const isDying of dies === undefined ? [false] : [true, false]) {
    vi.resetModules();
    const fresh = await import("./project.ts");
    let writes = 0;
    if (isDying)
      test.fault(({ operation }) =>
        /^(Put|Update|Transact)/.test(operation) && ++writes === dies
          ? { status: 400, code: "ValidationException", message: "killed" }
          : undefined,
      );
    await fresh.project(test.platform(), { shardId: `shardId-${shard}`, Records }).catch((error: unknown) => {
      if (!isDying) throw error;
    });
    test.fault();
  }
};

const platform = "vapi";
const tell = (ctx: TenantContext, callId: string, status: "in_progress" | "completed") =>
  recordCallEvent(ctx, { platform, callId, status });
const run = (ctx: TenantContext, callId: string, tool: string, success = true) =>
  ctx.store.commit([], {
    ...{ category: "api_call", action: `tool.${tool}`, resourceType: "Tool", success, callKey: keys.callKeyOf(platform, callId) },
    detail: { tool, ms: 3, platform },
  });
const rowOf = (ctx: TenantContext, callId: string) => ctx.store.get<CallRow>(keys.call(keys.callKeyOf(platform, callId)));
const contexts = () => test.tenants.map((id) => test.inTenant(id)) as [TenantContext, TenantContext];

it("a call has the name of every tool that it used once its end is projected, in any order of the shards, also if an instance dies", async () => {
  const [one, two] = contexts();
  const step = fc.oneof(
    fc.constantFrom("tell", "verify", "verify", "help").map((what) => ({ what }) as const),
    fc.record({
      what: fc.constantFrom("calls" as const, "audit" as const),
      dies: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 7 }), fc.nat(6), async (steps, endAt) => {
      const callId = newId();
      const used = new Set<string>();
      await run(two, callId, "getOfficeInfo");
      for (const [at, each] of steps.entries()) {
        if (at === Math.min(endAt, steps.length - 1)) await tell(one, callId, "completed");
        if (each.what === "calls" || each.what === "audit") await project(each.what, "dies" in each ? each.dies : undefined);
        else if (each.what === "tell") await tell(one, callId, "in_progress");
        else {
          const tool = each.what === "help" ? "getOfficeInfo" : "verifyPatientIdentity";
          used.add(tool);
          await run(one, callId, tool);
        }
      }
      for (let round = 0; round < 2; round++) for (const shard of ["calls", "audit"] as const) await project(shard);
      expect([...((await rowOf(one, callId))?.toolsUsed ?? [])].toSorted()).toEqual([...used].toSorted());
      expect(await rowOf(two, callId)).toMatchObject({ toolsUsed: new Set(["getOfficeInfo"]), status: "in_progress" });
    }),
    { numRuns: 40, endOnFailure: true },
  );
}, 240_000);

it("a call in progress shows a tool that tells nothing else before the tool is on its row, to its own tenant", async () => {
  const [one, two] = contexts();
  const callId = newId();
  for (const ctx of [one, two]) await tell(ctx, callId, "in_progress");
  await project("calls");
  await run(one, callId, "verifyPatientIdentity");
  await project("audit");
  expect(await rowOf(one, callId)).not.toHaveProperty("toolsUsed");
  const id = keys.callKeyOf(platform, callId);
  const shown = async (ctx: TenantContext) => [
    (await listCalls(ctx, {})).rows.find((call) => call.id === id)?.toolsUsed,
    (await readCall(ctx, id)).toolsUsed,
  ];
  expect(await shown(one)).toEqual([["verifyPatientIdentity"], ["verifyPatientIdentity"]]);
  expect(await shown(two)).toEqual([[], []]);
  test.resetUsage();
  await listCalls(one, { limit: 1 });
  // The page, and the runs of its call in progress
  expect(test.usage().map(({ operation }) => operation)).toEqual(["Query", "Query"]);
  await tell(one, callId, "completed");
  test.resetUsage();
  await listCalls(one, { limit: 1 });
  expect(test.usage().map(({ operation }) => operation)).toEqual(["Query"]);
  await run(one, callId, "verifyPatientIdentity", false);
  await project("audit");
  expect(await rowOf(one, callId)).toMatchObject({ toolsUsed: new Set(["verifyPatientIdentity"]), toolFailed: true });
});

it("a call that ends at any moment while a run of it is projected has the name of its tool", async () => {
  const [one, two] = contexts();
  let requests = 0;
  for (let endsAt = 1; ; endsAt++) {
    const callId = newId();
    for (const ctx of [one, two]) await tell(ctx, callId, "in_progress");
    await project("calls");
    await run(one, callId, "verifyPatientIdentity");
    await take();
    const { project: projectRuns } = await import("./project.ts");
    const runs = queues.audit.splice(0);
    requests = 0;
    test.fault(async () => {
      if (++requests !== endsAt) return undefined;
      test.fault();
      await tell(one, callId, "completed");
      await project("calls");
      return undefined;
    });
    await projectRuns(test.platform(), { shardId: "shardId-audit", Records: runs });
    test.fault();
    await project("calls");
    const isEnded = (await rowOf(one, callId))?.endSeenAt !== undefined;
    if (!isEnded) break;
    expect((await rowOf(one, callId))?.toolsUsed, `ended at request ${endsAt}`).toEqual(new Set(["verifyPatientIdentity"]));
    expect(await rowOf(two, callId)).not.toHaveProperty("toolsUsed");
  }
  expect(requests).toBeGreaterThan(3);
});

it("the end of a call costs a write only for a name that its row lacks", async () => {
  const [one, two] = contexts();
  const updates = async (ctx: TenantContext, ...tools: string[]) => {
    const callId = newId();
    await tell(ctx, callId, "in_progress");
    await project("calls");
    for (const tool of tools) {
      await run(ctx, callId, tool);
      await project("audit");
    }
    await tell(ctx, callId, "completed");
    await take();
    test.resetUsage();
    await project("calls");
    return test.usage().filter(({ operation }) => operation === "UpdateItem").length;
  };
  expect(await updates(one, "getOfficeInfo")).toBe(0);
  // The next news takes the name along.
  expect(await updates(one, "verifyPatientIdentity", "getOfficeInfo")).toBe(0);
  expect(await updates(two, "verifyPatientIdentity")).toBe(1);
});
