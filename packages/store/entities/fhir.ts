import type { FhirProvider, Jwk } from "@vitaline/contract";
import { sha256In } from "@vitaline/core";
import { partitions, tenantPartitions } from "./partitions.ts";
import { entityIn, sharedEntity, type LockRow, type KeyUseRow, type Leased, type UniqueNameRow } from "./entity.ts";

const ehrEntity = entityIn("ehr");

export type FhirProviderRow = Pick<
  FhirProvider,
  "id" | "name" | "providerType" | "fhirVersion" | "baseUrl" | "clientId" | "scopes" | "isActive" | "createdAt"
> & {
  /** The tenant that manages it; absent: the platform does. */
  ownerTenantId?: string;
  clientAuth?: FhirProvider["clientAuth"];
  /** Absent: client_credentials. */
  grant?: FhirProvider["grant"];
  /** Of the connection that a person has authorized. */
  consentDigest?: string;
  /** PEM, public. */
  certificateData?: string;
  /** The provider's own private key in Secrets Manager; RSA unless `type` is set. */
  privateKey?: { arn: string; versionId: string; type?: "EC" };
  version?: number;
  redirectUri?: string;
  authUrl?: string;
  tokenUrl?: string;
  description?: string;
  /** Secrets Manager ARN and pinned version of the client secret. */
  clientSecret?: { arn: string; versionId: string };
};
export const fhirProvider = ehrEntity<FhirProviderRow, [providerId: string]>({
  entity: "fhirProvider",
  writeKind: "audited",
  lifetime: "permanent",
  primaryKey: (providerId) => ({ pk: partitions.fhirProviders, sk: providerId }),
});
/** Lists a tenant's own providers without reading all. */
export const tenantFhirProvider = sharedEntity("ehr")<UniqueNameRow, [providerId: string]>({
  entity: "tenantFhirProvider",
  writeKind: "audited",
  lifetime: "permanent",
  primaryKey: (tenantId, providerId) => ({ pk: tenantPartitions.config(tenantId), sk: `FHIR#${providerId}` }),
});
export type FhirUsedByRow = { tenantId: string; officeId?: string };
export const fhirUsedBy = ehrEntity<FhirUsedByRow, [providerId: string, tenantId: string, officeId: string]>({
  entity: "fhirUsedBy",
  writeKind: "audited",
  lifetime: "permanent",
  primaryKey: (providerId, tenantId, officeId) => ({ pk: partitions.fhirConnection(providerId), sk: `USEDBY#${tenantId}#${officeId}` }),
});

/** A tuple, so that a history of twenty fits in one write unit. */
export type FhirCheck = [atMs: number, isHealthy: boolean, ms: number];
/** The result of the last connection check. */
export type FhirHealthRow = {
  status: "healthy" | "unhealthy";
  /** Incremented by each check; concurrent checks are possible. */
  version?: number;
  /** The last checks, oldest first, including this one. */
  history?: FhirCheck[];
  checkedAt: string;
  ms: number;
  code?: string;
  certificateExpiry?: string;
  /** For example fewer scopes granted than requested. */
  warning?: string;
  software?: string;
  fhirVersion?: string;
  /** Of the checked connection; the result is void after a change. */
  connectionDigest: string;
};
export const fhirHealth = ehrEntity<FhirHealthRow, [providerId: string]>({
  entity: "fhirHealth",
  writeKind: "bookkeeping",
  lifetime: "permanent",
  primaryKey: (providerId) => ({ pk: partitions.fhirProviders, sk: `${providerId}#HEALTH` }),
});

/** A value shared by function instances; the holder of the lease refreshes it. */
export type LeasedRow = Leased & { expiresAt: number };
export type FhirTokenRow = LeasedRow & { sealed?: string; tokenExpiresAt?: string };
export const fhirToken = ehrEntity<FhirTokenRow, [providerId: string, scopes: string]>({
  entity: "fhirToken",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (providerId, scopes) => ({ pk: partitions.fhirConnection(providerId), sk: `TOKEN#${sha256In("scopes", scopes)}` }),
});
/** `compressedCapability`: what the CapabilityStatement says, as deflated JSON in base64. */
export type FhirCapabilityRow = LeasedRow & { compressedCapability?: string; connectionDigest?: string; untilMs?: number };
/** "scheduling": the separate FHIR endpoint some vendors use for appointments. */
export const fhirCapability = ehrEntity<FhirCapabilityRow, [providerId: string, place: "main" | "scheduling"]>({
  entity: "fhirCapability",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (providerId, place) => ({ pk: partitions.fhirConnection(providerId), sk: `CAPABILITY#${place}` }),
});
/**
 * Whether requests are sent to an EHR that failed, by origin (a short digest): `failed…` and `answered…` count requests in a window,
 * `until…` is when the next request may try, after `trials…` that failed. `closedAtMs`: when an administrator's test closed the circuits.
 */
export type FhirCircuitRow = { expiresAt: number; closedAtMs?: number } & {
  [part: `${"failed" | "answered"}_${string}_${number}` | `${"until" | "trials"}_${string}`]: number;
};
export const fhirCircuit = ehrEntity<FhirCircuitRow, [providerId: string]>({
  entity: "fhirCircuit",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (providerId) => ({ pk: partitions.fhirConnection(providerId), sk: "CIRCUIT" }),
});

/** The refresh token of an authorized connection. */
export type OAuthGrantRow = {
  /** The token in Secrets Manager, and when this version was stored. */
  arn: string;
  versionId: string;
  versionAtMs: number;
  /** A newer token from the EHR, sealed; it takes precedence. */
  sealed?: string;
  /** Granted scopes, space separated, if the EHR named them. */
  scope?: string;
  /** Of the connection that was authorized. */
  consentDigest: string;
};
/** Bookkeeping because every use may replace the token; the authorization itself is audited. */
export const oauthGrant = ehrEntity<OAuthGrantRow, [providerId: string]>({
  entity: "oauthGrant",
  writeKind: "bookkeeping",
  lifetime: "permanent",
  primaryKey: (providerId) => ({ pk: partitions.fhirConnection(providerId), sk: "OAUTHGRANT" }),
});
/** An OAuth authorization in progress. */
export type OAuthStateRow = {
  providerId: string;
  /** As it was when the user was redirected. */
  connectionDigest: string;
  /** PKCE code verifier (RFC 7636). */
  verifier: string;
  /** Digest of the browser's cookie. */
  browser: string;
  userId: string;
  sid: string;
  /** Set for a tenant administrator. */
  tenantId?: string;
  expiresAt: number;
};
export const oauthState = ehrEntity<OAuthStateRow, [state: string]>({
  entity: "oauthState",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (state) => ({ pk: partitions.oauth(sha256In("oauth-state", state)), sk: "STATE" }),
});

/** A slot that is being booked. */
export const slotLock = ehrEntity<LockRow, [providerId: string, slotId: string]>({
  entity: "slotLock",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (providerId, slotId) => ({ pk: partitions.fhirSlot(providerId, sha256In("slot", slotId)), sk: "LOCK" }),
});
/** Slots that calls have reserved for a minute. Only a hint: concurrent writes may overwrite each other; the slot locks decide. */
export type ReservedSlotsRow = { slots: { slotId: string; owner: string; expiresAt: number }[]; expiresAt: number };
export const reservedSlots = ehrEntity<ReservedSlotsRow, [providerId: string]>({
  entity: "reservedSlots",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (providerId) => ({ pk: partitions.fhirConnection(providerId), sk: "RESERVEDSLOTS" }),
});
/** Counts of one week: `d0` to `d6` by day, `h0` to `h167` by hour. */
export type IdentityAttemptsRow = { expiresAt: number } & { [part: `${"d" | "h"}${number}`]: number };
/** Identity attempts for one subject (a keyed hash) at an EHR, over all tenants. */
export const identityAttempts = ehrEntity<IdentityAttemptsRow, [providerId: string, subject: string, week: string]>({
  entity: "identityAttempts",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (providerId, subject, week) => ({ pk: partitions.identityAttempts(providerId, sha256In("tries", subject)), sk: `W${week}` }),
});

/** A signing key of the platform, published in its key set. */
export type PlatformKeyRow = {
  /** Prefix of the two published kids. */
  id: string;
  arn: string;
  jwks: Jwk[];
  createdAt: string;
  activeFrom: string;
  /** Removed from the key set by an administrator. */
  retiredAt?: string;
};
export const platformKey = ehrEntity<PlatformKeyRow, [id: string]>({
  entity: "platformKey",
  writeKind: "audited",
  lifetime: "permanent",
  primaryKey: (id) => ({ pk: partitions.platformKeys, sk: id }),
});
export type NewestKeyRow = { id: string };
/** The newest key's id; of two keys created at once one is refused. */
export const newestPlatformKey = ehrEntity<NewestKeyRow, []>({
  entity: "newestPlatformKey",
  writeKind: "audited",
  lifetime: "permanent",
  primaryKey: () => ({ pk: partitions.platformKeys, sk: "~NEWEST" }),
});
/** In a partition of its own for the same reason as `apiKeyUse`. */
export const platformKeyUse = ehrEntity<KeyUseRow, [id: string]>({
  entity: "platformKeyUse",
  writeKind: "bookkeeping",
  lifetime: "permanent",
  primaryKey: (id) => ({ pk: partitions.platformKeyUse, sk: id }),
});
