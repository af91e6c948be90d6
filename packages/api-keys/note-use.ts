import { errorFields } from "@vitaline/core";
import { keys, update, type KeyUseRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";

const stepMs = 60_000;
const rememberedKeys = 10_000;

/** When this instance last noted a key's use, so that most requests write nothing. */
const notedAtMs = new Map<string, number>();

/** Notes that a key was used, at most once a minute over all instances. It never fails: a request does not end for a date on a screen. */
export async function noteApiKeyUse(ctx: PlatformContext, { tenantId, keyId }: { tenantId: string; keyId: string }): Promise<void> {
  const nowMs = ctx.clock().getTime();
  if (nowMs - (notedAtMs.get(keyId) ?? 0) < stepMs) return;
  if (notedAtMs.size >= rememberedKeys) notedAtMs.clear();
  notedAtMs.set(keyId, nowMs);
  const [now, before] = [nowMs, nowMs - stepMs].map((ms) => new Date(ms).toISOString()) as [string, string];
  const use = update<KeyUseRow>(
    keys.apiKeyUse(keyId),
    { set: { id: keyId, lastUsedAt: now } },
    { lessThanOrAbsent: { lastUsedAt: before } },
  );
  await ctx.platform
    .inTenant(tenantId)
    .note(use)
    .catch((error: unknown) => ctx.log("warn", "apiKey.use_not_noted", errorFields(error)));
}
