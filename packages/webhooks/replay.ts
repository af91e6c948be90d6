import type { WebhookDelivery } from "@vitaline/contract";
import { AppError, isAppError, notFound } from "@vitaline/core";
import { check, keys, onFreshRead, update, type DeliveryRow, type TenantContext } from "@vitaline/store";
import { dueAt, expiryOf } from "./due.ts";
import { endRest } from "./health.ts";
import { auditContactAgain } from "./payload.ts";
import { asDelivery } from "./present.ts";
import { activeWebhook } from "./test-event.ts";

const isGone = () => new AppError("not_doable", "The webhook of this delivery was deleted.");

/**
 * Has a delivery sent once more, with all its tries again, whatever came of it; what is still to be sent goes now. The bytes are those
 * that were sent before, but for contact data where the webhook wants it no more. AppError `not_found`; `not_doable` where its webhook is switched off or gone.
 */
export const replayDelivery = (ctx: TenantContext, id: string): Promise<WebhookDelivery> =>
  onFreshRead(undefined, () => replayOnce(ctx, id));

async function replayOnce(ctx: TenantContext, id: string): Promise<WebhookDelivery> {
  const row = await ctx.store.get(keys.delivery(id));
  if (!row) throw notFound();
  const { includeContact } = await activeWebhook(ctx, row.webhookId).catch((error: unknown) => {
    throw isAppError(error, "not_found") ? isGone() : error;
  });
  if (row.hasContact && includeContact) await auditContactAgain(ctx, row);
  const now = ctx.clock();
  const due = dueAt(ctx.tenantId, id, now.toISOString());
  const set: Partial<DeliveryRow> = {
    status: "pending",
    tries: 0,
    version: row.version + 1,
    expiresAt: Math.max(row.expiresAt, expiryOf(now.getTime())),
    ...due,
  };
  await ctx.store.commit(
    [
      check(keys.webhook(row.webhookId), { equals: { isActive: true } }),
      update<DeliveryRow>(keys.delivery(id), { set, remove: ["code"] }, { equals: { version: row.version } }),
      endRest(row.webhookId),
    ],
    {
      category: "configuration_change",
      action: "webhook.replay",
      resourceType: "Webhook",
      resourceId: row.webhookId,
      detail: { deliveryId: id },
    },
  );
  const { code: _code, ...rest } = row;
  return asDelivery({ ...rest, ...set });
}
