import type { DeliveryStatus, WebhookDelivery } from "@vitaline/contract";
import { notFound } from "@vitaline/core";
import { keys, type DeliveryRow, type Page, type TenantContext } from "@vitaline/store";
import { asDelivery } from "./present.ts";

const usualPage = 50;

/** A page of deliveries, newest first; one with a filter may be short. AppError `not_found` for a webhook that is not the tenant's. */
export async function listDeliveries(
  ctx: TenantContext,
  asked: { limit?: number; cursor?: string; webhookId?: string; status?: DeliveryStatus },
): Promise<Page<WebhookDelivery>> {
  const { limit = usualPage, cursor, webhookId, status } = asked;
  if (webhookId !== undefined && !(await ctx.store.get(keys.webhook(webhookId)))) throw notFound();
  const isFiltered = webhookId !== undefined || status !== undefined;
  const fits = (row: DeliveryRow) =>
    (webhookId === undefined || row.webhookId === webhookId) && (status === undefined || row.status === status);
  const { rows, next } = await ctx.store.query<DeliveryRow>(keys.tenantPartitions.deliveries(ctx.tenantId), {
    descending: true,
    limit,
    cursor,
    where: isFiltered ? fits : undefined,
  });
  return { rows: rows.map(asDelivery), next };
}
