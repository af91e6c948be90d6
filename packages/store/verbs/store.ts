import type { Context } from "@vitaline/core";
import type { Key, TenantKey } from "../entities/entity.ts";
import { tenantPrefix } from "../entities/partitions.ts";
import type { Audit, Author } from "./audit.ts";
import { commit, writeUnaudited } from "./commit.ts";
import { batchGet, get, query, type Page, type Range } from "./read.ts";
import type { Item, Scope } from "./scope.ts";
import type { Write } from "./write.ts";

/** The operations of a handle. `K`: the keys that it accepts. */
export type Store<K extends Key<unknown>> = {
  get<Row>(key: K & { row?: Row }): Promise<Row | undefined>;
  /** Strongly consistent, in the order of the keys; one round trip. */
  batchGet<const Keys extends readonly K[]>(
    keys: Keys,
  ): Promise<{ -readonly [I in keyof Keys]: (Keys[I] extends { row?: infer Row } ? NonNullable<Row> : never) | undefined }>;
  query<Row>(partition: string, range?: Range<Row>): Promise<Page<Row>>;
  /** One transaction with its audit row. AppError `duplicate` or `stale_version` when a condition fails. */
  commit(writes: Write[], audit: Audit): Promise<void>;
  /**
   * One write without audit: of a bookkeeping row, or with the platform handle of the system actor of a projected row or of a
   * retained row's `expiresAt`. Returns the row after the write; undefined when the condition fails.
   */
  writeUnaudited<Row>(write: Write): Promise<Row | undefined>;
};

/** Binds the operations to a scope. The casts are sound because a key carries the type of its row. */
export const storeIn = <K extends Key<unknown>>(scope: Scope, mayQuery: (partition: string) => boolean): Store<K> => ({
  get: (key) => get(scope, key) as never,
  batchGet: (keys) => batchGet(scope, keys) as never,
  query: (partition, range = {}) => {
    if (!mayQuery(partition)) throw new Error("This handle may not list that partition");
    return query(scope, partition, range as Range<Item>) as never;
  },
  commit: (writes, audit) => commit(scope, writes, audit),
  writeUnaudited: (write) => writeUnaudited(scope, write) as never,
});

/** A handle bound to one tenant: keys contain no tenant id, the handle supplies its own. */
export type TenantStore = Store<TenantKey<unknown>> & { readonly tenantId: string };

export type TenantContext = Context & { tenantId: string; store: TenantStore };

export const tenantStore = (author: Author, tenantId: string): TenantStore => ({
  ...storeIn<TenantKey<unknown>>({ author, tenantId, platform: false }, (partition) => partition.startsWith(tenantPrefix(tenantId))),
  tenantId,
});
