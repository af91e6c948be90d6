import { replayKeptEvent } from "@vitaline/calls";
import { listKeptEvents } from "@vitaline/calls/platform-kept-events.ts";
import { newId } from "@vitaline/core";
import { keys, type KeptEventContentRow, put, remove, type StatsRow, type TaskRow } from "@vitaline/store";
import { createTask, listToDo } from "@vitaline/tasks";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { shardedStream } from "../../lib/dynamodb-stream/stream.fixture.ts";
import { handler } from "./handler.ts";
import { project } from "./project.ts";

let it: TestAws;
beforeEach(async () => {
  it = await startTestAws();
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await it.close();
});

const invocation = { awsRequestId: "project", getRemainingTimeInMillis: () => 60_000 };
/** As EventBridge starts it. */
const runOnSchedule = () => handler({ source: "aws.events", "detail-type": "Scheduled Event" }, invocation);
const kept = async () => (await listKeptEvents(it.platform(), { limit: 10 })).rows;

const change = (pk: string, sk: string, atSeconds: number, position: string) => ({
  eventName: "INSERT" as const,
  dynamodb: {
    SequenceNumber: position,
    ApproximateCreationDateTime: atSeconds,
    Keys: { pk: { S: pk }, sk: { S: sk } },
    NewImage: { endSeenAt: { S: "yesterday" }, rows: { S: "many" } },
  },
});

test("an unreadable record is listed once, for its tenant or the platform, and cannot be replayed by hand", async () => {
  const [tenantId] = it.tenants;
  const call = keys.call(keys.callKeyOf("vapi", "bad")).primaryKeyIn(tenantId);
  const chain = keys.platformChain().primaryKey;
  const Records = [change(chain.pk, chain.sk, 1_790_000_000, "2"), change(call.pk, call.sk, 1_790_000_001, "1")];
  for (let time = 0; time < 2; time++) await project(it.platform(), { shardId: "s", Records });
  await runOnSchedule();
  const rows = await kept();
  expect(rows).toMatchObject([
    { tenantId, from: "project", at: new Date(1_790_000_001_000).toISOString(), tries: 0, nextTryAt: null, replayable: false },
    { tenantId: null, from: "project", at: new Date(1_790_000_000_000).toISOString(), replayable: false },
  ]);
  expect(JSON.stringify(rows)).not.toContain("yesterday");
  const contents = await it.inTenant(tenantId).store.query<KeptEventContentRow>(`TENANT#${tenantId}#INBOX`);
  expect(contents.rows).toMatchObject([{ from: "project", body: expect.stringContaining("yesterday") }]);
  await expect(replayKeptEvent(it.inTenant(tenantId), rows[0]?.id ?? "")).rejects.toMatchObject({ code: "not_doable" });
});

const unknown = "of_the_next_release";

const streamed = async () => {
  const [records = []] = await shardedStream(it, { shards: 1, recordsPerShard: 1000 }).read();
  return { shardId: "shardId-0", Records: records.map(({ record }) => record) };
};

const opened = { category: "api_call", action: "task.create", resourceType: "Task" } as const;
async function openTask(tenantId: string, audit: object = opened): Promise<TaskRow> {
  const ctx = it.inTenant(tenantId);
  const task = await createTask(ctx, newId(), { kind: "message", about: { tool: "sendCommunicationFhir" } });
  if (task.verb !== "put") throw new Error("A task is put");
  const row = { ...task.row, kind: unknown } as unknown as TaskRow;
  await ctx.store.commit([put(keys.task(row.id), row)], audit as typeof opened);
  return row;
}

const toolRun = {
  ...{ category: unknown as "api_call", action: "tool.sendCommunicationFhir", resourceType: "Task" },
  detail: { tool: "sendCommunicationFhir", ms: 5, platform: "vapi" },
};

/** A task of a kind, and a tool run of an audit category, that only the next release can read; in both tenants. */
async function workOfNextRelease(): Promise<string[]> {
  const ids: string[] = [];
  for (const tenantId of it.tenants) ids.push((await openTask(tenantId, toolRun)).id);
  await handler(await streamed(), invocation);
  return ids;
}

/** As a release that knows the words reads them: in records and in rows. */
async function deployNextRelease(): Promise<void> {
  for (const tenantId of it.tenants) {
    const { store } = it.inTenant(tenantId);
    for (const row of (await store.query<TaskRow>(keys.tenantPartitions.tasks(tenantId))).rows)
      await store.commit([put(keys.task(row.id), { ...row, kind: "message" })], opened);
    for (const row of (await store.query<KeptEventContentRow>(`TENANT#${tenantId}#INBOX`)).rows) {
      const read = row.body!.includes('"category"') ? "api_call" : "message";
      const body = row.body!.replaceAll(`{"S":"${unknown}"}`, `{"S":"${read}"}`);
      await store.writeUnaudited(put(keys.keptEventContent(row.id), { ...row, body }));
    }
  }
}

const toDo = async () =>
  (await Promise.all(it.tenants.map(async (id) => (await listToDo(it.inTenant(id), {})).rows.map((item) => item.id)))).flat();
/** Of both tenants, by row of sums. */
const toolRuns = () =>
  Promise.all(
    it.tenants.map(async (id) => {
      const { rows } = await it.inTenant(id).store.query<StatsRow>(keys.tenantPartitions.stats(id));
      return new Set(rows.map((row) => row["tool_sendCommunicationFhir"]).filter((count) => count !== undefined));
    }),
  );

test("what only the next release can read is on the list of work, and counted once, as soon as that release runs", async () => {
  const ids = await workOfNextRelease();
  await runOnSchedule();
  expect([await toDo(), (await kept()).length]).toEqual([[], 4]);
  await deployNextRelease();
  await Promise.all([runOnSchedule(), runOnSchedule(), runOnSchedule()]);
  for (let time = 0; time < 2; time++, await runOnSchedule())
    expect([await toDo(), await kept(), await toolRuns()]).toEqual([ids, [], [new Set([1]), new Set([1])]]);
});

test("a run that is cut off at any write leaves nothing uncounted, and counts nothing twice", async () => {
  const ids = await workOfNextRelease();
  await deployNextRelease();
  for (let cut = 1, isDone = false; !isDone && cut < 100; cut++) {
    let writes = 0;
    it.fault(({ operation }) =>
      /^(PutItem|UpdateItem|DeleteItem|TransactWriteItems)$/.test(operation) && ++writes === cut
        ? { status: 400, code: "AccessDeniedException", message: "cut off" }
        : undefined,
    );
    isDone = (await runOnSchedule().catch(() => undefined)) !== undefined && writes < cut;
  }
  it.fault();
  expect([await toDo(), await kept(), await toolRuns()]).toEqual([ids, [], [new Set([1]), new Set([1])]]);
});

test("a batch that is delivered again is counted once, whichever release gets it and when the schedule runs", async () => {
  const [tenantId] = it.tenants;
  const { store } = it.inTenant(tenantId);
  for (const category of [unknown, "api_call"]) await store.commit([], { ...toolRun, category: category as "api_call" });
  const batch = await streamed();
  const readable = JSON.parse(JSON.stringify(batch).replaceAll(`{"S":"${unknown}"}`, '{"S":"api_call"}')) as typeof batch;
  it.fault(({ operation }) =>
    operation === "TransactWriteItems" ? { status: 400, code: "AccessDeniedException", message: "no" } : undefined,
  );
  await expect(handler(batch, invocation)).rejects.toThrow();
  it.fault();
  for (const delivered of [batch, batch, readable, batch]) {
    await handler(delivered, invocation);
    await deployNextRelease();
    await runOnSchedule();
  }
  expect([await kept(), (await toolRuns())[0]]).toEqual([[], new Set([2])]);
});

test("a record whose writes are refused does not keep others waiting", async () => {
  const [tenantId] = it.tenants;
  const ids = [(await openTask(tenantId)).id, (await openTask(tenantId)).id];
  await handler(await streamed(), invocation);
  await deployNextRelease();
  let updates = 0;
  it.fault(({ operation }) =>
    operation === "UpdateItem" && updates++ === 0 ? { status: 400, code: "ValidationException", message: "no" } : undefined,
  );
  await expect(runOnSchedule()).rejects.toThrow();
  it.fault();
  expect([(await toDo()).length, (await kept()).length]).toEqual([1, 1]);
  await runOnSchedule();
  expect([(await toDo()).toSorted(), await kept()]).toEqual([ids.toSorted(), []]);
});

test("work that was closed or deleted meanwhile is not open on the list", async () => {
  const [tenantId] = it.tenants;
  const { store } = it.inTenant(tenantId);
  const [closed, deleted, open] = [await openTask(tenantId), await openTask(tenantId), await openTask(tenantId)];
  await handler(await streamed(), invocation);
  await store.commit([put(keys.task(closed.id), { ...closed, closedAt: new Date().toISOString(), version: closed.version + 1 })], opened);
  await store.commit([remove(keys.task(deleted.id))], opened);
  const later = await streamed();
  await handler(later, invocation);
  await deployNextRelease();
  await runOnSchedule();
  const items = await Promise.all([closed, deleted, open].map(({ id }) => store.get(keys.toDo(id))));
  expect(items.map((item) => item !== undefined && item.doneAt === undefined)).toEqual([false, false, true]);
});
