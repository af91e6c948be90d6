import * as z from "zod/mini";
import { Id, Instant, line, optionalLine } from "../http/fields.ts";

export const FhirProviderType = z.enum(["epic", "cerner", "allscripts", "nextgen", "custom"]);
export const FhirVersion = z.enum(["R4", "STU3", "DSTU2"]);
/** How we authenticate to the EHR: a client secret, the platform's published key, or a private key of the provider's own. */
export const FhirClientAuth = z.enum(["client_secret", "platform_key", "own_key"]);
/** OAuth grant: for the application itself, or authorized by a person at the EHR's sign-in page. */
export const FhirGrant = z.enum(["client_credentials", "authorization_code"]);
export const ConnectionStatus = z.enum(["healthy", "unhealthy", "unknown"]);
export const defaultFhirScopes = "patient/*.read user/*.read";

const notUrl = "Must be a valid URL";
const url = z
  .string(notUrl)
  .check(z.trim(), z.maxLength(500, "Must be at most 500 characters"), z.regex(/^[^\s\p{Cc}\p{Cf}\p{Cs}]*$/u, notUrl), z.url(notUrl));
const optionalUrl = z.optional(
  z.pipe(
    z.union([z.literal(""), z.null(), url]),
    z.transform((text) => text || undefined),
  ),
);
/** Blank text is an error: the form requires a URL here. */
const absentUrl = z.optional(
  z.pipe(
    z.nullable(url),
    z.transform((text) => text ?? undefined),
  ),
);
/** Optional multi-line ASCII text such as PEM; "", null and absent mean absent. */
const optionalPem = z.optional(
  z.pipe(
    z.nullable(
      z
        .string()
        .check(
          z.trim(),
          z.maxLength(20_000, "Must be at most 20000 characters"),
          z.regex(/^[\x20-\x7e\r\n\t]*$/, "Must be text in PEM form"),
        ),
    ),
    z.transform((text) => text || undefined),
  ),
);
/** RFC 6749 appendix A. Blank text stays "": the field was required but not filled in. */
const clientSecret = z.optional(
  z.pipe(
    z.nullable(
      z
        .string()
        .check(z.trim(), z.maxLength(4000, "Must be at most 4000 characters"), z.regex(/^[\x20-\x7e]*$/, "Must be printable characters")),
    ),
    z.transform((text) => text ?? ""),
  ),
);

export const FhirProvider = z.object({
  id: Id,
  name: z.string(),
  /** Same as `name`. */
  providerName: z.string(),
  providerType: FhirProviderType,
  fhirVersion: FhirVersion,
  baseUrl: z.string(),
  clientId: z.string(),
  clientAuth: FhirClientAuth,
  grant: FhirGrant,
  /** A person has authorized this server; false if no authorization is needed. */
  isAuthorized: z.boolean(),
  hasClientSecret: z.boolean(),
  hasPrivateKey: z.boolean(),
  scopes: z.string(),
  /** Read/Write if a scope permits a change. */
  access: z.enum(["Read/Write", "Read Only"]),
  /** Distinct resource names in the scopes; `*` counts as one. */
  resourceCount: z.number(),
  redirectUri: z.nullable(z.string()),
  authUrl: z.nullable(z.string()),
  tokenUrl: z.nullable(z.string()),
  /** PEM, X.509. */
  certificateData: z.nullable(z.string()),
  isActive: z.boolean(),
  description: z.nullable(z.string()),
  /** From the last check of this connection; unknown before the first. */
  connectionStatus: ConnectionStatus,
  /** The tenant that manages it; null: the platform. */
  ownerTenantId: z.nullable(Id),
  ownerTenantName: z.nullable(z.string()),
  createdAt: Instant,
  version: z.number(),
});
export type FhirProvider = z.infer<typeof FhirProvider>;

const common = {
  name: line(200, "Provider name is required"),
  baseUrl: url,
  clientId: line(200, "Client ID is required"),
  clientAuth: z.optional(FhirClientAuth),
  grant: z.optional(FhirGrant),
  clientSecret,
  privateKey: optionalPem,
  certificateData: optionalPem,
  scopes: line(4000, "Scopes are required"),
  redirectUri: optionalUrl,
  authUrl: absentUrl,
  tokenUrl: absentUrl,
  description: optionalLine(2000),
};

export const NewFhirProvider = z.strictObject({
  ...common,
  providerType: z._default(FhirProviderType, "epic"),
  fhirVersion: z._default(FhirVersion, "R4"),
  isActive: z._default(z.boolean(), true),
});
export type NewFhirProvider = z.infer<typeof NewFhirProvider>;

/** Replaces the provider. Absent or empty secrets are kept, as are version, type, authentication, grant and state when absent. */
export const FhirProviderChange = z.strictObject({
  ...common,
  providerType: z.optional(FhirProviderType),
  fhirVersion: z.optional(FhirVersion),
  isActive: z.optional(z.boolean()),
  removeClientSecret: z.optional(z.boolean()),
  removePrivateKey: z.optional(z.boolean()),
});
export type FhirProviderChange = z.infer<typeof FhirProviderChange>;

/** Defaults of a provider type; placeholders in braces must be replaced. */
export const FhirPreset = z.object({
  providerType: FhirProviderType,
  baseUrl: z.nullable(z.string()),
  redirectUri: z.nullable(z.string()),
  authUrl: z.string(),
  tokenUrl: z.string(),
  scopes: z.string(),
});
export type FhirPreset = z.infer<typeof FhirPreset>;

export const DiscoveredFhirServer = z.object({
  authUrl: z.nullable(z.string()),
  tokenUrl: z.nullable(z.string()),
  scopes: z.nullable(z.string()),
});
export type DiscoveredFhirServer = z.infer<typeof DiscoveredFhirServer>;

/** An EHR connection as the tenant sees it. */
export const TenantFhirProvider = z.object({
  id: Id,
  providerName: z.string(),
  providerType: FhirProviderType,
  fhirVersion: FhirVersion,
  /** oauth2: client secret. certificate: a key of the platform or of the provider. */
  authMethod: z.enum(["oauth2", "certificate"]),
  baseUrl: z.string(),
  isActive: z.boolean(),
  connectionStatus: ConnectionStatus,
  /** Managed by the tenant. */
  isOwn: z.boolean(),
  /** Used by the tenant's offices that have no other. */
  isDefault: z.boolean(),
  /** Names of the tools that its scopes permit. */
  operations: z.array(z.string()),
  version: z.number(),
});
export type TenantFhirProvider = z.infer<typeof TenantFhirProvider>;
