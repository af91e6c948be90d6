import type { Actor, Context } from "@vitaline/core";
import type { Author } from "./audit.ts";
import type { Address, Key, PlatformKey } from "./keys.ts";
import { storedRows, storeIn, type Store } from "./store.ts";

/** A row as it lies in the table, with its key. */
export type StoredRow = Address & Record<string, unknown>;

/** A row by the address where it was read: for deleting whole partitions. */
export const rowAt = ({ pk, sk }: Address): PlatformKey<unknown> => ({ scope: "platform", entity: "row", kind: {}, at: { pk, sk } });

/**
 * The unscoped handle: it names any row. The linter lets only those import it who cannot do without:
 * what lives outside every tenant (people, sessions, EHRs, signing keys) and the composition root.
 */
export type PlatformStore = Store<Key<unknown>> & {
  /** The same reach, with one tenant's rows at hand; its audit goes into that tenant's log. */
  inTenant(tenantId: string): PlatformStore;
  /** The same rows, with another actor in the audit: a login is the act of who signed in. */
  as(actor: Actor): PlatformStore;
  /** Every row of a partition with its key, expired ones that are still there too, a page at a time. */
  stored(partition: string, index?: "gsi1"): AsyncGenerator<StoredRow[]>;
};

export type PlatformContext = Context & { platform: PlatformStore };

export const platformStore = (author: Author, tenantId?: string): PlatformStore => ({
  ...storeIn<Key<unknown>>({ author, tenantId, platform: true }, () => true),
  inTenant: (id) => platformStore(author, id),
  as: (actor) => platformStore({ ...author, actor }, tenantId),
  stored: (partition, index) => storedRows(partition, index) as AsyncGenerator<StoredRow[]>,
});
