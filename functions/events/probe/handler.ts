import { randomUUID } from "node:crypto";
import { errorFields } from "@vitaline/core";
import { keys, put, remove, type DueRow } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { resolveUnknown } from "@vitaline/tools";
import { platformContext } from "../../lib/context.ts";
import { reachingOut, withEhr } from "../../lib/ehr.ts";
import type { Invocation } from "../../lib/event.ts";

/** Due work lies in four partitions, so that many writers do not meet in one. */
const shards = ["0", "1", "2", "3"];
const perPage = 25;
/** How often one tenant's EHR may fail in a run, so that the others are not kept waiting. */
const failuresPerTenant = 3;
const neededMs = 10_000;
const longestWaitMinutes = 30;

/** Every minute: comes back to the writes whose outcome at the EHR is not known, until each is. */
export const handler = reachingOut(async (_event: unknown, invocation: Invocation): Promise<void> => {
  const request = {
    requestId: invocation.awsRequestId || randomUUID(),
    remainingMs: invocation.getRemainingTimeInMillis(),
    clientAddress: "127.0.0.1",
    origin: "",
  };
  const ctx = platformContext(request, { kind: "system", id: "probe" });
  const failures = new Map<string, number>();
  // Another one goes first each minute.
  const first = ctx.clock().getUTCMinutes() % shards.length;
  for (const shard of [...shards.slice(first), ...shards.slice(0, first)]) await probeShard(ctx, shard, failures);
});

const probeShard = async (ctx: PlatformContext, shard: string, failures: Map<string, number>): Promise<void> => {
  // Pages, because rows that have expired and are not yet deleted fill them too.
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const { rows, next } = await ctx.platform.query<DueRow>(partitions.due(shard), {
      to: ctx.clock().toISOString(),
      limit: perPage,
      cursor,
    });
    for (const row of rows) {
      if (ctx.deadline.remainingMs() < neededMs) return;
      const failed = failures.get(row.tenantId) ?? 0;
      if (failed < failuresPerTenant && !(await settle(ctx, shard, row))) failures.set(row.tenantId, failed + 1);
    }
    cursor = next;
  }
};

/** Whether nothing is left to find out. */
const settle = async (ctx: PlatformContext, shard: string, row: DueRow): Promise<boolean> => {
  const settled = await isSettled(ctx, row);
  await (settled ? forget(ctx, shard, row) : postpone(ctx, shard, row));
  return settled;
};

const isSettled = async (ctx: PlatformContext, { tenantId, id, kind }: DueRow): Promise<boolean> => {
  try {
    const outcome = await resolveUnknown(withEhr(ctx, tenantId), id);
    ctx.log("info", "probed", { tenantId, operation: kind, code: outcome });
    return outcome === "done";
  } catch (error) {
    ctx.log("warn", "probe failed", { tenantId, operation: kind, ...errorFields(error) });
    return false;
  }
};

const keyOf = (shard: string, { dueAt, kind, id }: DueRow) => keys.due(shard, dueAt, kind, id);
const forget = async (ctx: PlatformContext, shard: string, row: DueRow): Promise<void> =>
  void (await ctx.platform.inTenant(row.tenantId).note(remove(keyOf(shard, row))));

/** Twice the wait of the time before; the new row stands before the old one goes, so that a crash loses neither. */
const postpone = async (ctx: PlatformContext, shard: string, row: DueRow): Promise<void> => {
  const tries = (row.tries ?? 0) + 1;
  const waitMinutes = Math.min(2 ** (tries - 1), longestWaitMinutes);
  const later = { ...row, tries, dueAt: new Date(ctx.clock().getTime() + waitMinutes * 60_000).toISOString() };
  await ctx.platform.inTenant(row.tenantId).note(put(keyOf(shard, later), later));
  await forget(ctx, shard, row);
};
