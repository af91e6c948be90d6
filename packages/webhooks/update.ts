import type { ChangedWebhook, Webhook } from "@vitaline/contract";
import { notFound } from "@vitaline/core";
import { keys, nextVersion, onFreshRead, put, type TenantContext, type WebhookRow } from "@vitaline/store";
import { requireCallable } from "./create.ts";
import { asWebhook } from "./present.ts";

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
