import type { PlatformKey } from "@vitaline/contract";
import { allDone } from "@vitaline/core";
import type { KeyUseRow, PlatformKeyRow } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";

/** The kid under which a key is shown: the one for RS256. */
export const primaryKidOf = ({ id, jwks }: PlatformKeyRow): string => jwks.find(({ alg }) => alg === "RS256")?.kid ?? id;

export const asPlatformKey = (row: PlatformKeyRow, state: PlatformKey["state"], use: KeyUseRow | undefined): PlatformKey => ({
  kid: primaryKidOf(row),
  alg: "RS256",
  state,
  createdAt: row.createdAt,
  activeFrom: row.activeFrom,
  lastSignedAt: use?.lastUsedAt ?? null,
});

/** Every signing key, newest first, without what it is made of. */
export async function listPlatformKeys(ctx: PlatformContext): Promise<PlatformKey[]> {
  const [{ all }, uses] = await allDone([readPlatformKeys(ctx), ctx.platform.query<KeyUseRow>(partitions.platformKeyUse)]);
  const useOf = new Map(uses.rows.map((use) => [use.id, use]));
  return all.map(({ row, state }) => asPlatformKey(row, state, useOf.get(row.id))).reverse();
}

/** How long a cache may keep the key set that we publish. */
export const jwksMaxAgeSeconds = 3600;
/** Two caches stand in line, the edge's and the peer's; a new key signs only when both have passed it on. */
export const spreadSeconds = 2 * jwksMaxAgeSeconds;

type State = PlatformKey["state"];

export type PlatformKeys = {
  /** Every key there ever was and its state now, oldest first. */
  all: { row: PlatformKeyRow; state: State }[];
  /** Every key that peers may still need, oldest first. */
  live: PlatformKeyRow[];
  /** The one that signs now. */
  active?: PlatformKeyRow;
  /** The last one made, whatever its state. */
  newest?: PlatformKeyRow;
};

/**
 * The signing keys. A key is pending, active, previous or retired by the clock alone, so every function sees a change at
 * the same moment: it signs from `activeFrom` until its successor does, and is published until what it signed has run out,
 * or until somebody retires it before.
 */
export async function readPlatformKeys(ctx: PlatformContext): Promise<PlatformKeys> {
  const { rows } = await ctx.platform.query<PlatformKeyRow>(partitions.platformKeys, { to: "z" });
  const now = ctx.clock();
  const active = rows.filter(({ activeFrom }) => activeFrom <= now.toISOString()).at(-1);
  const stateOf = (row: PlatformKeyRow, index: number): State => {
    if (row.retiredAt !== undefined) return "retired";
    if (row === active) return "active";
    if (row.activeFrom > now.toISOString()) return "pending";
    const successor = rows[index + 1];
    return successor && Date.parse(successor.activeFrom) + spreadSeconds * 1000 <= now.getTime() ? "retired" : "previous";
  };
  const all = rows.map((row, index) => ({ row, state: stateOf(row, index) }));
  return { all, live: all.filter(({ state }) => state !== "retired").map(({ row }) => row), active, newest: rows.at(-1) };
}
