import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasFocus, open, openSite, longTimeout, reads, tabTo, type Site } from "../../kit/browser/site.ts";
import { openTenant, tenantDialog } from "../../gallery/looks/admin-tenants.ts";

let site: Site;
let clinic: string;
beforeAll(async () => {
  site = await openSite();
  clinic = site.demo.tenants[0]!.name;
});
afterAll(() => site?.close());

const visitList = (body: (page: Page) => Promise<void>): Promise<void> =>
  site.visit({ as: site.demo.systemAdmin }, async ({ page }) => {
    await open(page, `/admin?tab=tenants&q=${encodeURIComponent(clinic)}`);
    await body(page);
  });
const button = (place: Page | Locator, name: string) => place.getByRole("button", { name, exact: true });
const asking = (page: Page) => page.getByRole("alertdialog");
const isClosed = async (page: Page): Promise<void> => {
  await expect.poll(() => page.getByRole("dialog").count(), longTimeout).toBe(0);
};

describe("unsaved changes of a tenant", () => {
  const typing = (body: (page: Page, name: Locator) => Promise<void>) =>
    visitList(async (page) => {
      await button(page, `Edit ${clinic}`).click();
      await button(page, "Edit details").click();
      const name = tenantDialog(page).getByLabel("Organization name");
      await name.fill("Typed Clinic");
      await expect.poll(() => page.evaluate(() => dispatchEvent(new Event("beforeunload", { cancelable: true }))), longTimeout).toBe(false);
      await body(page, name);
    });

  test("is asked about on every browser back", () =>
    typing(async (page, name) => {
      const address = page.url();
      for (let tries = 1; tries <= 2; tries++) {
        await page.evaluate(() => history.back());
        await reads(asking(page), /Discard changes\?/);
        await expect.poll(() => page.url(), longTimeout).toBe(address);
        await button(asking(page), "Keep editing").click();
        expect(await name.inputValue()).toBe("Typed Clinic");
      }
      await page.evaluate(() => history.back());
      await button(asking(page), "Discard").click();
      await isClosed(page);
      expect(new URL(page.url()).searchParams.has("tenant")).toBe(false);
      await button(page, `View ${clinic}`).click();
      await reads(tenantDialog(page), /Riverside/);
      await page.evaluate(() => history.back());
      await isClosed(page);
    }));

  test("stays when only the dialog in front of it closes", () =>
    site.visit({ as: site.demo.systemAdmin }, async ({ page }) => {
      await openTenant(page, site.demo.tenants[0]!.id, "preferences");
      const dialog = tenantDialog(page);
      await dialog.getByRole("switch", { name: "SMS" }).uncheck();
      await dialog.getByRole("tab", { name: "Offices" }).click();
      await button(dialog, "Edit Main Street Office").click();
      const office = page.getByRole("dialog", { name: "Edit Office" });
      await reads(office, /Office name/);
      await page.evaluate(() => history.back());
      await expect.poll(() => office.count(), longTimeout).toBe(0);
      expect(await asking(page).count()).toBe(0);
      await dialog.getByRole("tab", { name: "Preferences" }).click();
      expect(await dialog.getByRole("switch", { name: "SMS" }).isChecked()).toBe(false);
    }));

  test("is not discarded by an unconfirmed reload", () =>
    typing(async (page, name) => {
      const asked: string[] = [];
      page.on("dialog", (dialog) => {
        asked.push(dialog.type());
        void dialog.dismiss();
      });
      await name.press("End");
      await page.evaluate(() => location.reload());
      await expect.poll(() => asked, longTimeout).toEqual(["beforeunload"]);
      expect(await name.inputValue()).toBe("Typed Clinic");
    }));
});

describe("with the keyboard alone", () => {
  test("a tenant is found, edited and left again", () =>
    visitList(async (page) => {
      await page.getByLabel("Search tenants").fill("");
      await page.keyboard.press("Shift+Tab");
      await tabTo(page, "Search tenants");
      await page.keyboard.type(clinic);
      await tabTo(page, `Edit ${clinic}`);
      await page.keyboard.press("Enter");
      await hasFocus(button(page, "Edit details"));
      await page.keyboard.press("Enter");
      await hasFocus(tenantDialog(page).getByLabel("Organization name"));
      await page.keyboard.press("Escape");
      await expect.poll(() => page.getByRole("dialog").count(), longTimeout).toBe(0);
      await hasFocus(button(page, `Edit ${clinic}`));
    }));

  test("a user is found, opened and left again", () =>
    site.visit({ as: site.demo.systemAdmin }, async ({ page }) => {
      await open(page, "/admin?tab=users");
      const users = page.getByRole("region", { name: "Users", exact: true });
      await button(users, "Add User").focus();
      await tabTo(page, "Search users");
      await page.keyboard.type(site.demo.tenants[0]!.admin.email);
      await expect.poll(() => users.locator("tbody tr").count(), longTimeout).toBe(1);
      await tabTo(page, "Edit Rita Rivers");
      await page.keyboard.press("Enter");
      await hasFocus(page.getByRole("dialog").getByLabel("Email"));
      await page.keyboard.press("Escape");
      await hasFocus(button(users, "Edit Rita Rivers"));
    }));
});
