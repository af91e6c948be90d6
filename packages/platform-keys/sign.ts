import { sign, type SigningAlgorithm } from "@vitaline/aws";
import type { KeySet } from "@vitaline/contract";
import { allDone, AppError } from "@vitaline/core";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { notePlatformKeyUse } from "./note-use.ts";
import { readPlatformKeys, type PlatformKeys } from "./states.ts";

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
