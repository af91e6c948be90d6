import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { AwsError } from "../error.ts";
import type { KeyRecord } from "./key-store.ts";

const FORMAT = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM; the blob names its key, and the encryption context is authenticated. Layout: format, key id length, key id, iv, tag, text. */
export function seal(key: KeyRecord, plaintext: Buffer, context: Record<string, string>): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", Buffer.from(key.material, "base64"), iv).setAAD(authenticated(key.keyId, context));
  const text = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  const id = Buffer.from(key.keyId);
  return Buffer.concat([Buffer.from([FORMAT, id.length]), id, iv, cipher.getAuthTag(), text]);
}

/** The id of the key that sealed a blob; undefined if the blob is none of ours. */
export function sealedBy(blob: Buffer): string | undefined {
  const length = blob[1] ?? 0;
  if (blob[0] !== FORMAT || blob.length < 2 + length + IV_BYTES + TAG_BYTES) return undefined;
  return blob.subarray(2, 2 + length).toString();
}

/** Throws InvalidCiphertextException when blob or context was changed. */
export function unseal(key: KeyRecord, blob: Buffer, context: Record<string, string>): Buffer {
  const ivAt = 2 + blob[1]!;
  const tagAt = ivAt + IV_BYTES;
  const textAt = tagAt + TAG_BYTES;
  try {
    const decipher = createDecipheriv("aes-256-gcm", Buffer.from(key.material, "base64"), blob.subarray(ivAt, tagAt));
    decipher.setAAD(authenticated(key.keyId, context)).setAuthTag(blob.subarray(tagAt, textAt));
    return Buffer.concat([decipher.update(blob.subarray(textAt)), decipher.final()]);
  } catch {
    throw invalidCiphertext();
  }
}

export function invalidCiphertext(): AwsError {
  return new AwsError(400, "InvalidCiphertextException", "The ciphertext is invalid");
}

function authenticated(keyId: string, context: Record<string, string>): Buffer {
  return Buffer.from(JSON.stringify([keyId, Object.entries(context).toSorted(([a], [b]) => (a < b ? -1 : 1))]));
}
