import * as z from "zod/mini";
import { Id, Instant, line, optionalLine } from "./fields.ts";
import { routes } from "./route.ts";

export const FhirProviderType = z.enum(["epic", "cerner", "allscripts", "nextgen", "custom"]);
export const FhirVersion = z.enum(["R4", "STU3", "DSTU2"]);

const url = z.string().check(z.trim(), z.maxLength(500), z.url("Must be a valid URL"));
const optionalUrl = z.optional(
  z.pipe(
    z.union([z.literal(""), z.null(), url]),
    z.transform((text) => text || undefined),
  ),
);

export const FhirProvider = z.object({
  id: Id,
  name: z.string(),
  providerName: z.string(),
  providerType: FhirProviderType,
  fhirVersion: FhirVersion,
  baseUrl: z.string(),
  clientId: z.string(),
  hasClientSecret: z.boolean(),
  scopes: z.string(),
  redirectUri: z.nullable(z.string()),
  authUrl: z.nullable(z.string()),
  tokenUrl: z.nullable(z.string()),
  isActive: z.boolean(),
  description: z.nullable(z.string()),
  createdAt: Instant,
});
export type FhirProvider = z.infer<typeof FhirProvider>;

export const NewFhirProvider = z.strictObject({
  name: line(200, "Provider name is required"),
  providerType: z._default(FhirProviderType, "epic"),
  fhirVersion: z._default(FhirVersion, "R4"),
  baseUrl: url,
  clientId: line(200, "Client ID is required"),
  clientSecret: optionalLine(4000),
  scopes: line(4000, "Scopes are required"),
  redirectUri: optionalUrl,
  authUrl: optionalUrl,
  tokenUrl: optionalUrl,
  isActive: z._default(z.boolean(), true),
  description: optionalLine(2000),
});
export type NewFhirProvider = z.infer<typeof NewFhirProvider>;

/** null takes the assignment away: the tenant then has no record system. */
export const FhirAssignment = z.strictObject({ fhirProviderId: z.nullable(Id) });

export const fhirProviders = routes({
  createFhirProvider: {
    method: "POST",
    path: "/api/admin/fhir/providers",
    auth: "system_admin",
    summary: "Register an EHR's FHIR server",
    status: 201,
    body: NewFhirProvider,
    response: FhirProvider,
  },
  assignFhirProvider: {
    method: "PUT",
    path: "/api/admin/tenants/{tenantId}/fhir-provider",
    auth: "system_admin",
    summary: "Choose a tenant's default FHIR provider",
    params: z.object({ tenantId: Id }),
    body: FhirAssignment,
    response: z.object({ fhirProviderId: z.nullable(Id) }),
  },
});
