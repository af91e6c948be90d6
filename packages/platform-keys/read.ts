import type { PlatformKey } from "@vitaline/contract";
import { awaitAllThenThrow } from "@vitaline/core";
import type { KeyUseRow, PlatformKeyRow } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { EhrRegistryContext } from "@vitaline/store/scoped.ts";

/** The kid for RS256 is the displayed one. */
export const primaryKidOf = ({ id, jwks }: PlatformKeyRow): string => jwks.find(({ alg }) => alg === "RS256")?.kid ?? id;

export const asPlatformKey = (row: PlatformKeyRow, state: PlatformKey["state"], use: KeyUseRow | undefined): PlatformKey => ({
  kid: primaryKidOf(row),
  alg: "RS256",
  state,
  createdAt: row.createdAt,
  activeFrom: row.activeFrom,
  lastSignedAt: use?.lastUsedAt ?? null,
});

/** Newest first. */
export async function listPlatformKeys(ctx: EhrRegistryContext): Promise<PlatformKey[]> {
  const [{ all }, uses] = await awaitAllThenThrow([readPlatformKeys(ctx), ctx.platform.query<KeyUseRow>(partitions.platformKeyUse)]);
  const useOf = new Map(uses.rows.map((use) => [use.id, use]));
  return all.map(({ row, state }) => asPlatformKey(row, state, useOf.get(row.id))).reverse();
}

/** Cache lifetime of the published key set. */
export const jwksMaxAgeSeconds = 3600;
/** Two caches in a row, the edge's and the peer's, must have expired before a new key signs. */
export const propagationSeconds = 2 * jwksMaxAgeSeconds;

type State = PlatformKey["state"];

export type PlatformKeys = {
  /** Oldest first. */
  all: { row: PlatformKeyRow; state: State }[];
  /** Those in the published key set, oldest first. */
  live: PlatformKeyRow[];
  active?: PlatformKeyRow;
  newest?: PlatformKeyRow;
};

/**
 * A key's state depends on the clock alone, so that all functions agree: it signs from `activeFrom` until its successor does, and
 * is published until its last signatures have expired or it is retired.
 */
export async function readPlatformKeys(ctx: EhrRegistryContext): Promise<PlatformKeys> {
  const { rows } = await ctx.platform.query<PlatformKeyRow>(partitions.platformKeys, { to: "z" });
  const now = ctx.clock();
  const active = rows.filter(({ activeFrom }) => activeFrom <= now.toISOString()).at(-1);
  const stateOf = (row: PlatformKeyRow, index: number): State => {
    if (row.retiredAt !== undefined) return "retired";
    if (row === active) return "active";
    if (row.activeFrom > now.toISOString()) return "pending";
    const successor = rows[index + 1];
    return successor && Date.parse(successor.activeFrom) + propagationSeconds * 1000 <= now.getTime() ? "retired" : "previous";
  };
  const all = rows.map((row, index) => ({ row, state: stateOf(row, index) }));
  return { all, live: all.filter(({ state }) => state !== "retired").map(({ row }) => row), active, newest: rows.at(-1) };
}
