import type { WebhookDelivery } from "@vitaline/contract";
import { AppError, newId, notFound } from "@vitaline/core";
import { check, create, keys, type DeliveryRow, type TenantContext, type WebhookRow } from "@vitaline/store";
import { dueAt, expiryOf } from "./due.ts";
import { endRest } from "./health.ts";
import { asDelivery } from "./present.ts";

const isOff = () => new AppError("not_doable", "This webhook is switched off. Please switch it on first.");

/** The webhook, switched on. AppError `not_found`, `not_doable`. */
export async function activeWebhook(ctx: TenantContext, id: string): Promise<WebhookRow> {
  const webhook = await ctx.store.get(keys.webhook(id));
  if (!webhook) throw notFound();
  if (!webhook.isActive) throw isOff();
  return webhook;
}

/** Has an event sent that tells of nothing. AppError `not_found`, `not_doable` for a webhook that is switched off. */
export async function testWebhook(ctx: TenantContext, webhookId: string): Promise<WebhookDelivery> {
  await activeWebhook(ctx, webhookId);
  const now = ctx.clock();
  const at = now.toISOString();
  const id = newId(now.getTime());
  const row: DeliveryRow = {
    id,
    webhookId,
    type: "webhook.test",
    at,
    status: "pending",
    tries: 0,
    attempts: [],
    version: 1,
    expiresAt: expiryOf(now.getTime()),
    ...dueAt(ctx.tenantId, id, at),
  };
  await ctx.store.commit([check(keys.webhook(webhookId), { exists: true }), create(keys.delivery(id), row), endRest(webhookId)], {
    category: "configuration_change",
    action: "webhook.test",
    resourceType: "Webhook",
    resourceId: webhookId,
    detail: { deliveryId: id },
  });
  return asDelivery(row);
}
