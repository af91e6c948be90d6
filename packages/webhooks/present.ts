import type { Webhook, WebhookDelivery } from "@vitaline/contract";
import type { DeliveryRow, WebhookHealthRow, WebhookRow } from "@vitaline/store";

export const asWebhook = (row: WebhookRow, health: WebhookHealthRow | undefined): Webhook => ({
  id: row.id,
  url: row.url,
  events: row.events,
  description: row.description ?? null,
  includeContact: row.includeContact,
  isActive: row.isActive,
  disabledReason: row.disabledReason ?? null,
  failingSince: health?.failingSince ?? null,
  createdAt: row.createdAt,
  version: row.version,
});

export const asDelivery = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  webhookId: row.webhookId,
  type: row.type,
  status: row.status,
  createdAt: row.at,
  nextAttemptAt: row.nextAttemptAt ?? null,
  code: row.code ?? null,
  attempts: row.attempts.map(({ at, ms, httpStatus, code }) => ({ at, ms, httpStatus: httpStatus ?? null, code: code ?? null })),
});
