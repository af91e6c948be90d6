import type { DeliveryStatus, WebhookDelivery } from "@vitaline/contract";
import { notFound } from "@vitaline/core";
import { keys, type DeliveryRow, type Page, type TenantContext } from "@vitaline/store";

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

export const dueFieldsAt = (
  tenantId: string,
  id: string,
  nextAttemptAt: string,
): Pick<DeliveryRow, "nextAttemptAt" | "gsi1pk" | "gsi1sk"> => ({
  nextAttemptAt,
  gsi1pk: keys.tenantPartitions.dueDeliveries(tenantId),
  gsi1sk: `${nextAttemptAt}#${id}`,
});
export const dueFields = ["nextAttemptAt", "gsi1pk", "gsi1sk"] as const satisfies (keyof DeliveryRow)[];

const retentionSeconds = 30 * 86_400;
/** Longer than all attempts take. */
export const expiryOf = (ms: number): number => Math.floor(ms / 1000) + retentionSeconds;

const defaultPageSize = 50;

/** Newest first; a filtered page may be short. AppError `not_found` for a webhook that is not the tenant's. */
export async function listDeliveries(
  ctx: TenantContext,
  filter: { limit?: number; cursor?: string; webhookId?: string; status?: DeliveryStatus },
): Promise<Page<WebhookDelivery>> {
  const { limit = defaultPageSize, cursor, webhookId, status } = filter;
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
