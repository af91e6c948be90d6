import type { PublicHealth } from "@vitaline/contract";
import { keys } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { isStale } from "./status.ts";

/** Whether the platform works, for whoever asks: its parts as they were last probed, and a read of the table right now. */
export async function publicHealth(ctx: PlatformContext): Promise<PublicHealth> {
  const now = ctx.clock();
  const time = now.toISOString();
  try {
    const latest = await ctx.platform.get(keys.systemHealth());
    const isBroken = latest !== undefined && !isStale(latest.checkedAt, now) && latest.parts.some(({ status }) => status === "error");
    return { status: isBroken ? "degraded" : "ok", time };
  } catch {
    return { status: "degraded", time };
  }
}
