import { sign, type SigningAlgorithm } from "@vitaline/aws";
import type { KeySet } from "@vitaline/contract";
import { allDone, AppError, errorFields } from "@vitaline/core";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { keys, type KeyUseRow, update } from "@vitaline/store";
import { type PlatformKeys, readPlatformKeys } from "./read.ts";

const cacheMs = 60_000;
let cached: { keys: PlatformKeys; untilMs: number } | undefined;

const current = async (ctx: PlatformContext): Promise<PlatformKeys> => {
  const nowMs = ctx.clock().getTime();
  if (!cached?.keys.active || cached.untilMs <= nowMs) cached = { keys: await readPlatformKeys(ctx), untilMs: nowMs + cacheMs };
  return cached.keys;
};

/** Signs a JWS with the active platform key; the kid goes with the algorithm. AppError `ehr_auth` before a first key exists. */
export async function signWithPlatformKey(
  ctx: PlatformContext,
  algorithm: SigningAlgorithm,
  input: (kid: string) => string,
): Promise<{ input: string; signature: Buffer }> {
  const { active } = await current(ctx);
  const jwk = active?.jwks.find(({ alg }) => alg === algorithm);
  if (!active || !jwk) throw new AppError("ehr_auth", "The platform has no signing key yet. Generate one in the console under EHR/FHIR.");
  const text = input(jwk.kid);
  const [signature] = await allDone([sign(active.arn, algorithm, text), notePlatformKeyUse(ctx, active.id)]);
  return { input: text, signature };
}

/** What peers fetch: every key that has signed or will soon, the primary first. */
export async function keySet(ctx: PlatformContext): Promise<KeySet> {
  const { live, active } = await readPlatformKeys(ctx);
  const primaryFirst = live.toSorted((a, b) => Number(b.id === active?.id) - Number(a.id === active?.id));
  return { keys: primaryFirst.flatMap((row) => row.jwks) };
}

const stepMs = 60_000;
let noted: { id: string; atMs: number } | undefined;

/** Notes that a key signed, at most once a minute over all instances. It never fails: what was signed is good without it. */
async function notePlatformKeyUse(ctx: PlatformContext, id: string): Promise<void> {
  const nowMs = ctx.clock().getTime();
  if (noted?.id === id && nowMs - noted.atMs < stepMs) return;
  noted = { id, atMs: nowMs };
  const [now, before] = [nowMs, nowMs - stepMs].map((ms) => new Date(ms).toISOString()) as [string, string];
  await ctx.platform
    .note(update<KeyUseRow>(keys.platformKeyUse(id), { set: { id, lastUsedAt: now } }, { lessThanOrAbsent: { lastUsedAt: before } }))
    .catch((error: unknown) => ctx.log("warn", "platformKey.use_not_noted", errorFields(error)));
}
