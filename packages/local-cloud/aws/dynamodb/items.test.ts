import { afterAll, beforeAll, expect, test } from "vitest";
import { BatchGetCommand, BatchWriteCommand, DeleteCommand, GetCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { startEndpoint, tableSpec, type Endpoint } from "../endpoint.fixture.ts";

const TableName = "items";
let it: Endpoint;
beforeAll(async () => {
  it = await startEndpoint();
  await it.aws.dynamodb.ensureTable(tableSpec(TableName));
});
afterAll(() => it.close());

const keyOf = (name: string) => ({ pk: name, sk: "1" });
const put = (item: Record<string, unknown>, more = {}) => it.table.send(new PutCommand({ TableName, Item: item, ...more }));
const get = async (Key: Record<string, string>) => (await it.table.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item;
const update = (Key: Record<string, string>, UpdateExpression: string, ExpressionAttributeValues?: Record<string, unknown>, more = {}) =>
  it.table.send(new UpdateCommand({ TableName, Key, UpdateExpression, ExpressionAttributeValues, ...more }));

test("an item of all attribute types is read as it was written", async () => {
  const item = {
    ...keyOf("types"),
    n: -12.5,
    big: 123456789012,
    text: "Zoë",
    yes: true,
    nothing: null,
    list: [1, "b", { c: [] }],
    map: { a: { b: 1 } },
    set: new Set(["x", "y"]),
    bytes: new Uint8Array([1, 2, 255]),
  };
  await put(item);
  expect(await get(keyOf("types"))).toEqual(item);
});

test("a failed condition refuses the write and can return the existing item", async () => {
  const item = { ...keyOf("condition"), a: 1 };
  await put(item);
  const refused = put(
    { ...item, a: 2 },
    { ConditionExpression: "attribute_not_exists(pk)", ReturnValuesOnConditionCheckFailure: "ALL_OLD" },
  );
  await expect(refused).rejects.toMatchObject({ name: "ConditionalCheckFailedException", Item: { a: { N: "1" } } });
  await expect(put({ ...item, a: 2 }, { ConditionExpression: "attribute_not_exists(pk)" })).rejects.toMatchObject({ Item: undefined });
  await expect(
    it.table.send(
      new DeleteCommand({ TableName, Key: keyOf("condition"), ConditionExpression: "a = :two", ExpressionAttributeValues: { ":two": 2 } }),
    ),
  ).rejects.toThrow("The conditional request failed");
  expect(await get(keyOf("condition"))).toEqual(item);
});

test("an update sets, adds and removes attributes and returns the requested values", async () => {
  const Key = keyOf("update");
  await put({ ...Key, count: 1, hits: 1, tags: new Set(["a"]), list: [1, 2, 3], map: { old: true }, gone: 1 });
  const { Attributes } = await update(
    Key,
    "SET #map.#new = :true, #list[1] = :nine, initial = if_not_exists(initial, :nine), joined = list_append(#list, :more), lowered = #count - :nine REMOVE gone, #map.#old ADD hits :nine, tags :b",
    { ":true": true, ":nine": 9, ":more": [4], ":b": new Set(["b"]) },
    {
      ExpressionAttributeNames: { "#map": "map", "#new": "new", "#old": "old", "#count": "count", "#list": "list" },
      ReturnValues: "ALL_NEW",
    },
  );
  expect(Attributes).toEqual({
    ...Key,
    count: 1,
    hits: 10,
    tags: new Set(["a", "b"]),
    list: [1, 9, 3],
    map: { new: true },
    initial: 9,
    joined: [1, 2, 3, 4],
    lowered: -8,
  });
  const { Attributes: old } = await update(
    Key,
    "SET initial = :x DELETE tags :a",
    { ":x": 1, ":a": new Set(["a", "b"]) },
    { ReturnValues: "UPDATED_OLD" },
  );
  expect(old).toEqual({ initial: 9, tags: new Set(["a", "b"]) });
  expect(await get(Key)).not.toHaveProperty("tags");
});

test("an update of an item that does not exist creates it", async () => {
  await update(keyOf("created"), "ADD hits :one", { ":one": 1 });
  expect(await get(keyOf("created"))).toEqual({ ...keyOf("created"), hits: 1 });
});

test("an update with an operand of the wrong type or a missing path is refused and changes nothing", async () => {
  const item = { ...keyOf("wrong"), text: "a" };
  await put(item);
  await expect(
    update(keyOf("wrong"), "ADD #text :one", { ":one": 1 }, { ExpressionAttributeNames: { "#text": "text" } }),
  ).rejects.toMatchObject({ name: "ValidationException" });
  await expect(update(keyOf("wrong"), "SET a.b = :one", { ":one": 1 })).rejects.toThrow(
    "The document path provided in the update expression is invalid for update",
  );
  await expect(update(keyOf("wrong"), "SET a = b", undefined)).rejects.toMatchObject({ name: "ValidationException" });
  await expect(update(keyOf("wrong"), "SET pk = :one", { ":one": "x" })).rejects.toThrow(/Cannot update attribute pk/);
  expect(await get(keyOf("wrong"))).toEqual(item);
});

test("numbers are added exactly", async () => {
  for (const value of [0.1, 0.2]) await update(keyOf("decimal"), "ADD hits :v", { ":v": value });
  expect(await get(keyOf("decimal"))).toMatchObject({ hits: 0.3 });
});

test("300 concurrent increments are all counted", async () => {
  await Promise.all(Array.from({ length: 300 }, () => update(keyOf("counter"), "ADD hits :one", { ":one": 1 })));
  expect(await get(keyOf("counter"))).toMatchObject({ hits: 300 });
});

test("of 50 concurrent creations one succeeds", async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 50 }, (_, at) => put({ ...keyOf("race"), at }, { ConditionExpression: "attribute_not_exists(pk)" })),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("a put or an update to more than 400 KB is refused", async () => {
  await expect(put({ ...keyOf("large"), body: "x".repeat(400 * 1024) })).rejects.toMatchObject({ name: "ValidationException" });
  await put({ ...keyOf("large"), body: "x".repeat(399 * 1024) });
  await expect(update(keyOf("large"), "SET more = :m", { ":m": "x".repeat(2048) })).rejects.toThrow(
    "Item size to update has exceeded the maximum allowed size",
  );
});

test("an expression that was seen before is checked against the names and values that come with it", async () => {
  const Key = keyOf("seen");
  const set = (values: Record<string, unknown>, ExpressionAttributeNames: Record<string, string> = { "#a": "a" }) =>
    update(Key, "SET #a = :a ADD n :one", values, { ExpressionAttributeNames, ConditionExpression: "attribute_not_exists(#a) OR #a < :a" });
  await set({ ":a": 1, ":one": 1 });
  await set({ ":a": 2, ":one": 10 });
  await set({ ":a": 3, ":one": 100 }, { "#a": "b" });
  expect(await get(Key)).toEqual({ ...Key, a: 2, b: 3, n: 111 });
  await expect(set({ ":a": 1, ":one": 1 })).rejects.toThrow("The conditional request failed");
  await expect(set({ ":a": 9 })).rejects.toThrow("attribute value: :one");
  await expect(set({ ":a": 9, ":one": "1" })).rejects.toThrow("Incorrect operand type");
  await expect(set({ ":a": 9, ":one": 1, ":more": 1 })).rejects.toThrow("unused in expressions: keys: {:more}");
  await expect(set({ ":a": 9, ":one": 1 }, { "#a": "a", "#b": "b" })).rejects.toThrow("unused in expressions: keys: {#b}");
  expect(await get(Key)).toEqual({ ...Key, a: 2, b: 3, n: 111 });
});

test("an empty key, an empty index key and a key of the wrong type are refused", async () => {
  await expect(put({ pk: "", sk: "1" })).rejects.toMatchObject({ name: "ValidationException" });
  await expect(put({ pk: 1, sk: "1" })).rejects.toMatchObject({ name: "ValidationException" });
  await expect(put({ ...keyOf("index"), gpk: "", gsk: "1" })).rejects.toMatchObject({ name: "ValidationException" });
  await expect(get({ pk: "only" })).rejects.toThrow("The provided key element does not match the schema");
});

test("an unknown table answers ResourceNotFoundException", async () => {
  await expect(it.table.send(new GetCommand({ TableName: "nowhere", Key: keyOf("a") }))).rejects.toMatchObject({
    name: "ResourceNotFoundException",
  });
});

test("legacy parameters are refused by name", async () => {
  await expect(put(keyOf("legacy"), { Expected: { pk: { Exists: false } } })).rejects.toThrow("Expected is not supported here");
});

test("a batch writes and reads many items, and refuses the same key twice", async () => {
  const items = Array.from({ length: 25 }, (_, at) => ({ pk: "batch", sk: String(at).padStart(2, "0") }));
  await it.table.send(new BatchWriteCommand({ RequestItems: { [TableName]: items.map((Item) => ({ PutRequest: { Item } })) } }));
  const { Responses, UnprocessedKeys } = await it.table.send(
    new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [...items, keyOf("absent")], ConsistentRead: true } } }),
  );
  expect(Responses![TableName]!.toSorted((a, b) => (a["sk"] < b["sk"] ? -1 : 1))).toEqual(items);
  expect(UnprocessedKeys).toEqual({});
  await expect(it.table.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [items[0]!, items[0]!] } } }))).rejects.toThrow(
    "Provided list of item keys contains duplicates",
  );
});
