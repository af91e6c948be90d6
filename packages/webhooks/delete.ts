import { isAppError, notFound } from "@vitaline/core";
import { keys, remove, update, type TenantContext } from "@vitaline/store";

/** Its deliveries stay in the log until their time is over; what was not sent by now is not sent. AppError `not_found`. */
export async function deleteWebhook(ctx: TenantContext, id: string): Promise<void> {
  try {
    await ctx.store.commit(
      [
        remove(keys.webhook(id), { exists: true }),
        remove(keys.sealedWebhook(id)),
        remove(keys.webhookHealth(id)),
        update(keys.webhookCount(), { add: { count: -1 } }),
      ],
      { category: "configuration_change", action: "webhook.delete", resourceType: "Webhook", resourceId: id },
    );
  } catch (error) {
    throw isAppError(error, "stale_version") ? notFound() : error;
  }
}
