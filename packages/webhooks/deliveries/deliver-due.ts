import { awaitAllThenThrow } from "@vitaline/core";
import { endLease, keys, pagesOf, takeLease, type DeliveryRow, type TenantContext } from "@vitaline/store";
import { attempt, type DeliveryRun } from "./attempt.ts";

const perPage = 16;
/** Per webhook and page. */
const perWebhook = 4;
const parallelPerWebhook = 2;
/** Longer than the attempts of one page. */
const leaseMs = 60_000;
/** Required in addition to the attempt's timeout. */
const spareMs = 2_000;

/**
 * Attempts one page of due deliveries, oldest first, at most four per webhook; true if there may be more. Deliveries of a failing
 * webhook wait until its next attempt and do not block others. A lease allows one run per tenant; without it nothing is done. A
 * tenant with nothing due costs one read. Throws AWS errors.
 */
export async function deliverDue(ctx: TenantContext, run: DeliveryRun): Promise<boolean> {
  const due = await nextPage(ctx, run);
  if (due.length === 0 || !(await takeTenantLease(ctx))) return false;
  try {
    return await attemptAll(ctx, run, due);
  } finally {
    // The lease expires by itself.
    await endLease(ctx.store, keys.webhookTenant(), ctx.requestId).catch(() => undefined);
  }
}

const hasTime = ({ deadline }: TenantContext, { attemptMs }: DeliveryRun): boolean => deadline.remainingMs() >= attemptMs + spareMs;
const isWaiting = (ctx: TenantContext, run: DeliveryRun, webhookId: string): boolean =>
  (run.nextTryMs.get(webhookId) ?? 0) > ctx.clock().getTime();

/** Skips pages whose webhooks all wait for their next attempt. */
async function nextPage(ctx: TenantContext, run: DeliveryRun): Promise<DeliveryRow[]> {
  const partition = keys.tenantPartitions.dueDeliveries(ctx.tenantId);
  const counts = new Map<string, number>();
  const where = ({ webhookId }: DeliveryRow): boolean => {
    const count = (counts.get(webhookId) ?? 0) + 1;
    counts.set(webhookId, count);
    return count <= perWebhook && !isWaiting(ctx, run, webhookId);
  };
  const range = { index: "gsi1", to: `${ctx.clock().toISOString()}~`, limit: perPage, where } as const;
  for await (const rows of pagesOf<DeliveryRow>(ctx.store, partition, range)) {
    await loadHealth(ctx, run, new Set(rows.map(({ webhookId }) => webhookId)));
    const open = rows.filter(({ webhookId }) => !isWaiting(ctx, run, webhookId));
    for (const webhookId of counts.keys())
      if (isWaiting(ctx, run, webhookId)) run.againAtMs = Math.min(run.againAtMs, run.nextTryMs.get(webhookId) ?? 0);
    if (open.length > 0) return open;
    counts.clear();
  }
  return [];
}

async function loadHealth(ctx: TenantContext, run: DeliveryRun, webhookIds: ReadonlySet<string>): Promise<void> {
  if (webhookIds.size === 0) return;
  const ids = [...webhookIds];
  const healths = await ctx.store.batchGet(ids.map((id) => keys.webhookHealth(id)));
  for (const [index, id] of ids.entries()) {
    const nextTryAt = healths[index]?.nextTryAt;
    if (nextTryAt === undefined) run.nextTryMs.delete(id);
    else run.nextTryMs.set(id, Date.parse(nextTryAt));
  }
}

/** False if the time is up, or if nothing was due any more because the index lags. */
async function attemptAll(ctx: TenantContext, run: DeliveryRun, due: readonly DeliveryRow[]): Promise<boolean> {
  const done = await awaitAllThenThrow(
    [...Map.groupBy(due, ({ webhookId }) => webhookId)].map(([id, rows]) => attemptWebhook(ctx, run, id, rows)),
  );
  return done.some(Boolean) && hasTime(ctx, run);
}

/** Two at once; only one for a failing webhook. */
async function attemptWebhook(ctx: TenantContext, run: DeliveryRun, webhookId: string, rows: readonly DeliveryRow[]): Promise<boolean> {
  const waiting = run.nextTryMs.has(webhookId) ? rows.slice(0, 1) : [...rows];
  let done = false;
  const worker = async (): Promise<void> => {
    while (hasTime(ctx, run) && !isWaiting(ctx, run, webhookId)) {
      const next = waiting.shift();
      if (!next) return;
      if (await attempt(ctx, run, next)) done = true;
    }
  };
  await awaitAllThenThrow(Array.from({ length: parallelPerWebhook }, worker));
  return done;
}

async function takeTenantLease(ctx: TenantContext): Promise<boolean> {
  const request = { owner: ctx.requestId, nowMs: ctx.clock().getTime(), lifeMs: leaseMs, when: { exists: true } };
  return (await takeLease(ctx.store, keys.webhookTenant(), request)) !== undefined;
}
