import { isAppError } from "@vitaline/core";
import { keys, nextVersion, put, type TenantContext, type WebhookRow } from "@vitaline/store";
import { endRest } from "./health.ts";

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
