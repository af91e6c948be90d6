import { createPublicKey } from "node:crypto";
import type { AccessRequest, KeyDefinition } from "../types.ts";
import { encryptionContext, keyContext, type KeyRecord, type KeyStore } from "./key-store.ts";

export { KMS_OPERATIONS } from "./operations.ts";
export { openKeyStore, type KeyStore } from "./key-store.ts";

/** Creates the key under its own id, or updates tags and aliases of the existing one. */
export async function ensureKey(store: KeyStore, definition: KeyDefinition): Promise<void> {
  const existing: KeyRecord | undefined = store.keys[definition.keyId];
  const fields = { tags: definition.tags ?? {}, description: definition.description ?? "", arn: definition.arn };
  if (existing) Object.assign(existing, fields);
  else await store.create(definition.spec, { keyId: definition.keyId, ...fields });
  for (const alias of definition.aliases ?? []) store.aliases[alias] = definition.keyId;
  store.save();
}

export function publicKeyPem(store: KeyStore, keyId: string): string {
  return createPublicKey(store.privateKey(store.find(keyId)))
    .export({ type: "spki", format: "pem" })
    .toString();
}

export function viaService(
  store: KeyStore,
  keyArn: string,
  use: { action: string; service: string; region: string; context: Record<string, string> },
): AccessRequest {
  return {
    action: `kms:${use.action}`,
    resource: keyArn,
    context: {
      ...keyContext(store, store.find(keyArn)),
      ...encryptionContext(use.context),
      "kms:ViaService": `${use.service}.${use.region}.amazonaws.com`,
    },
  };
}
