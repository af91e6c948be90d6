import type { Actor, Context } from "@vitaline/core";
import type { PrimaryKey, Key, PlatformKey } from "./entities/entity.ts";
import { type AuditSource, type OwnedWrite, writeAllUnaudited } from "./verbs/commit.ts";
import { type Store, storedRows, storeIn } from "./verbs/store.ts";

export type { OwnedWrite } from "./verbs/commit.ts";

/** A row with its key. */
export type StoredRow = PrimaryKey & Record<string, unknown>;

/** The key of any row, to delete whole partitions or to read what a record of the stream is about. */
export const rowAt = <Row = unknown>({ pk, sk }: PrimaryKey): PlatformKey<Row> => ({
  scope: "platform",
  entity: "row",
  writeKind: "audited",
  primaryKey: { pk, sk },
});

/**
 * The unscoped handle: it reaches every row. `test/lint/import-law.ts` lists the files that need it; others take a handle of
 * scoped.ts or a tenant's.
 */
export type PlatformStore = Store<Key<unknown>> & {
  /** The same reach, and keys of one tenant; its audit rows go into that tenant's log. */
  inTenant(tenantId: string): PlatformStore;
  /** The same reach with another actor in the audit, for example the user who signed in. */
  as(actor: Actor): PlatformStore;
  /**
   * One transaction of at most 100 rows without audit, of any tenant: projected rows with the system actor. False when a condition fails.
   */
  writeAllUnaudited(writes: readonly OwnedWrite[]): Promise<boolean>;
  /** All rows of a partition with their keys, expired ones included, page by page. */
  stored(partition: string, index?: "gsi1"): AsyncGenerator<StoredRow[]>;
};

export type PlatformContext = Context & { platform: PlatformStore };

export const platformStore = (author: AuditSource, tenantId?: string): PlatformStore => ({
  ...storeIn<Key<unknown>>({ author, tenantId, reach: "platform" }, () => true),
  inTenant: (id) => platformStore(author, id),
  as: (actor) => platformStore({ ...author, actor }, tenantId),
  writeAllUnaudited: (writes) => writeAllUnaudited({ author, tenantId, reach: "platform" }, writes),
  stored: (partition, index) => storedRows(partition, index) as AsyncGenerator<StoredRow[]>,
});
