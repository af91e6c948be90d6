import { randomBytes } from "node:crypto";
import { seal, type Purpose } from "@vitaline/aws";
import type { RotatedWebhookSecret } from "@vitaline/contract";
import { notFound } from "@vitaline/core";
import { check, keys, put, type SealedWebhookRow, type TenantContext } from "@vitaline/store";
import { Webhook } from "standardwebhooks";

/** 256 bits. Source: Standard Webhooks, "Signature scheme", symmetric secrets. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

/** Separate from the signing secrets of voice platforms. */
export const secretPurpose = "webhook-signing" satisfies Purpose;

/** Both secrets sign for a day after a rotation. */
const overlapMs = 24 * 3_600_000;

/** `id` is the same for each attempt. Throws for an invalid secret. */
export const signatureHeaders = (secrets: readonly string[], id: string, at: Date, body: string): Record<string, string> => ({
  "webhook-id": id,
  "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
  "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(" "),
});

/**
 * The previous secret signs for another day; an older one stops at once. AppError `not_found`; `stale_version` for two concurrent
 * rotations.
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
