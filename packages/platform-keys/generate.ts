import { createHash } from "node:crypto";
import { createSigningKey, publicKey, sign } from "@vitaline/aws";
import type { Jwk } from "@vitaline/contract";
import { AppError, newId } from "@vitaline/core";
import { create, keys, put, type PlatformKeyRow } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";

/** How long a cache may keep the key set that we publish. */
export const jwksMaxAgeSeconds = 3600;
/** Two caches stand in line, the edge's and the peer's; a new key signs only when both have passed it on. */
const spreadSeconds = 2 * jwksMaxAgeSeconds;
const maxLiveKeys = 4;

export type PlatformKeys = {
  /** Every key that peers may still need, oldest first. */
  live: PlatformKeyRow[];
  /** The one that signs now. */
  active?: PlatformKeyRow;
  /** The last one made, whatever its state. */
  newest?: PlatformKeyRow;
};

/**
 * The signing keys. A key is pending, active, previous or retired by the clock alone, so every function sees a change at
 * the same moment: it signs from `activeFrom` until its successor does, and is published until what it signed has run out.
 */
export async function readPlatformKeys(ctx: PlatformContext): Promise<PlatformKeys> {
  const { rows } = await ctx.platform.query<PlatformKeyRow>(partitions.platformKeys, { to: "z" });
  const now = ctx.clock();
  const isRetired = (index: number): boolean => {
    const successor = rows[index + 1];
    return successor !== undefined && Date.parse(successor.activeFrom) + spreadSeconds * 1000 <= now.getTime();
  };
  return {
    live: rows.filter((_row, index) => !isRetired(index)),
    active: rows.filter(({ activeFrom }) => activeFrom <= now.toISOString()).at(-1),
    newest: rows.at(-1),
  };
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
 * to fetch the new key set. AppError `not_doable` while four keys live, `duplicate` or `stale_version` when two are made at once.
 */
export async function generatePlatformKey(ctx: PlatformContext): Promise<{ kid: string; state: "active" | "pending" }> {
  const { live, active, newest } = await readPlatformKeys(ctx);
  if (live.length >= maxLiveKeys)
    throw new AppError("not_doable", "Four signing keys are in use already. Wait until the oldest has run out before generating another.");
  const arn = await createSigningKey();
  const { n, e } = await publicKey(arn);
  await sign(arn, "RS256", "vitaline test signature");

  const now = ctx.clock();
  const id = newId(now.getTime());
  const delayMs = active ? spreadSeconds * 1000 : 0;
  const row: PlatformKeyRow = {
    id,
    arn,
    jwks: publish(n, e),
    createdAt: now.toISOString(),
    activeFrom: new Date(now.getTime() + delayMs).toISOString(),
  };
  const last = newest ? put(keys.newestPlatformKey(), { id }, { equals: { id: newest.id } }) : create(keys.newestPlatformKey(), { id });
  await ctx.platform.commit([create(keys.platformKey(id), row), last], {
    category: "configuration_change",
    action: "platformKey.generate",
    resourceType: "PlatformKey",
    resourceId: id,
  });
  return { kid: row.jwks[0]?.kid ?? id, state: active ? "pending" : "active" };
}
