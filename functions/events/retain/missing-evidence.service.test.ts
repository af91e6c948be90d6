import { listCalls, recordCallEvent } from "@vitaline/calls";
import { newId } from "@vitaline/core";
import { keys, update, type CallRow, type RetentionRunRow, type TenantContext } from "@vitaline/store";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { addTenantRow } from "../../../test/kit/store/tenant-row.ts";
import { shardedStream } from "../../lib/dynamodb-stream/stream.fixture.ts";
import { project } from "../project/project.ts";
import { handler } from "./handler.ts";

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

const ctxOf = (at: 0 | 1): TenantContext => it.inTenant(it.tenants[at]);
const keyOf = (callId: string) => keys.callKeyOf("vapi", callId);
const invocation = () => ({ awsRequestId: newId(), getRemainingTimeInMillis: () => 600_000 });
const daily = () => handler({}, invocation());
const runOf = async (at: 0 | 1) => (await ctxOf(at).store.get<RetentionRunRow>(keys.retentionRun()))!;
const apply = async (at: 0 | 1) => handler({ tenantId: it.tenants[at], retentionId: (await runOf(at)).id }, invocation());
const projectAll = async (): Promise<void> => {
  const [records = []] = await stream.read();
  await project(it.platform(), { shardId: "shardId-0", Records: records.slice(passed).map(({ record }) => record) });
  passed = records.length;
};

/** A call whose tool ran, as calls were stored before they were found by their failed tools. */
async function oldCall(at: 0 | 1, callId: string, success: boolean): Promise<void> {
  const { store } = ctxOf(at);
  await recordCallEvent(ctxOf(at), { platform: "vapi", callId, status: "completed", durationSeconds: 60 });
  await store.commit([], {
    ...{ category: "api_call", action: "tool.getOfficeInfo", resourceType: "Tool", callKey: keyOf(callId), success },
    detail: { tool: "getOfficeInfo", ms: 3, platform: "vapi" },
  });
  await projectAll();
  await store.writeUnaudited(update<CallRow>(keys.call(keyOf(callId)), { remove: ["toolFailed", "failedTools"] }, { exists: true }));
  await projectAll();
}
const failed = async (at: 0 | 1) => (await listCalls(ctxOf(at), { toolFailed: true })).rows.map(({ id }) => id).toSorted();
const failedAtOffices = async (at: 0 | 1) =>
  (await listCalls(ctxOf(at), { failedTool: "getOfficeInfo" })).rows.map(({ id }) => id).toSorted();

describe("U03: calls of before they were found by failed tools", () => {
  test("are found after the daily run, each of its own tenant, and are read once", async () => {
    for (const at of [0, 1] as const) {
      await oldCall(at, "a", false);
      await oldCall(at, "b", true);
      expect(await failed(at)).toEqual([]);
    }
    await daily();
    await apply(0);
    expect([await failed(0), await failed(1)]).toEqual([[keyOf("a")], []]);
    expect([await failedAtOffices(0), await failedAtOffices(1)]).toEqual([[keyOf("a")], []]);
    expect(await ctxOf(0).store.get<CallRow>(keys.call(keyOf("b")))).toMatchObject({ toolFailed: false });
    const done = await runOf(0);
    await daily();
    expect(await runOf(0)).toEqual(done);
  });

  test("are found by the tool that failed where only the failure was known, and a tenant is not done before", async () => {
    await oldCall(0, "a", false);
    const { store } = ctxOf(0);
    await store.writeUnaudited(update<CallRow>(keys.call(keyOf("a")), { set: { toolFailed: true } }, { exists: true }));
    await daily();
    const run = await runOf(0);
    await store.writeUnaudited(
      update<RetentionRunRow>(keys.retentionRun(), { set: { doneAt: run.at }, remove: ["fillsFailedTools"] }, { exists: true }),
    );
    await daily();
    expect((await runOf(0)).id).not.toBe(run.id);
    await apply(0);
    expect(await failedAtOffices(0)).toEqual([keyOf("a")]);
  });

  test("are filled in by an invocation that continues where another one ended", async () => {
    const callIds = ["a", "b", "c", "d"];
    for (const callId of callIds) await oldCall(0, callId, false);
    await daily();
    let writes = 0;
    it.fault(({ operation }) => (operation === "UpdateItem" && ++writes > 3 ? "drop" : undefined));
    await expect(apply(0)).rejects.toThrow();
    it.fault();
    await apply(0);
    expect(await failed(0)).toEqual(callIds.map(keyOf).toSorted());
  });
});
