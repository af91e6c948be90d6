import { createHash } from "node:crypto";
import { createSigningKey, publicKey, sign } from "@vitaline/aws";
import type { Jwk } from "@vitaline/contract";
import { AppError, newId } from "@vitaline/core";
import { create, keys, type PlatformKeyRow, put } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { primaryKidOf, readPlatformKeys, spreadSeconds } from "./read.ts";

const maxLiveKeys = 4;

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
    throw new AppError("not_doable", "Four signing keys are in use already. Retire a previous one, or wait until the oldest has run out.");
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
  return { kid: primaryKidOf(row), state: active ? "pending" : "active" };
}
