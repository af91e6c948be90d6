import { createHash } from "node:crypto";
import { createSigningKey, publicKey, sign } from "@vitaline/aws";
import type { Jwk } from "@vitaline/contract";
import { AppError, newId } from "@vitaline/core";
import { create, keys, put, type PlatformKeyRow } from "@vitaline/store";
import type { EhrRegistryContext } from "@vitaline/store/scoped.ts";
import { primaryKidOf, propagationSeconds, readPlatformKeys } from "./read.ts";

const maxLiveKeys = 4;

/** One RSA key under a kid per algorithm: `alg` binds a JWK, and some EHRs accept only RS384. */
const toJwks = (n: string, e: string): Jwk[] => {
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
 * The first key is active at once, later ones after peers had time to fetch the key set. AppError `not_doable` with four live keys,
 * `duplicate` or `stale_version` for concurrent requests.
 */
export async function generatePlatformKey(ctx: EhrRegistryContext): Promise<{ kid: string; state: "active" | "pending" }> {
  const { live, active, newest } = await readPlatformKeys(ctx);
  if (live.length >= maxLiveKeys)
    throw new AppError("not_doable", "Four signing keys are already in use. Retire a previous one, or wait until the oldest expires.");
  const arn = await createSigningKey("platform-signing");
  const { n, e } = await publicKey(arn);
  await sign(arn, "RS256", "vitaline test signature");

  const now = ctx.clock();
  const id = newId(now.getTime());
  const delayMs = active ? propagationSeconds * 1000 : 0;
  const row: PlatformKeyRow = {
    id,
    arn,
    jwks: toJwks(n, e),
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
