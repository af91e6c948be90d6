import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cardsOf, open, patience, reads, titled } from "./look.fixture.ts";
import { addTenant } from "./people.fixture.ts";
import { openSite, type Site } from "./site.fixture.ts";

/** The function whose calls to AWS fail now. */
let broken: string | undefined;

let site: Site;
beforeAll(async () => {
  site = await openSite({
    fault: ({ principalArn }) =>
      broken !== undefined && principalArn.toLowerCase().includes(broken)
        ? { status: 500, code: "InternalServerError", message: "Internal server error" }
        : undefined,
  });
});
afterAll(() => site?.close());

const asSystemAdmin = (): Promise<string> => site.tokenFor(site.demo.systemAdmin);

describe("the console's three cards", () => {
  /** What the lists of the API come to. */
  const counted = async (): Promise<Record<string, { value: string }>> => {
    const token = await asSystemAdmin();
    const users = await site.api<object[]>("GET", "/api/admin/users?limit=100", { token });
    const tenants = await site.api<{ isActive: boolean }[]>("GET", "/api/admin/tenants?limit=100", { token });
    return {
      "Total Users": { value: String(users.json.length) },
      "Active Tenants": { value: String(tenants.json.filter(({ isActive }) => isActive).length) },
      "Total Tenants": { value: String(tenants.json.length) },
    };
  };

  test("say what the API counts, before and after a tenant and a user were added", async () => {
    await site.platform.cloud.drained();
    await site.visit({ as: site.demo.systemAdmin }, async ({ page }) => {
      await open(page, "/admin");
      const before = await counted();
      expect(await cardsOf(page)).toEqual(before);
      await addTenant(site, "Hilltop Clinic");
      await site.platform.cloud.drained();
      const after = await counted();
      const numbers = (cards: typeof before) => Object.values(cards).map(({ value }) => Number(value));
      expect(numbers(after)).toEqual(numbers(before).map((number) => number + 1));
      await page.reload();
      expect(await cardsOf(page)).toEqual(after);
    });
  });

  test("stand under who is signed in, and a count that does not load can be asked for again", async () => {
    await site.visit({ as: site.demo.systemAdmin, refused: ["503 GET /api/dashboard/metrics"] }, async ({ page }) => {
      broken = "dashboard";
      await open(page, "/admin");
      await reads(page.getByRole("banner"), /System Administrator[^]*admin@vitaline\.example[^]*System Admin[^]*Logout/);
      await reads(page.getByRole("alert"), /Failed to load platform metrics/);
      broken = undefined;
      await page.getByRole("button", { name: "Retry" }).click();
      await expect.poll(() => cardsOf(page), patience).toEqual(await counted());
    });
  });
});

describe("a tenant's dashboard", () => {
  test("before the first call says so, and shows no figure that was not measured", async () => {
    const login = await addTenant(site, "Meadow Clinic");
    await site.visit({ as: login }, async ({ page }) => {
      await open(page, "/tenant");
      expect(await cardsOf(page)).toEqual({
        "Total Calls": { value: "0", caption: "0% success rate" },
        "Resolution Rate": { value: "0.0%", caption: "Calls resolved without forwarding" },
        "Revenue Events": { value: "0", caption: "Successful appointments scheduled" },
        "Time Saved": { value: "0h", caption: "0 full-time staff equivalent" },
      });
      await reads(page.getByRole("region", { name: "Recent Calls" }), /No call data available/);
      await reads(page.getByRole("region", { name: "Top Tools" }), /No tool usage data available/);
      await reads(page.getByRole("main"), /Meadow Clinic/);
    });
  });

  const parts = ["call metrics", "recent calls", "tool usage"];
  const failureOf = (page: Page, part: string) => page.getByRole("alert").filter({ hasText: `Failed to load ${part}` });

  test("whose data cannot be read says which, with the request to name and a way to try again", async () => {
    const [one] = site.demo.tenants;
    const refused = ["metrics", "recent-calls", "tool-usage"].map((part) => `503 GET /api/tenant/dashboard/${part}`);
    await site.visit({ as: one!.admin, refused }, async ({ page }) => {
      broken = "tenant";
      await open(page, "/tenant");
      for (const part of parts) await reads(failureOf(page, part), /could not be reached[^]*Request ID: \S+/);
      broken = undefined;
      for (const part of parts) {
        await failureOf(page, part).getByRole("button", { name: "Retry" }).click();
        await expect.poll(() => failureOf(page, part).count(), patience).toBe(0);
      }
      expect((await cardsOf(page))["Total Calls"]?.value).toBe("3");
      expect(await page.getByRole("list", { name: "Recent calls" }).getByRole("listitem").count()).toBe(3);
    });
  });

  test("keeps what it shows when the network is gone, and says that it could not be refreshed", async () => {
    const [, two] = site.demo.tenants;
    const lost = ["metrics", "recent-calls", "tool-usage"].map(
      (part) => `net::ERR_INTERNET_DISCONNECTED GET /api/tenant/dashboard/${part}`,
    );
    await site.visit({ as: two!.admin, refused: lost }, async ({ page, context }) => {
      await open(page, "/tenant");
      const shown = await cardsOf(page);
      await context.setOffline(true);
      await page.getByRole("button", { name: "Refresh" }).click();
      await reads(page.getByRole("region", { name: /notifications/i }), /Error[^]*could not be reached/);
      expect(await cardsOf(page)).toEqual(shown);
      await context.setOffline(false);
      await page.getByRole("button", { name: "Refresh" }).click();
      await titled(page, "Tenant Dashboard");
      await expect.poll(() => page.getByRole("button", { name: "Refresh" }).innerText(), patience).toBe("Refresh");
      expect(await cardsOf(page)).toEqual(shown);
    });
  });
});
