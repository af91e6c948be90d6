import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { assignSandbox, changeTenant, openClinic, type Clinic as AnyClinic } from "../../kit/browser/clinic.ts";
import { hasFocus, open, longTimeout, reads, openSite, type Site } from "../../kit/browser/site.ts";

type Clinic = AnyClinic & { token: string };

async function addClinic(site: Site, name: string, { ownFhirProviders = false } = {}): Promise<Clinic> {
  const clinic = await openClinic(site, name);
  if (ownFhirProviders) await changeTenant(site, clinic.id, { policies: { ownFhirProviders } });
  return { ...clinic, token: await site.tokenFor(clinic.login) };
}

const sandboxClient = { clientId: "clinic-of-its-own", secret: "a secret of the clinic" };

const ownForm = (site: Site, more: object = {}): object => ({
  ...{ name: "Our own EHR", providerType: "custom", baseUrl: site.demo.ehr.r4.baseUrl, clientId: sandboxClient.clientId },
  ...{ clientAuth: "client_secret", clientSecret: sandboxClient.secret, scopes: "system/*.read" },
  ...more,
});

async function addOwn(site: Site, { token }: Clinic, more: object = {}): Promise<{ id: string }> {
  const { status, json, text } = await site.api<{ id: string }>("POST", "/api/tenant/fhir-providers", { token, body: ownForm(site, more) });
  expect([status, text.slice(0, 200)]).toEqual([201, expect.anything()]);
  return json;
}

let site: Site;
let clinic: Clinic;
beforeAll(async () => {
  site = await openSite();
  site.platform.sandbox.registerClient(sandboxClient);
  clinic = await addClinic(site, "Signing Clinic", { ownFhirProviders: true });
  await assignSandbox(site, clinic);
  await addOwn(site, clinic, { grant: "authorization_code", scopes: "user/*.read" });
});
afterAll(() => site?.close());

const cardOf = (page: Page, name: string): Locator => page.getByRole("article", { name });
const dialogOf = (page: Page): Locator => page.getByRole("dialog");

describe("a record system in a browser", () => {
  test("is tested with the keyboard alone, and the focus returns", async () => {
    await site.visit({ as: clinic.login }, async ({ page }) => {
      await open(page, "/tenant?tab=fhir");
      const button = cardOf(page, "Sandbox EHR").getByRole("button", { name: "Test Sandbox EHR" });
      await button.focus();
      await page.keyboard.press("Enter");
      await reads(dialogOf(page), /Test FHIR Connection/);
      await page.keyboard.press("Tab");
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type(site.demo.patients[0]!.id);
      await page.keyboard.press("Enter");
      await reads(dialogOf(page), /SUCCESS/);
      await page.keyboard.press("Escape");
      await hasFocus(button);
      expect(await dialogOf(page).count()).toBe(0);
    });
  });

  test("is authorized at its own sign-in page, which leads back to this tab, and reads patients then", async () => {
    await site.visit({ as: clinic.login }, async ({ page }) => {
      await open(page, "/tenant?tab=fhir");
      const card = cardOf(page, "Our own EHR");
      await reads(card, /This record system is not authorized yet/);
      await card.getByRole("button", { name: "Authorize Our own EHR" }).click();
      await reads(page.getByRole("main"), /The record system is authorized\./);
      await expect.poll(() => new URL(page.url()).search, longTimeout).toBe("?tab=fhir");
      await reads(card, /Authorize again/);
      await card.getByRole("button", { name: /^Test/ }).click();
      await dialogOf(page).getByLabel("Patient ID").fill(site.demo.patients[0]!.id);
      await dialogOf(page).getByRole("button", { name: "Test Connection" }).click();
      await reads(dialogOf(page), /SUCCESS/);
    });
  });
});
