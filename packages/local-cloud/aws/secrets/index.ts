import { randomUUID } from "node:crypto";
import type { SecretDefinition } from "../types.ts";
import { generateSecret } from "./operations.ts";
import { addVersion, now, type SecretStore } from "./secret-store.ts";

export { SECRETS_OPERATIONS } from "./operations.ts";
export { openSecretStore, type SecretStore } from "./secret-store.ts";

/** Creates the secret with a given or generated value; an existing secret keeps its value. */
export async function ensureSecret(store: SecretStore, definition: SecretDefinition): Promise<void> {
  const { arn, name, kmsKeyArn, description = "", tags = {} } = definition;
  const existing = store.secrets[arn];
  if (existing) {
    Object.assign(existing, { kmsKeyArn, description, tags });
  } else {
    const secret = { arn, name, kmsKeyArn, description, tags, versions: [], createdAt: now(), changedAt: now() };
    const value = definition.value ?? (definition.generate && generateSecret(definition.generate));
    if (value !== undefined) addVersion(secret, { id: randomUUID(), value, binary: false });
    store.secrets[arn] = secret;
  }
  store.save();
}

/** Of the current version, without an id. */
export function secretValue(store: SecretStore, id: string, versionId?: string): string {
  const versions = store.lookup(id)?.versions ?? [];
  const found = versions.find((version) => (versionId === undefined ? version.stages.includes("AWSCURRENT") : version.id === versionId));
  if (!found) throw new Error(`Secret ${id} has no ${versionId === undefined ? "current value" : `version ${versionId}`}`);
  return found.value;
}
