import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  DeleteCommand,
  GetCommand,
  PutCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
  type TransactWriteCommandInput,
} from "@aws-sdk/lib-dynamodb";
import { startEndpoint, tableSpec, type Endpoint } from "../endpoint.fixture.ts";

const TableName = "transactions";
const shortHold = (): Promise<void> => wait(2);
let hold = shortHold;
let it: Endpoint;
beforeAll(async () => {
  it = await startEndpoint({ holdTransaction: () => hold() });
  await it.aws.dynamodb.ensureTable(tableSpec(TableName));
});
afterAll(() => it.close());

type Items = NonNullable<TransactWriteCommandInput["TransactItems"]>;
const transact = (TransactItems: Items, more = {}) => it.table.send(new TransactWriteCommand({ TransactItems, ...more }));
/** Works while a transaction has its items in flight. */
async function whileRunning(items: Items, work: () => Promise<void>, more = {}): Promise<void> {
  const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  hold = () => {
    begun.resolve();
    return over.promise;
  };
  const running = transact(items, more);
  await begun.promise;
  hold = shortHold;
  await work().finally(over.resolve);
  await running;
}
const keyOf = (pk: string) => ({ pk, sk: "1" });
const create = (pk: string, more = {}) => ({
  Put: { TableName, Item: { ...keyOf(pk), ...more }, ConditionExpression: "attribute_not_exists(pk)" },
});
const increment = (pk: string) => ({
  Update: { TableName, Key: keyOf(pk), UpdateExpression: "ADD hits :one", ExpressionAttributeValues: { ":one": 1 } },
});
const get = async (pk: string) => (await it.table.send(new GetCommand({ TableName, Key: keyOf(pk), ConsistentRead: true }))).Item;
const codesOf = (error: unknown) => (error as { CancellationReasons?: { Code?: string }[] }).CancellationReasons?.map(({ Code }) => Code);

test("all four kinds of action are committed together", async () => {
  await transact([create("old"), create("checked", { state: "open" })]);
  await transact([
    create("new"),
    increment("counter"),
    { Delete: { TableName, Key: keyOf("old") } },
    {
      ConditionCheck: {
        TableName,
        Key: keyOf("checked"),
        ConditionExpression: "#s = :open",
        ExpressionAttributeNames: { "#s": "state" },
        ExpressionAttributeValues: { ":open": "open" },
      },
    },
  ]);
  expect([await get("new"), await get("counter"), await get("old"), await get("checked")]).toEqual([
    keyOf("new"),
    { ...keyOf("counter"), hits: 1 },
    undefined,
    { ...keyOf("checked"), state: "open" },
  ]);
});

test("one failed condition cancels all, with a reason per item in request order", async () => {
  await transact([create("taken", { by: "me" })]);
  const again = create("taken");
  const refused = transact([
    increment("untouched"),
    { Put: { ...again.Put, ReturnValuesOnConditionCheckFailure: "ALL_OLD" } },
    create("also-untouched"),
  ]);
  await expect(refused).rejects.toMatchObject({
    name: "TransactionCanceledException",
    message: "Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed, None]",
    CancellationReasons: [
      { Code: "None" },
      { Code: "ConditionalCheckFailed", Message: "The conditional request failed", Item: { by: { S: "me" } } },
      { Code: "None" },
    ],
  });
  expect([await get("untouched"), await get("also-untouched")]).toEqual([undefined, undefined]);
});

test("an invalid update cancels with ValidationError at its position", async () => {
  await transact([create("typed", { text: "a" })]);
  const wrong = {
    Update: {
      TableName,
      Key: keyOf("typed"),
      UpdateExpression: "ADD #t :one",
      ExpressionAttributeNames: { "#t": "text" },
      ExpressionAttributeValues: { ":one": 1 },
    },
  };
  const error = await transact([increment("valid"), wrong]).catch((thrown: unknown) => thrown);
  expect(codesOf(error)).toEqual(["None", "ValidationError"]);
  expect(await get("valid")).toBeUndefined();
});

test("the same item twice, none at all, or more than a hundred are refused", async () => {
  await expect(transact([increment("twice"), { Delete: { TableName, Key: keyOf("twice") } }])).rejects.toThrow(
    "Transaction request cannot include multiple operations on one item",
  );
  await expect(transact([])).rejects.toMatchObject({ name: "ValidationException" });
  await expect(transact(Array.from({ length: 101 }, (_, at) => increment(`n${at}`)))).rejects.toMatchObject({
    name: "ValidationException",
  });
});

test("a repetition under its request token changes nothing; other actions under the same token are refused", async () => {
  const ClientRequestToken = "token-1";
  for (let time = 0; time < 3; time++) await transact([increment("idempotent")], { ClientRequestToken });
  expect(await get("idempotent")).toMatchObject({ hits: 1 });
  await expect(transact([increment("other")], { ClientRequestToken })).rejects.toMatchObject({
    name: "IdempotentParameterMismatchException",
  });
  expect(await get("other")).toBeUndefined();
});

test("a repetition while the first transaction runs gets TransactionInProgressException", async () => {
  const token = { ClientRequestToken: "token-2" };
  const repeat = () => expect(transact([increment("twins")], token)).rejects.toMatchObject({ name: "TransactionInProgressException" });
  await whileRunning([increment("twins")], repeat, token);
  expect(await get("twins")).toMatchObject({ hits: 1 });
});

test("a cancelled transaction may be sent again under its token", async () => {
  await transact([create("obstacle")]);
  const ClientRequestToken = "token-3";
  await expect(transact([create("obstacle"), increment("later")], { ClientRequestToken })).rejects.toMatchObject({
    name: "TransactionCanceledException",
  });
  await it.table.send(new DeleteCommand({ TableName, Key: keyOf("obstacle") }));
  await transact([create("obstacle"), increment("later")], { ClientRequestToken });
  expect(await get("later")).toMatchObject({ hits: 1 });
});

test("transactions that overlap conflict: reasons name the item, and a later try succeeds", async () => {
  await whileRunning([increment("hot"), increment("own-1")], async () => {
    const refused: unknown = await transact([increment("hot"), increment("own-2")]).catch((error: unknown) => error);
    expect(codesOf(refused)).toEqual(["TransactionConflict", "None"]);
  });
  expect(await get("hot")).toMatchObject({ hits: 1 });
  await transact([increment("hot")]);
  expect(await get("hot")).toMatchObject({ hits: 2 });
});

test("a single write to an item in a transaction is a conflict; a plain read sees the item as it was", async () => {
  await transact([create("held")]);
  await whileRunning([increment("held")], async () => {
    const update = { TableName, Key: keyOf("held"), UpdateExpression: "SET a = :a", ExpressionAttributeValues: { ":a": 1 } };
    await expect(it.table.send(new UpdateCommand(update))).rejects.toMatchObject({ name: "TransactionConflictException" });
    expect(await get("held")).toEqual(keyOf("held"));
  });
  expect(await get("held")).toEqual({ ...keyOf("held"), hits: 1 });
});

test("a transactional read is consistent, keeps the order, and conflicts with a write in progress", async () => {
  await transact([create("read-a", { v: 1 }), create("read-b", { v: 1 })]);
  const read = () =>
    it.table.send(
      new TransactGetCommand({ TransactItems: ["read-b", "absent", "read-a"].map((pk) => ({ Get: { TableName, Key: keyOf(pk) } })) }),
    );
  expect((await read()).Responses).toEqual([{ Item: { ...keyOf("read-b"), v: 1 } }, {}, { Item: { ...keyOf("read-a"), v: 1 } }]);
  await whileRunning([increment("read-a")], async () =>
    expect(await read().then(() => "read", codesOf)).toEqual(["None", "None", "TransactionConflict"]),
  );
});

test("of 30 concurrent transactions on one seat one succeeds, and the counter is one", async () => {
  const book = async (): Promise<void> => {
    try {
      await transact([create("seat"), increment("bookings")]);
    } catch (error) {
      if (codesOf(error)?.includes("ConditionalCheckFailed")) throw error;
      return book();
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: 30 }, book));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await get("bookings")).toMatchObject({ hits: 1 });
});

test("a transaction that grows beyond 4 MB is refused", async () => {
  const large = Array.from({ length: 11 }, (_, at) => ({
    Put: { TableName, Item: { ...keyOf(`mb${at}`), body: "x".repeat(390 * 1024) } },
  }));
  await expect(transact(large)).rejects.toMatchObject({ name: "ValidationException" });
  expect(await get("mb0")).toBeUndefined();
});

test("a put to other items does not wait for a transaction", async () => {
  await whileRunning([increment("slow")], async () => {
    await it.table.send(new PutCommand({ TableName, Item: keyOf("beside") }));
    expect(await get("beside")).toEqual(keyOf("beside"));
  });
});
