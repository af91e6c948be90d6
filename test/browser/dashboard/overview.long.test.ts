import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openClinic } from "../../kit/browser/clinic.ts";
import { hasFocus, showsFocus, tabTo, open, longTimeout, settled, openSite, phone, type Site } from "../../kit/browser/site.ts";

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());

const tabOf = (page: Page, name: string) => page.getByRole("tab", { name, exact: true });
const checklistOf = (page: Page) => page.getByRole("region", { name: "Get started", exact: true });

test("on a phone the checklist, a step and the way back are used with the keyboard alone", async () => {
  const clinic = await openClinic(site, "Keyboard Clinic");
  await site.visit({ as: clinic.login, viewport: phone }, async ({ page }) => {
    await open(page, "/tenant");
    await tabTo(page, "Go to Offices");
    await page.keyboard.press("Enter");
    await expect.poll(() => tabOf(page, "Offices").getAttribute("aria-selected"), longTimeout).toBe("true");
    await showsFocus(page);
    await settled(page);
    await page.keyboard.press("Home");
    await hasFocus(tabOf(page, "Overview"));
    await page.keyboard.press("Enter");
    await expect.poll(() => tabOf(page, "Overview").getAttribute("aria-selected"), longTimeout).toBe("true");
    await showsFocus(page);
    await settled(page);
    await tabTo(page, "Dismiss");
    await page.keyboard.press("Enter");
    await expect.poll(() => checklistOf(page).count(), longTimeout).toBe(0);
  });
});

test("the list of tabs shows the open tab at every screen width", async () => {
  await site.visit({ as: site.demo.tenants[0]!.admin, viewport: phone }, async ({ page }) => {
    await open(page, "/tenant?tab=system");
    const [tab, list] = [await tabOf(page, "System").boundingBox(), await page.getByRole("tablist").boundingBox()];
    expect((tab?.x ?? 0) + (tab?.width ?? 0)).toBeLessThanOrEqual((list?.x ?? 0) + (list?.width ?? 0) + 1);
    expect(tab?.x).toBeGreaterThanOrEqual(list?.x ?? 0);
  });
});
