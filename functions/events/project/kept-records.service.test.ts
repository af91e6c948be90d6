import { replayKeptEvent } from "@vitaline/calls";
import { listKeptEvents } from "@vitaline/calls/platform-kept-events.ts";
import { newId } from "@vitaline/core";
import { keys, type KeptEventContentRow, put, type StatsRow } from "@vitaline/store";
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

/** A task of a kind, and a tool run of an audit category, that only the next release can read; in both tenants. */
async function workOfNextRelease(): Promise<string[]> {
  const ids: string[] = [];
  for (const tenantId of it.tenants) {
    const { store, ...ctx } = it.inTenant(tenantId);
    const id = newId();
    ids.push(id);
    const task = await createTask({ ...ctx, store }, id, { kind: "message", about: { tool: "sendCommunicationFhir" } });
    if (task.verb !== "put") throw new Error("A task is put");
    await store.commit([{ ...task, row: { ...task.row, kind: unknown } }], {
      ...{ category: unknown as "api_call", action: "tool.sendCommunicationFhir", resourceType: "Task" },
      detail: { tool: "sendCommunicationFhir", ms: 5, platform: "vapi" },
    });
  }
  const [records = []] = await shardedStream(it, { shards: 1, recordsPerShard: 1000 }).read();
  await handler({ shardId: "shardId-0", Records: records.map(({ record }) => record) }, invocation);
  return ids;
}

/** As a release that knows the words reads them. */
async function deployNextRelease(): Promise<void> {
  for (const tenantId of it.tenants)
    for (const row of (await it.inTenant(tenantId).store.query<KeptEventContentRow>(`TENANT#${tenantId}#INBOX`)).rows) {
      const read = row.body!.includes('"category"') ? "api_call" : "message";
      const body = row.body!.replaceAll(`{"S":"${unknown}"}`, `{"S":"${read}"}`);
      await it.inTenant(tenantId).store.writeUnaudited(put(keys.keptEventContent(row.id), { ...row, body }));
    }
}

const toDo = async () =>
  (await Promise.all(it.tenants.map(async (id) => (await listToDo(it.inTenant(id), {})).rows.map((item) => item.id)))).flat();
const toolRuns = async () =>
  Promise.all(
    it.tenants.map(async (id) => {
      const { rows } = await it.inTenant(id).store.query<StatsRow>(keys.tenantPartitions.stats(id));
      return rows.map((row) => row["tool_sendCommunicationFhir"]).filter((count) => count !== undefined);
    }),
  );

test("what only the next release can read is on the list of work, and counted once, as soon as that release runs", async () => {
  const ids = await workOfNextRelease();
  await runOnSchedule();
  expect([await toDo(), (await kept()).length]).toEqual([[], 4]);
  await deployNextRelease();
  await Promise.all([runOnSchedule(), runOnSchedule(), runOnSchedule()]);
  expect([await toDo(), await kept()]).toEqual([ids, []]);
  const once = await toolRuns();
  expect(once.map((counts) => new Set(counts))).toEqual([new Set([1]), new Set([1])]);
  await runOnSchedule();
  expect(await toolRuns()).toEqual(once);
});

test("a run that is cut off at any write leaves nothing uncounted, and counts nothing twice", async () => {
  const ids = await workOfNextRelease();
  await deployNextRelease();
  let writes = 0;
  for (let cut = 1, isDone = false; !isDone && cut < 100; cut++) {
    writes = 0;
    it.fault(({ operation }) =>
      /^(PutItem|UpdateItem|DeleteItem|TransactWriteItems)$/.test(operation) && ++writes === cut
        ? { status: 400, code: "AccessDeniedException", message: "cut off" }
        : undefined,
    );
    isDone = await runOnSchedule().then(
      () => true,
      () => false,
    );
  }
  it.fault();
  expect([await toDo(), await kept()]).toEqual([ids, []]);
  expect((await toolRuns()).map((counts) => new Set(counts))).toEqual([new Set([1]), new Set([1])]);
});
