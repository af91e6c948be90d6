import type { Actor, Context } from "@vitaline/core";
import type { PlatformKey, StoreScope, SharedKey } from "./entities/entity.ts";
import { partitions } from "./entities/partitions.ts";
import type { AuditSource } from "./verbs/commit.ts";
import { storeIn, type Store } from "./verbs/store.ts";

export type { StoreScope };

/**
 * A handle to the rows of some scopes outside the tenants: other keys neither compile nor pass. Bound to a tenant it also reaches
 * the rows that the tenant shares with a scope, such as its configuration.
 */
export type ScopedStore<S extends StoreScope> = Store<ScopedKey<S>> & {
  /** The same scopes, and the tenant's shared rows; its audit rows go into that tenant's log. */
  inTenant(tenantId: string): ScopedStore<S>;
  /** The same scopes with another actor in the audit, for example the user who signed in. */
  as(actor: Actor): ScopedStore<S>;
};
export type ScopedKey<S extends StoreScope> = S extends StoreScope ? PlatformKey<unknown, S> | SharedKey<unknown, S> : never;

export type ScopedContext<S extends StoreScope> = Context & { platform: ScopedStore<S> };

/** Users, sessions, the counts that limit sign-in attempts, and the directory for the tenants' names. */
export type AccountContext = ScopedContext<"accounts" | "throttle" | "directory">;
/** The tenants by name, id, key, office and voice provider. */
export type DirectoryContext = ScopedContext<"directory">;
/** EHRs with their tokens and health, and the keys that sign for them. */
export type EhrRegistryContext = ScopedContext<"ehr">;
/** The results of health probes. */
export type HealthContext = ScopedContext<"health">;
/** The messages of the contact form, the tenants' requests, and the counts that limit them. */
export type ContactContext = ScopedContext<"contact" | "throttle">;

/** The partitions that a scope may list; "#" at the end: all that begin so. */
const lists: Record<StoreScope, readonly string[]> = {
  accounts: [partitions.userDirectory, partitions.sessions("")],
  throttle: [],
  directory: [partitions.tenantDirectory, partitions.voice],
  ehr: [partitions.fhirProviders, partitions.fhirConnection(""), partitions.platformKeys, partitions.platformKeyUse],
  health: [partitions.systemHealth, partitions.connectionDays(""), partitions.voiceHealth, partitions.reconciled],
  contact: [partitions.contact(""), partitions.unmailedContact, partitions.requests("open"), partitions.requests("closed")],
};

export const storeOf = <const S extends StoreScope>(author: AuditSource, reach: readonly S[], tenantId?: string): ScopedStore<S> => ({
  ...storeIn<ScopedKey<S>>({ author, tenantId, reach }, (partition) =>
    reach.some((scope) => lists[scope].some((known) => (known.endsWith("#") ? partition.startsWith(known) : partition === known))),
  ),
  inTenant: (id) => storeOf(author, reach, id),
  as: (actor) => storeOf({ ...author, actor }, reach, tenantId),
});
