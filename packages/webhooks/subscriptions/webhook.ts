import { seal } from "@vitaline/aws";
import type { ChangedWebhook, CreatedWebhook, NewWebhook, Webhook } from "@vitaline/contract";
import { AppError, isAppError, newId, notFound } from "@vitaline/core";
import { isCallable } from "@vitaline/outbound";
import {
  allRows,
  create,
  keys,
  nextVersion,
  onFreshRead,
  put,
  remove,
  type TenantContext,
  update,
  type WebhookCountRow,
  type WebhookHealthRow,
  type WebhookRow,
  type WebhookTenantRow,
} from "@vitaline/store";
import { newSecret, secretPurpose } from "./secret.ts";

/** So many addresses hear of each event. */
const mostWebhooks = 10;

const tooMany = () => new AppError("not_doable", "There are ten webhooks already. Please delete one first.");

/** AppError `invalid_request` for an address that the guard would not call, as far as the address alone tells. */
function requireCallable(url: string): string {
  if (isCallable(url)) return url;
  throw new AppError("invalid_request", "This address cannot be called.", { fields: { url: "Must be a public https address" } });
}

/**
 * A new webhook with the secret that signs what it is sent; the secret goes into the vault and comes out for signing alone.
 * AppError `invalid_request` for an address that may not be called, `not_doable` when there are ten, `stale_version` when somebody
 * else was faster with the tenth.
 */
export async function createWebhook(ctx: TenantContext, input: NewWebhook): Promise<CreatedWebhook> {
  const { url, events, description, includeContact } = input;
  requireCallable(url);
  const there = await allRows<WebhookRow>(ctx.store, keys.tenantPartitions.webhooks(ctx.tenantId), { prefix: "WEBHOOK#" });
  if (there.length >= mostWebhooks) throw tooMany();
  const now = ctx.clock();
  const id = newId(now.getTime());
  const secret = newSecret();
  const row: WebhookRow = { id, url, events, description, includeContact, isActive: true, createdAt: now.toISOString(), version: 1 };
  await ctx.store.commit(
    [
      create(keys.webhook(id), row),
      create(keys.webhookHealth(id), { webhookId: id }),
      create(keys.sealedWebhook(id), { ciphertext: await seal(secretPurpose, ctx.tenantId, secret) }),
      update(keys.webhookCount(), { add: { count: 1 } }, { lessThanOrAbsent: { count: mostWebhooks } }),
      update<WebhookTenantRow>(keys.webhookTenant(), { set: { tenantId: ctx.tenantId } }),
    ],
    {
      category: "configuration_change",
      action: "webhook.create",
      resourceType: "Webhook",
      resourceId: id,
      detail: { events: events.length, includeContact },
    },
  );
  return { ...asWebhook(row, undefined), secret };
}

const asWebhook = (row: WebhookRow, health: WebhookHealthRow | undefined): Webhook => ({
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

const isOff = () => new AppError("not_doable", "This webhook is switched off. Please switch it on first.");

/** The webhook, switched on. AppError `not_found`, `not_doable`. */
export async function activeWebhook(ctx: TenantContext, id: string): Promise<WebhookRow> {
  const webhook = await ctx.store.get(keys.webhook(id));
  if (!webhook) throw notFound();
  if (!webhook.isActive) throw isOff();
  return webhook;
}

/**
 * Changes what is named and leaves the rest. Whoever switches a webhook on again, or gives it another address, starts anew with what is
 * known of its health. AppError `not_found`; `invalid_request` for an address that may not be called; `stale_version` when `ifMatch` is
 * not the row's version any more.
 */
export const updateWebhook = (ctx: TenantContext, id: string, input: ChangedWebhook, ifMatch: number | undefined): Promise<Webhook> =>
  onFreshRead(ifMatch, () => updateOnce(ctx, id, input, ifMatch));

async function updateOnce(ctx: TenantContext, id: string, input: ChangedWebhook, ifMatch: number | undefined): Promise<Webhook> {
  const [row, health] = await ctx.store.batchGet([keys.webhook(id), keys.webhookHealth(id)]);
  if (!row) throw notFound();
  const { url, events, description, includeContact, isActive } = input;
  if (url !== undefined && url !== row.url) requireCallable(url);
  const { version, asRead } = nextVersion(row, ifMatch);
  const { disabledReason, ...before } = row;
  const changed: WebhookRow = {
    ...before,
    url: url ?? row.url,
    events: events ?? row.events,
    description: description === undefined ? row.description : (description ?? undefined),
    includeContact: includeContact ?? row.includeContact,
    isActive: isActive ?? row.isActive,
    version,
  };
  if (!changed.isActive && disabledReason) changed.disabledReason = disabledReason;
  const isFresh = changed.url !== row.url || (changed.isActive && !row.isActive);
  await ctx.store.commit([put(keys.webhook(id), changed, asRead), ...(isFresh ? [put(keys.webhookHealth(id), { webhookId: id })] : [])], {
    category: "configuration_change",
    action: "webhook.update",
    resourceType: "Webhook",
    resourceId: id,
    detail: {
      events: changed.events.length,
      includeContact: changed.includeContact,
      isActive: changed.isActive,
      urlChanged: changed.url !== row.url,
    },
  });
  return asWebhook(changed, isFresh ? undefined : health);
}

/** Its deliveries stay in the log until their time is over; what was not sent by now is not sent. AppError `not_found`. */
export async function deleteWebhook(ctx: TenantContext, id: string): Promise<void> {
  try {
    await ctx.store.commit(
      [
        remove(keys.webhook(id), { exists: true }),
        remove(keys.sealedWebhook(id)),
        remove(keys.webhookHealth(id)),
        update(keys.webhookCount(), { add: { count: -1 } }),
      ],
      { category: "configuration_change", action: "webhook.delete", resourceType: "Webhook", resourceId: id },
    );
  } catch (error) {
    throw isAppError(error, "stale_version") ? notFound() : error;
  }
}

/** The tenant's webhooks, oldest first, and how they are; one read. */
export async function listWebhooks(ctx: TenantContext): Promise<Webhook[]> {
  type Row = WebhookRow | WebhookHealthRow | WebhookCountRow;
  const rows = await allRows<Row>(ctx.store, keys.tenantPartitions.webhooks(ctx.tenantId));
  const healths = new Map(rows.flatMap((row) => ("failingSince" in row ? [[row.webhookId, row] as const] : [])));
  return rows.flatMap((row) => ("url" in row ? [asWebhook(row, healths.get(row.id))] : []));
}
