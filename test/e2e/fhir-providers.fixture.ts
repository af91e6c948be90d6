import { expect } from "vitest";
import { addTenant } from "./people.fixture.ts";
import type { Login, Site } from "./site.fixture.ts";

/** A tenant with its administrator, and what tests do for it through the API. */
export type Clinic = { id: string; login: Login; token: string };

type Json = { id: string; version: number; name: string; organizationType: string; contactEmail: string; policies: object };

export async function addClinic(site: Site, name: string, { ownFhirProviders = false } = {}): Promise<Clinic> {
  const login = await addTenant(site, name);
  const root = await site.tokenFor(site.demo.systemAdmin);
  const token = await site.tokenFor(login);
  const { json: info } = await site.api<{ tenantId: string }>("GET", "/api/tenant/info", { token });
  const path = `/api/admin/tenants/${info.tenantId}`;
  const { json: tenant } = await site.api<Json>("GET", path, { token: root });
  const { organizationType, contactEmail } = tenant;
  const body = { name, organizationType, contactEmail, isActive: true, policies: { ...tenant.policies, ownFhirProviders } };
  expect((await site.api("PUT", path, { token: root, body })).status).toBe(200);
  return { id: info.tenantId, login, token };
}

/** Gives a tenant the record system of the demo's first tenant. */
export async function assignSandbox(site: Site, { id }: Clinic): Promise<void> {
  const body = { fhirProviderId: site.demo.tenants[0]!.fhirProviderId };
  const token = await site.tokenFor(site.demo.systemAdmin);
  expect((await site.api("PUT", `/api/admin/tenants/${id}/fhir-provider`, { token, body })).status).toBe(200);
}

/** As which a tenant registers its own connection at the sandbox. */
export const sandboxClient = { clientId: "clinic-of-its-own", secret: "a secret of the clinic" };

export const ownForm = (site: Site, more: object = {}): object => ({
  ...{ name: "Our own EHR", providerType: "custom", baseUrl: site.demo.ehr.r4.baseUrl, clientId: sandboxClient.clientId },
  ...{ clientAuth: "client_secret", clientSecret: sandboxClient.secret, scopes: "system/*.read" },
  ...more,
});

/** Registers a record system of the tenant's own. */
export async function addOwn(site: Site, { token }: Clinic, more: object = {}): Promise<Json> {
  const { status, json, text } = await site.api<Json>("POST", "/api/tenant/fhir-providers", { token, body: ownForm(site, more) });
  expect([status, text.slice(0, 200)]).toEqual([201, expect.anything()]);
  return json;
}
