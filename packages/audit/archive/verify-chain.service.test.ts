import { gunzipSync, gzipSync } from "node:zlib";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DeleteCommand, DynamoDBDocumentClient, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { newId } from "@vitaline/core";
import { auditCategories, keys, put, type AuditRow, type ChainRow } from "@vitaline/store";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { chainHash } from "./chain.ts";
import { archivedChains, archiveRows, feedKey, feedRow, verifyFeed, verifyTenant, type Flaw } from "../index.ts";

const bucket = "vitaline-test-archive";
let aws: TestAws;
beforeAll(async () => {
  aws = await startTestAws();
  await aws.aws.s3.ensureBucket({ name: bucket, versioned: true, objectLock: { days: 1, mode: "COMPLIANCE" } });
  process.env["ARCHIVE_BUCKET"] = bucket;
  db = DynamoDBDocumentClient.from(new DynamoDBClient({}));
});
afterAll(async () => {
  delete process.env["ARCHIVE_BUCKET"];
  await aws.close();
});

const month = () => new Date().toISOString().slice(0, 7);
const lastYear = () => new Date(Date.now() - 300 * 86_400_000).toISOString().slice(0, 7);
const byKind = (a: Flaw, b: Flaw): number => a.kind.localeCompare(b.kind);
const system = () => aws.platform({ kind: "system", id: "test" });

/** A tenant's audit rows of all categories, oldest first. */
const act = async (tenantId: string, count: number): Promise<AuditRow[]> => {
  const { store } = aws.inTenant(tenantId);
  const before = new Set((await rowsOf(tenantId)).map(({ id }) => id));
  for (let at = 0; at < count; at++)
    await store.commit([], {
      category: auditCategories[at % 4] ?? "api_call",
      action: "test.act",
      resourceType: "Test",
      resourceId: `thing${at}`,
      detail: { at, half: at / 2, who: "Zoë" },
    });
  return (await rowsOf(tenantId)).filter(({ id }) => !before.has(id));
};
const rowsOf = async (tenantId: string): Promise<AuditRow[]> => {
  const { store } = aws.inTenant(tenantId);
  const pages = await Promise.all(
    auditCategories.map((category) => store.query<AuditRow>(keys.tenantPartitions.audit(tenantId, month(), category))),
  );
  return pages.flatMap(({ rows }) => rows).toSorted((a, b) => (a.id < b.id ? -1 : 1));
};
let position = 0;
const archive = (tenantId: string, rows: readonly AuditRow[]) =>
  archiveRows(
    system(),
    "lane",
    rows.map((row) => ({ tenantId, row, position: String(++position).padStart(40, "0") })),
  );
const batchKey = (tenantId: string, number: number) => `archive/${tenantId}/${String(number).padStart(10, "0")}.ndjson.gz`;
const linesOf = async (tenantId: string, number: number): Promise<string[]> => {
  const object = await aws.aws.s3.get(bucket, batchKey(tenantId, number));
  return gunzipSync(object?.body ?? Buffer.alloc(0))
    .toString()
    .trimEnd()
    .split("\n");
};
const overwrite = (tenantId: string, number: number, lines: string[]) =>
  aws.aws.s3.put(bucket, batchKey(tenantId, number), gzipSync(`${lines.join("\n")}\n`));

let db: DynamoDBDocumentClient;
const address = ({ tenantId, category, id }: AuditRow) => ({ pk: `TENANT#${tenantId}#AUDIT#${month()}#${category}`, sk: id });
const hashIn = (line = ""): string => /"hash":"(\w+)"/.exec(line)?.[1] ?? "";
const headOf = async (tenantId: string): Promise<ChainRow> =>
  (await system().platform.inTenant(tenantId).get(keys.tenantChain())) ?? expect.fail("There is no chain");
const alter = (row: AuditRow, resourceId: string) =>
  db.send(
    new UpdateCommand({
      TableName: process.env["TABLE_NAME"],
      Key: address(row),
      UpdateExpression: "SET resourceId = :r",
      ExpressionAttributeValues: { ":r": resourceId },
    }),
  );

describe("a verified chain", () => {
  let tenantId: string;
  let rows: AuditRow[];
  /** Three batches of five rows, and another tenant. */
  beforeEach(async () => {
    tenantId = newId();
    rows = await act(tenantId, 15);
    for (let at = 0; at < 15; at += 5) await archive(tenantId, rows.slice(at, at + 5));
    const other = newId();
    await archive(other, await act(other, 2));
    untouched = other;
  });
  let untouched: string;
  const flaws = async (): Promise<Flaw[]> => {
    expect((await verifyTenant(system(), untouched)).flaws).toEqual([]);
    return (await verifyTenant(system(), tenantId)).flaws;
  };
  const id = (at: number): string => rows[at]?.id ?? "";
  const row = (at: number): AuditRow => rows[at] as AuditRow;

  it("is intact if it is unchanged, and the compliance counts say so", async () => {
    await act(tenantId, 2);
    expect(await verifyTenant(system(), tenantId)).toEqual({
      tenantId,
      erasures: [],
      batches: 3,
      rows: 15,
      intactRows: 15,
      waiting: 2,
      flaws: [],
      isWhole: true,
    });
    const head = await headOf(tenantId);
    expect(head).toMatchObject({ batches: 3, rows: 15, verifiedRows: 15, intactRows: 15 });
    expect(Date.now() - Date.parse(head.lastVerifiedAt ?? "")).toBeLessThan(60_000);
  });

  it("reports a row that was altered in the archive", async () => {
    const lines = await linesOf(tenantId, 2);
    await overwrite(tenantId, 2, lines.with(3, (lines[3] ?? "").replace('"resourceId":"thing7"', '"resourceId":"thing8"')));
    expect(await flaws()).toEqual([{ kind: "altered", where: "archive", batch: 2, rowId: id(7) }]);
    const head = await headOf(tenantId);
    expect(head).toMatchObject({ verifiedRows: 15, intactRows: 14 });
  });

  it("reports a row whose hash was recomputed, and not the row after it", async () => {
    const lines = await linesOf(tenantId, 2);
    const before = hashIn(lines[2]);
    const text = /"row":(.*)\}$/.exec(lines[3] ?? "")?.[1]?.replace("thing7", "thing8") ?? "";
    await overwrite(tenantId, 2, lines.with(3, `{"hash":"${chainHash(before, text)}","row":${text}}`));
    expect(await flaws()).toEqual([{ kind: "altered", where: "archive", batch: 2, rowId: id(7) }]);
  });

  it("reports a row that was altered in the table", async () => {
    await alter(row(4), "another");
    expect(await flaws()).toEqual([{ kind: "altered", where: "table", batch: 1, rowId: id(4) }]);
  });

  it("reports a row that was deleted from the table", async () => {
    await db.send(new DeleteCommand({ TableName: process.env["TABLE_NAME"], Key: address(row(9)) }));
    expect(await flaws()).toEqual([{ kind: "missing", where: "table", batch: 2, rowId: id(9) }]);
  });

  it("reports a row that was removed from a batch", async () => {
    await overwrite(tenantId, 2, (await linesOf(tenantId, 2)).toSpliced(3, 1));
    expect(await flaws()).toEqual([
      { kind: "missing", where: "archive", batch: 2 },
      { kind: "missing", where: "archive", rowId: id(7) },
    ]);
  });

  it("reports rows that were reordered", async () => {
    const lines = await linesOf(tenantId, 2);
    await overwrite(tenantId, 2, lines.with(2, lines[4] ?? "").with(4, lines[2] ?? ""));
    const found = await flaws();
    expect(found.every(({ kind, batch }) => kind === "reordered" && batch === 2)).toBe(true);
    expect(found.map(({ rowId }) => rowId)).toEqual(expect.arrayContaining([id(6), id(8)]));
  });

  it("reports batches that were reordered", async () => {
    const [first, second] = [await linesOf(tenantId, 1), await linesOf(tenantId, 2)];
    await overwrite(tenantId, 1, second);
    await overwrite(tenantId, 2, first);
    expect(await flaws()).toEqual(
      expect.arrayContaining([
        { kind: "reordered", where: "archive", batch: 1 },
        { kind: "reordered", where: "archive", batch: 2 },
      ]),
    );
  });

  it("reports a batch of another tenant", async () => {
    await overwrite(tenantId, 1, await linesOf(untouched, 1));
    expect(await flaws()).toEqual(expect.arrayContaining([{ kind: "altered", where: "archive", batch: 1 }]));
  });

  it("reports a batch with a flipped byte, and its rows", async () => {
    const { body } = (await aws.aws.s3.get(bucket, batchKey(tenantId, 3))) ?? {};
    const flipped = Buffer.from(body ?? []);
    flipped[40] = (flipped[40] ?? 0) ^ 1;
    await aws.aws.s3.put(bucket, batchKey(tenantId, 3), flipped);
    const [first, ...others] = await flaws();
    expect(first).toEqual({ kind: "unreadable", where: "archive", batch: 3 });
    expect(others.map(({ rowId }) => rowId).toSorted()).toEqual([10, 11, 12, 13, 14].map(id));
    expect(others.every(({ kind, where }) => kind === "missing" && where === "archive")).toBe(true);
  });

  it("reports a missing batch, and a head that was set back or forward", async () => {
    const { store, head } = { store: system().platform.inTenant(tenantId), head: await headOf(tenantId) };
    const hash = hashIn((await linesOf(tenantId, 1)).at(-1));
    await store.writeUnaudited(put(keys.tenantChain(), { ...head, batches: 1, rows: 5, hash }));
    expect(await flaws()).toEqual(expect.arrayContaining([{ kind: "missing", where: "table", batch: 2 }]));
    await store.writeUnaudited(put(keys.tenantChain(), { ...head, batches: 4 }));
    expect(await flaws()).toEqual(expect.arrayContaining([{ kind: "missing", where: "archive", batch: 4 }]));
    await store.writeUnaudited(put(keys.tenantChain(), { ...head, hash }));
    expect(await flaws()).toEqual([{ kind: "altered", where: "archive", batch: 3 }]);
  });

  it("S03: reports a row that was moved to another partition, or that has an altered copy in one", async () => {
    const elsewhere = (pk: string, altered: object = {}) =>
      db.send(new PutCommand({ TableName: process.env["TABLE_NAME"], Item: { ...row(4), ...altered, pk, sk: id(4) } }));
    const stranger = auditCategories.find((category) => category !== row(4).category);
    const ofLastYear = `TENANT#${tenantId}#AUDIT#${lastYear()}#${row(4).category}`;
    const ofAnother = `TENANT#${tenantId}#AUDIT#${month()}#${stranger}`;
    for (const pk of [ofLastYear, ofAnother]) {
      await elsewhere(pk, { resourceId: "forged" });
      expect(await flaws()).toEqual([{ kind: "twice", where: "table", batch: 1, rowId: id(4) }]);
      await db.send(new DeleteCommand({ TableName: process.env["TABLE_NAME"], Key: { pk, sk: id(4) } }));
    }
    await db.send(new DeleteCommand({ TableName: process.env["TABLE_NAME"], Key: address(row(4)) }));
    await elsewhere(ofAnother);
    expect(await flaws()).toEqual([{ kind: "misplaced", where: "table", batch: 1, rowId: id(4) }]);
  });

  it("S03: reports every row of a tenant that was deleted with its directory row and the head of its chain", async () => {
    const everything = [...rows.map(address), { pk: `TENANT#${tenantId}#CHAIN`, sk: "HEAD" }];
    for (const Key of everything) await db.send(new DeleteCommand({ TableName: process.env["TABLE_NAME"], Key }));
    expect(await archivedChains()).toContain(tenantId);
    const found = await flaws();
    for (const batch of [1, 2, 3]) expect(found).toContainEqual({ kind: "missing", where: "table", batch });
    expect(found.flatMap(({ rowId }) => rowId ?? []).toSorted()).toEqual(rows.map((one) => one.id).toSorted());
  });
});

test("S03: an altered, removed, moved or forged row of the feed is reported", async () => {
  const tenantId = newId();
  const rows = await act(tenantId, 8);
  await archive(tenantId, rows);
  const { platform } = system();
  for (const row of rows) await platform.writeUnaudited(put(feedKey(row), feedRow(row)));
  const later = { ...system(), clock: () => new Date(Date.now() + 2 * 3_600_000) };
  const ofLog = async () => (await verifyTenant(later, tenantId)).flaws;
  const ofFeed = async () => (await verifyFeed(later)).flaws;
  expect([await ofLog(), await ofFeed()]).toEqual([[], []]);

  const [altered, removed, moved, forged] = rows as [AuditRow, AuditRow, AuditRow, AuditRow];
  const TableName = process.env["TABLE_NAME"];
  await platform.writeUnaudited(put(feedKey(altered), { ...feedRow(altered), actorId: "another actor" }));
  await db.send(new DeleteCommand({ TableName, Key: feedKey(removed).primaryKey }));
  await db.send(
    new PutCommand({ TableName, Item: { ...feedRow(moved), actorKind: "user", pk: `PLATFORM#FEED#${month()}#people#0`, sk: moved.id } }),
  );
  const madeUp = { ...feedRow(forged), id: newId() };
  await platform.writeUnaudited(put(feedKey(madeUp), madeUp));

  expect(await ofLog()).toEqual([
    { kind: "altered", where: "feed", rowId: altered.id },
    { kind: "missing", where: "feed", rowId: removed.id },
  ]);
  expect((await ofFeed()).toSorted(byKind)).toEqual([
    { kind: "misplaced", where: "feed", rowId: moved.id },
    { kind: "unknown", where: "feed", rowId: madeUp.id },
  ]);
});
