import { seal } from "@vitaline/aws";
import type { ChangedWebhook, CreatedWebhook, NewWebhook, Webhook } from "@vitaline/contract";
import { AppError, isAppError, newId, notFound } from "@vitaline/core";
import { isCallable } from "@vitaline/outbound";
import {
  allRows,
  create,
  keys,
  nextVersion,
  retryOnStale,
  put,
  remove,
  update,
  type TenantContext,
  type WebhookCountRow,
  type WebhookHealthRow,
  type WebhookRow,
  type WebhookTenantRow,
} from "@vitaline/store";
import { newSecret, secretPurpose } from "./secret.ts";

const maxWebhooks = 10;

const tooMany = () => new AppError("not_doable", "There are already ten webhooks. Please delete one first.");

/** AppError `invalid_request` for an address that the outbound guard refuses. */
function requireCallable(url: string): string {
  if (isCallable(url)) return url;
  throw new AppError("invalid_request", "This address cannot be called.", { fields: { url: "Must be a public https address" } });
}

/**
 * AppError `invalid_request` for an address that may not be called, `not_doable` if there are ten already, `stale_version` if
 * another request added the tenth.
 */
export async function createWebhook(ctx: TenantContext, input: NewWebhook): Promise<CreatedWebhook> {
  const { url, events, description, includeContact } = input;
  requireCallable(url);
  const existing = await allRows<WebhookRow>(ctx.store, keys.tenantPartitions.webhooks(ctx.tenantId), { prefix: "WEBHOOK#" });
  if (existing.length >= maxWebhooks) throw tooMany();
  const now = ctx.clock();
  const id = newId(now.getTime());
  const secret = newSecret();
  const row: WebhookRow = { id, url, events, description, includeContact, isActive: true, createdAt: now.toISOString(), version: 1 };
  await ctx.store.commit(
    [
      create(keys.webhook(id), row),
      create(keys.webhookHealth(id), { webhookId: id }),
      create(keys.sealedWebhook(id), { ciphertext: await seal(secretPurpose, ctx.tenantId, secret) }),
      update(keys.webhookCount(), { add: { count: 1 } }, { lessThanOrAbsent: { count: maxWebhooks } }),
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

const webhookInactive = () => new AppError("not_doable", "This webhook is switched off. Please switch it on first.");

/** AppError `not_found`, `not_doable` for an inactive webhook. */
export async function requireActiveWebhook(ctx: TenantContext, id: string): Promise<WebhookRow> {
  const webhook = await ctx.store.get(keys.webhook(id));
  if (!webhook) throw notFound();
  if (!webhook.isActive) throw webhookInactive();
  return webhook;
}

/**
 * Keeps omitted fields. Activation and a new URL reset the webhook's health. AppError `not_found`; `invalid_request` for an address
 * that may not be called; `stale_version` if `ifMatch` is not the current version.
 */
export const updateWebhook = (ctx: TenantContext, id: string, input: ChangedWebhook, ifMatch: number | undefined): Promise<Webhook> =>
  retryOnStale(ifMatch, () => updateOnce(ctx, id, input, ifMatch));

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

/** Deliveries stay in the log; pending ones are not sent. AppError `not_found`. */
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

/** Oldest first. One read. */
export async function listWebhooks(ctx: TenantContext): Promise<Webhook[]> {
  type Row = WebhookRow | WebhookHealthRow | WebhookCountRow;
  const rows = await allRows<Row>(ctx.store, keys.tenantPartitions.webhooks(ctx.tenantId));
  const healths = new Map(rows.flatMap((row) => ("failingSince" in row ? [[row.webhookId, row] as const] : [])));
  return rows.flatMap((row) => ("url" in row ? [asWebhook(row, healths.get(row.id))] : []));
}
