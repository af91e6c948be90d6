import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { AppError, type Context, keysFor, pause } from "@vitaline/core";
import { BatchGetCommand, GetCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import type { Key, PrimaryKey, TenantKey } from "../entities/entity.ts";
import { tenantPrefix } from "../entities/partitions.ts";
import {
  addressIn,
  type Audit,
  type AuditSource,
  commit,
  type Handle,
  isUnexpired,
  type Item,
  requireReach,
  tableFor,
  withoutKeys,
  writeUnaudited,
} from "./commit.ts";
import { asUnavailable, isInvalid, table } from "./table.ts";
import type { Write } from "./write.ts";

/** The operations of a handle. `K`: the keys that it accepts. */
export type Store<K extends Key<unknown>> = {
  // A property: TypeScript compares its parameter strictly, so a narrow handle cannot pass as a wider one.
  get: <Row>(key: K & { row?: Row }) => Promise<Row | undefined>;
  /** Strongly consistent, in the order of the keys; one round trip. */
  batchGet<const Keys extends readonly K[]>(keys: Keys): Promise<{ -readonly [I in keyof Keys]: RowOf<Keys[I]> | undefined }>;
  query<Row>(partition: string, range?: Range<Row>): Promise<Page<Row>>;
  /** One transaction with its audit row. AppError `duplicate` or `stale_version` when a condition fails. */
  commit(writes: Write[], audit: Audit): Promise<void>;
  /**
   * One write without audit: of a bookkeeping row, or with the platform handle of the system actor of a projected row or of a
   * retained row's `expiresAt`. Returns the row after the write; undefined when the condition fails.
   */
  writeUnaudited<Row>(write: Write): Promise<Row | undefined>;
};

/** Binds the operations to a handle. The casts are sound because a key carries the type of its row. */
export const storeIn = <K extends Key<unknown>>(handle: Handle, mayQuery: (partition: string) => boolean): Store<K> => ({
  get: (key) => get(handle, key) as never,
  batchGet: (keys) => batchGet(handle, keys) as never,
  query: (partition, range = {}) => {
    if (!mayQuery(partition)) throw new Error("This handle may not list that partition");
    return query(handle, partition, range as Range<Item>) as never;
  },
  commit: (writes, audit) => commit(handle, writes, audit),
  writeUnaudited: (write) => writeUnaudited(handle, write) as never,
});

type RowOf<K> = K extends { row?: infer Row } ? NonNullable<Row> : never;

/** `batchGet` by names; a name without a key is not read. */
export async function batchGetNamed<K extends Key<unknown>, const Keys extends Readonly<Record<string, K | undefined>>>(
  store: Pick<Store<K>, "batchGet">,
  named: Keys,
): Promise<{ -readonly [Name in keyof Keys]: RowOf<Keys[Name]> | undefined }> {
  const wanted = Object.entries(named).flatMap(([name, key]) => (key ? [{ name, key }] : []));
  const rows = await store.batchGet(wanted.map(({ key }) => key));
  return Object.fromEntries(wanted.map(({ name }, at) => [name, rows[at]])) as never;
}

/** A handle bound to one tenant: keys contain no tenant id, the handle supplies its own. */
export type TenantStore = Store<TenantKey<unknown>> & { readonly tenantId: string };

export type TenantContext = Context & { tenantId: string; store: TenantStore };

export const tenantStore = (author: AuditSource, tenantId: string): TenantStore => ({
  ...storeIn<TenantKey<unknown>>({ author, tenantId, reach: "tenant" }, (partition) => partition.startsWith(tenantPrefix(tenantId))),
  tenantId,
});

export type Page<Row> = { rows: Row[]; next?: string };

export type Range<Row = unknown> = {
  /** Bounds of the sort key, inclusive. */
  from?: string;
  to?: string;
  prefix?: string;
  descending?: boolean;
  limit?: number;
  cursor?: string;
  index?: "gsi1";
  /** Strongly consistent, at twice the cost; not possible on an index. */
  now?: true;
  /** Filters the `examine` rows (default 100) that a page reads: it may have fewer than `limit` rows, or none, and still a next page. */
  where?: (row: Row) => boolean;
  examine?: number;
};

const defaultExamined = 100;

const get = async (handle: Handle, key: Key<unknown>): Promise<Item | undefined> => {
  requireReach(handle, key);
  const { client, name } = tableFor(handle, key);
  const { Item } = await client
    .send(new GetCommand({ TableName: name, Key: addressIn(handle, key), ConsistentRead: true }))
    .catch((error: unknown) => {
      throw asUnavailable(error);
    });
  return Item && isUnexpired(handle, Item) ? withoutKeys(Item) : undefined;
};

const batchGet = async (handle: Handle, keys: readonly Key<unknown>[]): Promise<unknown[]> => {
  for (const key of keys) requireReach(handle, key);
  const addresses = keys.map((key) => addressIn(handle, key));
  // One request, or two where the tenant's rows need other rights than the rest.
  const byClient = Map.groupBy(keys.keys(), (at) => tableFor(handle, keys[at] as Key<unknown>).client);
  const rows = await Promise.all(
    [...byClient].map(([client, positions]) =>
      getAll(
        client,
        positions.map((at) => addresses[at] as PrimaryKey),
      ),
    ),
  );
  const found = new Map(rows.flat().map((row) => [`${row.pk}|${row.sk}`, row]));
  return addresses.map(({ pk, sk }) => {
    const row = found.get(`${pk}|${sk}`);
    return row && isUnexpired(handle, row) ? withoutKeys(row) : undefined;
  });
};

/** Pauses before a repetition, as long as none of the keys left was read. */
const pausesMs = [50, 150, 400];

/** DynamoDB leaves out keys when it is busy, and beyond 16 MB. An unprocessed key must not look like a missing row. */
const getAll = async (client: ReturnType<typeof table>["client"], addresses: PrimaryKey[]) => {
  const { name } = table();
  const found: (PrimaryKey & Item)[] = [];
  const pauses = [...pausesMs];
  let Keys: Item[] = [...new Map(addresses.map((address) => [`${address.pk}|${address.sk}`, address])).values()];
  for (;;) {
    const { Responses, UnprocessedKeys } = await client
      .send(new BatchGetCommand({ RequestItems: { [name]: { Keys, ConsistentRead: true } } }))
      .catch((error: unknown) => {
        throw asUnavailable(error);
      });
    found.push(...((Responses?.[name] ?? []) as (PrimaryKey & Item)[]));
    const left = UnprocessedKeys?.[name]?.Keys ?? [];
    if (left.length === 0) return found;
    const wait = left.length < Keys.length ? 0 : pauses.shift();
    if (wait === undefined)
      throw new AppError("unavailable", "The platform's database is busy. Please try again in a moment.", { retryAfterSeconds: 1 });
    await pause(wait);
    Keys = left;
  }
};

const query = async (handle: Handle, partition: string, range: Range<Item>): Promise<Page<Item>> => {
  const { client, name } = table(typeof handle.reach === "string" ? handle.tenantId : undefined);
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
        Limit: range.where ? (range.examine ?? defaultExamined) : range.limit,
        ExclusiveStartKey: range.cursor === undefined ? undefined : openCursor(partition, range.cursor),
      }),
    )
    .catch((error: unknown) => {
      // DynamoDB refuses a cursor of the same partition that lies outside the range.
      throw range.cursor !== undefined && isInvalid(error) ? cursorRefused() : asUnavailable(error);
    });
  const { where = () => true, limit = Infinity } = range;
  const matching = (result.Items ?? []).filter((row) => isUnexpired(handle, row) && where(withoutKeys(row)));
  const shown = matching.slice(0, limit);
  const last = shown.at(-1);
  const position = last && shown.length < matching.length ? positionOf(last, range) : result.LastEvaluatedKey;
  return { rows: shown.map(withoutKeys), next: position && sealCursor(partition, position) };
};

/** The ExclusiveStartKey of the next page. */
const positionOf = (row: Item, { index }: Range<Item>): Item =>
  Object.fromEntries((index ? ["pk", "sk", "gsi1pk", "gsi1sk"] : ["pk", "sk"]).map((name) => [name, row[name]]));

/** All rows of a partition with their keys, expired ones included, page by page. */
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

type Lister = { query<Row>(partition: string, range?: Range<Row>): Promise<Page<Row>> };

/** All pages of a range. A page may be empty when its rows have expired. */
export async function* pagesOf<Row>(store: Lister, partition: string, range: Omit<Range<Row>, "cursor"> = {}): AsyncGenerator<Row[]> {
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page = await store.query<Row>(partition, { ...range, cursor });
    yield page.rows;
    cursor = page.next;
  }
}

/** All rows of a range, read page by page. */
export async function* rowsOf<Row>(store: Lister, partition: string, range: Omit<Range<Row>, "cursor"> = {}): AsyncGenerator<Row> {
  for await (const rows of pagesOf<Row>(store, partition, range)) yield* rows;
}

/** All rows of a range as one array, for small ranges. */
export async function allRows<Row>(store: Lister, partition: string, range: Omit<Range<Row>, "cursor"> = {}): Promise<Row[]> {
  const all: Row[] = [];
  for await (const rows of pagesOf<Row>(store, partition, range)) all.push(...rows);
  return all;
}

const nonceBytes = 12;
const tagBytes = 16;

/** AppError `invalid_request` for an invalid cursor. */
const cursorRefused = (): AppError =>
  new AppError("invalid_request", "This page link is not valid here. Please start from the first page.", {
    fields: { cursor: "Is not valid" },
  });

/** Encrypts a page position; only the same partition accepts it. */
export const sealCursor = (partition: string, position: Record<string, unknown>): string => {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", keysFor("cursor")[0], nonce).setAAD(Buffer.from(partition));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(position)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
};

/** The position in a cursor; AppError `invalid_request` when it was altered or is of another partition. */
export const openCursor = (partition: string, cursor: string): Record<string, unknown> => {
  const bytes = Buffer.from(cursor, "base64url");
  if (bytes.length <= nonceBytes + tagBytes || bytes.toString("base64url") !== cursor) throw cursorRefused();
  for (const key of keysFor("cursor")) {
    const position = decrypt(key, partition, bytes);
    if (position !== undefined) return position;
  }
  throw cursorRefused();
};

const decrypt = (key: Buffer, partition: string, bytes: Buffer): Record<string, unknown> | undefined => {
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes)).setAAD(Buffer.from(partition));
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  try {
    const position = Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString();
    return JSON.parse(position) as Record<string, unknown>;
  } catch {
    return undefined;
  }
};
