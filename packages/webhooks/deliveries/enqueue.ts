import type { DeliveryType, WebhookDelivery, WebhookEventType } from "@vitaline/contract";
import {
  allRows,
  check,
  create,
  type DeliveryRow,
  type EventSource,
  keys,
  onFreshRead,
  type TenantContext,
  update,
  type WebhookRow,
} from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { AppError, idFrom, isAppError, newId, notFound } from "@vitaline/core";
import { asDelivery, dueAt, expiryOf } from "./delivery.ts";
import { endRest } from "../subscriptions/health.ts";
import { activeWebhook } from "../subscriptions/webhook.ts";
import { auditContactAgain } from "./payload.ts";

/** Something that a tenant's own systems may want to know. `sendAt`: not before its facts are together. */
export type WebhookEvent = { tenantId: string; type: WebhookEventType; at: string; sendAt: string; source: EventSource };

/**
 * Puts down a delivery for each webhook that wants an event; however often it is told of, there is one. A read for each tenant, and a
 * write for each delivery. A webhook hears of nothing from before its time.
 */
export async function noteDeliveries(ctx: PlatformContext, events: readonly WebhookEvent[]): Promise<void> {
  for (const [tenantId, told] of Map.groupBy(events, (event) => event.tenantId)) {
    const store = ctx.platform.inTenant(tenantId);
    const webhooks = await allRows<WebhookRow>(store, keys.tenantPartitions.webhooks(tenantId), { prefix: "WEBHOOK#" });
    for (const event of told)
      for (const { id } of webhooks.filter((webhook) => wants(webhook, event))) {
        const row = rowOf(id, event);
        await store.note(create<DeliveryRow>(keys.delivery(row.id), row));
      }
  }
}

const wants = ({ isActive, events, createdAt }: WebhookRow, { type, at }: WebhookEvent): boolean =>
  isActive && events.includes(type) && at >= createdAt;

function rowOf(webhookId: string, event: WebhookEvent): DeliveryRow {
  const { tenantId, type, at, sendAt, source } = event;
  const id = deliveryIdOf(webhookId, event);
  return {
    id,
    webhookId,
    type,
    at,
    status: "pending",
    tries: 0,
    attempts: [],
    source,
    version: 1,
    expiresAt: expiryOf(Date.parse(at)),
    ...dueAt(tenantId, id, sendAt),
  };
}

/**
 * The id of an event's delivery to a webhook: the same each time it is asked for, so that however often the event is told of there
 * is one delivery, and sorted by when it happened, as all our ids are.
 */
export function deliveryIdOf(webhookId: string, { at, type, source }: { at: string; type: DeliveryType; source: EventSource }): string {
  const told = source.kind === "call" ? source.callKey : source.id;
  return idFrom(Date.parse(at), "webhook-delivery", webhookId, type, told);
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
