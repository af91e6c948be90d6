import { afterAll, beforeAll, expect, test } from "vitest";
import {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { startEndpoint, tableSpec, type Endpoint } from "../../endpoint.fixture.ts";

const TableName = "capacity";
let it: Endpoint;
beforeAll(async () => {
  it = await startEndpoint();
  await it.aws.dynamodb.ensureTable(tableSpec(TableName));
});
afterAll(() => it.close());

const sized = (pk: string, bytes: number) => ({
  pk,
  sk: "1",
  body: "x".repeat(bytes - "pk".length - pk.length - "sk1".length - "body".length),
});
const put = (Item: Record<string, unknown>) => new PutCommand({ TableName, Item });
const get = (pk: string, ConsistentRead = false) => new GetCommand({ TableName, Key: { pk, sk: "1" }, ConsistentRead });

async function cost(work: () => Promise<unknown>): Promise<[read: number, write: number]> {
  it.aws.dynamodb.resetUsage();
  await work().catch((error: Error) => expect(["ConditionalCheckFailedException", "TransactionCanceledException"]).toContain(error.name));
  const spent = it.aws.dynamodb.usage();
  return [spent.reduce((total, { readUnits }) => total + readUnits, 0), spent.reduce((total, { writeUnits }) => total + writeUnits, 0)];
}

test("a write costs one unit per started KB of the larger of the old and the new item", async () => {
  expect(await cost(() => it.table.send(put(sized("w", 1024))))).toEqual([0, 1]);
  expect(await cost(() => it.table.send(put(sized("w", 1025))))).toEqual([0, 2]);
  expect(await cost(() => it.table.send(put(sized("w", 100))))).toEqual([0, 2]);
  expect(await cost(() => it.table.send(new DeleteCommand({ TableName, Key: { pk: "w", sk: "1" } })))).toEqual([0, 1]);
  expect(await cost(() => it.table.send(new DeleteCommand({ TableName, Key: { pk: "w", sk: "1" } })))).toEqual([0, 1]);
});

test("a read costs half a unit per started 4 KB, a whole one if consistent; a missing item costs the minimum", async () => {
  await it.table.send(put(sized("r", 4096)));
  expect(await cost(() => it.table.send(get("r")))).toEqual([0.5, 0]);
  expect(await cost(() => it.table.send(get("r", true)))).toEqual([1, 0]);
  await it.table.send(put(sized("r", 4097)));
  expect(await cost(() => it.table.send(get("r", true)))).toEqual([2, 0]);
  expect(await cost(() => it.table.send(get("absent", true)))).toEqual([1, 0]);
});

test("a batch read rounds each item by itself, a query rounds their sum", async () => {
  const keys = ["b1", "b2", "b3"].map((sk) => ({ pk: "batch", sk }));
  for (const key of keys) await it.table.send(put({ ...key, body: "x".repeat(1000) }));
  expect(
    await cost(() => it.table.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys: keys, ConsistentRead: true } } }))),
  ).toEqual([3, 0]);
  const query = (ConsistentRead: boolean) =>
    new QueryCommand({ TableName, KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": "batch" }, ConsistentRead });
  expect(await cost(() => it.table.send(query(true)))).toEqual([1, 0]);
  expect(await cost(() => it.table.send(query(false)))).toEqual([0.5, 0]);
});

test("a query also pays for filtered items", async () => {
  await it.table.send(put({ pk: "hidden", sk: "1", body: "x".repeat(9000) }));
  const query = new QueryCommand({
    TableName,
    KeyConditionExpression: "pk = :pk",
    FilterExpression: "attribute_exists(nothing)",
    ExpressionAttributeValues: { ":pk": "hidden" },
  });
  expect(await cost(() => it.table.send(query))).toEqual([1.5, 0]);
});

test("an index write costs one unit for an added, changed or removed entry, two for a changed key, none otherwise", async () => {
  const Key = { pk: "indexed", sk: "1" };
  const update = (UpdateExpression: string, value?: string) =>
    it.table.send(
      new UpdateCommand({ TableName, Key, UpdateExpression, ExpressionAttributeValues: value === undefined ? undefined : { ":v": value } }),
    );
  expect(await cost(() => it.table.send(put({ ...Key, gpk: "g", gsk: "1" })))).toEqual([0, 2]);
  expect(await cost(() => it.table.send(put({ ...Key, gpk: "g", gsk: "1" })))).toEqual([0, 1]);
  expect(await cost(() => update("SET noted = :v", "x"))).toEqual([0, 2]);
  expect(await cost(() => update("SET gsk = :v", "2"))).toEqual([0, 3]);
  expect(await cost(() => update("REMOVE gpk"))).toEqual([0, 2]);
  expect(await cost(() => update("SET noted = :v", "y"))).toEqual([0, 1]);
});

test("a transaction costs double for its items and checks, single for its indexes", async () => {
  const TransactItems = [
    { Put: { TableName, Item: { pk: "t1", sk: "1", gpk: "g", gsk: "1" } } },
    { Put: { TableName, Item: sized("t2", 1025) } },
    { ConditionCheck: { TableName, Key: { pk: "t3", sk: "1" }, ConditionExpression: "attribute_not_exists(pk)" } },
  ];
  expect(await cost(() => it.table.send(new TransactWriteCommand({ TransactItems })))).toEqual([0, 2 + 1 + 4 + 2]);
});

test("a failed condition is charged as well", async () => {
  await it.table.send(put(sized("refused", 1500)));
  const refused = new PutCommand({ TableName, Item: { pk: "refused", sk: "1" }, ConditionExpression: "attribute_not_exists(pk)" });
  expect(await cost(() => it.table.send(refused))).toEqual([0, 2]);
  const TransactItems = [{ Put: { ...refused.input, TableName } }, { Put: { TableName, Item: { pk: "never", sk: "1" } } }];
  expect(await cost(() => it.table.send(new TransactWriteCommand({ TransactItems })))).toEqual([0, 4 + 2]);
  expect(it.aws.dynamodb.usage()).toMatchObject([{ operation: "TransactWriteItems", error: "TransactionCanceledException" }]);
});

test("a transactional read costs double, a repeated transaction only reads", async () => {
  await it.table.send(put(sized("tr", 4097)));
  expect(
    await cost(() => it.table.send(new TransactGetCommand({ TransactItems: [{ Get: { TableName, Key: { pk: "tr", sk: "1" } } }] }))),
  ).toEqual([4, 0]);
  const write = new TransactWriteCommand({
    TransactItems: [{ Put: { TableName, Item: { pk: "once", sk: "1" } } }],
    ClientRequestToken: "capacity",
  });
  expect(await cost(() => it.table.send(write))).toEqual([0, 2]);
  expect(await cost(() => it.table.send(write))).toEqual([2, 0]);
});

test("the answer holds the requested consumed capacity, by table and index", async () => {
  const { ConsumedCapacity } = await it.table.send(
    new PutCommand({ TableName, Item: { pk: "told", sk: "1", gpk: "g", gsk: "1" }, ReturnConsumedCapacity: "INDEXES" }),
  );
  expect(ConsumedCapacity).toMatchObject({
    TableName,
    CapacityUnits: 2,
    Table: { CapacityUnits: 1 },
    GlobalSecondaryIndexes: { gsi: { CapacityUnits: 1 } },
  });
  const { ConsumedCapacity: none } = await it.table.send(get("told"));
  expect(none).toBeUndefined();
  const { ConsumedCapacity: both } = await it.table.send(
    new TransactWriteCommand({ TransactItems: [{ Put: { TableName, Item: { pk: "told2", sk: "1" } } }], ReturnConsumedCapacity: "TOTAL" }),
  );
  expect(both).toMatchObject([{ TableName, CapacityUnits: 2, WriteCapacityUnits: 2 }]);
});

test("the usage log names the operation, the caller and the caller's trace", async () => {
  it.aws.dynamodb.resetUsage();
  await it.table.send(get("told"));
  const [first] = it.aws.dynamodb.usage();
  expect(first).toMatchObject({ operation: "GetItem", principalArn: "arn:aws:iam::000000000000:role/operator", tables: [TableName] });
  await it.table.send(get("told"));
  expect(it.aws.dynamodb.usage({ since: first!.id })).toHaveLength(1);
});
