import type { PlatformKey } from "@vitaline/contract";
import type { PlatformKeyRow } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";

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
