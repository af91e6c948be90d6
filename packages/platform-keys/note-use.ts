import { errorFields } from "@vitaline/core";
import { keys, update, type KeyUseRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";

const stepMs = 60_000;
let noted: { id: string; atMs: number } | undefined;

/** Notes that a key signed, at most once a minute over all instances. It never fails: what was signed is good without it. */
export async function notePlatformKeyUse(ctx: PlatformContext, id: string): Promise<void> {
  const nowMs = ctx.clock().getTime();
  if (noted?.id === id && nowMs - noted.atMs < stepMs) return;
  noted = { id, atMs: nowMs };
  const [now, before] = [nowMs, nowMs - stepMs].map((ms) => new Date(ms).toISOString()) as [string, string];
  await ctx.platform
    .note(update<KeyUseRow>(keys.platformKeyUse(id), { set: { id, lastUsedAt: now } }, { lessThanOrAbsent: { lastUsedAt: before } }))
    .catch((error: unknown) => ctx.log("warn", "platformKey.use_not_noted", errorFields(error)));
}
