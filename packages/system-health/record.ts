import { keys, update, type PartHealth } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { apiMsOf } from "./probe-parts.ts";
import { countMissed, countProbe } from "./days.ts";

/**
 * Keeps what a probe of the platform's own parts found: counted into its day, with those that were missed before it, and as the
 * latest. That comes last: until it stands, the next probe counts this one as missed.
 */
export async function recordProbe(ctx: PlatformContext, parts: PartHealth[]): Promise<void> {
  const now = ctx.clock();
  const last = await ctx.platform.get(keys.systemHealth());
  if (last) await countMissed(ctx, last.checkedAt);
  const isWell = parts.every(({ status }) => status === "healthy");
  const { date, change } = countProbe(now, isWell, apiMsOf(parts) ?? 0);
  await ctx.platform.note(update(keys.healthDay(date), change));
  await ctx.platform.note(update(keys.systemHealth(), { set: { checkedAt: now.toISOString(), parts } }));
}
