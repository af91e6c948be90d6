import { afterAll, beforeAll, expect, test } from "vitest";
import { tabTo, open, longTimeout, reads, addTenant, openSite, type Login, type Site } from "../../kit/browser/site.ts";

const wholeKey = /^vtl_live_[0-9A-Za-z]{36}$/;

let site: Site;
let clinic: Login;
beforeAll(async () => {
  site = await openSite();
  clinic = await addTenant(site, "Key Clinic");
});
afterAll(() => site?.close());

const keyNow = async (): Promise<string> =>
  (await site.api<{ apiKey: string }>("GET", "/api/tenant/info", { token: await site.tokenFor(clinic) })).json.apiKey;

test("a new key is created by keyboard alone", async () => {
  await site.visit({ as: clinic }, async ({ page }) => {
    await open(page, "/tenant?tab=api-keys");
    const part = page.getByRole("region", { name: "API Key Management" });
    const shown = part.locator("code").first();
    const question = page.getByRole("alertdialog");
    await page.getByRole("tab", { selected: true }).focus();
    await page.keyboard.press("Tab");
    await tabTo(page, "Show API key");
    await page.keyboard.press("Enter");
    await reads(shown, wholeKey);
    const old = await shown.innerText();
    await tabTo(page, "Regenerate API Key");
    await page.keyboard.press("Enter");
    await reads(question, /Are you sure/);
    await tabTo(page, "Regenerate API Key");
    await page.keyboard.press("Enter");
    await expect.poll(() => question.count(), longTimeout).toBe(0);
    await reads(shown, wholeKey);
    expect(await shown.innerText()).not.toBe(old);
    expect(await shown.innerText()).toBe(await keyNow());
  });
});

test("a key that is read only for copying reaches the clipboard, alone and within a snippet", async () => {
  const key = await keyNow();
  await site.visit({ as: clinic }, async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    await open(page, "/tenant?tab=api-keys");
    await page.getByRole("button", { name: "Copy API key" }).click();
    await expect.poll(clipboard, longTimeout).toBe(key);
    await open(page, "/tenant/developers");
    await page.getByRole("button", { name: "Copy All tools over MCP" }).click();
    await expect.poll(clipboard, longTimeout).toContain(`Bearer ${key}`);
    expect(await page.content()).not.toContain(key);
  });
});
