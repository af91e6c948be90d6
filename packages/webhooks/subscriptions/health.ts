import { isAppError, dayMs } from "@vitaline/core";
import { keys, nextVersion, put, update, type TenantContext, type WebhookHealthRow, type WebhookRow, type Write } from "@vitaline/store";

export type Health = WebhookHealthRow;

/** After so many consecutive failures a webhook waits before its next attempt. */
const failuresBeforeWait = 3;
const [minute, hour] = [60_000, 3_600_000];

/** One minute, doubled with each failure up to an hour; undefined below the threshold. */
export const waitMs = (failures: number): number | undefined =>
  failures < failuresBeforeWait ? undefined : Math.min(hour, minute * 2 ** (failures - failuresBeforeWait));

/** A deleted webhook's health row must not be created again. */
const ifExists = { exists: true };

/** One write, and one more if the webhook has to wait. Returns the next attempt in epoch milliseconds, or undefined. */
export async function recordFailure(ctx: TenantContext, webhookId: string, now: Date): Promise<number | undefined> {
  const key = keys.webhookHealth(webhookId);
  const counted = { add: { failures: 1 }, setOnce: { failingSince: now.toISOString() } };
  const health = await ctx.store.writeUnaudited<Health>(update<Health>(key, counted, ifExists));
  const wait = health && waitMs(health.failures ?? 0);
  if (wait === undefined) return undefined;
  const nextTryMs = now.getTime() + wait;
  await ctx.store.writeUnaudited(update<Health>(key, { set: { nextTryAt: new Date(nextTryMs).toISOString() } }, ifExists));
  return nextTryMs;
}

export const endPause = (webhookId: string): Write => update<Health>(keys.webhookHealth(webhookId), { remove: ["nextTryAt"] });

/** One write. */
export const recordSuccess = (ctx: TenantContext, webhookId: string): Promise<unknown> =>
  ctx.store.writeUnaudited(update<Health>(keys.webhookHealth(webhookId), { remove: ["failingSince", "failures", "nextTryAt"] }, ifExists));

const maxFailingMs = 5 * dayMs;
export const hasFailedTooLong = (failingSince: string, now: Date): boolean => now.getTime() - Date.parse(failingSince) > maxFailingMs;

/** For a receiver that answered 410 Gone or failed for days. Does nothing if the webhook was changed meanwhile. */
export async function disableWebhook(ctx: TenantContext, webhook: WebhookRow, disabledReason: "gone" | "failing"): Promise<void> {
  const { version, asRead } = nextVersion(webhook, undefined);
  try {
    await ctx.store.commit(
      [
        put<WebhookRow>(keys.webhook(webhook.id), { ...webhook, isActive: false, disabledReason, version }, asRead),
        // Its pending deliveries end at once.
        endPause(webhook.id),
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
