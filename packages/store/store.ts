import { randomUUID } from "node:crypto";
import type { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { setTimeout as sleep } from "node:timers/promises";
import {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
  type TransactWriteCommandInput,
} from "@aws-sdk/lib-dynamodb";
import { AppError } from "@vitaline/core";
import { auditRow, type Audit, type Author } from "./audit.ts";
import { cursorRefused, openCursor, sealCursor } from "./cursor.ts";
import type { Address, Key } from "./keys.ts";
import { asUnavailable, cancellationReasons, isConditionFailure, isConflict, isInvalid, table } from "./table.ts";
import { conditionOf, holdsForNothing, put, rowOf, updateOf, type Expression, type Write } from "./write.ts";

export type Page<Row> = { rows: Row[]; next?: string };
export type Range<Row = unknown> = {
  /** Sort keys from here on, inclusive. */
  from?: string;
  to?: string;
  prefix?: string;
  descending?: boolean;
  limit?: number;
  cursor?: string;
  index?: "gsi1";
  /** As of now, at twice the price: for what a switch decides, which acts on the next request. An index is always a little behind. */
  now?: true;
  /**
   * Which rows the page is to hold. As many as `examine` are looked at, so that a page costs the same however few of them fit:
   * it may be short, or empty, and still have a next one.
   */
  where?: (row: Row) => boolean;
  examine?: number;
};

/** How many rows a page with `where` looks at, when it does not say. */
const usuallyExamined = 100;

/** What every handle can do. `K` says whose rows it may name. */
export type Store<K extends Key<unknown>> = {
  get<Row>(key: K & { row?: Row }): Promise<Row | undefined>;
  /** Strongly consistent, in the order asked; one round trip. */
  batchGet<const Keys extends readonly K[]>(
    keys: Keys,
  ): Promise<{ -readonly [I in keyof Keys]: (Keys[I] extends { row?: infer Row } ? NonNullable<Row> : never) | undefined }>;
  query<Row>(partition: string, range?: Range<Row>): Promise<Page<Row>>;
  /** One transaction with its audit row. AppError `duplicate` or `stale_version` when a condition does not hold. */
  commit(writes: Write[], audit: Audit): Promise<void>;
  /** One unaudited write of a bookkeeping row, or by the system's unscoped handle of a projected one, or of a retained one's end; the row after it, or undefined when its condition does not hold. */
  note<Row>(write: Write): Promise<Row | undefined>;
};

type Scope = { author: Author; tenantId?: string; platform: boolean };

const maxConflictRetries = 5;

const addressIn = ({ tenantId, platform }: Scope, key: Key<unknown>): Address => {
  if (key.scope === "tenant") {
    if (tenantId === undefined) throw new Error(`${key.entity} needs a tenant's handle`);
    return key.at(tenantId);
  }
  if (!platform) throw new Error(`${key.entity} is not a tenant's row`);
  return key.at;
};

const ownerOf = (scope: Scope, key: Key<unknown>): string | undefined =>
  key.scope === "tenant" && key.claimed ? scope.tenantId : undefined;

type Item = Record<string, unknown>;

const alive = (scope: Scope, row: Record<string, unknown> | undefined): boolean =>
  row !== undefined && !(typeof row["expiresAt"] === "number" && row["expiresAt"] * 1000 <= scope.author.clock().getTime());

const bare = (row: Record<string, unknown>): Record<string, unknown> => {
  const { pk: _pk, sk: _sk, ...rest } = row;
  return rest;
};

/** A write as one item of a transaction; single writes use the same parameters. */
const itemOf = (scope: Scope, write: Write) => {
  const Key = addressIn(scope, write.key);
  const TableName = table().name;
  const owner = ownerOf(scope, write.key);
  const guard = { nowMs: scope.author.clock().getTime(), owner };
  const held = ({ expression, names, values }: Expression) => ({
    ConditionExpression: expression,
    ExpressionAttributeNames: Object.keys(names).length ? names : undefined,
    ExpressionAttributeValues: Object.keys(values).length ? values : undefined,
  });
  switch (write.verb) {
    case "put":
      return {
        Put: { TableName, Item: { ...write.row, ...(owner ? { tenantId: owner } : {}), ...Key }, ...held(conditionOf(write.when, guard)) },
      };
    case "delete":
      return { Delete: { TableName, Key, ...held(conditionOf(write.when, guard)) } };
    case "check":
      return { ConditionCheck: { TableName, Key, ...(held(conditionOf(write.when, guard)) as Required<ReturnType<typeof held>>) } };
    case "update": {
      const expression = updateOf(write.change, write.when, guard);
      return {
        Update: {
          TableName,
          Key,
          UpdateExpression: expression.update,
          ...held(expression),
          ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
        },
      };
    }
  }
};

/**
 * An expired row that TTL has not deleted yet is absent: where an update was refused because of one, the row that it makes of nothing
 * takes its place whole. undefined when the update was refused for another reason.
 */
const inPlaceOfDead = (scope: Scope, write: Write, old: Item | undefined): Write | undefined => {
  if (write.verb !== "update" || !holdsForNothing(write.when) || !old) return undefined;
  const expiresAt = (old["expiresAt"] as { N?: string } | undefined)?.N;
  if (alive(scope, { expiresAt: expiresAt === undefined ? undefined : Number(expiresAt) })) return undefined;
  return { verb: "put", key: write.key, row: rowOf(write.change, ownerOf(scope, write.key)), when: { exists: false } };
};

/** Sends until no other transaction holds one of the items: full jitter, five retries, then `unavailable`. */
const withoutConflict = async <T>(send: () => Promise<T>): Promise<T> => {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      if (!isConflict(error)) throw asUnavailable(error);
      if (attempt === maxConflictRetries)
        throw new AppError("unavailable", "The platform is busy with the same record. Please try again in a moment.", {
          cause: error,
          retryAfterSeconds: 1,
        });
      await sleep(Math.random() * 20 * 2 ** attempt);
    }
  }
};

const refusalOf = (refused: Write | undefined, cause: unknown): AppError =>
  refused?.when?.exists === false
    ? new AppError("duplicate", "This already exists.", { cause })
    : new AppError("stale_version", "This was changed by somebody else in the meantime. Please reload and try again.", { cause });

const single = async (scope: Scope, write: Write): Promise<Record<string, unknown> | undefined> => {
  const { client } = table();
  const item = itemOf(scope, write);
  try {
    return await withoutConflict(async () => {
      if (item.Put) return (await client.send(new PutCommand(item.Put)), (write as { row: Record<string, unknown> }).row);
      if (item.Delete) return (await client.send(new DeleteCommand(item.Delete)), {});
      if (!item.Update) throw new Error("A check alone writes nothing");
      const { Attributes } = await client.send(new UpdateCommand({ ...item.Update, ReturnValues: "ALL_NEW" }));
      return bare(Attributes ?? {});
    });
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    const instead = inPlaceOfDead(scope, write, (error as ConditionalCheckFailedException).Item);
    if (!instead) return undefined;
    // Somebody else may have replaced it first: then the update is for their row.
    return (await single(scope, instead)) ?? single(scope, write);
  }
};

const commit = async (scope: Scope, writes: Write[], audit: Audit): Promise<void> => {
  const { key, row } = auditRow(scope.author, scope.tenantId, audit);
  const audited = put(key, row);
  if (writes.length === 0) return void (await single(scope, audited));
  await transact(scope, writes, audited);
};

/** `sent` differs from `writes` where an expired row is to be replaced. */
const transact = async (scope: Scope, writes: Write[], audited: Write, sent: Write[] = writes): Promise<void> => {
  const request: TransactWriteCommandInput = {
    TransactItems: [...sent, audited].map((write) => itemOf(scope, write)),
    ClientRequestToken: randomUUID(),
  };
  try {
    await withoutConflict(() => table().client.send(new TransactWriteCommand(request)));
  } catch (error) {
    const reasons = cancellationReasons(error) ?? [];
    const refused = reasons.flatMap(({ Code }, at) => (Code === "ConditionalCheckFailed" ? [at] : []));
    if (refused.length === 0) throw error;
    const isReplaced = (at: number) => sent[at] !== writes[at];
    // Somebody else has replaced it first: then the update is for their row.
    if (refused.some(isReplaced)) return transact(scope, writes, audited);
    const next = sent.map((write, at) => (refused.includes(at) && inPlaceOfDead(scope, write, reasons[at]?.Item)) || write);
    const final = refused.find((at) => next[at] === sent[at]);
    if (final !== undefined) throw refusalOf(writes[final], error);
    await transact(scope, writes, audited, next);
  }
};

const batchGet = async (scope: Scope, keys: readonly Key<unknown>[]): Promise<unknown[]> => {
  const { client, name } = table();
  const addresses = keys.map((key) => addressIn(scope, key));
  const Keys = [...new Map(addresses.map((address) => [`${address.pk}|${address.sk}`, address])).values()];
  const { Responses, UnprocessedKeys } = await client
    .send(new BatchGetCommand({ RequestItems: { [name]: { Keys, ConsistentRead: true } } }))
    .catch((error: unknown) => {
      throw asUnavailable(error);
    });
  // A row that could not be read must not pass for one that does not exist.
  if (Object.keys(UnprocessedKeys ?? {}).length > 0)
    throw new AppError("unavailable", "The platform's database is busy. Please try again in a moment.", { retryAfterSeconds: 1 });
  const found = new Map((Responses?.[name] ?? []).map((row) => [`${row["pk"]}|${row["sk"]}`, row]));
  return addresses.map(({ pk, sk }) => {
    const row = found.get(`${pk}|${sk}`);
    return row && alive(scope, row) ? bare(row) : undefined;
  });
};

const query = async (scope: Scope, partition: string, range: Range<Item>): Promise<Page<Item>> => {
  const { client, name } = table();
  const [pk, sk] = range.index ? ["gsi1pk", "gsi1sk"] : ["pk", "sk"];
  const sort =
    range.prefix !== undefined
      ? "begins_with(#sk, :from)"
      : range.from !== undefined || range.to !== undefined
        ? "#sk BETWEEN :from AND :to"
        : undefined;
  const result = await client
    .send(
      new QueryCommand({
        TableName: name,
        IndexName: range.index,
        ConsistentRead: range.now,
        KeyConditionExpression: ["#pk = :pk", sort].filter(Boolean).join(" AND "),
        ExpressionAttributeNames: { "#pk": pk, ...(sort ? { "#sk": sk } : {}) },
        ExpressionAttributeValues: {
          ":pk": partition,
          ...(range.prefix !== undefined
            ? { ":from": range.prefix }
            : sort
              ? { ":from": range.from ?? "\u0000", ":to": range.to ?? "\uffff" }
              : {}),
        },
        ScanIndexForward: !range.descending,
        Limit: range.where ? (range.examine ?? usuallyExamined) : range.limit,
        ExclusiveStartKey: range.cursor === undefined ? undefined : openCursor(partition, range.cursor),
      }),
    )
    .catch((error: unknown) => {
      // A position of the same partition, but outside what is asked for now: DynamoDB refuses it.
      throw range.cursor !== undefined && isInvalid(error) ? cursorRefused() : asUnavailable(error);
    });
  const { where = () => true, limit = Infinity } = range;
  const fitting = (result.Items ?? []).filter((row) => alive(scope, row) && where(bare(row)));
  const shown = fitting.slice(0, limit);
  const last = shown.at(-1);
  const position = last && shown.length < fitting.length ? positionOf(last, range) : result.LastEvaluatedKey;
  return { rows: shown.map(bare), next: position && sealCursor(partition, position) };
};

export async function* storedRows(partition: string, index?: "gsi1"): AsyncGenerator<Item[]> {
  const { client, name } = table();
  for (let from: Item | undefined, more = true; more; more = from !== undefined) {
    const page = await client
      .send(
        new QueryCommand({
          TableName: name,
          IndexName: index,
          ConsistentRead: index === undefined,
          KeyConditionExpression: "#pk = :pk",
          ExpressionAttributeNames: { "#pk": index ? "gsi1pk" : "pk" },
          ExpressionAttributeValues: { ":pk": partition },
          ExclusiveStartKey: from,
        }),
      )
      .catch((error: unknown) => {
        throw asUnavailable(error);
      });
    yield page.Items ?? [];
    from = page.LastEvaluatedKey;
  }
}

/** The key behind which the next page begins. */
const positionOf = (row: Item, { index }: Range<Item>): Item =>
  Object.fromEntries((index ? ["pk", "sk", "gsi1pk", "gsi1sk"] : ["pk", "sk"]).map((name) => [name, row[name]]));

const setsEndAlone = (write: Write): boolean =>
  write.verb === "update" && Object.keys(write.change).join() === "set" && Object.keys(write.change.set ?? {}).join() === "expiresAt";

const note = async (scope: Scope, write: Write): Promise<Record<string, unknown> | undefined> => {
  const { bookkeeping, projected, retained } = write.key.kind;
  const isSystem = scope.platform && scope.author.actor.kind === "system";
  if (!bookkeeping && !(isSystem && (projected || (retained && setsEndAlone(write)))))
    throw new Error(`${write.key.entity} is not bookkeeping: commit it with its audit`);
  return single(scope, write);
};

const get = async (scope: Scope, key: Key<unknown>): Promise<Record<string, unknown> | undefined> => {
  const { client, name } = table();
  const { Item } = await client
    .send(new GetCommand({ TableName: name, Key: addressIn(scope, key), ConsistentRead: true }))
    .catch((error: unknown) => {
      throw asUnavailable(error);
    });
  return Item && alive(scope, Item) ? bare(Item) : undefined;
};

/** Binds the verbs to a scope. The casts state what keys.ts guarantees: a key names the type of its row. */
export const storeIn = <K extends Key<unknown>>(scope: Scope, mayQuery: (partition: string) => boolean): Store<K> => ({
  get: (key) => get(scope, key) as never,
  batchGet: (keys) => batchGet(scope, keys) as never,
  query: (partition, range = {}) => {
    if (!mayQuery(partition)) throw new Error("This handle may not list that partition");
    return query(scope, partition, range as Range<Item>) as never;
  },
  commit: (writes, audit) => commit(scope, writes, audit),
  note: (write) => note(scope, write) as never,
});
