import type { WebhookEventType } from "@vitaline/contract";
import { allRows, create, keys, type DeliveryRow, type EventSource, type WebhookRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { deliveryIdOf } from "./delivery-id.ts";
import { dueAt, expiryOf } from "./due.ts";

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
