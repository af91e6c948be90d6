import * as z from "zod/mini";
import { Id, Instant, line, optionalLine, PageQuery } from "./fields.ts";
import { routes } from "./route.ts";
import { ContactForm, ContactReceived } from "./site.ts";
import { OrganizationType } from "./tenants.ts";

export const FhirProviderType = z.enum(["epic", "cerner", "allscripts", "nextgen", "custom"]);
export const FhirVersion = z.enum(["R4", "STU3", "DSTU2"]);
/** How we show an EHR who we are: a shared secret, the platform's published key, or a private key of the provider's own. */
export const FhirClientAuth = z.enum(["client_secret", "platform_key", "own_key"]);
/** For whom an EHR gives its tokens: for us by ourselves, or in the name of somebody who has let us in at its sign-in page. */
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
/** As above, but blank is no address: the form has one typed in. */
const absentUrl = z.optional(
  z.pipe(
    z.nullable(url),
    z.transform((text) => text ?? undefined),
  ),
);
/** Optional text of several lines in plain ASCII, as PEM is; "", null and absent all mean absent. */
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
/** RFC 6749 appendix A. What is there but empty stays "", as it was asked for and not filled in. */
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
  /** The same as `name`. */
  providerName: z.string(),
  providerType: FhirProviderType,
  fhirVersion: FhirVersion,
  baseUrl: z.string(),
  clientId: z.string(),
  clientAuth: FhirClientAuth,
  grant: FhirGrant,
  /** Somebody has let us in at this very server; always false where nobody has to. */
  isAuthorized: z.boolean(),
  hasClientSecret: z.boolean(),
  hasPrivateKey: z.boolean(),
  scopes: z.string(),
  /** Read/Write when a scope allows a change. */
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
  /** Of the last check of this very connection; unknown before there was one. */
  connectionStatus: ConnectionStatus,
  /** The tenant that keeps it; null: the platform does. */
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

/** The whole of a provider anew. Secrets that are empty or absent stay as they are; so do version, type, authentication, grant and state. */
export const FhirProviderChange = z.strictObject({
  ...common,
  providerType: z.optional(FhirProviderType),
  fhirVersion: z.optional(FhirVersion),
  isActive: z.optional(z.boolean()),
  removeClientSecret: z.optional(z.boolean()),
  removePrivateKey: z.optional(z.boolean()),
});
export type FhirProviderChange = z.infer<typeof FhirProviderChange>;

export const ConnectionTest = z.strictObject({ patientId: line(200, "Patient ID is required") });

export const ConnectionTestResult = z.object({
  success: z.boolean(),
  /** One sentence: that it went well, or what went wrong. */
  message: z.string(),
  patientData: z.nullable(
    z.object({ id: z.string(), name: z.nullable(z.string()), birthDate: z.nullable(z.string()), gender: z.nullable(z.string()) }),
  ),
  /** The code of what went wrong. */
  error: z.nullable(z.string()),
  /** The steps that were taken, in their order; the last one failed, if any did. A code without a failure is a warning. */
  details: z.array(
    z.object({
      step: z.enum(["address", "discovery", "token", "capability", "patient"]),
      ok: z.boolean(),
      ms: z.number(),
      code: z.optional(z.string()),
      message: z.string(),
    }),
  ),
  /** Tools that will not work here, however the test went: the saved scopes do not hold what they need. */
  toolsNotAllowed: z
    .array(z.string())
    .check(
      z.describe("Tools that will not work over this connection, however the test went: its saved scopes do not hold what they need."),
    ),
});
export type ConnectionTestResult = z.infer<typeof ConnectionTestResult>;

const FhirCheck = z.object({ at: Instant, status: z.enum(["healthy", "unhealthy"]), ms: z.number() });

export const FhirHealth = z.object({
  id: Id,
  name: z.string(),
  endpoint: z.string(),
  status: ConnectionStatus,
  lastChecked: z.nullable(Instant),
  /** The earlier of the server's TLS certificate and the provider's own. */
  certificateExpiry: z.nullable(Instant),
  /** How the last checks of this connection went, oldest first; none once it has been changed. `ms`: what all steps took. */
  history: z
    .array(FhirCheck)
    .check(
      z.describe(
        "The last checks of this connection, at most 20, oldest first; empty as long as it has not been checked since it was last changed.",
      ),
    ),
  /** What the last check found wrong, or worth a warning: a code, and one sentence of advice. */
  code: z.optional(z.string()),
  message: z.optional(z.string()),
  /** What the server said of itself, when it last said so. */
  software: z.optional(z.string()),
  fhirVersion: z.optional(z.string()),
});
export type FhirHealth = z.infer<typeof FhirHealth>;

/** null takes the assignment away: a tenant then has no record system, an office inherits its tenant's. */
export const FhirAssignment = z.strictObject({ fhirProviderId: z.nullable(Id) });

/** The version is that of the tenant or the office, which an assignment raises. */
export const FhirAssigned = z.object({ ...FhirAssignment.shape, version: z.number() });
export type FhirAssigned = z.infer<typeof FhirAssigned>;

const Assigned = z.nullable(z.object({ id: Id, name: z.string() }));
export const TenantAssignments = z.object({
  tenantId: Id,
  name: z.string(),
  organizationType: OrganizationType,
  isActive: z.boolean(),
  defaultFhirProvider: Assigned,
  version: z.number(),
  /** null inherits the tenant's. */
  offices: z.array(z.object({ id: Id, name: z.string(), isActive: z.boolean(), fhirProvider: Assigned, version: z.number() })),
});
export type TenantAssignments = z.infer<typeof TenantAssignments>;

/** What choosing a provider type fills in; what stands in braces must be replaced. */
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

const oneProvider = z.object({ id: Id });
const oneTenant = z.object({ tenantId: Id });

/** Where a browser is to go, so that somebody lets us in there; valid for ten minutes, once, in the browser that asked. */
export const FhirAuthorization = z.object({ url: z.string() });
export type FhirAuthorization = z.infer<typeof FhirAuthorization>;

export const fhirProviders = routes({
  listFhirProviders: {
    method: "GET",
    path: "/api/admin/fhir/providers",
    auth: "system_admin",
    summary: "All EHR connections, with the result of their last check",
    response: z.array(FhirProvider),
  },
  createFhirProvider: {
    method: "POST",
    path: "/api/admin/fhir/providers",
    auth: "system_admin",
    summary: "Register an EHR's FHIR server",
    status: 201,
    body: NewFhirProvider,
    response: FhirProvider,
  },
  updateFhirProvider: {
    method: "PUT",
    path: "/api/admin/fhir/providers/{id}",
    auth: "system_admin",
    summary: "Change an EHR connection; secrets that are not given stay",
    params: oneProvider,
    body: FhirProviderChange,
    response: FhirProvider,
  },
  testFhirProvider: {
    method: "POST",
    path: "/api/admin/fhir/providers/{id}/test",
    auth: "system_admin",
    summary: "Try an EHR connection as far as reading one patient",
    noStore: true,
    params: oneProvider,
    body: ConnectionTest,
    response: ConnectionTestResult,
  },
  checkFhirProvider: {
    method: "POST",
    path: "/api/admin/fhir/providers/{id}/check",
    auth: "system_admin",
    summary: "Check an EHR connection now, without reading a patient",
    params: oneProvider,
    response: FhirHealth,
  },
  authorizeFhirProvider: {
    method: "POST",
    path: "/api/admin/fhir/providers/{id}/authorize",
    auth: "system_admin",
    summary: "Begin to let the platform in at an EHR's own sign-in page",
    noStore: true,
    params: oneProvider,
    response: FhirAuthorization,
  },
  fhirAuthorizationCallback: {
    method: "GET",
    path: "/oauth/{vendor}/callback",
    auth: "public",
    summary: "Where an EHR's sign-in page sends the browser back; leads on to the console",
    status: 303,
    noStore: true,
    params: z.object({ vendor: FhirProviderType }),
    query: z.looseObject({
      state: z.optional(z.string()),
      code: z.optional(z.string()),
      error: z.optional(z.string()),
      iss: z.optional(z.string()),
    }),
    response: z.void(),
  },
  fhirHealthStatus: {
    method: "GET",
    path: "/api/admin/fhir/health-status",
    auth: "system_admin",
    activity: false,
    summary: "What the last checks of all EHR connections found",
    response: z.object({ providers: z.array(FhirHealth) }),
  },
  listFhirPresets: {
    method: "GET",
    path: "/api/admin/fhir/presets",
    auth: "system_admin",
    summary: "What a vendor's connection usually looks like",
    response: z.array(FhirPreset),
  },
  discoverFhirServer: {
    method: "POST",
    path: "/api/admin/fhir/discover",
    auth: "system_admin",
    summary: "Ask a FHIR server for its authorization addresses and scopes",
    body: z.strictObject({ baseUrl: url }),
    response: DiscoveredFhirServer,
  },
  listFhirAssignments: {
    method: "GET",
    path: "/api/admin/fhir/assignments",
    auth: "system_admin",
    summary: "Which EHR each tenant and office uses; the limit counts tenants and offices",
    query: PageQuery,
    response: z.array(TenantAssignments),
  },
  assignFhirProvider: {
    method: "PUT",
    path: "/api/admin/tenants/{tenantId}/fhir-provider",
    auth: "system_admin",
    summary: "Choose a tenant's default FHIR provider",
    params: oneTenant,
    body: FhirAssignment,
    response: FhirAssigned,
  },
  assignOfficeFhirProvider: {
    method: "PUT",
    path: "/api/admin/tenants/{tenantId}/offices/{officeId}/fhir-provider",
    auth: "system_admin",
    summary: "Choose an office's own FHIR provider, or let it inherit",
    params: z.extend(oneTenant, { officeId: Id }),
    body: FhirAssignment,
    response: FhirAssigned,
  },
});

/** An EHR connection as its tenant sees it, whoever keeps it. */
export const TenantFhirProvider = z.object({
  id: Id,
  providerName: z.string(),
  providerType: FhirProviderType,
  fhirVersion: FhirVersion,
  /** oauth2 is a client secret; certificate is a key of the platform or of the provider. */
  authMethod: z.enum(["oauth2", "certificate"]),
  baseUrl: z.string(),
  isActive: z.boolean(),
  connectionStatus: ConnectionStatus,
  /** Kept by the tenant, so it may change it. */
  isOwn: z.boolean(),
  /** The tenant's offices use it unless they have another one. */
  isDefault: z.boolean(),
  /** Names of the tools whose work its scopes allow. */
  operations: z.array(z.string()),
  version: z.number(),
});
export type TenantFhirProvider = z.infer<typeof TenantFhirProvider>;

export const tenantFhirProviders = routes({
  listTenantFhirProviders: {
    method: "GET",
    path: "/api/tenant/dashboard/fhir-providers",
    auth: "tenant_admin",
    summary: "The EHR connections that the tenant uses or keeps",
    response: z.array(TenantFhirProvider),
  },
  listOwnFhirProviders: {
    method: "GET",
    path: "/api/tenant/fhir-providers",
    auth: "tenant_admin",
    summary: "The EHR connections that the tenant keeps, in full",
    response: z.array(FhirProvider),
  },
  createOwnFhirProvider: {
    method: "POST",
    path: "/api/tenant/fhir-providers",
    auth: "tenant_admin",
    summary: "Register an EHR of the tenant's own, where the platform allows it",
    status: 201,
    body: NewFhirProvider,
    response: FhirProvider,
  },
  updateOwnFhirProvider: {
    method: "PUT",
    path: "/api/tenant/fhir-providers/{id}",
    auth: "tenant_admin",
    summary: "Change an EHR connection of the tenant's own",
    params: oneProvider,
    body: FhirProviderChange,
    response: FhirProvider,
  },
  testTenantFhirProvider: {
    method: "POST",
    path: "/api/tenant/fhir-providers/{id}/test",
    auth: "tenant_admin",
    summary: "Try an EHR connection that the tenant uses or keeps",
    noStore: true,
    params: oneProvider,
    body: ConnectionTest,
    response: ConnectionTestResult,
  },
  authorizeOwnFhirProvider: {
    method: "POST",
    path: "/api/tenant/fhir-providers/{id}/authorize",
    auth: "tenant_admin",
    summary: "Begin to let the platform in at the sign-in page of an EHR of the tenant's own",
    noStore: true,
    params: oneProvider,
    response: FhirAuthorization,
  },
  requestFhirProvider: {
    method: "POST",
    path: "/api/tenant/fhir-providers/request",
    auth: "tenant_admin",
    summary: "Ask the platform to add an EHR",
    status: 202,
    body: z.strictObject({ message: ContactForm.shape.message }),
    response: ContactReceived,
  },
  assignOwnOfficeFhirProvider: {
    method: "PUT",
    path: "/api/tenant/offices/{officeId}/fhir-provider",
    auth: "tenant_admin",
    summary: "Choose an office's own among the EHR connections that the tenant uses or keeps, or let it inherit",
    params: z.object({ officeId: Id }),
    body: FhirAssignment,
    response: FhirAssigned,
  },
});
