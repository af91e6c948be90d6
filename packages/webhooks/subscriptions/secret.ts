import { randomBytes } from "node:crypto";
import { type Purpose, seal } from "@vitaline/aws";
import { Webhook } from "standardwebhooks";
import type { RotatedWebhookSecret } from "@vitaline/contract";
import { notFound } from "@vitaline/core";
import { check, keys, put, type SealedWebhookRow, type TenantContext } from "@vitaline/store";

/** 256 bits, as receivers' libraries take them. Source: Standard Webhooks, "Signature scheme", symmetric secrets. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

/** Under it they lie in the vault: whoever opens the secrets that voice platforms sign with opens none of these. */
export const secretPurpose = "webhook-signing" satisfies Purpose;

/** For a day after a rotation both secrets sign, so that a receiver can change at leisure. */
const overlapMs = 24 * 3_600_000;

/** The headers of an attempt; `id` is the same for each. Throws for what is no secret of ours. */
export const signatureHeaders = (secrets: readonly string[], id: string, at: Date, body: string): Record<string, string> => ({
  "webhook-id": id,
  "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
  "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(" "),
});

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
