import { followUpCall, recordCallEvent } from "@vitaline/calls";
import { newId } from "@vitaline/core";
import { handleLead, storeLead } from "@vitaline/leads";
import { keys, remove, type RetentionRunRow, type TenantContext, type ToDoRow } from "@vitaline/store";
import { changeToDo, closeTask, createTask, listToDo, readToDo } from "@vitaline/tasks";
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

const ctxOf = (at: 0 | 1): TenantContext =>
  it.inTenant(it.tenants[at], { kind: "user", id: "nurse", role: "tenant_admin", tenantId: it.tenants[at] });
const projectAll = async (): Promise<void> => {
  const [records = []] = await stream.read();
  await project(it.platform(), { shardId: "shardId-0", Records: records.slice(passed).map(({ record }) => record) });
  passed = records.length;
};
const invocation = () => ({ awsRequestId: newId(), getRemainingTimeInMillis: () => 600_000 });
const daily = () => handler({}, invocation());
const apply = async (at: 0 | 1) => {
  const { id } = (await ctxOf(at).store.get<RetentionRunRow>(keys.retentionRun()))!;
  await handler({ tenantId: it.tenants[at], retentionId: id }, invocation());
};
const open = async (at: 0 | 1) => (await listToDo(ctxOf(at), {})).rows;

/** An open and a done one of each kind of work; returns the open ones' ids. */
async function work(at: 0 | 1): Promise<string[]> {
  const ctx = ctxOf(at);
  const made: string[] = [];
  for (const isDone of [false, true]) {
    const id = newId();
    const about = { tool: "sendCommunicationFhir", action: "refill_request", patientId: "p1" };
    await ctx.store.commit([await createTask(ctx, id, { kind: "message", about })], {
      ...{ category: "api_call", action: "task.create", resourceType: "Task" },
    });
    const contact = { name: "Jane Example", phone: "555 0142", email: undefined, note: undefined };
    const lead = await storeLead(ctx, { reason: "billing", contact });
    const callId = isDone ? "followed up" : "missed";
    await recordCallEvent(ctx, { platform: "vapi", callId, status: "no_answer" });
    if (isDone) {
      await closeTask(ctx, id, true);
      await handleLead(ctx, lead.id, true);
      await followUpCall(ctx, keys.callKeyOf("vapi", callId), { done: true });
    } else made.push(id, lead.id);
  }
  await recordCallEvent(ctx, { platform: "vapi", callId: "well", status: "completed", success: true });
  await projectAll();
  return made;
}

const forget = async (at: 0 | 1, isForgotten: (row: ToDoRow) => boolean = () => true) => {
  const ctx = ctxOf(at);
  const { rows } = await ctx.store.query<ToDoRow>(keys.tenantPartitions.toDo(ctx.tenantId));
  for (const row of rows.filter(isForgotten))
    await it
      .platform()
      .platform.inTenant(ctx.tenantId)
      .writeUnaudited(remove(keys.toDo(row.id)));
};

describe("work of before the list of work existed", () => {
  test("is on it after the daily run: what is open, each once, of its own tenant", async () => {
    for (const at of [0, 1] as const) {
      await work(at);
      await forget(at);
      expect(await open(at)).toEqual([]);
    }
    await daily();
    await apply(0);
    const items = await open(0);
    expect(items.map(({ kind }) => kind).toSorted()).toEqual(["lead", "message", "unanswered_call"]);
    expect((await listToDo(ctxOf(0), { done: true })).rows).toEqual([]);
    expect(await open(1)).toEqual([]);
    await apply(1);
    await projectAll();
    expect(await open(0)).toEqual(items);
    for (const { id } of items) expect(await changeToDo(ctxOf(0), id, { done: true })).toMatchObject({ doneAt: expect.any(String) });
    expect(await open(0)).toEqual([]);
  });

  test("stays as it is where it is on the list already, with its owner's note and also when it is done", async () => {
    const [task = "", lead = ""] = await work(0);
    await changeToDo(ctxOf(0), task, { note: "Asked Dr. Who" });
    await changeToDo(ctxOf(0), lead, { done: true });
    await projectAll();
    await forget(0, ({ source }) => source === "call");
    await daily();
    await apply(0);
    expect((await open(0)).map(({ kind }) => kind).toSorted()).toEqual(["message", "unanswered_call"]);
    expect((await readToDo(ctxOf(0), task)).note).toBe("Asked Dr. Who");
    expect((await listToDo(ctxOf(0), { done: true })).rows.map(({ id }) => id)).toContain(lead);
  });
});
