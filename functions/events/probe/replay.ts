import { forgetKeptEvent, noteFailedTry, readKeptEvent } from "@vitaline/calls";
import { errorFields } from "@vitaline/core";
import type { DueRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { inTenant } from "../../lib/context.ts";
import { reasonOf, takeAgain } from "../../lib/take-or-keep.ts";

/** About ten hours of tries; after that the event stays until an administrator has it replayed. */
export const mostReplays = 24;

/** Processes a kept event again; whether it is recorded now. `nextTryAt`: when it is tried next if not, absent where it is not. */
export async function replay(ctx: PlatformContext, { tenantId, id, kind }: DueRow, nextTryAt: string | undefined): Promise<boolean> {
  const own = inTenant(ctx, tenantId);
  try {
    const told = await readKeptEvent(own, id);
    if (told) await takeAgain(own, told);
    await forgetKeptEvent(own, id);
    ctx.log("info", "probed", { tenantId, operation: kind, code: "done" });
    return true;
  } catch (error) {
    ctx.log(nextTryAt === undefined ? "error" : "warn", "probe failed", { tenantId, operation: kind, ...errorFields(error) });
    await noteFailedTry(own, id, reasonOf(error), nextTryAt);
    return false;
  }
}
