import type { DeliveryType, WebhookDelivery, WebhookEventType } from "@vitaline/contract";
import { AppError, deterministicId, isAppError, newId, notFound } from "@vitaline/core";
import {
  allRows,
  check,
  countWithinHour,
  create,
  keys,
  retryOnStale,
  update,
  type DeliveryRow,
  type DeliverySource,
  type TenantContext,
  type WebhookRow,
} from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { endPause } from "../subscriptions/health.ts";
import { requireActiveWebhook } from "../subscriptions/webhook.ts";
import { asDelivery, dueFieldsAt, expiryOf } from "./delivery.ts";
import { auditReplayedContact } from "./payload.ts";

/** `sendAt`: not before all data of the event is recorded. */
export type WebhookEvent = { tenantId: string; type: WebhookEventType; at: string; sendAt: string; source: DeliverySource };

/**
 * Creates one delivery per event and subscribed webhook, also for repeated events. One read per tenant, one write per delivery.
 * Events from before the webhook's creation are skipped.
 */
export async function enqueueDeliveries(ctx: PlatformContext, events: readonly WebhookEvent[]): Promise<void> {
  for (const [tenantId, tenantEvents] of Map.groupBy(events, (event) => event.tenantId)) {
    const store = ctx.platform.inTenant(tenantId);
    const webhooks = await allRows<WebhookRow>(store, keys.tenantPartitions.webhooks(tenantId), { prefix: "WEBHOOK#" });
    for (const event of tenantEvents)
      for (const { id } of webhooks.filter((webhook) => isSubscribed(webhook, event))) {
        const row = rowOf(id, event);
        await store.writeUnaudited(create<DeliveryRow>(keys.delivery(row.id), row));
      }
  }
}

const isSubscribed = ({ isActive, events, createdAt }: WebhookRow, { type, at }: WebhookEvent): boolean =>
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
    ...dueFieldsAt(tenantId, id, sendAt),
  };
}

/** Deterministic, so that a repeated event gives the same delivery; sorts by the event's time. */
export function deliveryIdOf(webhookId: string, { at, type, source }: { at: string; type: DeliveryType; source: DeliverySource }): string {
  return deterministicId(Date.parse(at), "webhook-delivery", webhookId, type, ...idsOf(source));
}

const idsOf = (source: DeliverySource): string[] => {
  if (source.kind === "call") return [source.callKey];
  if (source.kind === "task") return [source.taskId, String(source.version)];
  return [source.id, ...(source.taskId ? [source.taskId] : [])];
};

/** Of one user: each sends a request to an address of the tenant's choice. */
const maxTestsAnHour = 60;

/** AppError `not_found`, `not_doable` for an inactive webhook, `too_many_requests`. */
export async function testWebhook(ctx: TenantContext, webhookId: string): Promise<WebhookDelivery> {
  await requireActiveWebhook(ctx, webhookId);
  const now = ctx.clock();
  const keyOf = (hour: string) => keys.counter("webhook-test", ctx.actor.id, hour);
  const refusal = "You have tested webhooks many times in the last hour. Please try again later.";
  await countWithinHour(ctx.store, keyOf, { limit: maxTestsAnHour, now, refusal });
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
    ...dueFieldsAt(ctx.tenantId, id, at),
  };
  await ctx.store.commit([check(keys.webhook(webhookId), { exists: true }), create(keys.delivery(id), row), endPause(webhookId)], {
    category: "configuration_change",
    action: "webhook.test",
    resourceType: "Webhook",
    resourceId: webhookId,
    detail: { deliveryId: id },
  });
  return asDelivery(row);
}

const webhookDeleted = () => new AppError("not_doable", "The webhook of this delivery was deleted.");

/**
 * Sends a delivery again with all its attempts and the same body, except that contact data is removed if the webhook excludes it
 * now. A pending delivery is sent now. AppError `not_found`; `not_doable` if its webhook is inactive or deleted.
 */
export const replayDelivery = (ctx: TenantContext, id: string): Promise<WebhookDelivery> =>
  retryOnStale(undefined, () => replayOnce(ctx, id));

async function replayOnce(ctx: TenantContext, id: string): Promise<WebhookDelivery> {
  const row = await ctx.store.get(keys.delivery(id));
  if (!row) throw notFound();
  const { includeContact } = await requireActiveWebhook(ctx, row.webhookId).catch((error: unknown) => {
    throw isAppError(error, "not_found") ? webhookDeleted() : error;
  });
  if (row.hasContact && includeContact) await auditReplayedContact(ctx, row);
  const now = ctx.clock();
  const due = dueFieldsAt(ctx.tenantId, id, now.toISOString());
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
      endPause(row.webhookId),
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
