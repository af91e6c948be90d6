import { listCalls, recordCallEvent, searchCalls } from "@vitaline/calls";
import { newId } from "@vitaline/core";
import { keys, update, type AuditRow, type CallRow, type RetentionRunRow, type TenantContext } from "@vitaline/store";
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
const callOf = (at: 0 | 1, callId: string) => ctxOf(at).store.get<CallRow>(keys.call(keyOf(callId)));
const invocation = () => ({ awsRequestId: newId(), getRemainingTimeInMillis: () => 600_000 });
const daily = () => handler({}, invocation());
const runOf = async (at: 0 | 1) => (await ctxOf(at).store.get<RetentionRunRow>(keys.retentionRun()))!;
const apply = async (at: 0 | 1) => handler({ tenantId: it.tenants[at], retentionId: (await runOf(at)).id }, invocation());
const projectAll = async (): Promise<void> => {
  const [records = []] = await stream.read();
  await project(it.platform(), { shardId: "shardId-0", Records: records.slice(passed).map(({ record }) => record) });
  passed = records.length;
};

const number = "+16175550101";
const ended = (at: 0 | 1, callId: string, callerNumber?: string) =>
  recordCallEvent(ctxOf(at), {
    ...{ platform: "vapi", callId, status: "completed", summary: "A refill", durationSeconds: 60, direction: "inbound" },
    ...(callerNumber === undefined ? {} : { callerNumber }),
  });
const ran = (at: 0 | 1, callId: string, success: boolean) =>
  ctxOf(at).store.commit([], {
    ...{ category: "api_call", action: "tool.getOfficeInfo", resourceType: "Tool", callKey: keyOf(callId), success },
    detail: { tool: "getOfficeInfo", ms: 3, platform: "vapi" },
  });
/** As calls were stored before they were found by their number and their failed tools. */
const forget = async (at: 0 | 1, ...callIds: string[]) => {
  for (const callId of callIds)
    await ctxOf(at).store.writeUnaudited(
      update<CallRow>(keys.call(keyOf(callId)), { remove: ["numberHash", "numberEnding", "toolFailed"] }, { exists: true }),
    );
  await projectAll();
};
const byNumber = async (at: 0 | 1) => (await searchCalls(ctxOf(at), { by: "number", number })).found.map(({ call }) => call.id).toSorted();
const failed = async (at: 0 | 1) => (await listCalls(ctxOf(at), { toolFailed: true })).rows.map(({ id }) => id);
const audits = async (at: 0 | 1): Promise<AuditRow[]> => {
  const month = new Date().toISOString().slice(0, 7);
  const { rows } = await ctxOf(at).store.query<AuditRow>(keys.tenantPartitions.audit(it.tenants[at], month, "configuration_change"));
  return rows.filter(({ action }) => action === "retention.apply");
};
/** Applies the request and returns the number of files that were read. */
const readBy = async (at: 0 | 1): Promise<number> => {
  let read = 0;
  it.fault(({ operation }) => (operation === "GetObject" && read++, undefined));
  await apply(at);
  it.fault();
  return read;
};

describe("U05: calls of before they were found by number and failed tools", () => {
  test("are found by both after the daily run, of their own tenant, and the reading is audited", async () => {
    for (const at of [0, 1] as const) {
      for (const callId of ["a", "b"]) await ended(at, callId, number);
      await ran(at, "a", false);
      await ran(at, "b", true);
      await projectAll();
      await forget(at, "a", "b");
      expect([await byNumber(at), await failed(at)]).toEqual([[], []]);
    }
    await daily();
    await apply(0);
    await projectAll();
    expect([await byNumber(0), await failed(0)]).toEqual([[keyOf("a"), keyOf("b")].toSorted(), [keyOf("a")]]);
    expect(await callOf(0, "b")).toMatchObject({ numberEnding: "0101", toolFailed: false });
    expect([await byNumber(1), await failed(1)]).toEqual([[], []]);
    expect(await audits(0)).toMatchObject([{ detail: { numbers: 2 } }]);
    const done = await runOf(0);
    await daily();
    expect(await runOf(0)).toEqual(done);
  });

  test("are filled in by an invocation that continues where another one ended, each once", async () => {
    const callIds = Array.from({ length: 5 }, (_, at) => `call-${at}`);
    for (const callId of callIds) await ended(0, callId, number);
    await forget(0, ...callIds);
    await daily();
    let writes = 0;
    it.fault(({ operation }) => (operation === "UpdateItem" && ++writes > 4 ? "drop" : undefined));
    await expect(apply(0)).rejects.toThrow();
    it.fault();
    await apply(0);
    await projectAll();
    expect(await byNumber(0)).toEqual(callIds.map(keyOf).toSorted());
  });

  test("without a number are looked at once, and one that cannot be read stops no other", async () => {
    await ended(0, "none");
    await ended(0, "broken", number);
    await ended(0, "well", number);
    await forget(0, "none", "broken", "well");
    const { transcript, summary } = (await callOf(0, "broken"))!;
    const file = (transcript ?? summary)!;
    await ctxOf(0).store.writeUnaudited(
      update<CallRow>(keys.call(keyOf("broken")), { set: { summary: { ...file, sha256: "0".repeat(64) } } }, { exists: true }),
    );
    await daily();
    expect(await readBy(0)).toBe(3);
    expect(await callOf(0, "none")).toMatchObject({ hasNumber: false });
    await projectAll();
    expect(await byNumber(0)).toEqual([keyOf("well")]);
    await ctxOf(0).store.writeUnaudited(update<RetentionRunRow>(keys.retentionRun(), { remove: ["fillsFacts"] }, { exists: true }));
    await daily();
    expect(await readBy(0)).toBe(1);
  });
});
