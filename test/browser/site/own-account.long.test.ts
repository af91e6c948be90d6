import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  fillLogin,
  headingOf,
  open,
  longTimeout,
  reads,
  settled,
  titled,
  addTenant,
  openSite,
  type Login,
  type Site,
} from "../../kit/browser/site.ts";

let site: Site;
let login: Login;
beforeAll(async () => {
  site = await openSite();
  login = await addTenant(site, "Account One");
});
afterAll(() => site?.close());

const stored = (page: Page): Promise<Record<string, string>> => page.evaluate(() => ({ ...localStorage }));
const statusOfMe = async (token: string): Promise<number> => (await site.api("GET", "/api/auth/me", { token })).status;
const focusedText = (page: Page): Promise<string | null | undefined> => page.evaluate(() => document.activeElement?.textContent);

async function openAccount(page: Page): Promise<string> {
  await open(page, "/account");
  await titled(page, "Tenant Login");
  await fillLogin(page, login);
  await titled(page, "Your account");
  await settled(page);
  return (await stored(page))["auth_token"] ?? "";
}

test("the confirmation of a sign-out everywhere focuses Cancel, closes with Escape, and then ends every session", async () => {
  const other = await site.tokenOf(login.email, login.password);
  await site.visit({}, async ({ page }) => {
    const own = await openAccount(page);
    const ask = page.getByRole("button", { name: "Log out everywhere" });
    await ask.click();
    await page.keyboard.press("Escape");
    expect(await page.getByRole("alertdialog").count()).toBe(0);
    expect(await statusOfMe(other)).toBe(200);
    await ask.click();
    expect(await focusedText(page)).toBe("Cancel");
    await page.getByRole("alertdialog").getByRole("button", { name: "Log out everywhere" }).click();
    await titled(page, "Tenant Login");
    expect([await statusOfMe(own), await statusOfMe(other)]).toEqual([401, 401]);
    expect(await stored(page)).toEqual({});
  });
});

test("an idle user is warned for a minute, may stay by a button, and is otherwise signed out in every tab", async () => {
  await site.visit({}, async ({ page, context }) => {
    await page.clock.install();
    const token = await openAccount(page);
    const dialog = page.getByRole("alertdialog", { name: "Are you still there?" });
    await page.clock.fastForward("12:00");
    expect(await dialog.count()).toBe(0);
    await page.clock.fastForward("01:05");
    await reads(dialog, /signed out in \d+ seconds/);
    expect(await focusedText(page)).toBe("Stay signed in");
    const told = page.waitForRequest("**/api/auth/me");
    await page.getByRole("button", { name: "Stay signed in" }).click();
    await told;
    await expect.poll(() => dialog.count(), longTimeout).toBe(0);

    await page.clock.runFor(5000);
    const otherTab = await context.newPage();
    await open(otherTab, "/account");
    await page.clock.fastForward("13:05");
    await reads(dialog, /signed out/);
    // The tab that has been idle for longer ends first
    for (let seconds = 0; seconds < 90 && (await headingOf(page)) !== "Tenant Login"; seconds++) await page.clock.runFor(1000);
    await titled(page, "Tenant Login");
    await reads(page.getByRole("alert"), "You were signed out because you were inactive. Please sign in again.");
    await titled(otherTab, "Tenant Login");
    expect(await stored(page)).toEqual({});
    await expect.poll(() => statusOfMe(token), longTimeout).toBe(401);
    await fillLogin(page, login);
    await titled(page, "Your account");
    await settled(page);
  });
});
