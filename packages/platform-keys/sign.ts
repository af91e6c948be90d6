import { sign, type SigningAlgorithm } from "@vitaline/aws";
import type { KeySet } from "@vitaline/contract";
import { awaitAllThenThrow, AppError, errorFields } from "@vitaline/core";
import { keys, update, type KeyUseRow } from "@vitaline/store";
import type { EhrRegistryContext } from "@vitaline/store/scoped.ts";
import { readPlatformKeys, type PlatformKeys } from "./read.ts";

const cacheMs = 60_000;
let cached: { keys: PlatformKeys; untilMs: number } | undefined;

const cachedKeys = async (ctx: EhrRegistryContext): Promise<PlatformKeys> => {
  const nowMs = ctx.clock().getTime();
  if (!cached?.keys.active || cached.untilMs <= nowMs) cached = { keys: await readPlatformKeys(ctx), untilMs: nowMs + cacheMs };
  return cached.keys;
};

/** AppError `ehr_auth` if there is no key yet. */
export async function signWithPlatformKey(
  ctx: EhrRegistryContext,
  algorithm: SigningAlgorithm,
  input: (kid: string) => string,
): Promise<{ input: string; signature: Buffer }> {
  const { active } = await cachedKeys(ctx);
  const jwk = active?.jwks.find(({ alg }) => alg === algorithm);
  if (!active || !jwk) throw new AppError("ehr_auth", "The platform has no signing key yet. Generate one in the console under EHR/FHIR.");
  const text = input(jwk.kid);
  const [signature] = await awaitAllThenThrow([sign(active.arn, algorithm, text), recordKeyUse(ctx, active.id)]);
  return { input: text, signature };
}

/** The published JWKS, the active key first. */
export async function keySet(ctx: EhrRegistryContext): Promise<KeySet> {
  const { live, active } = await readPlatformKeys(ctx);
  const primaryFirst = live.toSorted((a, b) => Number(b.id === active?.id) - Number(a.id === active?.id));
  return { keys: primaryFirst.flatMap((row) => row.jwks) };
}

const intervalMs = 60_000;
let lastRecorded: { id: string; atMs: number } | undefined;

/** At most one write per minute over all instances. Never fails, because the signature is valid without it. */
async function recordKeyUse(ctx: EhrRegistryContext, id: string): Promise<void> {
  const nowMs = ctx.clock().getTime();
  if (lastRecorded?.id === id && nowMs - lastRecorded.atMs < intervalMs) return;
  lastRecorded = { id, atMs: nowMs };
  const [now, before] = [nowMs, nowMs - intervalMs].map((ms) => new Date(ms).toISOString()) as [string, string];
  await ctx.platform
    .writeUnaudited(
      update<KeyUseRow>(keys.platformKeyUse(id), { set: { id, lastUsedAt: now } }, { lessThanOrAbsent: { lastUsedAt: before } }),
    )
    .catch((error: unknown) => ctx.log("warn", "platformKey.use_not_noted", errorFields(error)));
}
