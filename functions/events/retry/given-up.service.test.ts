import { listKeptEvents } from "@vitaline/calls/platform-kept-events.ts";
import { createTask, listToDo } from "@vitaline/tasks";
import { newId } from "@vitaline/core";
import { type DueRow, keys, put, remove } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { addTenantRow } from "../../../test/kit/store/tenant-row.ts";
import { ingestOrKeep } from "../../lib/call-events/ingest.ts";
import { shardedStream } from "../../lib/dynamodb-stream/stream.fixture.ts";
import { handler as projectHandler } from "../project/handler.ts";
import { handler, maxReplays } from "./handler.ts";

let it: TestAws;
/** Metrics that the log has told CloudWatch, without zeros. */
let metrics: Set<string>;
beforeEach(async () => {
  it = await startTestAws();
  for (const id of it.tenants) await addTenantRow(it.platform(), id, "Clinic");
  process.env["AWS_LAMBDA_FUNCTION_NAME"] = "vitaline-test-events-retry";
  metrics = new Set();
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    const line = JSON.parse(String(text)) as Record<string, unknown> & {
      _aws?: { CloudWatchMetrics: { Metrics: { Name: string }[] }[] };
    };
    for (const { Metrics } of line._aws?.CloudWatchMetrics ?? [])
      for (const { Name } of Metrics) if (Number(line[Name]) > 0 && Name !== "BacklogAge") metrics.add(Name);
    return true;
  });
});
afterEach(async () => {
  delete process.env["AWS_LAMBDA_FUNCTION_NAME"];
  vi.restoreAllMocks();
  await it.close();
});

test("an alarm can tell of a call's report that was given up after ten hours, and is deleted after thirty days", async () => {
  const ctx = it.inTenant(it.tenants[0]);
  it.fault(({ operation }) => (operation === "PutObject" ? { status: 403, code: "AccessDenied", message: "no" } : undefined));
  const report = { type: "end-of-call-report", call: { id: "lost" }, analysis: { summary: "A refill" } };
  // The platform is told that all is well, and does not send it again.
  expect(await ingestOrKeep(ctx, "vapi", { message: report })).toBe(true);
  for (let time = 0; time < maxReplays; time++) {
    for (const shard of ["0", "1", "2", "3"])
      for (const row of (await it.platform().platform.query<DueRow>(partitions.due(shard))).rows) {
        const dueAt = new Date(Date.now() - 1000).toISOString();
        await ctx.store.writeUnaudited(remove(keys.due(shard, row.dueAt, row.kind, row.id)));
        await ctx.store.writeUnaudited(put(keys.due(shard, dueAt, row.kind, row.id), { ...row, dueAt }));
      }
    await handler(
      {},
      { awsRequestId: "retry", functionName: "retry", invokedFunctionArn: "retry", getRemainingTimeInMillis: () => 55_000 },
    );
  }
  expect((await listKeptEvents(it.platform(), { limit: 10 })).rows).toMatchObject([{ tries: maxReplays, nextTryAt: null }]);
  expect([...metrics]).not.toEqual([]);
});

test("a caller's request of a kind that the next release has added is on the list of work, or an alarm can tell that it is not", async () => {
  const ctx = it.inTenant(it.tenants[0]);
  const id = newId();
  const task = await createTask(ctx, id, { kind: "message", about: { tool: "sendCommunicationFhir" } });
  if (task.verb !== "put") throw new Error("A task is put");
  // While a deployment runs, the API is new, and events/project is not.
  await ctx.store.commit([{ ...task, row: { ...task.row, kind: "of_the_next_release" } }], {
    ...{ category: "api_call", action: "task.create", resourceType: "Task" },
  });
  const [records = []] = await shardedStream(it, { shards: 1, recordsPerShard: 1000 }).read();
  const event = { shardId: "shardId-0", Records: records.map(({ record }) => record) };
  await projectHandler(event, { awsRequestId: "project", getRemainingTimeInMillis: () => 60_000 });
  const { rows } = await listToDo(ctx, {});
  expect([rows.map((item) => item.id), [...metrics]]).not.toEqual([[], []]);
});
