import { expect } from "vitest";
import { changeTenant, openClinic, type Clinic as AnyClinic } from "./clinic.fixture.ts";
import type { Site } from "./site.fixture.ts";

export type Clinic = AnyClinic & { /** Of its administrator's session. */ token: string };

export async function addClinic(site: Site, name: string, { ownFhirProviders = false } = {}): Promise<Clinic> {
  const clinic = await openClinic(site, name);
  if (ownFhirProviders) await changeTenant(site, clinic.id, { policies: { ownFhirProviders } });
  return { ...clinic, token: await site.tokenFor(clinic.login) };
}

/** As which a tenant registers its own connection at the sandbox. */
export const sandboxClient = { clientId: "clinic-of-its-own", secret: "a secret of the clinic" };

const ownForm = (site: Site, more: object = {}): object => ({
  ...{ name: "Our own EHR", providerType: "custom", baseUrl: site.demo.ehr.r4.baseUrl, clientId: sandboxClient.clientId },
  ...{ clientAuth: "client_secret", clientSecret: sandboxClient.secret, scopes: "system/*.read" },
  ...more,
});

/** Registers a record system of the tenant's own. */
export async function addOwn(site: Site, { token }: Clinic, more: object = {}): Promise<{ id: string }> {
  const { status, json, text } = await site.api<{ id: string }>("POST", "/api/tenant/fhir-providers", { token, body: ownForm(site, more) });
  expect([status, text.slice(0, 200)]).toEqual([201, expect.anything()]);
  return json;
}
