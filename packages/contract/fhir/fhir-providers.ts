import * as z from "zod/mini";
import { Id, PageQuery } from "../http/fields.ts";
import { routes } from "../http/route.ts";
import { ContactForm, ContactReceived } from "../operations/site.ts";
import { FhirAssigned, FhirAssignment, TenantAssignments } from "./fhir-assignment.ts";
import { ConnectionTest, ConnectionTestResult, FhirHealth } from "./fhir-health.ts";
import {
  DiscoveredFhirServer,
  FhirPreset,
  FhirProvider,
  FhirProviderChange,
  FhirProviderType,
  NewFhirProvider,
  TenantFhirProvider,
} from "./fhir-provider.ts";

const oneProvider = z.object({ id: Id });
const oneTenant = z.object({ tenantId: Id });

/** The EHR's authorization URL; valid for ten minutes, once, in the same browser. */
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
    summary: "Change an EHR connection; omitted secrets stay",
    params: oneProvider,
    body: FhirProviderChange,
    response: FhirProvider,
  },
  testFhirProvider: {
    method: "POST",
    path: "/api/admin/fhir/providers/{id}/test",
    auth: "system_admin",
    summary: "Test an EHR connection, including reading one patient",
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
    summary: "Start the authorization of the platform at an EHR's sign-in page",
    noStore: true,
    params: oneProvider,
    response: FhirAuthorization,
  },
  fhirAuthorizationCallback: {
    method: "GET",
    path: "/oauth/{vendor}/callback",
    auth: "public",
    summary: "OAuth callback of an EHR's sign-in page; redirects to the console",
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
    summary: "Results of the last checks of all EHR connections",
    response: z.object({ providers: z.array(FhirHealth) }),
  },
  listFhirPresets: {
    method: "GET",
    path: "/api/admin/fhir/presets",
    auth: "system_admin",
    summary: "A vendor's usual connection settings",
    response: z.array(FhirPreset),
  },
  discoverFhirServer: {
    method: "POST",
    path: "/api/admin/fhir/discover",
    auth: "system_admin",
    summary: "Ask a FHIR server for its authorization addresses and scopes",
    body: z.strictObject({ baseUrl: NewFhirProvider.shape.baseUrl }),
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

export const tenantFhirProviders = routes({
  listTenantFhirProviders: {
    method: "GET",
    path: "/api/tenant/dashboard/fhir-providers",
    auth: "tenant_admin",
    summary: "The EHR connections that the tenant uses or owns",
    response: z.array(TenantFhirProvider),
  },
  listOwnFhirProviders: {
    method: "GET",
    path: "/api/tenant/fhir-providers",
    auth: "tenant_admin",
    summary: "The tenant's own EHR connections, in full",
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
    summary: "Test an EHR connection that the tenant uses or owns",
    noStore: true,
    params: oneProvider,
    body: ConnectionTest,
    response: ConnectionTestResult,
  },
  authorizeOwnFhirProvider: {
    method: "POST",
    path: "/api/tenant/fhir-providers/{id}/authorize",
    auth: "tenant_admin",
    summary: "Start the authorization of the platform at the sign-in page of the tenant's own EHR",
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
    summary: "Choose an office's own EHR connection among those that the tenant uses or owns, or let it inherit",
    params: z.object({ officeId: Id }),
    body: FhirAssignment,
    response: FhirAssigned,
  },
});
