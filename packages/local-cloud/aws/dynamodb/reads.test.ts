import { afterAll, beforeAll, expect, test } from "vitest";
import { BatchGetCommand, PutCommand, QueryCommand, ScanCommand, type QueryCommandInput } from "@aws-sdk/lib-dynamodb";
import { startEndpoint, tableSpec, type Endpoint } from "../endpoint.fixture.ts";

const TableName = "reads";
let it: Endpoint;
beforeAll(async () => {
  it = await startEndpoint();
  await it.aws.dynamodb.ensureTable(tableSpec(TableName));
});
afterAll(() => it.close());

const put = (Item: Record<string, unknown>) => it.table.send(new PutCommand({ TableName, Item }));
const query = (pk: string, more: Partial<QueryCommandInput> = {}) =>
  it.table.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: "pk = :pk",
      ...more,
      ExpressionAttributeValues: { ":pk": pk, ...more.ExpressionAttributeValues },
    }),
  );
const sortKeys = (items: Record<string, unknown>[] = []) => items.map(({ sk }) => sk);

async function pages(pk: string, more: Partial<QueryCommandInput> = {}): Promise<Record<string, unknown>[][]> {
  const found: Record<string, unknown>[][] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await query(pk, { ...more, ExclusiveStartKey });
    found.push(Items);
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return found;
}

test("items come in the order of their sort key's bytes, and in reverse on request", async () => {
  const order = ["", "\u0000", "A", "Z", "a", "b", "b0", "b00", "ba", "é", "\uffff", "😀"].slice(1);
  for (const sk of order.toReversed()) await put({ pk: "order", sk });
  expect(sortKeys((await query("order")).Items)).toEqual(order);
  expect(sortKeys((await query("order", { ScanIndexForward: false })).Items)).toEqual(order.toReversed());
});

test("a partition does not include rows of another one with the same prefix", async () => {
  for (const pk of ["TENANT#a", "TENANT#a#", "TENANT#ab"]) await put({ pk, sk: "1" });
  expect((await query("TENANT#a")).Items).toEqual([{ pk: "TENANT#a", sk: "1" }]);
});

test("ranges and prefixes of the sort key hold at their bounds", async () => {
  for (const sk of ["A#1", "A#2", "A#20", "B#1"]) await put({ pk: "range", sk });
  const range = async (condition: string, values: Record<string, string>) =>
    sortKeys((await query("range", { KeyConditionExpression: `pk = :pk AND ${condition}`, ExpressionAttributeValues: values })).Items);
  expect(await range("begins_with(sk, :p)", { ":p": "A#2" })).toEqual(["A#2", "A#20"]);
  expect(await range("sk BETWEEN :a AND :b", { ":a": "A#2", ":b": "B#1" })).toEqual(["A#2", "A#20", "B#1"]);
  expect(await range("sk > :a", { ":a": "A#2" })).toEqual(["A#20", "B#1"]);
  expect(await range("sk <= :a", { ":a": "A#2" })).toEqual(["A#1", "A#2"]);
});

test("pages of any size show every item once, forwards, backwards and through an index", async () => {
  const all = Array.from({ length: 23 }, (_, at) => ({
    pk: "paged",
    sk: String(at).padStart(2, "0"),
    gpk: "paged-index",
    gsk: String(at % 5),
  }));
  await Promise.all(all.map(put));
  for (const Limit of [1, 7, 23, 50]) {
    const found = await pages("paged", { Limit });
    expect(found.flat()).toEqual(all);
    expect(found.slice(0, -1).every((page) => page.length === Limit)).toBe(true);
    expect((await pages("paged", { Limit, ScanIndexForward: false })).flat()).toEqual(all.toReversed());
    const indexed = (await pages("paged-index", { Limit, IndexName: "gsi", KeyConditionExpression: "gpk = :pk" })).flat();
    expect(sortKeys(indexed).toSorted()).toEqual(sortKeys(all));
    expect(indexed.map(({ gsk }) => gsk)).toEqual(all.map(({ gsk }) => gsk).toSorted());
  }
});

test("a page ends at 1 MB, and the next one continues after it", async () => {
  const all = Array.from({ length: 12 }, (_, at) => ({ pk: "large", sk: String(at).padStart(2, "0"), body: "x".repeat(200_000) }));
  await Promise.all(all.map(put));
  const found = await pages("large");
  // The second page ends at 1 MB as well, so only an empty third page shows the end
  expect(found.map((page) => page.length)).toEqual([6, 6, 0]);
  expect(sortKeys(found.flat())).toEqual(sortKeys(all));
});

test("a filter applies after items are read and counted; a projection limits the attributes", async () => {
  for (const at of [1, 2, 3, 4]) await put({ pk: "filter", sk: String(at), even: at % 2 === 0, map: { a: at, b: at } });
  const result = await query("filter", {
    Limit: 3,
    FilterExpression: "even = :yes",
    ProjectionExpression: "sk, #m.a",
    ExpressionAttributeNames: { "#m": "map" },
    ExpressionAttributeValues: { ":yes": true },
  });
  expect(result).toMatchObject({
    Items: [{ sk: "2", map: { a: 2 } }],
    Count: 1,
    ScannedCount: 3,
    LastEvaluatedKey: { pk: "filter", sk: "3" },
  });
  await expect(query("filter", { FilterExpression: "sk = :pk" })).rejects.toThrow(
    "Filter Expression can only contain non-primary key attributes",
  );
  const counted = await query("filter", { Select: "COUNT" });
  expect(counted.Count).toBe(4);
  expect(counted.Items).toBeUndefined();
});

test("an index lists only items that have its key, follows their changes, and does not read consistently", async () => {
  await put({ pk: "sparse", sk: "1" });
  await put({ pk: "sparse", sk: "2", gpk: "sparse", gsk: "a" });
  const listed = async () => sortKeys((await query("sparse", { IndexName: "gsi", KeyConditionExpression: "gpk = :pk" })).Items);
  expect(await listed()).toEqual(["2"]);
  await put({ pk: "sparse", sk: "1", gpk: "sparse", gsk: "0" });
  await put({ pk: "sparse", sk: "2" });
  expect(await listed()).toEqual(["1"]);
  await expect(query("sparse", { IndexName: "gsi", KeyConditionExpression: "gpk = :pk", ConsistentRead: true })).rejects.toThrow(
    "Consistent reads are not supported on global secondary indexes",
  );
});

test("a scan reads all partitions in pages", async () => {
  await it.aws.dynamodb.ensureTable(tableSpec("scanned"));
  for (const pk of ["a", "b", "c"]) await it.table.send(new PutCommand({ TableName: "scanned", Item: { pk, sk: "1" } }));
  const first = await it.table.send(new ScanCommand({ TableName: "scanned", Limit: 2 }));
  const second = await it.table.send(new ScanCommand({ TableName: "scanned", ExclusiveStartKey: first.LastEvaluatedKey }));
  expect([...first.Items!, ...second.Items!].map(({ pk }) => pk as string).toSorted()).toEqual(["a", "b", "c"]);
  expect(second.LastEvaluatedKey).toBeUndefined();
});

test("a batch read returns keys beyond 16 MB as unprocessed", async () => {
  const all = Array.from({ length: 45 }, (_, at) => ({ pk: "heavy", sk: String(at).padStart(2, "0"), body: "x".repeat(390 * 1024) }));
  for (const item of all) await put(item);
  const Keys = all.map(({ pk, sk }) => ({ pk, sk }));
  const first = await it.table.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys, ProjectionExpression: "sk" } } }));
  const left = first.UnprocessedKeys![TableName]!;
  expect(left.Keys).toHaveLength(3);
  expect(left.ProjectionExpression).toBe("sk");
  const second = await it.table.send(new BatchGetCommand({ RequestItems: first.UnprocessedKeys }));
  expect(sortKeys([...first.Responses![TableName]!, ...second.Responses![TableName]!]).toSorted()).toEqual(sortKeys(all));
});
