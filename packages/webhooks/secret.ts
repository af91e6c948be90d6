import { randomBytes } from "node:crypto";
import type { Purpose } from "@vitaline/aws";
import { Webhook } from "standardwebhooks";

/** 256 bits, as receivers' libraries take them. Source: Standard Webhooks, "Signature scheme", symmetric secrets. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

/** Under it they lie in the vault: whoever opens the secrets that voice platforms sign with opens none of these. */
export const secretPurpose = "webhook-signing" satisfies Purpose;

/** For a day after a rotation both secrets sign, so that a receiver can change at leisure. */
export const overlapMs = 24 * 3_600_000;

/** The headers of an attempt; `id` is the same for each. Throws for what is no secret of ours. */
export const signatureHeaders = (secrets: readonly string[], id: string, at: Date, body: string): Record<string, string> => ({
  "webhook-id": id,
  "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
  "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(" "),
});
