import type { Actor, Context } from "@vitaline/core";
import type { Address, Key, PlatformKey } from "./entities/entity.ts";
import type { Author } from "./verbs/commit.ts";
import { storedRows } from "./verbs/read.ts";
import { storeIn, type Store } from "./verbs/store.ts";

export { platformView } from "./entities/entity.ts";

/** A row with its key. */
export type StoredRow = Address & Record<string, unknown>;

/** The key of a stored row, to delete whole partitions. */
export const rowAt = ({ pk, sk }: Address): PlatformKey<unknown> => ({
  scope: "platform",
  entity: "row",
  writes: "audited",
  at: { pk, sk },
});

/**
 * The unscoped handle: it reaches every row. The import law allows it only where needed: for rows outside every tenant (users,
 * sessions, EHRs, signing keys) and in the functions.
 */
export type PlatformStore = Store<Key<unknown>> & {
  /** The same reach, and keys of one tenant; its audit rows go into that tenant's log. */
  inTenant(tenantId: string): PlatformStore;
  /** The same reach with another actor in the audit, for example the user who signed in. */
  as(actor: Actor): PlatformStore;
  /** All rows of a partition with their keys, expired ones included, page by page. */
  stored(partition: string, index?: "gsi1"): AsyncGenerator<StoredRow[]>;
};

export type PlatformContext = Context & { platform: PlatformStore };

export const platformStore = (author: Author, tenantId?: string): PlatformStore => ({
  ...storeIn<Key<unknown>>({ author, tenantId, platform: true }, () => true),
  inTenant: (id) => platformStore(author, id),
  as: (actor) => platformStore({ ...author, actor }, tenantId),
  stored: (partition, index) => storedRows(partition, index) as AsyncGenerator<StoredRow[]>,
});
