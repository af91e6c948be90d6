import type { Context } from "@vitaline/core";
import type { Key, TenantKey } from "../entities/entity.ts";
import { tenantPrefix } from "../entities/partitions.ts";
import { type Audit, type AuditSource, commit, type Handle, type Item, writeUnaudited } from "./commit.ts";
import { batchGet, get, type Page, query, type Range } from "./read.ts";
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
