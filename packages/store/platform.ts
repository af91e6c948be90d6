import type { Actor, Context } from "@vitaline/core";
import type { Author } from "./audit.ts";
import type { Key } from "./keys.ts";
import { storeIn, type Store } from "./store.ts";

/**
 * The unscoped handle: it names any row. The linter lets only those import it who cannot do without:
 * what lives outside every tenant (people, sessions, EHRs, signing keys) and the composition root.
 */
export type PlatformStore = Store<Key<unknown>> & {
  /** The same reach, with one tenant's rows at hand; its audit goes into that tenant's log. */
  inTenant(tenantId: string): PlatformStore;
  /** The same rows, with another actor in the audit: a login is the act of who signed in. */
  as(actor: Actor): PlatformStore;
};

export type PlatformContext = Context & { platform: PlatformStore };

export const platformStore = (author: Author, tenantId?: string): PlatformStore => ({
  ...storeIn<Key<unknown>>({ author, tenantId, platform: true }, () => true),
  inTenant: (id) => platformStore(author, id),
  as: (actor) => platformStore({ ...author, actor }, tenantId),
});
