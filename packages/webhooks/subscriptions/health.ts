import { keys, nextVersion, put, type TenantContext, update, type WebhookHealthRow, type WebhookRow, type Write } from "@vitaline/store";
import { isAppError } from "@vitaline/core";

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

/** What has taken nothing for so long is given up. */
const givenUpAfterMs = 5 * 86_400_000;
export const isGivenUp = (failingSince: string, now: Date): boolean => now.getTime() - Date.parse(failingSince) > givenUpAfterMs;

/** Switches a webhook off that its receiver says is gone, or that has failed for days; whoever has just changed it is left alone. */
export async function switchOff(ctx: TenantContext, webhook: WebhookRow, disabledReason: "gone" | "failing"): Promise<void> {
  const { version, asRead } = nextVersion(webhook, undefined);
  try {
    await ctx.store.commit(
      [
        put<WebhookRow>(keys.webhook(webhook.id), { ...webhook, isActive: false, disabledReason, version }, asRead),
        // What waits for it is over at once
        endRest(webhook.id),
      ],
      {
        category: "configuration_change",
        action: "webhook.disable",
        resourceType: "Webhook",
        resourceId: webhook.id,
        detail: { reason: disabledReason },
      },
    );
  } catch (error) {
    if (!isAppError(error, "stale_version")) throw error;
  }
}
