import { startFunction } from "@vitaline/aws";
import { envReader } from "@vitaline/core";
import { keys, type DueRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import * as z from "zod/mini";

const environment = envReader(z.object({ RETAIN_FUNCTION: z.string() }));

/** Who has not said for so long that it goes on has died: a page takes seconds. */
const silentMs = 2 * 60_000;

/** Whether a request to apply a tenant's periods is done, or another has taken its place; else has it begun, or gone on with, unless an invocation is at it. */
export async function isApplied(ctx: PlatformContext, { tenantId, id }: DueRow): Promise<boolean> {
  const run = await ctx.platform.inTenant(tenantId).get(keys.retentionRun());
  if (run?.id !== id || run.doneAt !== undefined) return true;
  const isAlive = run.heartbeatAt !== undefined && ctx.clock().getTime() - Date.parse(run.heartbeatAt) < silentMs;
  if (!isAlive) await startFunction(environment().RETAIN_FUNCTION, { tenantId, retentionId: id });
  return false;
}
