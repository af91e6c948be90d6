import { afterAll, beforeAll, expect, test } from "vitest";
import { panelOf, visitConsole } from "../../kit/browser/console.ts";
import { reads, openSite, type Site } from "../../kit/browser/site.ts";

const address = "/admin?tab=voice";

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());

test("on a phone the three figures stand in one row", () =>
  visitConsole(site, address, async (page) => {
    await page.setViewportSize({ width: 360, height: 740 });
    const cards = await page.getByRole("region", { name: "Summary" }).getByRole("article").all();
    const tops = await Promise.all(cards.map(async (card) => Math.round((await card.boundingBox())!.y)));
    expect(tops).toHaveLength(3);
    expect(new Set(tops).size).toBe(1);
    expect((await page.getByRole("tablist", { name: "Dashboard sections" }).boundingBox())!.y).toBeLessThan(480);
  }));

test("two hundred organizations take at most a page and a half", () =>
  visitConsole(
    site,
    address,
    async (page) => {
      const panel = panelOf(page, "Voice Providers");
      await reads(panel, /Voice providers by organization/);
      expect(await panel.locator("summary").count()).toBe(10);
      expect((await panel.boundingBox())!.height).toBeLessThan(1500);
    },
    {
      before: async (page) => {
        const id = (number: number): string => String(number).padStart(26, "0");
        await page.route("**/api/admin/tenants", async (route) => {
          const [one] = (await (await route.fetch()).json()) as object[];
          await route.fulfill({ json: Array.from({ length: 200 }, (_, at) => ({ ...one, id: id(at), name: `Clinic ${at}` })) });
        });
        const path = `/api/admin/tenants/${site.demo.tenants[0]!.id}/voice-providers`;
        const token = await site.tokenFor(site.demo.systemAdmin);
        const [provider] = (await site.api<object[]>("GET", path, { token })).json;
        await page.route(/\/tenants\/\d+\/voice-/, (route) => {
          const isOfProviders = route.request().url().includes("providers");
          const [, of = ""] = /tenants\/(\d+)\//.exec(route.request().url()) ?? [];
          return route.fulfill({ json: isOfProviders ? [{ ...provider, id: of, tenantId: of }] : [] });
        });
      },
    },
  ));
