import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { DecryptCommand, GenerateDataKeyCommand } from "@aws-sdk/client-kms";
import { envReader } from "@vitaline/core";
import * as z from "zod/mini";
import { asUnavailable } from "../unavailable.ts";
import { kms } from "./kms.ts";

const environment = envReader(z.object({ VAULT_KEY_ARN: z.string() }));

/** Part of KMS's encryption context: each function's role may decrypt only the purposes it needs. */
export type Purpose = "tenant-api-key" | "voice-provider-key" | "phi" | "fhir-token" | "webhook" | "webhook-signing" | "totp" | "contact";

/** Sealed for a user, a record system or the platform; its `tenantId` is that owner's id. */
const ofNoTenant: readonly Purpose[] = ["totp", "fhir-token", "contact"];
const kmsFor = (purpose: Purpose, tenantId: string) => kms(ofNoTenant.includes(purpose) ? undefined : tenantId);

/** Bound to the data key by KMS and to the text by GCM, so a ciphertext copied to another tenant cannot be decrypted. */
const contextOf = (purpose: Purpose, tenantId: string) => ({ purpose, tenantId });
const version = "v1";

/** Envelope encryption: a new AES-256-GCM key from KMS for each value. Returns `v1.key.iv.tag.body` in base64url. */
export async function seal(purpose: Purpose, tenantId: string, text: string): Promise<string> {
  const EncryptionContext = contextOf(purpose, tenantId);
  const { Plaintext, CiphertextBlob } = await kmsFor(purpose, tenantId)
    .send(new GenerateDataKeyCommand({ KeyId: environment().VAULT_KEY_ARN, KeySpec: "AES_256", EncryptionContext }))
    .catch((error: unknown) => {
      throw asUnavailable(error);
    });
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", Buffer.from(Plaintext ?? []), iv).setAAD(Buffer.from(JSON.stringify(EncryptionContext)));
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return [version, ...[Buffer.from(CiphertextBlob ?? []), iv, cipher.getAuthTag(), body].map((part) => part.toString("base64url"))].join(
    ".",
  );
}

/** The text sealed for this purpose and tenant; throws for any other. */
export async function unseal(purpose: Purpose, tenantId: string, sealed: string): Promise<string> {
  const EncryptionContext = contextOf(purpose, tenantId);
  const [wrapped, iv, tag, body] = sealed
    .split(".")
    .slice(1)
    .map((part) => Buffer.from(part, "base64url"));
  if (!wrapped || !iv || !tag || !body || !sealed.startsWith(`${version}.`)) throw new Error("Not a sealed value");
  const { Plaintext } = await kmsFor(purpose, tenantId)
    .send(new DecryptCommand({ KeyId: environment().VAULT_KEY_ARN, CiphertextBlob: wrapped, EncryptionContext }))
    .catch((error: unknown) => {
      throw asUnavailable(error);
    });
  const decipher = createDecipheriv("aes-256-gcm", Buffer.from(Plaintext ?? []), iv)
    .setAAD(Buffer.from(JSON.stringify(EncryptionContext)))
    .setAuthTag(tag);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
}
