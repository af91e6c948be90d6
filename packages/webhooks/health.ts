import { keys, update, type TenantContext, type WebhookHealthRow, type Write } from "@vitaline/store";

export type Health = WebhookHealthRow;

/** A receiver that has refused so often, one after the other, is left in peace for a while. */
const failuresBeforeRest = 3;
const [minute, hour] = [60_000, 3_600_000];

/** How long a receiver rests after so many failures: a minute, and twice as long each time, an hour at most; undefined while it is not yet time for that. */
export const restMs = (failures: number): number | undefined =>
  failures < failuresBeforeRest ? undefined : Math.min(hour, minute * 2 ** (failures - failuresBeforeRest));

/** The row is there as long as its webhook is: what is heard of one that was deleted meanwhile is written nowhere. */
const there = { exists: true };

/** One write, and one more where it rests. When the webhook is tried next, in epoch milliseconds; undefined where it need not wait. */
export async function noteFailure(ctx: TenantContext, webhookId: string, now: Date): Promise<number | undefined> {
  const key = keys.webhookHealth(webhookId);
  const counted = { add: { failures: 1 }, setOnce: { failingSince: now.toISOString() } };
  const health = await ctx.store.note<Health>(update<Health>(key, counted, there));
  const rest = health && restMs(health.failures ?? 0);
  if (rest === undefined) return undefined;
  const nextTryMs = now.getTime() + rest;
  await ctx.store.note(update<Health>(key, { set: { nextTryAt: new Date(nextTryMs).toISOString() } }, there));
  return nextTryMs;
}

/** What somebody asks for is tried now. */
export const endRest = (webhookId: string): Write => update<Health>(keys.webhookHealth(webhookId), { remove: ["nextTryAt"] });

/** One write. */
export const noteSuccess = (ctx: TenantContext, webhookId: string): Promise<unknown> =>
  ctx.store.note(update<Health>(keys.webhookHealth(webhookId), { remove: ["failingSince", "failures", "nextTryAt"] }, there));
