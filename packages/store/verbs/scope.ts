import type { Address, Key } from "../entities/entity.ts";
import type { Author } from "./audit.ts";

/** The reach of a store handle: one tenant's rows, or with `platform` every row. */
export type Scope = { author: Author; tenantId?: string; platform: boolean };

export type Item = Record<string, unknown>;

export const addressIn = ({ tenantId, platform }: Scope, key: Key<unknown>): Address => {
  if (key.scope === "tenant") {
    if (tenantId === undefined) throw new Error(`${key.entity} needs a tenant's handle`);
    return key.at(tenantId);
  }
  if (!platform) throw new Error(`${key.entity} is not a tenant's row`);
  return key.at;
};

/** The tenant that must own a claimed row. */
export const requiredOwner = (scope: Scope, key: Key<unknown>): string | undefined =>
  key.scope === "tenant" && key.claimed ? scope.tenantId : undefined;

/** Expired rows are absent, also while TTL has not deleted them yet. */
export const isLive = (scope: Scope, row: Item | undefined): boolean =>
  row !== undefined && !(typeof row["expiresAt"] === "number" && row["expiresAt"] * 1000 <= scope.author.clock().getTime());

export const withoutKeys = (item: Item): Item => {
  const { pk: _pk, sk: _sk, ...row } = item;
  return row;
};
