import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { keys } from "@vitaline/store";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adminPaths, fillLogin, open, patience, reads, settled, tenantPaths, titled } from "./look.fixture.ts";
import { openSite, type Login, type Site } from "./site.fixture.ts";

let site: Site;
let tenantAdmin: Login;
/** For tests that sign in often: ten attempts of one account are free at a time. */
let otherTenantAdmin: Login;
let systemAdmin: Login;
beforeAll(async () => {
  site = await openSite();
  [tenantAdmin, otherTenantAdmin] = site.demo.tenants.map(({ admin }) => admin) as [Login, Login];
  systemAdmin = site.demo.systemAdmin;
});
afterAll(() => site?.close());

const placeOf = (page: Page): string => page.url().slice(site.origin.length);
const storedToken = (page: Page): Promise<string | null> => page.evaluate(() => localStorage.getItem("auth_token"));
const statusOfMe = async (token: string): Promise<number> => (await site.api("GET", "/api/auth/me", { token })).status;

/** A session of its own, for tests that end it. */
async function signInOn(page: Page, login: Login, address: string): Promise<string> {
  await open(page, address);
  await fillLogin(page, login);
  await expect.poll(() => storedToken(page), patience).not.toBeNull();
  await settled(page);
  return (await storedToken(page)) ?? "";
}

describe("signing in", () => {
  test.each([
    {
      who: "a tenant admin",
      address: "/login",
      login: () => tenantAdmin,
      place: "/tenant",
      title: "Tenant Dashboard",
      role: "Tenant Admin",
    },
    {
      who: "a tenant admin",
      address: "/admin-login",
      login: () => tenantAdmin,
      place: "/tenant",
      title: "Tenant Dashboard",
      role: "Tenant Admin",
    },
    {
      who: "a system admin",
      address: "/admin/login",
      login: () => systemAdmin,
      place: "/admin",
      title: "Admin Dashboard",
      role: "System Admin",
    },
    { who: "a system admin", address: "/login", login: () => systemAdmin, place: "/admin", title: "Admin Dashboard", role: "System Admin" },
  ])("leads $who from $address to $place", async ({ address, login, place, title, role }) => {
    await site.visit({}, async ({ page }) => {
      await signInOn(page, login(), address);
      await titled(page, title);
      expect(placeOf(page)).toBe(place);
      await reads(page.getByRole("banner"), role);
      await reads(page.getByRole("banner"), login().email);
      expect(await page.title()).toBe(`${title} · Vitaline`);
    });
  });

  test("with a wrong password says what the server says, keeps nothing, and lets one try again at once", async () => {
    await site.visit({ refused: ["401 POST /api/auth/login"] }, async ({ page }) => {
      await open(page, "/login");
      const wrong = { ...otherTenantAdmin, password: "not the password" };
      await fillLogin(page, wrong);
      const { json } = await site.api<{ error: string }>("POST", "/api/auth/login", { body: wrong });
      await reads(page.getByRole("alert"), json.error);
      expect(await storedToken(page)).toBeNull();
      expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("password");
      await page.keyboard.type(otherTenantAdmin.password);
      await page.keyboard.press("Enter");
      await titled(page, "Tenant Dashboard");
    });
  });

  test("without email or password names the field and asks nobody", async () => {
    await site.visit({}, async ({ page }) => {
      await open(page, "/login");
      await page.getByRole("button", { name: "Sign in" }).click();
      await reads(page.getByRole("main"), /Email is required[^]*Password is required/);
      expect(await page.getByLabel("Email").getAttribute("aria-invalid")).toBe("true");
      expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("email");
    });
  });
});

describe("an area's guard", () => {
  test("sends a stranger to the sign-in page of that area", async () => {
    await site.visit({}, async ({ page }) => {
      for (const area of [...tenantPaths, ...adminPaths]) {
        const [login, title] = tenantPaths.includes(area) ? ["/login", "Tenant Login"] : ["/admin-login", "System Admin Login"];
        await page.goto(area);
        await titled(page, title);
        expect([area, placeOf(page)]).toEqual([area, login]);
      }
    });
  });

  test("brings whoever had to sign in back to the address that was asked for", async () => {
    await site.visit({}, async ({ page }) => {
      await page.goto("/tenant-dashboard?tab=overview");
      await titled(page, "Tenant Login");
      await fillLogin(page, tenantAdmin);
      await titled(page, "Tenant Dashboard");
      expect(placeOf(page)).toBe("/tenant-dashboard?tab=overview");
    });
  });

  test.each([
    {
      who: "a tenant admin",
      as: () => tenantAdmin,
      area: "/admin",
      login: "/admin-login",
      buttons: ["Go to tenant dashboard", "Log out and log in as system admin"],
      home: "/tenant",
    },
    {
      who: "a system admin",
      as: () => systemAdmin,
      area: "/tenant",
      login: "/login",
      buttons: ["Go to admin dashboard", "Log out and log in as tenant admin"],
      home: "/admin",
    },
  ])("tells $who at $area that this is the wrong door, and shows nothing behind it", async ({ as, area, login, buttons, home }) => {
    await site.visit({ as: as() }, async ({ page }) => {
      await page.goto(area);
      await titled(page, "Wrong Login Page");
      expect(placeOf(page)).toBe(login);
      const main = page.getByRole("main");
      expect(await main.getByRole("link").or(main.getByRole("button")).allInnerTexts()).toEqual(buttons);
      await main.getByRole("link").click();
      await settled(page);
      expect(placeOf(page)).toBe(home);
    });
  });

  test("lets a tenant admin log out on the wrong login page and leaves them at that page's form", async () => {
    await site.visit({}, async ({ page }) => {
      const token = await signInOn(page, tenantAdmin, "/login");
      await open(page, "/admin-login");
      await page.getByRole("button", { name: "Log out and log in as system admin" }).click();
      await titled(page, "System Admin Login");
      await expect.poll(() => statusOfMe(token), patience).toBe(401);
    });
  });
});

describe("Logout", () => {
  test.each([
    { who: "a tenant admin", login: () => tenantAdmin, place: "/login", title: "Tenant Login" },
    { who: "a system admin", login: () => systemAdmin, place: "/admin/login", title: "System Admin Login" },
  ])("ends the session of $who for good: here, in other tabs, and for the token", async ({ login, place, title }) => {
    await site.visit({}, async ({ page, context }) => {
      const token = await signInOn(page, login(), place);
      expect(await statusOfMe(token)).toBe(200);
      await page.goto(`${placeOf(page)}?tab=overview`);
      await settled(page);
      const otherTab = await context.newPage();
      await open(otherTab, placeOf(page));
      await page.getByRole("button", { name: "Logout" }).click();
      await titled(page, title);
      expect(placeOf(page)).toBe(place);
      expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
      await titled(otherTab, title);
      await expect.poll(() => statusOfMe(token), patience).toBe(401);
      await page.goBack();
      await titled(page, title);
    });
  });
});

describe("a session that ended", () => {
  const ended = "Your session has ended. Please sign in again.";

  /** Lets 16 minutes go by for one session. */
  const idle = async (token: string): Promise<void> => {
    const claims = Buffer.from(token.split(".")[1] ?? "", "base64url").toString();
    const { sub, sid } = JSON.parse(claims) as { sub: string; sid: string };
    const { awsUrl, cloud } = site.platform;
    const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: awsUrl, region: cloud.region, credentials: cloud.operator }));
    const lastSeen = new Date(Date.now() - 16 * 60_000).toISOString();
    await client.send(
      new UpdateCommand({
        TableName: cloud.tableNames[0],
        Key: keys.session(sub, sid).at,
        UpdateExpression: "SET lastSeen = :at",
        ExpressionAttributeValues: { ":at": lastSeen },
      }),
    );
  };

  test("by idleness leads from the open dashboard to sign-in with a word why, and back after it", async () => {
    await site.visit({ refused: ["401 GET /api/tenant/dashboard/metrics"] }, async ({ page }) => {
      const token = await signInOn(page, otherTenantAdmin, "/login");
      await titled(page, "Tenant Dashboard");
      await page.route(/\/api\/tenant\/(?!dashboard\/metrics)/, (route) => route.abort("aborted"));
      await idle(token);
      await page.getByRole("button", { name: "Refresh" }).click();
      await titled(page, "Tenant Login");
      await reads(page.getByRole("alert"), ended);
      expect(await storedToken(page)).toBeNull();
      await page.unrouteAll();
      await fillLogin(page, otherTenantAdmin);
      await titled(page, "Tenant Dashboard");
    });
  });

  test("is told when the page is opened again", async () => {
    await site.visit({ refused: ["401 GET /api/auth/me"] }, async ({ page }) => {
      const token = await signInOn(page, systemAdmin, "/admin/login");
      await titled(page, "Admin Dashboard");
      await idle(token);
      await page.reload();
      await titled(page, "System Admin Login");
      await reads(page.getByRole("alert"), ended);
      expect(await storedToken(page)).toBeNull();
    });
  });

  test("that was none at all, a token that nobody issued, is refused and forgotten", async () => {
    await site.visit({ refused: ["401 GET /api/auth/me"] }, async ({ page }) => {
      await open(page, "/");
      await page.evaluate(() => localStorage.setItem("auth_token", "no.real.token"));
      await page.goto("/tenant");
      await titled(page, "Tenant Login");
      expect(await storedToken(page)).toBeNull();
    });
  });
});
