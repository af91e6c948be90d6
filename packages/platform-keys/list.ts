import type { PlatformKey } from "@vitaline/contract";
import { allDone } from "@vitaline/core";
import type { KeyUseRow, PlatformKeyRow } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { readPlatformKeys } from "./states.ts";

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
