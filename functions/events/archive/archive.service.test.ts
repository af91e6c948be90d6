import { gunzipSync } from "node:zlib";
import { archiveRows, verifyTenant } from "@vitaline/audit";
import { isAppError } from "@vitaline/core";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DeleteCommand, DynamoDBDocumentClient, PutCommand } from "@aws-sdk/lib-dynamodb";
import { auditCategories, keys, put, type AuditRow } from "@vitaline/store";
import type { PlatformStore } from "@vitaline/store/platform.ts";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { positionOf, shardHash } from "../../lib/dynamodb-stream/stream-event.ts";
import { type Delivered, shardedStream } from "../../lib/dynamodb-stream/stream.fixture.ts";
import { handler } from "./handler.ts";
import { readAuditRow } from "../../lib/dynamodb-stream/audit-rows.ts";

const bucket = "vitaline-test-archive";
let test: TestAws;
beforeEach(async () => {
  test = await startTestAws();
  await test.aws.s3.ensureBucket({ name: bucket, versioned: true, objectLock: { days: 1, mode: "COMPLIANCE" } });
  process.env["ARCHIVE_BUCKET"] = bucket;
});
afterEach(async () => {
  delete process.env["ARCHIVE_BUCKET"];
  await test.close();
});

/** mulberry32: the same seed gives the same run. */
const randomFrom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};
const seed = Number(process.env["SEED"] ?? 20_260_601);
const facts = process.env["FULL"] ? 3000 : 120;
const random = randomFrom(seed);
const chance = (p: number) => random() < p;
const below = (n: number) => Math.floor(random() * n);

const crash = new Error("The function stopped here");
let crashes = 0;
let spared = 0;

/** Late writes of invocations that were considered dead. */
const late: (() => Promise<unknown>)[] = [];

/** A store whose process may die before or after the head moves, or that moves it much later. */
const mortal = (store: PlatformStore): PlatformStore => ({
  ...store,
  inTenant: (tenantId) => mortal(store.inTenant(tenantId)),
  writeUnaudited: async <Row>(write: Parameters<PlatformStore["writeUnaudited"]>[0]) => {
    const [dies, before] = [chance(0.1), chance(0.5)];
    if (dies) crashes += 1;
    if (dies && before && chance(0.5)) late.push(() => store.writeUnaudited(write));
    if (dies && before) throw crash;
    const row = await store.writeUnaudited<Row>(write);
    if (dies) throw crash;
    return row;
  },
  writeAllUnaudited: async (writes) => {
    const [dies, before] = [chance(0.1), chance(0.5)];
    if (dies) crashes += 1;
    if (dies && before && chance(0.5)) late.push(() => store.writeAllUnaudited(writes));
    if (dies && before) throw crash;
    const isWritten = await store.writeAllUnaudited(writes);
    if (dies) throw crash;
    return isWritten;
  },
});

const deliver = async (batch: Delivered[]): Promise<boolean> => {
  const [first] = batch;
  if (!first) return true;
  const ctx = test.platform({ kind: "system", id: "archive" });
  const arrived = batch.flatMap(({ record }) => readAuditRow(record));
  try {
    await archiveRows({ ...ctx, platform: mortal(ctx.platform) }, shardHash(first.shardId), arrived);
    return true;
  } catch (error) {
    // Unavailability is retried too
    if (error !== crash && !isAppError(error, "unavailable") && !(error instanceof Error && error.name === "AccessDenied")) throw error;
    return false;
  }
};

/** Retries as Lambda does: the whole batch, or its halves. */
const deliverAtLast = async (batch: Delivered[]): Promise<void> => {
  while (!(await deliver(batch))) {
    if (batch.length === 1 || chance(0.5)) continue;
    const middle = 1 + below(batch.length - 1);
    await deliverAtLast(batch.slice(0, middle));
    await deliverAtLast(batch.slice(middle));
    return;
  }
};

const idsInArchive = async (tenantId: string | undefined): Promise<string[]> => {
  const ids: string[] = [];
  for (let number = 1; ; number++) {
    const object = await test.aws.s3.get(bucket, `archive/${tenantId ?? "platform"}/${String(number).padStart(10, "0")}.ndjson.gz`);
    if (!object) return ids;
    const [, ...lines] = gunzipSync(object.body).toString().trimEnd().split("\n");
    ids.push(...lines.map((line) => (JSON.parse(line) as { row: { id: string } }).row.id));
  }
};

it(`every audit row is in its chain once, with batches cut, repeated, overtaken and broken off at any write (seed ${seed})`, async () => {
  const stream = shardedStream(test, { shards: 4, recordsPerShard: 150 });
  const done = [0, 0, 0, 0];
  const written = new Map<string | undefined, number>();
  const happen = async () => {
    const tenantId = [...test.tenants, undefined][below(3)];
    const { platform } = test.platform();
    const audit = { category: auditCategories[below(4)] ?? "api_call", action: "test.act", resourceType: "Test" };
    await (tenantId ? platform.inTenant(tenantId) : platform).commit([], audit);
    written.set(tenantId, (written.get(tenantId) ?? 0) + 1);
  };
  const step = async () => {
    const shard = below(4);
    const lineage = (await stream.read())[shard] ?? [];
    const from = done[shard] ?? 0;
    const rest = lineage.slice(from, from + 1 + below(25));
    const batch = rest.filter(({ shardId }) => shardId === rest[0]?.shardId);
    // Puts that failed, and puts that succeeded without a response.
    test.fault(({ service, operation }) => {
      if (service !== "s3" || operation !== "PutObject") return undefined;
      // The order of puts varies, so chance alone may hit too few
      if (!chance(0.08) && ++spared % 8 !== 0) return undefined;
      crashes += 1;
      return chance(0.5) ? "after" : { status: 403, code: "AccessDenied", message: "not now" };
    });
    if (chance(0.15)) await Promise.all([deliver(batch), deliver(batch.slice(0, 1 + below(batch.length)))]);
    await deliverAtLast(batch);
    test.fault();
    if (chance(0.3)) await late[below(late.length)]?.();
    if (chance(0.15)) return; // redelivered in other batches
    done[shard] = from + batch.length;
    if (chance(0.15)) await deliver(lineage.slice(below(from + 1), done[shard]).filter(({ shardId }) => shardId === rest[0]?.shardId));
  };

  for (let fact = 0; fact < facts; fact++) {
    await happen();
    if (chance(0.2)) await step();
  }
  const behind = async () => (await stream.read()).some((lineage, shard) => (done[shard] ?? 0) < lineage.length);
  while (await behind()) await step();
  for (const write of late) await write();

  for (const [tenantId, count] of written) {
    const found = await verifyTenant(test.platform(), tenantId);
    expect(found).toMatchObject({ tenantId, rows: count, intactRows: count, waiting: 0, flaws: [] });
    expect(new Set(await idsInArchive(tenantId)).size).toBe(count);
    expect(await idsInArchive(tenantId)).toHaveLength(count);
  }
  expect(crashes).toBeGreaterThan(facts / 30);
});

it("the function archives only the audit rows of a batch, and returns the response that Lambda requires", async () => {
  const [mine] = test.tenants;
  const invocation = { awsRequestId: "r", getRemainingTimeInMillis: () => 60_000 };
  const stream = test.aws.dynamodb.stream(process.env["TABLE_NAME"] ?? "");
  const newEvent = async () => {
    const Records = await stream.read("handler", 1000);
    await stream.ack("handler", Records.at(-1)?.dynamodb.SequenceNumber ?? "");
    return { shardId: "shardId-0-0", Records };
  };
  await test.inTenant(mine).store.commit([], { category: "data_query", action: "test.before", resourceType: "Test" });
  await handler(await newEvent(), invocation);
  const before = await verifyTenant(test.platform(), mine);
  expect(before).toMatchObject({ batches: 1, rows: 1, flaws: [] });
  // Rows written by chaining and verifying
  await newEvent();
  await test
    .platform()
    .platform.inTenant(mine)
    .writeUnaudited(put(keys.stats("TOTAL"), { totalCalls: 1 }));
  await test.inTenant(mine).store.commit([], { category: "data_query", action: "test.act", resourceType: "Test", detail: { half: 0.5 } });
  const event = await newEvent();
  expect(event.Records).toHaveLength(2);
  for (const _again of [1, 2]) expect(await handler(event, invocation)).toEqual({ state: {}, batchItemFailures: [] });
  expect(await verifyTenant(test.platform(), mine)).toMatchObject({ batches: before.batches + 1, rows: before.rows + 1, flaws: [] });
});

const shards = process.env["FULL"] ? 1000 : 60;
it(`A02: a batch costs the same units in a chain that ${shards} shards have written, and the head stays as small`, async () => {
  const tenantId = test.tenants[1];
  const ctx = test.platform({ kind: "system", id: "archive" });
  const row = (shard: number) => ({
    tenantId,
    position: positionOf("1"),
    row: { id: String(shard), at: new Date().toISOString(), expiresAt: 4e9 },
  });
  const archived = async (shard: number) => {
    test.resetUsage();
    await archiveRows(ctx, `shard-${shard}`, [row(shard)]);
    const head = await ctx.platform.inTenant(tenantId).get(keys.tenantChain());
    return [Object.keys(head ?? {}).length, test.usage().reduce((sum, { writeUnits }) => sum + writeUnits, 0)];
  };
  await archived(0);
  const before = await archived(1);
  for (let shard = 2; shard < shards; shard++) await archiveRows(ctx, `shard-${shard}`, [row(shard)]);
  expect(await archived(shards)).toEqual(before);
  expect(before[1]).toBe(4);
});

it("A06: an audit row that is changed, or deleted before it expires, is reported, and its archived copy stays", async () => {
  const [tenantId] = test.tenants;
  const { platform } = test.platform();
  const stream = test.aws.dynamodb.stream(process.env["TABLE_NAME"] ?? "");
  const deliverRest = async (): Promise<void> => {
    const Records = await stream.read("changes", 1000);
    await stream.ack("changes", Records.at(-1)?.dynamodb.SequenceNumber ?? "");
    await handler({ shardId: "shardId-0-0", Records }, { awsRequestId: "r", getRemainingTimeInMillis: () => 60_000 });
  };
  for (const _row of [1, 2, 3])
    await platform.inTenant(tenantId).commit([], { category: "data_query", action: "test.act", resourceType: "Test" });
  await deliverRest();
  const month = new Date().toISOString().slice(0, 7);
  const { rows } = await platform.query<AuditRow>(keys.tenantPartitions.audit(tenantId, month, "data_query"));
  const place = ({ id }: AuditRow) => ({ pk: keys.tenantPartitions.audit(tenantId, month, "data_query"), sk: id });
  const [changed, deleted, expired] = rows as [AuditRow, AuditRow, AuditRow];
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
  const TableName = process.env["TABLE_NAME"];
  await client.send(new PutCommand({ TableName, Item: { ...changed, ...place(changed), action: "test.other" } }));
  await client.send(new DeleteCommand({ TableName, Key: place(deleted) }));
  await test.aws.dynamodb.sweepExpired(expired.expiresAt * 1000 + 1000);

  const lines: string[] = [];
  const writing = vi.spyOn(process.stdout, "write").mockImplementation((line) => lines.push(String(line)) > 0);
  await deliverRest();
  writing.mockRestore();
  const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ event }) => event === "audit.changed");
  expect(told.map(({ level, tenantId: of, operation }) => [level, of, operation])).toEqual([
    ["error", tenantId, "MODIFY"],
    ["error", tenantId, "REMOVE"],
  ]);
  expect(await idsInArchive(tenantId)).toEqual(rows.map(({ id }) => id));
});
