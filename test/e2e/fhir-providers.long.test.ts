import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { assignSandbox } from "./clinic.fixture.ts";
import { addClinic, addOwn, sandboxClient, type Clinic } from "./fhir-providers.fixture.ts";
import { hasFocus } from "./focus.fixture.ts";
import { open, patience, reads } from "./look.fixture.ts";
import { openSite, type Site } from "./site.fixture.ts";

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
  test("is tested with the keyboard alone, which comes back to where it was", async () => {
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
      await reads(card, /Nobody has let the platform in/);
      await card.getByRole("button", { name: "Authorize Our own EHR" }).click();
      await reads(page.getByRole("main"), /The record system is authorized\./);
      await expect.poll(() => new URL(page.url()).search, patience).toBe("?tab=fhir");
      await reads(card, /Authorize again/);
      await card.getByRole("button", { name: /^Test/ }).click();
      await dialogOf(page).getByLabel("Patient ID").fill(site.demo.patients[0]!.id);
      await dialogOf(page).getByRole("button", { name: "Test Connection" }).click();
      await reads(dialogOf(page), /SUCCESS/);
    });
  });
});
