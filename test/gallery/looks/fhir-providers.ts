import { expect } from "vitest";
import type { Page } from "playwright-core";
import { unavailable } from "../../kit/browser/outage.ts";
import { open, longTimeout, reads, type Site } from "../../kit/browser/site.ts";
import { asTenant, type Look } from "../../kit/browser/axe.ts";

const address = "/tenant?tab=fhir";
const list = "/api/tenant/dashboard/fhir-providers";
const dialogOf = (page: Page) => page.getByRole("dialog");
const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first().click();

const own = (site: Site) => {
  const both = { id: "01hzzzzzzzzzzzzzzzzzzzzzz2", providerName: "Cardiology with a name that is rather long for a card", version: 1 };
  const shared = { ...both, providerType: "cerner", fhirVersion: "STU3", baseUrl: site.demo.ehr.stu3.baseUrl, isActive: false };
  const state = { connectionStatus: "unhealthy" };
  return {
    listed: { ...shared, ...state, authMethod: "oauth2", isOwn: true, isDefault: false, operations: [] },
    full: {
      ...{ ...shared, ...state, name: both.providerName, clientId: "clinic", clientAuth: "client_secret", grant: "authorization_code" },
      ...{ isAuthorized: false, hasClientSecret: true, hasPrivateKey: true, scopes: "user/*.read", access: "Read Only", resourceCount: 1 },
      ...{ redirectUri: null, authUrl: null, tokenUrl: null, certificateData: null, description: null },
      ...{ ownerTenantId: site.demo.tenants[0]!.id, ownerTenantName: "Riverside", createdAt: "2026-01-01T00:00:00.000Z" },
    },
  };
};

async function keepOwn(page: Page, site: Site): Promise<void> {
  const { listed, full } = own(site);
  await page.route(`**${list}`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: [...((await response.json()) as object[]), listed] });
  });
  await page.route("**/api/tenant/fhir-providers", (route) => route.fulfill({ json: [full] }));
  await page.route("**/api/tenant/settings", async (route) => {
    const response = await route.fetch();
    const settings = (await response.json()) as { policies: object };
    await route.fulfill({ response, json: { ...settings, policies: { ...settings.policies, ownFhirProviders: true } } });
  });
}

const openForm = async (page: Page, site: Site, tab: string): Promise<void> => {
  await keepOwn(page, site);
  await open(page, address);
  await press(page, /^Configure Cardiology/);
  await dialogOf(page).getByRole("tab", { name: tab }).click();
  await expect.poll(() => dialogOf(page).getByRole("tabpanel", { name: tab }).isVisible(), longTimeout).toBe(true);
};

const runTest = async (page: Page, patientId: string, outcome: RegExp): Promise<void> => {
  await open(page, address);
  await press(page, /^Test Sandbox EHR/);
  await dialogOf(page).getByLabel("Patient ID").fill(patientId);
  await dialogOf(page).getByRole("button", { name: "Test Connection" }).click();
  await reads(dialogOf(page), outcome);
};

export const fhirLooks: Look[] = [
  {
    name: "record systems of the platform and of one's own",
    as: asTenant,
    arrange: async (page, site) => {
      await keepOwn(page, site);
      await open(page, `${address}&ehr=denied`);
      await reads(page.getByRole("article", { name: /^Cardiology/ }), /This record system is not authorized yet/);
    },
  },
  {
    name: "no record system yet",
    as: asTenant,
    arrange: async (page) => {
      await page.route(`**${list}`, (route) => route.fulfill({ json: [] }));
      await open(page, address);
      await reads(page.getByRole("main"), /No FHIR Providers[^]*No operations available/);
    },
  },
  {
    name: "record systems that do not load",
    as: asTenant,
    refused: [`503 GET ${list}`],
    arrange: async (page) => {
      await page.route(`**${list}`, (route) => route.fulfill(unavailable));
      await open(page, address);
      await reads(page.getByRole("main"), /Failed to load FHIR providers/);
    },
  },
  {
    name: "a connection test that went well",
    as: asTenant,
    arrange: (page, site) => runTest(page, site.demo.patients[0]!.id, /SUCCESS/),
  },
  { name: "a connection test that failed", as: asTenant, arrange: (page) => runTest(page, "unknown", /FAILED[^]*Error Details/) },
  {
    name: "a record system that the platform keeps",
    as: asTenant,
    arrange: async (page) => {
      await open(page, address);
      await press(page, /^Configure Sandbox EHR/);
      await reads(dialogOf(page), /only the platform can change it/);
    },
  },
  {
    name: "a request for a record system",
    as: asTenant,
    arrange: async (page) => {
      await open(page, address);
      await press(page, "Add Provider");
      await reads(dialogOf(page), /Request a provider/);
    },
  },
  {
    name: "a new record system that lacks something",
    as: asTenant,
    arrange: async (page, site) => {
      await keepOwn(page, site);
      await open(page, address);
      await press(page, "Add Provider");
      await dialogOf(page).getByRole("button", { name: "Add Provider" }).click();
      await reads(dialogOf(page), /Provider name is required/);
    },
  },
  ...["OAuth Config", "Security", "Advanced"].map((tab): Look => ({
    name: `a record system of one's own: ${tab}`,
    as: asTenant,
    arrange: (page, site) => openForm(page, site, tab),
  })),
];
