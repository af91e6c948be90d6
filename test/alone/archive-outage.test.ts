import { gunzipSync } from "node:zlib";
import { archiveLostRows, auditStatus, feedKey, feedRow, rearchive, verifyTenant } from "@vitaline/audit";
import { auditCategories, type AuditRow, create, keys, put, rowsOf, type TenantDirectoryRow } from "@vitaline/store";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { forgetUnarchived, readUnarchived, unarchivedNames } from "@vitaline/aws";
import { openFailureQueues } from "../../packages/local-cloud/events/failure-queue.ts";
import { runStreamTrigger, type RunningTrigger } from "../../packages/local-cloud/events/stream.ts";
import { handler as archive } from "../../functions/events/archive/handler.ts";
import { lostRows } from "../../functions/lib/dynamodb-stream/audit-rows.ts";
import { handler as verify } from "../../functions/events/verify/handler.ts";
import { startTestAws, type TestAws } from "../kit/aws.ts";

const archiveBucket = "vitaline-test-archive-outage";
const unarchivedBucket = "vitaline-test-unarchived";
const hourMs = 3_600_000;
const invocation = { awsRequestId: "r", getRemainingTimeInMillis: () => 900_000 };

let it: TestAws;
beforeAll(async () => {
  it = await startTestAws();
  const policy = [
    {
      Effect: "Deny" as const,
      Principal: { AWS: "*" },
      Action: "s3:PutObject",
      Resource: `arn:aws:s3:::${archiveBucket}/archive/*`,
      Condition: { Null: { "s3:if-none-match": "true" }, Bool: { "s3:ObjectCreationOperation": "true" } },
    },
  ];
  await it.aws.s3.ensureBucket({ name: archiveBucket, versioned: true, objectLock: { days: 2562, mode: "COMPLIANCE" }, policy });
  await it.aws.s3.ensureBucket({ name: unarchivedBucket, versioned: true });
  Object.assign(process.env, { ARCHIVE_BUCKET: archiveBucket, UNARCHIVED_BUCKET: unarchivedBucket });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
});
afterAll(async () => {
  vi.useRealTimers();
  await it.close();
});

const pass = (hours: number): void => void vi.setSystemTime(Date.now() + hours * hourMs);
const stream = () => it.aws.dynamodb.stream(process.env["TABLE_NAME"] ?? "");
const chains = () => [...it.tenants, undefined];

let written = 0;
/** A row in each chain, as calls and sign-ins write them. */
const act = async (): Promise<void> => {
  const { platform } = it.platform();
  for (const tenantId of chains()) {
    const audit = { category: auditCategories[written % 4] ?? "api_call", action: "test.act", resourceType: "Test" };
    await (tenantId === undefined ? platform : platform.inTenant(tenantId)).commit([], audit);
  }
  written += 1;
};

/** The archive's event source mapping, as the template defines it. */
function startArchiving(): RunningTrigger & { gaveUp(): number } {
  let gaveUp = 0;
  const trigger = {
    id: "Archiving",
    where: "test",
    tableName: process.env["TABLE_NAME"] ?? "",
    streamArn: "arn:aws:dynamodb:us-east-1:000000000000:table/vitaline-test/stream/1",
    functionArn: "arn:aws:lambda:us-east-1:000000000000:function:archive",
    batchSize: 5,
    windowMs: 0,
    tumblingMs: 15 * 60_000,
    maxAgeMs: 23 * hourMs,
    bisect: true,
    reportsItemFailures: false,
    patterns: [],
    failureBucket: unarchivedBucket,
  };
  const failures = openFailureQueues(undefined, (bucket, key, body) => it.aws.s3.put(bucket, key, body));
  const running = runStreamTrigger(trigger, stream(), {
    retryMs: 1,
    invoke: async (_functionArn, event) =>
      archive(event, invocation).then(
        (answer) => ({ ok: true as const, requestId: "r", payload: JSON.stringify(answer) }),
        (error: Error) => ({ ok: false as const, requestId: "r", reason: "error" as const, message: error.message }),
      ),
    giveUp: async (records, reason) => {
      await failures.addBatch(trigger, records, reason);
      gaveUp += records.length;
    },
  });
  return { ...running, gaveUp: () => gaveUp };
}

/** What the projection, which works throughout, writes into the feed. */
async function project(): Promise<void> {
  const { platform } = it.platform();
  const months = new Set([0, 2, 4].map((days) => new Date(Date.now() - days * 24 * hourMs).toISOString().slice(0, 7)));
  for (const month of months)
    for (const category of auditCategories)
      for (const partition of [
        keys.partitions.platformAudit(month, category),
        ...it.tenants.map((tenantId) => keys.tenantPartitions.audit(tenantId, month, category)),
      ])
        for await (const row of rowsOf<AuditRow>(platform, partition)) await platform.writeUnaudited(put(feedKey(row), feedRow(row)));
}

/** The log events of the scheduled verification, with their tenants. */
async function scheduledVerification(): Promise<{ event: string; tenantId?: string; code?: string }[]> {
  const lines: string[] = [];
  const writing = vi.spyOn(process.stdout, "write").mockImplementation((line) => lines.push(String(line)) > 0);
  await verify({}, invocation);
  writing.mockRestore();
  return lines.map((line) => JSON.parse(line) as { event: string; tenantId?: string; code?: string });
}
const eventsOf = (lines: { event: string }[]): string[] => lines.map(({ event }) => event);

const idsInArchive = async (tenantId: string | undefined): Promise<string[]> => {
  const ids: string[] = [];
  for (let number = 1; ; number++) {
    const object = await it.aws.s3.get(archiveBucket, `archive/${tenantId ?? "platform"}/${String(number).padStart(10, "0")}.ndjson.gz`);
    if (!object) return ids;
    const [, ...lines] = gunzipSync(object.body).toString().trimEnd().split("\n");
    ids.push(...lines.map((line) => (JSON.parse(line) as { row: { id: string } }).row.id));
  }
};

const redrive = async (): Promise<number> => {
  let rows = 0;
  for (const name of await unarchivedNames()) {
    rows += await archiveLostRows(it.platform(), lostRows(await readUnarchived(name)));
    await forgetUnarchived(name);
  }
  return rows;
};
const rearchiveAll = async (): Promise<number> => {
  let rows = 0;
  for (const tenantId of chains()) rows += await rearchive(it.platform(), tenantId);
  return rows;
};

test("A06: after two days without an archive, it is whole again: what was given up is redriven, what the stream lost comes from the table", async () => {
  for (const tenantId of it.tenants)
    await it
      .platform()
      .platform.commit(
        [create(keys.listedTenant(tenantId), { id: tenantId, name: tenantId, organizationType: "clinic" } as TenantDirectoryRow)],
        {
          category: "configuration_change",
          action: "test.create",
          resourceType: "Tenant",
        },
      );
  let archiving = startArchiving();
  for (let hour = 0; hour < 6; hour++) {
    await act();
    pass(1);
  }
  await archiving.drained();
  expect(eventsOf(await scheduledVerification())).toEqual(["backlog.found", "verify.done"]);

  // The first day: the bucket refuses, and Lambda gives up what is older than 23 hours
  it.fault(({ service, operation }) =>
    service === "s3" && operation === "PutObject" ? { status: 403, code: "AccessDenied", message: "down" } : undefined,
  );
  for (let hour = 0; hour < 8; hour++) {
    await act();
    pass(1);
  }
  const told = await scheduledVerification();
  expect(told.filter(({ event }) => event === "audit.damaged").map(({ tenantId, code }) => [tenantId, code])).toEqual(
    expect.arrayContaining(chains().map((tenantId) => [tenantId, "missing"])),
  );
  pass(20);
  await vi.waitFor(() => expect(archiving.gaveUp()).toBeGreaterThanOrEqual(8), { timeout: 60_000, interval: 20 });
  expect((await unarchivedNames()).length).toBeGreaterThan(0);

  // The second day: the function is gone, and the stream forgets what is older than a day
  await archiving.close();
  for (let hour = 0; hour < 20; hour++) {
    await act();
    pass(1.5);
  }
  await stream().dropOld(Date.now());
  it.fault();
  archiving = startArchiving();
  await act();
  await archiving.drained();

  await project();
  for (const tenantId of chains()) {
    const { flaws, isWhole } = await verifyTenant(it.platform(), tenantId);
    expect([isWhole, new Set(flaws.map(({ kind, where }) => `${kind} ${where}`))]).toEqual([false, new Set(["missing archive"])]);
  }
  // Only rows older than 25 hours are certain to be lost to the stream
  pass(2);
  expect(await redrive()).toBeGreaterThanOrEqual(8);
  expect(await rearchiveAll()).toBeGreaterThan(0);
  await archiving.drained();
  expect([await redrive(), await rearchiveAll(), (await unarchivedNames()).length]).toEqual([0, 0, 0]);
  await archiving.drained();
  await archiving.close();

  pass(2);
  for (const tenantId of chains()) {
    const found = await verifyTenant(it.platform(), tenantId);
    const rows = tenantId === undefined ? written + it.tenants.length : written;
    expect(found).toMatchObject({ rows, intactRows: rows, flaws: [], waiting: 0, isWhole: true });
    const ids = await idsInArchive(tenantId);
    expect([ids.length, new Set(ids).size]).toEqual([rows, rows]);
  }
  expect(eventsOf(await scheduledVerification())).toEqual(["backlog.found", "verify.done"]);
  const [tenantId] = it.tenants;
  expect(await auditStatus(it.inTenant(tenantId))).toMatchObject({ archivedRows: written, intact: true });
});
