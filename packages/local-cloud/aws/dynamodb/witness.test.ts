import fc from "fast-check";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DynamoDBServiceException, type TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import {
  BatchGetCommand,
  DeleteCommand,
  PutCommand,
  QueryCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
  type DynamoDBDocumentClient,
  type QueryCommandInput,
} from "@aws-sdk/lib-dynamodb";
import { clientsAt, startEndpoint, tableSpec, type Endpoint } from "../endpoint.fixture.ts";
import type { Item } from "../types.ts";
import { hasJava, startDynamoDbLocal } from "./dynamodb-local.fixture.ts";

const TableName = "witnessed";
const runs = process.env["FULL"] ? 1000 : 60;
const java = hasJava();
if (!java) process.stderr.write("No Java 17 or newer was found: DynamoDB Local does not witness the embedded engine here.\n");

type Send = (table: DynamoDBDocumentClient, prefix: string) => Promise<object>;
type Step = { says: string; send: Send };

const pk = fc.constantFrom("a", "b");
const sk = fc.constantFrom("1", "2", "20", "é");
const key = fc.record({ pk, sk });
const value = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom("", "x", "text", true, false, null, 0.1, 12345678901234),
  fc.constant([1, "two", { three: 3 }]),
  fc.constant({ inner: { deep: 1 }, list: [0] }),
  fc.uniqueArray(fc.constantFrom("p", "q", "r"), { minLength: 1 }).map((members) => new Set(members)),
);
const attributes = fc.record(
  { v: value, w: value, gpk: fc.constantFrom("g", "h", "", 1), gsk: fc.constantFrom("1", "2") },
  { requiredKeys: [] },
);

const conditions = [
  undefined,
  "attribute_not_exists(pk)",
  "attribute_exists(pk)",
  "attribute_exists(v.#i)",
  "#v = :x",
  "#v <> :x AND attribute_type(w, :t)",
  "#v < :c OR size(w) > :one",
  "contains(w, :c) OR begins_with(#v, :s)",
  "#v = w",
  "#v <> w AND attribute_not_exists(gpk)",
  "#v <= w OR w > :zero",
  "size(#v) = size(w)",
  "w IN (:x, :one) OR contains(#v, w)",
  "NOT (#v BETWEEN :zero AND :one) AND #v IN (:x, :one, :s)",
];
const updates = [
  "SET #v = :x",
  "SET #v = :x, w = #v",
  "SET w = if_not_exists(#v, :x)",
  "SET #v = #v + :one, w = :zero - :one",
  "SET w = list_append(if_not_exists(w, :list), :list)",
  "SET #v.#i.deep = :x",
  "SET #v[1] = :x, w[7] = :x",
  "ADD #v :one",
  "ADD #v :set",
  "DELETE #v :set",
  "REMOVE #v, w.list[0]",
  "REMOVE #v[0], #v[2]",
  "SET gpk = :g, gsk = :s REMOVE w ADD hits :one",
  "REMOVE gpk",
];
const NAMES: Record<string, string> = { "#v": "v", "#i": "inner" };
const ordered = (x: unknown) => (typeof x === "number" || typeof x === "string" ? x : 2);
const valuesOf = (x: unknown): Record<string, unknown> => ({
  ":x": x,
  ":c": ordered(x),
  ":one": 1,
  ":zero": 0,
  ":s": "1",
  ":t": "S",
  ":g": "g",
  ":list": [9],
  ":set": new Set(["q", "z"]),
});

function used(expressions: (string | undefined)[], x: unknown) {
  const text = expressions.join(" ");
  const pick = (all: Record<string, unknown>) => {
    const entries = Object.entries(all).filter(([name]) => new RegExp(`${name}\\b`).test(text));
    return entries.length > 0 ? Object.fromEntries(entries) : undefined;
  };
  return { ExpressionAttributeNames: pick(NAMES) as Record<string, string> | undefined, ExpressionAttributeValues: pick(valuesOf(x)) };
}

const condition = fc.constantFrom(...conditions);
const onFailure = fc.constantFrom("ALL_OLD" as const, "NONE" as const);
const kind = fc.constantFrom("Put" as const, "Update" as const, "Delete" as const, "ConditionCheck" as const);
const write = fc.record({ kind, key, attributes, x: value, condition, update: fc.constantFrom(...updates), onFailure });
type Written = typeof write extends fc.Arbitrary<infer W> ? W : never;

const within = <K extends { pk: string }>(given: K, prefix: string): K => ({ ...given, pk: `${prefix}${given.pk}` });
const inIndex = (given: Record<string, unknown>, prefix: string) =>
  given["gpk"] === "g" || given["gpk"] === "h" ? { ...given, gpk: `${prefix}${given["gpk"]}` } : given;

function actionOf(each: Written, prefix: string) {
  const ConditionExpression = each.condition ?? (each.kind === "ConditionCheck" ? "attribute_exists(pk)" : undefined);
  const common = { TableName, ConditionExpression, ReturnValuesOnConditionCheckFailure: each.onFailure };
  const Key = within(each.key, prefix);
  const expressions = used([ConditionExpression, each.kind === "Update" ? each.update : undefined], each.x);
  const names = expressions.ExpressionAttributeValues;
  if (names && ":g" in names) names[":g"] = `${prefix}g`;
  if (each.kind === "Put") return { ...common, ...expressions, Item: { ...inIndex(each.attributes, prefix), ...Key } };
  if (each.kind === "Update") return { ...common, ...expressions, Key, UpdateExpression: each.update };
  return { ...common, ...expressions, Key };
}

const single = write
  .filter((each) => each.kind !== "ConditionCheck")
  .chain((each) =>
    fc
      .constantFrom("NONE" as const, "ALL_OLD" as const, "ALL_NEW" as const, "UPDATED_OLD" as const, "UPDATED_NEW" as const)
      .map((ReturnValues): Step => ({
        says: `${each.kind} ${JSON.stringify({ ...each, ReturnValues }, shown)}`,
        send: (table, prefix) => {
          const input = { ...actionOf(each, prefix), ReturnValues, ReturnConsumedCapacity: "INDEXES" as const };
          if (each.kind === "Put") return table.send(new PutCommand(input as never));
          return each.kind === "Update" ? table.send(new UpdateCommand(input as never)) : table.send(new DeleteCommand(input as never));
        },
      })),
  );
const transaction = fc
  .uniqueArray(write, { minLength: 1, maxLength: 3, selector: (each) => `${each.key.pk}|${each.key.sk}` })
  .map((writes): Step => ({
    says: `TransactWrite ${JSON.stringify(writes, shown)}`,
    send: (table, prefix) =>
      table.send(new TransactWriteCommand({ TransactItems: writes.map((each) => ({ [each.kind]: actionOf(each, prefix) })) as never })),
  }));

const ranges = [undefined, "sk > :s", "begins_with(sk, :s)", "sk BETWEEN :s AND :s2", "sk = :s"];
const query = fc
  .record({
    pk,
    index: fc.boolean(),
    range: fc.constantFrom(...ranges),
    filter: condition,
    x: value,
    forward: fc.boolean(),
    limit: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    projection: fc.constantFrom(undefined, "sk, #v", "w.list[0], hits"),
  })
  .map(({ pk: partition, index, range, filter, x, forward, limit, projection }): Step => ({
    says: `Query ${JSON.stringify({ partition, index, range, filter, x, forward, limit, projection }, shown)}`,
    send: (table, prefix) => {
      const keyCondition = index ? "gpk = :p" : ["pk = :p", range].filter(Boolean).join(" AND ");
      const expressions = used([filter, projection, range], x);
      return allPages(table, {
        TableName,
        IndexName: index ? "gsi" : undefined,
        KeyConditionExpression: keyCondition,
        FilterExpression: filter,
        ProjectionExpression: projection,
        ExpressionAttributeNames: used([filter, projection], x).ExpressionAttributeNames,
        ExpressionAttributeValues: {
          ...(index ? used([filter], x) : expressions).ExpressionAttributeValues,
          ...(!index && range?.includes(":s2") ? { ":s2": "20" } : {}),
          ":p": `${prefix}${index ? "g" : partition}`,
        },
        ScanIndexForward: forward,
        Limit: limit,
        ReturnConsumedCapacity: "INDEXES",
      });
    },
  }));
/** Only the first page is compared as a page: engines may differ in whether the last page carries a key. */
async function allPages(table: DynamoDBDocumentClient, input: QueryCommandInput) {
  const { LastEvaluatedKey, ...first } = await table.send(new QueryCommand(input));
  const all = [...(first.Items ?? [])];
  for (let ExclusiveStartKey = LastEvaluatedKey; ExclusiveStartKey;) {
    const page = await table.send(new QueryCommand({ ...input, ExclusiveStartKey }));
    all.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  }
  return { ...first, all };
}

const reads = fc.uniqueArray(key, { minLength: 1, maxLength: 4, selector: (each) => `${each.pk}|${each.sk}` }).chain((keys) =>
  fc.boolean().map((transactional): Step => ({
    says: `${transactional ? "TransactGet" : "BatchGet"} ${JSON.stringify(keys)}`,
    send: (table, prefix) => {
      const Keys = keys.map((each) => within(each, prefix));
      if (transactional) return table.send(new TransactGetCommand({ TransactItems: Keys.map((Key) => ({ Get: { TableName, Key } })) }));
      return table.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } }));
    },
  })),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: single },
  { weight: 2, arbitrary: transaction },
  { weight: 3, arbitrary: query },
  { weight: 1, arbitrary: reads },
);

function shown(_name: string, given: unknown): unknown {
  return given instanceof Set ? { set: [...given] } : given;
}

async function outcome(send: Send, table: DynamoDBDocumentClient, prefix: string): Promise<unknown> {
  try {
    const { $metadata: _, ...answer } = (await send(table, prefix)) as Record<string, unknown>;
    return settled(answer);
  } catch (error) {
    if (!(error instanceof DynamoDBServiceException)) throw error;
    const { name, CancellationReasons } = error as TransactionCanceledException;
    const { Item } = error as { Item?: Item };
    // DynamoDB Local answers ValidationException where AWS documents a cancellation with the reason ValidationError
    if (CancellationReasons?.some(({ Code }) => Code === "ValidationError")) return { name: "ValidationException" };
    return {
      name,
      item: unordered(Item),
      reasons: CancellationReasons?.map((reason) => ({ Code: reason.Code, item: unordered(reason.Item as Item | undefined) })),
    };
  }
}

const unordered = (item: Item | undefined) =>
  item && Object.fromEntries(Object.entries(item).map(([name, given]) => [name, given.SS ? { SS: given.SS.toSorted() } : given]));

function settled(answer: Record<string, unknown>): unknown {
  const batch = (answer["Responses"] as Record<string, Record<string, string>[]> | undefined)?.[TableName];
  batch?.sort((one, two) => (`${one["pk"]}|${one["sk"]}` < `${two["pk"]}|${two["sk"]}` ? -1 : 1));
  // DynamoDB Local charges nothing for an empty result; AWS charges the smallest read
  return answer["ScannedCount"] === 0 ? { ...answer, ConsumedCapacity: undefined } : answer;
}

describe.runIf(java)("beside DynamoDB Local", () => {
  let it: Endpoint;
  let local: Awaited<ReturnType<typeof startDynamoDbLocal>>;
  let witness: ReturnType<typeof clientsAt>;
  beforeAll(async () => {
    it = await startEndpoint({ holdTransaction: async () => {} });
    await it.aws.dynamodb.ensureTable(tableSpec(TableName));
    local = await startDynamoDbLocal(tableSpec(TableName));
    witness = clientsAt(local.url, "witness");
  }, 90_000);
  afterAll(async () => {
    witness.destroy();
    await local.close();
    await it.close();
  });

  test(`both engines give the same answers and costs for any sequence of requests (${runs} sequences)`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const prefix = randomUUID();
        for (const { says, send } of steps) {
          const [mine, theirs] = [await outcome(send, it.table, prefix), await outcome(send, witness.table, prefix)];
          expect({ says, answer: mine }).toEqual({ says, answer: theirs });
        }
      }),
      { numRuns: runs },
    );
  }, 600_000);
});
