import type { DeliveryStatus, WebhookDelivery } from "@vitaline/contract";
import { type DeliveryRow, keys, type Page, type TenantContext } from "@vitaline/store";
import { notFound } from "@vitaline/core";

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

/** What puts a delivery among those that are due at an instant. */
export const dueAt = (tenantId: string, id: string, nextAttemptAt: string): Pick<DeliveryRow, "nextAttemptAt" | "gsi1pk" | "gsi1sk"> => ({
  nextAttemptAt,
  gsi1pk: keys.tenantPartitions.dueDeliveries(tenantId),
  gsi1sk: `${nextAttemptAt}#${id}`,
});
/** And what takes it away from there. */
export const dueNoMore = ["nextAttemptAt", "gsi1pk", "gsi1sk"] as const satisfies (keyof DeliveryRow)[];

const keptSeconds = 30 * 86_400;
/** Longer than all attempts together take. */
export const expiryOf = (ms: number): number => Math.floor(ms / 1000) + keptSeconds;

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
