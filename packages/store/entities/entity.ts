import type { tenantPartitions } from "./partitions.ts";

export type PrimaryKey = { pk: string; sk: string };

/**
 * How rows are written.
 * audited: by `commit`, in one transaction with an audit row.
 * bookkeeping: by `writeUnaudited` too, without audit.
 * projected: by the projection of the table's stream, through the platform handle's `writeUnaudited`.
 * retained: as audited; the retention job sets `expiresAt` alone through the platform handle's `writeUnaudited`.
 */
export type WriteKind = "audited" | "bookkeeping" | "projected" | "retained";

/** The groups of rows outside the tenants that a handle may be limited to; see scoped.ts. */
export const scopes = ["accounts", "throttle", "directory", "ehr", "health", "contact"] as const;
export type StoreScope = (typeof scopes)[number];

/** Scope "platform": in no group. */
export type PlatformKey<Row, S extends StoreScope | "platform" = StoreScope | "platform"> = {
  scope: S;
  entity: string;
  writeKind: WriteKind;
  primaryKey: PrimaryKey;
  row?: Row;
};
export type TenantKey<Row> = {
  scope: "tenant";
  entity: string;
  writeKind: WriteKind;
  isOutsideTenantPartition: boolean;
  /** The scopes whose handles reach the row too, once they are bound to its tenant. */
  sharedWith?: { [S in StoreScope]?: true };
  primaryKeyIn: (tenantId: string) => PrimaryKey;
  row?: Row;
};
export type SharedKey<Row, S extends StoreScope> = TenantKey<Row> & { sharedWith: { [Each in S]: true } };
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

type Definition<Row> = { entity: string; writeKind: WriteKind; lifetime: Lifetime<Row> };

/** The definitions by entity name; the data model page and the tests read them. */
export const entities: Record<
  string,
  {
    scope: StoreScope | "platform" | "tenant";
    isOutsideTenantPartition: boolean;
    writeKind: WriteKind;
    lifetime: "expires" | "may expire" | "permanent";
    gsi1?: readonly (keyof typeof tenantPartitions)[] | undefined;
    primaryKey: (...ids: never) => PrimaryKey;
  }
> = {};

/** A row outside every tenant, for the handles of its scope and the platform handle. */
export const entityIn =
  <S extends StoreScope | "platform">(scope: S) =>
  <Row, Ids extends string[]>(
    definition: Definition<Row> & { primaryKey: (...ids: Ids) => PrimaryKey },
  ): ((...ids: Ids) => PlatformKey<Row, S>) => {
    const { entity, writeKind, primaryKey } = definition;
    entities[entity] = { ...definition, scope, isOutsideTenantPartition: false };
    return (...ids) => ({ scope, entity, writeKind, primaryKey: primaryKey(...ids) });
  };
/** A row outside every tenant that only the platform handle reaches. */
export const platformEntity = entityIn("platform");

/**
 * A tenant's row. The store handle supplies the tenant id, so code with a tenant's handle cannot name another tenant's row.
 * `isOutsideTenantPartition`: the row lies outside the tenant's partitions, for lookups by another key; the handle writes it only if it is free
 * or the tenant's own.
 */
export const tenantEntity = <Row, Ids extends string[]>(definition: TenantDefinition<Row, Ids>): ((...ids: Ids) => TenantKey<Row>) =>
  sharedEntity()(definition);

/** A tenant's row that handles of these scopes reach too. */
export const sharedEntity =
  <S extends StoreScope = never>(...sharedWith: S[]) =>
  <Row, Ids extends string[]>(definition: TenantDefinition<Row, Ids>): ((...ids: Ids) => SharedKey<Row, S>) => {
    const { entity, writeKind, isOutsideTenantPartition = false, primaryKey } = definition;
    entities[entity] = { ...definition, scope: "tenant", isOutsideTenantPartition };
    const shared = Object.fromEntries(sharedWith.map((scope) => [scope, true])) as { [Each in S]: true };
    return (...ids) => ({
      ...{ scope: "tenant", entity, writeKind, isOutsideTenantPartition, sharedWith: shared },
      primaryKeyIn: (tenantId) => primaryKey(tenantId, ...ids),
    });
  };
type TenantDefinition<Row, Ids extends string[]> = Definition<Row> &
  Index<Row> & { isOutsideTenantPartition?: true; primaryKey: (tenantId: string, ...ids: Ids) => PrimaryKey };

/** A key to a tenant's row without the tenant's handle. Lookup rows need no tenant id: their address does not contain it. */
export const keyInScope = <Row, S extends StoreScope>(scope: S, key: TenantKey<Row>, tenantId = ""): PlatformKey<Row, S> => ({
  scope,
  entity: key.entity,
  writeKind: key.writeKind,
  primaryKey: key.primaryKeyIn(tenantId),
});

/** A lock as a row of its own; see locks.ts. `ownerGroup`: shared by owners that belong together, such as the requests of one call. */
export type LockRow = { owner: string; attempt: string; lockedAtMs: number; expiresAt: number; ownerGroup?: string };
/** One owner's unit of a quota. `value` comes from the owner's first attempt; a settled unit admits no further attempt. */
export type QuotaUnit = { attempt: string; lockedAtMs: number; value?: string; settled?: true };
/** A row with quotas: `<name>` counts the units taken, `<name>_<owner>` is one of them. */
export type QuotaUnits<Name extends string> = { [count in Name]?: number } & { [unit in `${Name}_${string}`]: QuotaUnit };
/** The lease attributes of the row that the lease protects. */
export type Leased = { leaseOwner?: string; leaseUntilMs?: number };

/** `addresses`: where attempts came from, to delete their counts. */
export type CountRow = { count: number; addresses?: Set<string>; expiresAt: number };
/** A row that only reserves a name or id. */
export type UniqueNameRow = { id: string };
/** A value sealed under the vault key; see packages/aws/secrets/vault.ts. */
export type SealedRow = { ciphertext: string };
/** `lastUsedAt` is at most a minute late. */
export type KeyUseRow = { id: string; lastUsedAt: string };
