import { partitions, tenantPartitions } from "./partitions.ts";
import { tenantEntity, keyInScope, type KeyUseRow, type SealedRow } from "./entity.ts";

export type ApiKeyRow = {
  id: string;
  lookupHash: string;
  last4: string;
  status: "active" | "retiring" | "revoked";
  createdAt: string;
  createdBy: string;
  notAfter?: string;
  /** Set when the key is revoked or replaced: it stays listed until then. Its uses stay in the audit. */
  expiresAt?: number;
};
export const apiKey = tenantEntity<ApiKeyRow, [keyId: string]>({
  entity: "apiKey",
  writeKind: "audited",
  lifetime: "may expire",
  primaryKey: (tenantId, keyId) => ({ pk: tenantPartitions.config(tenantId), sk: `APIKEY#${keyId}` }),
});

export const sealedApiKey = tenantEntity<SealedRow, [keyId: string]>({
  entity: "sealedApiKey",
  writeKind: "audited",
  lifetime: "permanent",
  primaryKey: (tenantId, keyId) => ({ pk: tenantPartitions.vault(tenantId), sk: `APIKEY#${keyId}` }),
});

/** The tenant of an API key, by the key's hash. `suspended`: the tenant is inactive. */
export type KeyLookupRow = {
  tenantId: string;
  keyId: string;
  status: "active" | "revoked";
  suspended?: boolean;
  notAfter?: string;
  expiresAt?: number;
};
export const keyLookup = tenantEntity<KeyLookupRow, [sha256: string]>({
  entity: "keyLookup",
  writeKind: "audited",
  lifetime: "may expire",
  isOutsideTenantPartition: true,
  primaryKey: (_tenantId, sha256) => ({ pk: partitions.apiKey(sha256), sk: "KEY" }),
});
/** For the request that presents the key: its tenant is known from here on. */
export const keyLookupBeforeTenant = (sha256: string) => keyInScope("directory", keyLookup(sha256));

/** In a partition of its own, so that a function that records uses cannot change keys. */
export const apiKeyUse = tenantEntity<KeyUseRow, [keyId: string]>({
  entity: "apiKeyUse",
  writeKind: "bookkeeping",
  lifetime: "permanent",
  primaryKey: (tenantId, keyId) => ({ pk: tenantPartitions.keyUse(tenantId), sk: keyId }),
});
