import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { keys } from "@vitaline/store";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fillLogin, open, longTimeout, reads, settled, titled, openSite, type Login, type Site } from "../../kit/browser/site.ts";

let site: Site;
let tenantAdmin: Login;
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

async function signInOn(page: Page, login: Login, address: string): Promise<string> {
  await open(page, address);
  await fillLogin(page, login);
  await expect.poll(() => storedToken(page), longTimeout).not.toBeNull();
  await settled(page);
  return (await storedToken(page)) ?? "";
}

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
      await expect.poll(() => statusOfMe(token), longTimeout).toBe(401);
      await page.goBack();
      await titled(page, title);
    });
  });
});

describe("a session that ended", () => {
  const ended = "Your session has ended. Please sign in again.";

  /** Moves one session's last use 16 minutes back. */
  const idle = async (token: string): Promise<void> => {
    const claims = Buffer.from(token.split(".")[1] ?? "", "base64url").toString();
    const { sub, sid } = JSON.parse(claims) as { sub: string; sid: string };
    const { awsUrl, cloud } = site.platform;
    const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: awsUrl, region: cloud.region, credentials: cloud.operator }));
    const lastSeen = new Date(Date.now() - 16 * 60_000).toISOString();
    await client.send(
      new UpdateCommand({
        TableName: cloud.tableNames[0],
        Key: keys.session(sub, sid).primaryKey,
        UpdateExpression: "SET lastSeen = :at",
        ExpressionAttributeValues: { ":at": lastSeen },
      }),
    );
  };

  test("by idleness leads from the open dashboard to sign-in with the reason, and back afterwards", async () => {
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

  test("is reported when the page is opened again", async () => {
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
});
