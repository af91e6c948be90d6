import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { open, patience, settled, titled } from "./look.fixture.ts";
import { desktop, openSite, phone, type Login, type Site } from "./site.fixture.ts";

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());

type Focused = { name: string; problems: string[] };

/** What has the focus, and whether a person sees that it has: inside the window, covered by nothing, and marked. */
const focused = (page: Page): Promise<Focused> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return { name: "", problems: [] };
    const labelled = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : undefined;
    const name = (element.getAttribute("aria-label") ?? labelled ?? element.textContent ?? "").trim();
    const box = element.getBoundingClientRect();
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    const isMarked = (outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0) || boxShadow !== "none";
    const isInside = box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const isOnTop = top !== null && (element.contains(top) || top.contains(element));
    const problems = [
      ...(isMarked ? [] : ["is not marked"]),
      ...(isInside ? [] : ["is out of the window"]),
      ...(isOnTop ? [] : ["is covered"]),
    ];
    return { name, problems: problems.map((problem) => `${name}: ${problem}`) };
  });

/** A ring may take a frame to appear. */
async function showsFocus(page: Page): Promise<void> {
  await expect.poll(async () => (await focused(page)).problems, patience).toEqual([]);
}

/** Presses Tab until the focus is where it should be. Every stop on the way must show that it has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const stops: string[] = [];
  while (stops.length < 30) {
    await page.keyboard.press("Tab");
    await showsFocus(page);
    const stop = await focused(page);
    if (stop.name === name) return;
    stops.push(stop.name);
  }
  throw new Error(`Tab does not lead to ${name}; it stopped at ${stops.join(", ")}`);
}

const signIn = async (page: Page, { email, password }: Login): Promise<void> => {
  await tabTo(page, "Email");
  await page.keyboard.type(email);
  await tabTo(page, "Password");
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
};

describe("with the keyboard alone", () => {
  test.each([
    ["desktop", desktop],
    ["phone", phone],
  ])("a tenant admin signs in, opens every tab and logs out (%s)", async (_name, viewport) => {
    await site.visit({ viewport }, async ({ page }) => {
      await open(page, "/");
      await tabTo(page, "Skip to content");
      await page.keyboard.press("Enter");
      await tabTo(page, "Tenant login");
      await page.keyboard.press("Enter");
      await titled(page, "Tenant Login");
      await signIn(page, site.demo.tenants[0]!.admin);
      await titled(page, "Tenant Dashboard");
      await settled(page);

      const tabs = page.getByRole("tab");
      const labels = await tabs.allInnerTexts();
      expect(labels.length).toBeGreaterThan(0);
      await tabTo(page, labels[0] ?? "");
      for (const label of [...labels.slice(1), labels[0] ?? ""]) {
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("Enter");
        await expect.poll(() => page.getByRole("tab", { name: label, selected: true }).count(), patience).toBe(1);
        await showsFocus(page);
        await expect.poll(() => page.getByRole("tabpanel", { name: label }).isVisible(), patience).toBe(true);
        await settled(page);
      }

      await open(page, "/tenant");
      await tabTo(page, "Logout");
      await page.keyboard.press("Enter");
      await titled(page, "Tenant Login");
    });
  });

  test("a system admin signs in, refreshes, changes the colours and logs out", async () => {
    await site.visit({}, async ({ page }) => {
      await open(page, "/admin/login");
      await signIn(page, site.demo.systemAdmin);
      await titled(page, "Admin Dashboard");
      await settled(page);
      await tabTo(page, "Refresh");
      await page.keyboard.press("Enter");
      await open(page, "/admin");
      await tabTo(page, "Switch to dark mode");
      await page.keyboard.press("Space");
      await expect.poll(() => page.evaluate(() => document.documentElement.className), patience).toContain("dark");
      await tabTo(page, "Logout");
      await page.keyboard.press("Enter");
      await titled(page, "System Admin Login");
    });
  });

  test("the skip link passes the header by", async () => {
    await site.visit({ as: site.demo.systemAdmin }, async ({ page }) => {
      await open(page, "/admin");
      await tabTo(page, "Skip to content");
      await page.keyboard.press("Enter");
      await tabTo(page, "Refresh");
      expect(await page.evaluate(() => document.querySelector("main")?.contains(document.activeElement))).toBe(true);
    });
  });
});
