import type { Webhook } from "@vitaline/contract";
import { allRows, keys, type TenantContext, type WebhookCountRow, type WebhookHealthRow, type WebhookRow } from "@vitaline/store";
import { asWebhook } from "./present.ts";

/** The tenant's webhooks, oldest first, and how they are; one read. */
export async function listWebhooks(ctx: TenantContext): Promise<Webhook[]> {
  type Row = WebhookRow | WebhookHealthRow | WebhookCountRow;
  const rows = await allRows<Row>(ctx.store, keys.tenantPartitions.webhooks(ctx.tenantId));
  const healths = new Map(rows.flatMap((row) => ("failingSince" in row ? [[row.webhookId, row] as const] : [])));
  return rows.flatMap((row) => ("url" in row ? [asWebhook(row, healths.get(row.id))] : []));
}
