import { createHash } from "node:crypto";
import { createSigningKey, publicKey, sign } from "@vitaline/aws";
import type { Jwk } from "@vitaline/contract";
import { AppError, newId } from "@vitaline/core";
import { create, keys, update, type PlatformKeyRow } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";

/** How long a peer may go on with the key set it fetched; a new key signs only after it. */
export const jwksMaxAgeSeconds = 3600;
const maxLiveKeys = 4;

export type PlatformKeys = { rows: PlatformKeyRow[]; active?: PlatformKeyRow };

/** All signing keys, oldest first, and the one that signs now. One Query. */
export async function readPlatformKeys(ctx: PlatformContext): Promise<PlatformKeys> {
  const { rows } = await ctx.platform.query<PlatformKeyRow>(partitions.platformKeys);
  const all = rows.filter((row) => row.arn !== undefined);
  const now = ctx.clock().toISOString();
  // A pending key becomes the active one by the clock alone: every function sees the change at the same moment.
  const usable = all.filter((row) => row.state !== "retired" && row.activeFrom <= now);
  return { rows: all, active: usable.at(-1) };
}

/** One RSA key under one kid per algorithm: an `alg` in a JWK binds it, and some EHRs take only RS384. */
const publish = (n: string, e: string): Jwk[] => {
  // RFC 7638: the required members in lexical order.
  const thumbprint = createHash("sha256")
    .update(JSON.stringify({ e, kty: "RSA", n }))
    .digest("base64url");
  const common = { kty: "RSA", use: "sig", key_ops: ["verify" as const], n, e } satisfies Partial<Jwk>;
  return [
    { ...common, kid: thumbprint, alg: "RS256" },
    { ...common, kid: `${thumbprint}-384`, alg: "RS384" },
  ];
};

/**
 * A new signing key. The first is active after one test signature; a later one waits until every peer has had the chance
 * to fetch the new key set. AppError `not_doable` while four keys live.
 */
export async function generatePlatformKey(ctx: PlatformContext): Promise<{ kid: string; state: "active" | "pending" }> {
  const existing = await readPlatformKeys(ctx);
  if (existing.rows.filter((row) => row.state !== "retired").length >= maxLiveKeys)
    throw new AppError("not_doable", "Four signing keys are in use already. Retire one before generating another.");
  const arn = await createSigningKey();
  const { n, e } = await publicKey(arn);
  await sign(arn, "RS256", "vitaline test signature");

  const now = ctx.clock();
  const first = existing.active === undefined;
  const id = newId(now.getTime());
  const row: PlatformKeyRow = {
    id,
    arn,
    state: first ? "active" : "pending",
    jwks: publish(n, e),
    createdAt: now.toISOString(),
    activeFrom: new Date(now.getTime() + (first ? 0 : jwksMaxAgeSeconds * 1000)).toISOString(),
  };
  await ctx.platform.commit(
    [
      create(keys.platformKey(id), row),
      first ? create(keys.activePlatformKey(), { id, version: 1 }) : update(keys.activePlatformKey(), { set: { id }, add: { version: 1 } }),
    ],
    {
      category: "configuration_change",
      action: "platformKey.generate",
      resourceType: "PlatformKey",
      resourceId: id,
    },
  );
  return { kid: row.jwks[0]?.kid ?? id, state: first ? "active" : "pending" };
}
