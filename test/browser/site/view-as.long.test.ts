import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tabTo, open, longTimeout, reads, settled, titled, openSite, type Site } from "../../kit/browser/site.ts";
import { viewFrom } from "../../gallery/looks/overview.ts";

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());

describe("a look at a tenant in a browser", () => {
  test("belongs to its tab alone, survives a reload, changes nothing, and ends at the server too", async () => {
    const [office] = site.demo.tenants[0]!.offices;
    await site.visit({ as: site.demo.systemAdmin, refused: [`403 PUT /api/tenant/offices/${office!.id}`] }, async ({ page, context }) => {
      const banner = page.getByRole("region", { name: "View as a tenant" });
      await viewFrom(page, site, "/admin?tab=tenants");
      await reads(banner, /^You are viewing Riverside Family Clinic.* as .+\. Changes are disabled\./);
      await reads(banner, /It ends in 1[34]m \d+s\./);
      await page.reload();
      await reads(banner, /Riverside Family Clinic/);

      const other = await context.newPage();
      await open(other, "/admin");
      await titled(other, "Admin Dashboard");
      await other.close();

      await open(page, `/tenant?tab=offices&office=${office!.id}`);
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Office name").fill("Another name");
      await dialog.getByRole("button", { name: "Save office" }).click();
      await reads(page.locator("body"), /Nothing can be changed while you view as a tenant\./);

      const [token = ""] = (await page.evaluate(() => sessionStorage.getItem("view")))?.split(" ") ?? [];
      await open(page, "/tenant");
      await tabTo(page, "End view");
      await page.keyboard.press("Enter");
      await titled(page, "Admin Dashboard");
      await settled(page);
      expect(page.url().slice(site.origin.length)).toBe("/admin?tab=tenants");
      expect([await banner.count(), await page.evaluate(() => sessionStorage.getItem("view"))]).toEqual([0, null]);
      await expect.poll(async () => (await site.api("GET", "/api/auth/me", { token })).status, longTimeout).toBe(401);
    });
  });

  test("that the server has ended returns to its start page", async () => {
    // Which requests are answered before the page is left is random
    const refused: string[] = [];
    await site.visit({ as: site.demo.systemAdmin, refused }, async ({ page, context }) => {
      context.on("response", (response) => {
        const said = `${response.status()} ${response.request().method()} ${new URL(response.url()).pathname}`;
        if (/^401 GET \/api\/(auth\/me$|tenant\/)/.test(said) && !refused.includes(said)) refused.push(said);
      });
      await viewFrom(page, site, "/admin?tab=users");
      const [token = ""] = (await page.evaluate(() => sessionStorage.getItem("view")))?.split(" ") ?? [];
      expect((await site.api("POST", "/api/auth/logout", { token })).status).toBe(204);
      await page.getByRole("tab", { name: "Audit" }).click();
      await titled(page, "Admin Dashboard");
      await reads(page.locator("body"), /Your view of the tenant has ended\. You are back in your own console\./);
      expect(page.url().slice(site.origin.length)).toBe("/admin?tab=users");
    });
  });
});
