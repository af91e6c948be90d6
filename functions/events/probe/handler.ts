import { errorFields } from "@vitaline/core";
import { pursueErasure } from "@vitaline/erasures";
import { keys, put, remove, rowsOf, type DueRow } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { resolveUnknown } from "@vitaline/tools";
import { eventContext } from "../../lib/context.ts";
import { reachingOut, withEhr } from "../../lib/ehr.ts";
import type { Invocation } from "../../lib/event.ts";
import { isApplied } from "./apply-retention.ts";
import { mostReplays, replay } from "./replay.ts";

/** Due work lies in four partitions, so that many writers do not meet in one. */
const shards = ["0", "1", "2", "3"];
const perPage = 25;
/** How often one tenant's work may fail in a run, so that the others' is not kept waiting: an EHR takes its time over it. */
const failuresPerTenant: Record<DueRow["kind"], number> = { idempotency: 3, event: 20, retention: 1, erasure: 20 };
const neededMs = 10_000;
/** A job that died is begun again sooner than a record system is asked again. */
const longestWaitMinutes: Record<DueRow["kind"], number> = { idempotency: 30, event: 30, retention: 4, erasure: 30 };

/**
 * Every minute: comes back to the writes whose outcome at the EHR is not known, to the events that were kept, to periods of retention
 * to be applied and to erasures that are due, until each is settled.
 */
export const handler = reachingOut(async (_event: unknown, invocation: Invocation): Promise<void> => {
  const ctx = eventContext(invocation, "probe");
  const failures = new Map<string, number>();
  // Another one goes first each minute.
  const first = ctx.clock().getUTCMinutes() % shards.length;
  for (const shard of [...shards.slice(first), ...shards.slice(0, first)]) await probeShard(ctx, shard, failures);
});

const probeShard = async (ctx: PlatformContext, shard: string, failures: Map<string, number>): Promise<void> => {
  // Pages, because rows that have expired and are not yet deleted fill them too.
  for await (const row of rowsOf<DueRow>(ctx.platform, partitions.due(shard), { to: ctx.clock().toISOString(), limit: perPage })) {
    if (ctx.deadline.remainingMs() < neededMs) return;
    const whose = `${row.tenantId}#${row.kind}`;
    const failed = failures.get(whose) ?? 0;
    if (failed < failuresPerTenant[row.kind] && !(await settle(ctx, shard, row))) failures.set(whose, failed + 1);
  }
};

/** Whether nothing is left to do. */
const settle = async (ctx: PlatformContext, shard: string, row: DueRow): Promise<boolean> => {
  const later = laterTry(ctx, row);
  const settled = await ways[row.kind](ctx, row, later);
  if (!settled && later) await ctx.platform.inTenant(row.tenantId).note(put(keyOf(shard, later), later));
  // Only now, so that a crash loses neither.
  await ctx.platform.inTenant(row.tenantId).note(remove(keyOf(shard, row)));
  return settled;
};

const isResolved = (ctx: PlatformContext, row: DueRow): Promise<boolean> =>
  tried(ctx, row, async () => {
    const outcome = await resolveUnknown(withEhr(ctx, row.tenantId), row.id);
    ctx.log("info", "probed", { tenantId: row.tenantId, operation: row.kind, code: outcome });
    return outcome === "done";
  });

const isReplayed = (ctx: PlatformContext, row: DueRow, later: DueRow | undefined): Promise<boolean> =>
  tried(ctx, row, () => replay(ctx, row, later?.dueAt));

const tried = async (ctx: PlatformContext, { tenantId, kind }: DueRow, work: () => Promise<boolean>): Promise<boolean> => {
  try {
    return await work();
  } catch (error) {
    ctx.log("warn", "probe failed", { tenantId, operation: kind, ...errorFields(error) });
    return false;
  }
};

const ways: Record<DueRow["kind"], (ctx: PlatformContext, row: DueRow, later: DueRow | undefined) => Promise<boolean>> = {
  idempotency: isResolved,
  event: isReplayed,
  retention: (ctx, row) => tried(ctx, row, () => isApplied(ctx, row)),
  erasure: (ctx, row) => tried(ctx, row, () => pursueErasure(ctx, row.id)),
};

const keyOf = (shard: string, { dueAt, kind, id }: DueRow) => keys.due(shard, dueAt, kind, id);

/** Twice the wait of the time before; undefined for an event that was tried often enough. */
const laterTry = (ctx: PlatformContext, row: DueRow): DueRow | undefined => {
  const tries = (row.tries ?? 0) + 1;
  if (row.kind === "event" && tries >= mostReplays) return undefined;
  const waitMinutes = Math.min(2 ** (tries - 1), longestWaitMinutes[row.kind]);
  return { ...row, tries, dueAt: new Date(ctx.clock().getTime() + waitMinutes * 60_000).toISOString() };
};
