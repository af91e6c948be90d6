import { invokeAsync, readAppSecrets } from "@vitaline/aws";
import { deleteKeptEvent, recordFailedRetry, readKeptEvent } from "@vitaline/calls";
import { envReader, errorFields, awaitAllThenThrow } from "@vitaline/core";
import { resumeErasure } from "@vitaline/erasures";
import { keys, put, remove, rowsOf, shardsFrom, urgentShard, type DueRow } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { tenantTroubles } from "@vitaline/system-health";
import { checkAfter, mailDailyNotice, mailEmergency, projectTroubles, troubleCheck } from "@vitaline/tasks";
import { recoverWrite } from "@vitaline/tools";
import * as z from "zod/mini";
import { reasonOf, reingest } from "../../lib/call-events/ingest.ts";
import { logBacklog } from "../../lib/context/backlog.ts";
import { withEhr, withOutboundLoopbackRule } from "../../lib/context/ehr-context.ts";
import { eventContext, inTenant, type Invocation } from "../../lib/context/platform-context.ts";

const perPage = 25;
/** A tenant with this many failures in a run is skipped, so a slow EHR does not delay other tenants. */
const maxFailures: Record<DueRow["kind"], number> = {
  idempotency: 3,
  event: 20,
  retention: 1,
  erasure: 20,
  emergency: 20,
  daily: 3,
  trouble: 1,
};
const reserveMs = 10_000;
const maxWaitMinutes: Record<DueRow["kind"], number> = {
  idempotency: 30,
  event: 30,
  retention: 4,
  erasure: 30,
  emergency: 15,
  daily: 30,
  trouble: 15,
};
/** About ten hours of retries. Afterwards an administrator can replay the event. */
export const maxReplays = 24;

/** Every minute: retries due work until it is done (EHR writes of unknown outcome, kept events, retention changes, erasures, mail to staff, checks for trouble). */
export const handler = withOutboundLoopbackRule(async (_event: unknown, invocation: Invocation): Promise<void> => {
  await readAppSecrets();
  const ctx = eventContext(invocation, "retry");
  const failures = new Map<string, number>();
  const urgent = await runShard(ctx, urgentShard, failures);
  const others = await awaitAllThenThrow(shardsFrom(ctx.clock().getUTCMinutes()).map((shard) => runShard(ctx, shard, failures)));
  const oldest = [urgent, ...others];
  logBacklog(
    ctx,
    "retry",
    oldest.filter((dueAt) => dueAt !== undefined),
  );
});

/** Returns when the oldest row of the shard was due. */
const runShard = async (ctx: PlatformContext, shard: string, failures: Map<string, number>): Promise<string | undefined> => {
  let oldest: string | undefined;
  for await (const row of rowsOf<DueRow>(ctx.platform, partitions.due(shard), { to: ctx.clock().toISOString(), limit: perPage })) {
    oldest ??= row.dueAt;
    if (ctx.deadline.remainingMs() < reserveMs) return oldest;
    const name = `${row.tenantId}#${row.kind}`;
    const failed = failures.get(name) ?? 0;
    if (failed < maxFailures[row.kind] && !(await retry(ctx, shard, row))) failures.set(name, failed + 1);
  }
  return oldest;
};

/** Returns whether the work is done; otherwise schedules its next attempt. */
const retry = async (ctx: PlatformContext, shard: string, row: DueRow): Promise<boolean> => {
  const next = nextAttempt(ctx, row);
  const isDone = await retries[row.kind](ctx, row, next);
  if (!isDone && next) await ctx.platform.inTenant(row.tenantId).writeUnaudited(put(keyOf(shard, next), next));
  // Removed last, so a crash loses neither row.
  await ctx.platform.inTenant(row.tenantId).writeUnaudited(remove(keyOf(shard, row)));
  return isDone;
};

const keyOf = (shard: string, { dueAt, kind, id }: DueRow) => keys.due(shard, dueAt, kind, id);

/** Exponential backoff; undefined after the last replay of an event. */
const nextAttempt = (ctx: PlatformContext, row: DueRow): DueRow | undefined => {
  const tries = (row.tries ?? 0) + 1;
  if (row.kind === "event" && tries >= maxReplays) return undefined;
  const waitMinutes = Math.min(2 ** (tries - 1), maxWaitMinutes[row.kind]);
  return {
    ...row,
    firstDueAt: row.firstDueAt ?? row.dueAt,
    tries,
    dueAt: new Date(ctx.clock().getTime() + waitMinutes * 60_000).toISOString(),
  };
};

const orFalse = async (ctx: PlatformContext, { tenantId, kind }: DueRow, work: () => Promise<boolean>): Promise<boolean> => {
  try {
    return await work();
  } catch (error) {
    ctx.log("warn", "retry.failed", { tenantId, operation: kind, ...errorFields(error) });
    return false;
  }
};

const retries: Record<DueRow["kind"], (ctx: PlatformContext, row: DueRow, next: DueRow | undefined) => Promise<boolean>> = {
  idempotency: (ctx, row) => orFalse(ctx, row, () => recoverDueWrite(ctx, row)),
  event: (ctx, row, next) => orFalse(ctx, row, () => replayEvent(ctx, row, next?.dueAt)),
  retention: (ctx, row) => orFalse(ctx, row, () => continueRetention(ctx, row)),
  erasure: (ctx, row) => orFalse(ctx, row, () => resumeErasure(ctx, row.id)),
  emergency: (ctx, row) => orFalse(ctx, row, () => mailEmergency(inTenant(ctx, row.tenantId), row.id)),
  daily: (ctx, row) => orFalse(ctx, row, () => mailDaily(ctx, row)),
  trouble: (ctx, row) => orFalse(ctx, row, () => checkForTrouble(ctx, row)),
};

/** The time that the person chose is in `firstDueAt` once the first attempt has failed. */
const mailDaily = async (ctx: PlatformContext, { tenantId, id, dueAt, firstDueAt = dueAt }: DueRow): Promise<boolean> => {
  await mailDailyNotice(inTenant(ctx, tenantId), id, firstDueAt);
  return true;
};

/** A missing record system ends with a change that is followed by a check; failing tools may end by the days that pass. */
const checkForTrouble = async (ctx: PlatformContext, { tenantId }: DueRow): Promise<boolean> => {
  const store = ctx.platform.inTenant(tenantId);
  const tenant = await store.get(keys.tenantConfig());
  if (!tenant?.isActive) return true;
  const found = await tenantTroubles(ctx, tenant);
  await projectTroubles(inTenant(ctx, tenantId), found);
  if (found.tools_fail) await store.writeUnaudited(troubleCheck(tenantId, checkAfter(ctx.clock().toISOString())));
  return true;
};

const recoverDueWrite = async (ctx: PlatformContext, row: DueRow): Promise<boolean> => {
  const outcome = await recoverWrite(withEhr(ctx, row.tenantId), row.id);
  ctx.log("info", "retry.done", { tenantId: row.tenantId, operation: row.kind, code: outcome });
  return outcome === "done";
};

/** `nextTryAt`: the next attempt if this one fails; undefined for the last. */
async function replayEvent(ctx: PlatformContext, { tenantId, id, kind }: DueRow, nextTryAt: string | undefined): Promise<boolean> {
  const tenantCtx = inTenant(ctx, tenantId);
  try {
    const event = await readKeptEvent(tenantCtx, id);
    if (event) await reingest(tenantCtx, event);
    await deleteKeptEvent(tenantCtx, id);
    ctx.log("info", "retry.done", { tenantId, operation: kind, code: "done" });
    return true;
  } catch (error) {
    ctx.log("warn", "retry.failed", { tenantId, operation: kind, ...errorFields(error) });
    if (nextTryAt === undefined) ctx.log("error", "event.given_up", { tenantId, count: 1 });
    await recordFailedRetry(tenantCtx, id, reasonOf(error), nextTryAt);
    return false;
  }
}

const environment = envReader(z.object({ RETAIN_FUNCTION: z.string() }));

/** events/retain updates its heartbeat with every page, which takes seconds. */
const heartbeatTimeoutMs = 2 * 60_000;

/** Whether the change of retention is applied or superseded. Otherwise starts functions/events/retain, unless it is running. */
async function continueRetention(ctx: PlatformContext, { tenantId, id }: DueRow): Promise<boolean> {
  const run = await ctx.platform.inTenant(tenantId).get(keys.retentionRun());
  if (run?.id !== id || run.doneAt !== undefined) return true;
  const isRunning = run.heartbeatAt !== undefined && ctx.clock().getTime() - Date.parse(run.heartbeatAt) < heartbeatTimeoutMs;
  if (!isRunning) await invokeAsync(environment().RETAIN_FUNCTION, { tenantId, retentionId: id });
  return false;
}
