import type { tenantPartitions } from "./partitions.ts";

export type Address = { pk: string; sk: string };

/**
 * How rows are written.
 * audited: by `commit`, in one transaction with an audit row.
 * bookkeeping: by `writeUnaudited` too, without audit.
 * projected: by the projection of the table's stream, through the platform handle's `writeUnaudited`.
 * retained: as audited; the retention job sets `expiresAt` alone through the platform handle's `writeUnaudited`.
 */
export type WriteKind = "audited" | "bookkeeping" | "projected" | "retained";

export type PlatformKey<Row> = { scope: "platform"; entity: string; writes: WriteKind; at: Address; row?: Row };
export type TenantKey<Row> = {
  scope: "tenant";
  entity: string;
  writes: WriteKind;
  claimed: boolean;
  at: (tenantId: string) => Address;
  row?: Row;
};
export type Key<Row> = PlatformKey<Row> | TenantKey<Row>;

/** Whether rows end by DynamoDB's TTL on `expiresAt`; the row type decides. */
type Lifetime<Row> = [Row] extends [{ expiresAt: number }]
  ? "expires"
  : string extends keyof Row
    ? "permanent"
    : "expiresAt" extends keyof Row
      ? "may expire"
      : "permanent";

/** Rows with `gsi1pk` are indexed; `gsi1` names their partitions there. */
type Index<Row> = string extends keyof Row
  ? { gsi1?: never }
  : "gsi1pk" extends keyof Row
    ? { gsi1: readonly (keyof typeof tenantPartitions)[] }
    : { gsi1?: never };

type Definition<Row> = { entity: string; writes: WriteKind; lifetime: Lifetime<Row> };

/** The definitions by entity name; the data model page and the tests read them. */
export const entities: Record<
  string,
  {
    scope: "platform" | "tenant";
    claimed: boolean;
    writes: WriteKind;
    lifetime: "expires" | "may expire" | "permanent";
    gsi1?: readonly (keyof typeof tenantPartitions)[] | undefined;
    at: (...ids: never) => Address;
  }
> = {};

/** A row outside every tenant; only the platform handle can name it. */
export const platformEntity = <Row, Ids extends string[]>(
  definition: Definition<Row> & { at: (...ids: Ids) => Address },
): ((...ids: Ids) => PlatformKey<Row>) => {
  const { entity, writes, at } = definition;
  entities[entity] = { ...definition, scope: "platform", claimed: false };
  return (...ids) => ({ scope: "platform", entity, writes, at: at(...ids) });
};

/**
 * A tenant's row. The store handle supplies the tenant id, so code with a tenant's handle cannot name another tenant's row.
 * `claimed`: the row lies outside the tenant's partitions, for lookups by another key; the handle writes it only if it is free
 * or the tenant's own.
 */
export const tenantEntity = <Row, Ids extends string[]>(
  definition: Definition<Row> & Index<Row> & { claimed?: true; at: (tenantId: string, ...ids: Ids) => Address },
): ((...ids: Ids) => TenantKey<Row>) => {
  const { entity, writes, claimed = false, at } = definition;
  entities[entity] = { ...definition, scope: "tenant", claimed };
  return (...ids) => ({ scope: "tenant", entity, writes, claimed, at: (tenantId) => at(tenantId, ...ids) });
};

/** The platform handle's key to a tenant's row. Claimed rows need no tenant id: their address does not contain it. */
export const platformView = <Row>(key: TenantKey<Row>, tenantId = ""): PlatformKey<Row> => ({
  scope: "platform",
  entity: key.entity,
  writes: key.writes,
  at: key.at(tenantId),
});

/** A claim as a row of its own; see claims.ts. */
export type ClaimRow = { owner: string; attempt: string; claimedAtMs: number; expiresAt: number };
/** One owner's place in a row. `value` comes from the owner's first attempt; a settled place admits no further attempt. */
export type Place = { attempt: string; claimedAtMs: number; value?: string; settled?: true };
/** A row with places: `<name>` counts them, `<name>_<owner>` is one place. */
export type Places<Name extends string> = { [count in Name]?: number } & { [place in `${Name}_${string}`]: Place };
/** The lease attributes of the row that the lease protects. */
export type Leased = { leaseOwner?: string; leaseUntilMs?: number };

/** `addresses`: where attempts came from, to delete their counts. */
export type CountRow = { count: number; addresses?: Set<string>; expiresAt: number };
/** A row that only reserves a name or id. */
export type NameClaimRow = { id: string };
/** A value sealed under the vault key; see packages/aws/secrets/vault.ts. */
export type SealedRow = { ciphertext: string };
/** `lastUsedAt` is at most a minute late. */
export type KeyUseRow = { id: string; lastUsedAt: string };
