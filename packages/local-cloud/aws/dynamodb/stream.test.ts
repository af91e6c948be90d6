import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DeleteCommand, GetCommand, PutCommand, TransactWriteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { startEndpoint, tableSpec, type Endpoint } from "../endpoint.fixture.ts";

const TableName = "streamed";
let folder: string;
let it: Endpoint;

async function start(): Promise<Endpoint> {
  const endpoint = await startEndpoint({ dataDir: folder });
  await endpoint.aws.dynamodb.ensureTable(tableSpec(TableName));
  return endpoint;
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "stream-test-"));
  it = await start();
});
afterEach(async () => {
  await it.close();
  rmSync(folder, { recursive: true });
});

const put = (pk: string, more = {}) => it.table.send(new PutCommand({ TableName, Item: { pk, sk: "1", ...more } }));
const stream = () => it.aws.dynamodb.stream(TableName);
const namesOf = async (consumer = "reader", max = 100) =>
  (await stream().read(consumer, max)).map(({ dynamodb }) => dynamodb.Keys["pk"]!.S);

test("each change is one record with keys and both images, in the order of the commits", async () => {
  await put("a", { v: 1 });
  await it.table.send(
    new UpdateCommand({ TableName, Key: { pk: "a", sk: "1" }, UpdateExpression: "SET v = :v", ExpressionAttributeValues: { ":v": 2 } }),
  );
  await it.table.send(new DeleteCommand({ TableName, Key: { pk: "a", sk: "1" } }));
  const records = await stream().read("reader", 10);
  const image = (v: string) => ({ pk: { S: "a" }, sk: { S: "1" }, v: { N: v } });
  expect(records.map(({ eventName, dynamodb: { OldImage, NewImage } }) => [eventName, OldImage, NewImage])).toEqual([
    ["INSERT", undefined, image("1")],
    ["MODIFY", image("1"), image("2")],
    ["REMOVE", image("2"), undefined],
  ]);
  expect(records[0]).toMatchObject({
    eventSource: "aws:dynamodb",
    eventVersion: "1.1",
    awsRegion: "us-east-1",
    dynamodb: { Keys: { pk: { S: "a" }, sk: { S: "1" } }, StreamViewType: "NEW_AND_OLD_IMAGES" },
  });
  expect(records[0]!.eventSourceARN).toContain(`table/${TableName}/stream/`);
});

test("a write that changes nothing, or was refused, adds no record", async () => {
  await put("a");
  await put("a");
  await it.table.send(new DeleteCommand({ TableName, Key: { pk: "absent", sk: "1" } }));
  await it.table
    .send(new PutCommand({ TableName, Item: { pk: "a", sk: "1", v: 1 }, ConditionExpression: "attribute_not_exists(pk)" }))
    .catch(() => undefined);
  expect(await namesOf()).toEqual(["a"]);
});

test("a transaction's records are adjacent; its checks add none", async () => {
  const Put = (pk: string) => ({ Put: { TableName, Item: { pk, sk: "1" } } });
  const check = { ConditionCheck: { TableName, Key: { pk: "c", sk: "1" }, ConditionExpression: "attribute_not_exists(pk)" } };
  await it.table.send(new TransactWriteCommand({ TransactItems: [Put("x"), check, Put("y")] }));
  expect(await namesOf()).toEqual(["x", "y"]);
});

test("every consumer sees all records from its own position, again until it acknowledges them", async () => {
  for (const name of ["a", "b", "c"]) await put(name);
  const [first, second] = await stream().read("one", 2);
  expect(await namesOf("one", 2)).toEqual(["a", "b"]);
  await stream().ack("one", first!.dynamodb.SequenceNumber);
  expect(await namesOf("one")).toEqual(["b", "c"]);
  await stream().ack("one", second!.dynamodb.SequenceNumber);
  expect(await namesOf("one")).toEqual(["c"]);
  expect(await namesOf("two")).toEqual(["a", "b", "c"]);
});

test("records, positions and rising sequence numbers survive a restart", async () => {
  await put("before");
  const [record] = await stream().read("reader", 1);
  await stream().ack("reader", record!.dynamodb.SequenceNumber);
  await put("unread");
  await it.close();
  it = await start();
  await put("after");
  expect(await namesOf()).toEqual(["unread", "after"]);
  const numbers = (await stream().read("fresh", 10)).map(({ dynamodb }) => dynamodb.SequenceNumber);
  expect(numbers).toEqual(numbers.toSorted());
  expect(new Set(numbers).size).toBe(3);
});

test("listeners are called after each commit until they unsubscribe", async () => {
  let heard = 0;
  const stop = stream().onRecords(() => (heard += 1));
  await put("a");
  expect(heard).toBe(1);
  stop();
  await put("b");
  expect(heard).toBe(1);
});

test("expired items are deleted by the service after their time; other items stay", async () => {
  const now = 1_900_000_000_000;
  const seconds = now / 1000;
  await put("expired", { expiresAt: seconds - 1 });
  await put("living", { expiresAt: seconds + 60 });
  await put("no-number", { expiresAt: "soon" });
  await put("ages-ago", { expiresAt: seconds - 6 * 365 * 86_400 });
  expect(await it.aws.dynamodb.sweepExpired(now)).toBe(1);
  expect((await it.table.send(new GetCommand({ TableName, Key: { pk: "expired", sk: "1" } }))).Item).toBeUndefined();
  expect((await it.table.send(new GetCommand({ TableName, Key: { pk: "living", sk: "1" } }))).Item).toBeDefined();
  const last = (await stream().read("reader", 10)).at(-1);
  expect(last).toMatchObject({ eventName: "REMOVE", userIdentity: { type: "Service", principalId: "dynamodb.amazonaws.com" } });
});

test("after a day, records that every consumer has passed are removed; unread ones stay", async () => {
  for (const name of ["a", "b", "c"]) await put(name);
  const records = await stream().read("fast", 10);
  await stream().ack("fast", records[2]!.dynamodb.SequenceNumber);
  await stream().read("slow", 10);
  await stream().ack("slow", records[0]!.dynamodb.SequenceNumber);
  await it.aws.dynamodb.sweepExpired(Date.now() + 25 * 3_600_000);
  expect(await namesOf("fresh")).toEqual(["b", "c"]);
});
