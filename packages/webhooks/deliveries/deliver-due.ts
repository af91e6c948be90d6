import { allDone } from "@vitaline/core";
import { endLease, keys, pagesOf, takeLease, type DeliveryRow, type TenantContext } from "@vitaline/store";
import { attempt, type DeliveryRun } from "./attempt.ts";

const perPage = 16;
/** And of one webhook, of which two are under way at once. */
const perWebhook = 4;
const atOnce = 2;
/** A page's attempts, each as long as can be, are over by then. */
const leaseMs = 60_000;
/** An attempt is begun only with the time to end it, and this much more. */
const spareMs = 2_000;

/**
 * A turn of what is due of one tenant: a page, the oldest first, a few of each webhook; whether there may be more. A webhook that fails
 * is tried once when its time has come, and until then nothing of it is written and nothing waits behind it. One run at a time sees to a
 * tenant, by a lease that ends by itself where its holder dies; whoever finds it taken leaves it. A tenant with nothing due costs one
 * read. Throws what AWS throws.
 */
export async function drain(ctx: TenantContext, run: DeliveryRun): Promise<boolean> {
  const due = await nextPage(ctx, run);
  if (due.length === 0 || !(await claimTenant(ctx))) return false;
  try {
    return await attemptAll(ctx, run, due);
  } finally {
    // It ends by itself, too
    await endLease(ctx.store, keys.webhookTenant(), ctx.requestId).catch(() => undefined);
  }
}

const hasTime = ({ deadline }: TenantContext, { attemptMs }: DeliveryRun): boolean => deadline.remainingMs() >= attemptMs + spareMs;
const rests = (ctx: TenantContext, run: DeliveryRun, webhookId: string): boolean =>
  (run.nextTryMs.get(webhookId) ?? 0) > ctx.clock().getTime();

/** What may be tried now of what is due: what rests is passed over, page by page. */
async function nextPage(ctx: TenantContext, run: DeliveryRun): Promise<DeliveryRow[]> {
  const partition = keys.tenantPartitions.dueDeliveries(ctx.tenantId);
  const counts = new Map<string, number>();
  const where = ({ webhookId }: DeliveryRow): boolean => {
    const count = (counts.get(webhookId) ?? 0) + 1;
    counts.set(webhookId, count);
    return count <= perWebhook && !rests(ctx, run, webhookId);
  };
  const range = { index: "gsi1", to: `${ctx.clock().toISOString()}~`, limit: perPage, where } as const;
  for await (const rows of pagesOf<DeliveryRow>(ctx.store, partition, range)) {
    await learnHealth(ctx, run, new Set(rows.map(({ webhookId }) => webhookId)));
    const open = rows.filter(({ webhookId }) => !rests(ctx, run, webhookId));
    for (const webhookId of counts.keys())
      if (rests(ctx, run, webhookId)) run.againAtMs = Math.min(run.againAtMs, run.nextTryMs.get(webhookId) ?? 0);
    if (open.length > 0) return open;
    counts.clear();
  }
  return [];
}

async function learnHealth(ctx: TenantContext, run: DeliveryRun, webhookIds: ReadonlySet<string>): Promise<void> {
  if (webhookIds.size === 0) return;
  const ids = [...webhookIds];
  const healths = await ctx.store.batchGet(ids.map((id) => keys.webhookHealth(id)));
  for (const [index, id] of ids.entries()) {
    const nextTryAt = healths[index]?.nextTryAt;
    if (nextTryAt === undefined) run.nextTryMs.delete(id);
    else run.nextTryMs.set(id, Date.parse(nextTryAt));
  }
}

/** Whether there may be more to do: not where time is up, nor where nothing was due any more, as when the index lags behind. */
async function attemptAll(ctx: TenantContext, run: DeliveryRun, due: readonly DeliveryRow[]): Promise<boolean> {
  const done = await allDone([...Map.groupBy(due, ({ webhookId }) => webhookId)].map(([id, rows]) => attemptLane(ctx, run, id, rows)));
  return done.some(Boolean) && hasTime(ctx, run);
}

/** Those of one webhook, two at once; of one that has failed a single one, which tells whether the others are worth it. */
async function attemptLane(ctx: TenantContext, run: DeliveryRun, webhookId: string, rows: readonly DeliveryRow[]): Promise<boolean> {
  const waiting = run.nextTryMs.has(webhookId) ? rows.slice(0, 1) : [...rows];
  let done = false;
  const worker = async (): Promise<void> => {
    while (hasTime(ctx, run) && !rests(ctx, run, webhookId)) {
      const next = waiting.shift();
      if (!next) return;
      if (await attempt(ctx, run, next)) done = true;
    }
  };
  await allDone(Array.from({ length: atOnce }, worker));
  return done;
}

async function claimTenant(ctx: TenantContext): Promise<boolean> {
  const asked = { owner: ctx.requestId, nowMs: ctx.clock().getTime(), lifeMs: leaseMs, when: { exists: true } };
  return (await takeLease(ctx.store, keys.webhookTenant(), asked)) !== undefined;
}
