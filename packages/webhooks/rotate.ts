import { seal } from "@vitaline/aws";
import type { RotatedWebhookSecret } from "@vitaline/contract";
import { notFound } from "@vitaline/core";
import { check, keys, put, type SealedWebhookRow, type TenantContext } from "@vitaline/store";
import { newSecret, overlapMs, secretPurpose } from "./secret.ts";

/**
 * A new secret, which signs from now on; the one before it does, too, for a day. One that was on its way out already is over.
 * AppError `not_found`; `stale_version` when two rotate at once.
 */
export async function rotateWebhookSecret(ctx: TenantContext, id: string): Promise<RotatedWebhookSecret> {
  const [webhook, sealed] = await ctx.store.batchGet([keys.webhook(id), keys.sealedWebhook(id)]);
  if (!webhook || !sealed) throw notFound();
  const secret = newSecret();
  const until = new Date(ctx.clock().getTime() + overlapMs).toISOString();
  const row: SealedWebhookRow = {
    ciphertext: await seal(secretPurpose, ctx.tenantId, secret),
    previous: { ciphertext: sealed.ciphertext, until },
  };
  await ctx.store.commit(
    [check(keys.webhook(id), { exists: true }), put(keys.sealedWebhook(id), row, { equals: { ciphertext: sealed.ciphertext } })],
    { category: "configuration_change", action: "webhook.rotate", resourceType: "Webhook", resourceId: id },
  );
  return { secret, previousUntil: until };
}
