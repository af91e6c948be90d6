import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { longTimeout, open, openSite, phone, reads, showsFocus, titled, type Site } from "../../kit/browser/site.ts";

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());

const admin = () => site.demo.tenants[0]!.admin;
/** A window of 1280 × 1024 at a zoom of 400 %. */
const zoomed = { width: 320, height: 256 };

const palette = (page: Page) => page.getByRole("dialog", { name: "Go to" });

describe("the palette", () => {
  test("loads on the first press, leads to a page, and Escape leads back to where one was", async () => {
    await site.visit({ as: admin() }, async ({ page }) => {
      const scripts: string[] = [];
      page.on("request", (request) => void (/palette/.test(request.url()) && scripts.push(request.url())));
      await open(page, "/tenant");
      expect(scripts).toEqual([]);
      await page.getByRole("button", { name: "Refresh" }).focus();
      await page.keyboard.press("Control+k");
      await expect.poll(() => palette(page).count(), longTimeout).toBe(1);
      expect(scripts).toHaveLength(1);
      await showsFocus(page);
      await page.keyboard.press("Escape");
      await expect.poll(() => palette(page).count(), longTimeout).toBe(0);
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Refresh");
      await page.keyboard.press("Control+k");
      await page.keyboard.type("messag");
      await page.keyboard.press("Enter");
      await titled(page, "Messages");
      await expect.poll(() => page.evaluate(() => document.activeElement?.tagName), longTimeout).toBe("H1");
    });
  });

  test("keeps its field and the chosen line in sight at a zoom of 400 %", async () => {
    await site.visit({ as: admin(), viewport: zoomed }, async ({ page }) => {
      await open(page, "/tenant/messages");
      await page.keyboard.press("Control+k");
      for (let pressed = 0; pressed < 12; pressed++) await page.keyboard.press("ArrowDown");
      for (const part of [palette(page).getByRole("combobox"), palette(page).getByRole("option", { selected: true })])
        expect(
          await part.evaluate((one) => one.getBoundingClientRect().top >= 0 && one.getBoundingClientRect().bottom <= innerHeight),
        ).toBe(true);
    });
  });
});

test("a dialog's header scrolls away at a zoom of 400 %, and stays in a window that is high enough", async () => {
  const headerTop = (page: Page) =>
    page
      .getByRole("dialog")
      .locator("header")
      .evaluate((one) => one.getBoundingClientRect().bottom);
  for (const [viewport, stays] of [
    [zoomed, false],
    [phone, true],
  ] as const)
    await site.visit({ as: admin(), viewport }, async ({ page }) => {
      await open(page, "/tenant/leads");
      await page.getByRole("button", { name: "Add lead" }).click();
      const form = page.getByRole("dialog", { name: "Add lead" });
      await form.getByRole("button", { name: "Cancel" }).scrollIntoViewIfNeeded();
      expect((await headerTop(page)) > 0).toBe(stays);
    });
});

test("every tab shows its whole focus ring, and the open one stands beside the faded edges of a phone", async () => {
  await site.visit({ as: admin(), viewport: phone }, async ({ page }) => {
    await open(page, "/tenant");
    const tabs = page.getByRole("tab");
    await tabs.first().focus();
    for (let at = 0; at < (await tabs.count()); at++) {
      await page.keyboard.press("Enter");
      await expect.poll(() => tabs.nth(at).getAttribute("aria-selected"), longTimeout).toBe("true");
      const hidden = await tabs.nth(at).evaluate((one) => {
        const list = one.parentElement!;
        const { fontSize } = getComputedStyle(document.documentElement);
        const fade = 2.5 * Number.parseFloat(fontSize);
        const more = list.dataset["more"] ?? "";
        const [outer, inner] = [list.getBoundingClientRect(), one.getBoundingClientRect()];
        const { outlineOffset, outlineWidth } = getComputedStyle(one);
        return {
          start: inner.left + 1 < outer.left + (more.includes("start") ? fade : 0),
          end: inner.right - 1 > outer.right - (more.includes("end") ? fade : 0),
          ring: Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth) > 0,
        };
      });
      expect([at, hidden]).toEqual([at, { start: false, end: false, ring: false }]);
      await page.keyboard.press("ArrowRight");
    }
  });
});

test("a wide window is used, and compact spacing shows more of a list", async () => {
  await site.visit({ as: admin(), viewport: { width: 1680, height: 900 } }, async ({ page }) => {
    await open(page, "/tenant/calls?range=all");
    const list = page.getByRole("region", { name: "Recent Call Details" });
    await reads(list, /View/);
    const row = list.getByRole("row").nth(2);
    const size = async () => (await row.boundingBox()) ?? { width: 0, height: 0 };
    const before = await size();
    expect(before.width).toBeGreaterThan(1300);
    await page.getByRole("button", { name: "Use compact spacing" }).click();
    expect((await size()).height).toBeLessThan(before.height - 8);
  });
});

/** What can be pressed and is lower or narrower than 24 pixels, but for links in a sentence. */
const smallTargets = (): string[] => {
  const isInSentence = (target: Element): boolean =>
    [...(target.parentElement?.childNodes ?? [])].some(({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim());
  return [...document.querySelectorAll<HTMLElement>("a[href], button, input, select, summary, [role=tab]")].flatMap((target) => {
    const { width, height } = (target.closest("label") ?? target).getBoundingClientRect();
    const isHidden = width <= 2 || height <= 2 || !target.checkVisibility();
    if (isHidden || (width >= 23.9 && height >= 23.9) || (target.matches("a") && isInSentence(target))) return [];
    return [`${target.tagName} ${width}×${height}: ${target.textContent}`];
  });
};

test("every target of a tenant's pages is at least 24 pixels high and wide, and a planted smaller one is seen", async () => {
  const tabs = ["overview", "api-keys", "fhir", "analytics", "offices", "audit", "system"].map((tab) => `/tenant?tab=${tab}`);
  const pages = [
    "/tenant/calls?range=all",
    "/tenant/to-do",
    "/tenant/developers",
    "/tenant/developers/tool-calls",
    "/tenant/settings/team",
  ];
  await site.visit({ as: admin(), viewport: phone }, async ({ page }) => {
    for (const address of [...tabs, ...pages]) {
      await open(page, address);
      expect([address, await page.evaluate(smallTargets)]).toEqual([address, []]);
    }
    await page.evaluate(() => {
      const planted = Object.assign(document.createElement("button"), { textContent: "planted" });
      Object.assign(planted.style, { height: "20px", width: "31px" });
      document.querySelector("main")?.append(planted);
    });
    expect(await page.evaluate(smallTargets)).toEqual(["BUTTON 31×20: planted"]);
  });
});
