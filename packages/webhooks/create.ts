import { seal } from "@vitaline/aws";
import type { CreatedWebhook, NewWebhook } from "@vitaline/contract";
import { AppError, newId } from "@vitaline/core";
import { isCallable } from "@vitaline/outbound";
import { allRows, create, keys, update, type TenantContext, type WebhookRow, type WebhookTenantRow } from "@vitaline/store";
import { asWebhook } from "./present.ts";
import { newSecret, secretPurpose } from "./secret.ts";

/** So many addresses hear of each event. */
const mostWebhooks = 10;

const tooMany = () => new AppError("not_doable", "There are ten webhooks already. Please delete one first.");

/** AppError `invalid_request` for an address that the guard would not call, as far as the address alone tells. */
export function requireCallable(url: string): string {
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
