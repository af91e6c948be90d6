import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tabTo } from "./focus.fixture.ts";
import { viewFrom } from "./view.fixture.ts";
import { open, patience, reads, settled, titled } from "./look.fixture.ts";
import { openSite, type Site } from "./site.fixture.ts";

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());

const bannerOf = (page: Page) => page.getByRole("region", { name: "View as a tenant" });
const placeOf = (page: Page): string => page.url().slice(site.origin.length);
const stored = (page: Page) => page.evaluate(() => [localStorage.getItem("auth_token"), sessionStorage.getItem("view")]);

describe("a look at a tenant", () => {
  test("says whose screens these are and until when, and leads back to where it began", async () => {
    await site.visit({ as: site.demo.systemAdmin }, async ({ page, context }) => {
      await viewFrom(page, site, "/admin?tab=tenants");
      await reads(bannerOf(page), /You are viewing Riverside Family Clinic as System Administrator\. You can read, not change\./);
      await reads(bannerOf(page), /It ends in 1[34]m \d+s\./);
      await reads(page.getByRole("main"), /Riverside Family Clinic[^]*Recent Calls/);
      await page.reload();
      await reads(bannerOf(page), /Riverside Family Clinic/);
      const other = await context.newPage();
      await open(other, "/admin");
      await titled(other, "Admin Dashboard");
      await other.close();
      await tabTo(page, "End view");
      await page.keyboard.press("Enter");
      await titled(page, "Admin Dashboard");
      await settled(page);
      expect([placeOf(page), await bannerOf(page).count(), (await stored(page))[1]]).toEqual(["/admin?tab=tenants", 0, null]);
    });
  });

  test("changes nothing, and says so to who tries", async () => {
    const [office] = site.demo.tenants[0]!.offices;
    await site.visit({ as: site.demo.systemAdmin, refused: [`403 PUT /api/tenant/offices/${office!.id}`] }, async ({ page }) => {
      await viewFrom(page, site, "/admin");
      await open(page, `/tenant?tab=offices&office=${office!.id}`);
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Office name").fill("Another name");
      await dialog.getByRole("button", { name: "Save office" }).click();
      await reads(page.locator("body"), /Nothing can be changed while you view as a tenant\./);
      expect(await dialog.getByLabel("Office name").inputValue()).toBe("Another name");
    });
  });

  test("ends with its time, and the console is there again", async () => {
    await site.visit({ as: site.demo.systemAdmin }, async ({ page }) => {
      await viewFrom(page, site, "/admin?tab=users");
      await page.route("**/api/auth/me", async (route) => {
        const response = await route.fetch();
        const me = (await response.json()) as { viewAs?: object };
        const soon = new Date(Date.now() + 3000).toISOString();
        await route.fulfill({ response, json: me.viewAs ? { ...me, viewAs: { ...me.viewAs, until: soon } } : me });
      });
      await page.reload();
      await titled(page, "Admin Dashboard");
      expect([placeOf(page), (await stored(page))[1]]).toEqual(["/admin?tab=users", null]);
    });
  });

  test("that the server has ended earlier leads back to where it began, by a click and by a reload", async () => {
    // Which of the requests are still answered before the page is left is a matter of chance.
    const refused: string[] = [];
    await site.visit({ as: site.demo.systemAdmin, refused }, async ({ page, context }) => {
      context.on("response", (response) => {
        const said = `${response.status()} ${response.request().method()} ${new URL(response.url()).pathname}`;
        if (/^401 GET \/api\/(auth\/me$|tenant\/)/.test(said) && !refused.includes(said)) refused.push(said);
      });
      for (const leave of [() => page.getByRole("tab", { name: "Audit" }).click(), () => page.reload()]) {
        await viewFrom(page, site, "/admin?tab=users");
        const [own, seen] = await stored(page);
        const [token = ""] = (seen ?? "").split(" ");
        expect((await site.api("POST", "/api/auth/logout", { token })).status).toBe(204);
        await leave();
        await titled(page, "Admin Dashboard");
        await reads(page.locator("body"), /Your look at the tenant is over\. You are in your own console again\./);
        expect([placeOf(page), await stored(page)]).toEqual(["/admin?tab=users", [own, null]]);
      }
    });
  });

  test("ends together with the session of who logs out", async () => {
    const token = await site.tokenOf(site.demo.systemAdmin.email, site.demo.systemAdmin.password);
    await site.visit({}, async ({ page }) => {
      await open(page, "/login");
      await page.evaluate((own) => localStorage.setItem("auth_token", own), token);
      await viewFrom(page, site, "/admin");
      const [own, seen] = await stored(page);
      const ended = [own ?? "", (seen ?? "").split(" ")[0] ?? ""];
      await page.getByRole("button", { name: "Logout" }).click();
      await titled(page, "Tenant Login");
      expect(await stored(page)).toEqual([null, null]);
      for (const one of ended)
        await expect.poll(async () => (await site.api("GET", "/api/auth/me", { token: one })).status, patience).toBe(401);
    });
  });
});
