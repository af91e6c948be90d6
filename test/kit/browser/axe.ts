import type axe from "axe-core";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { desktop, longTimeout, phone, tablet, type Login, type Scheme, type Site } from "./site.ts";

export type Look = {
  name: string;
  as?: (site: Site) => Login;
  /** Requests that fail on purpose, as "503 GET /api/tenant/calls". */
  refused?: string[];
  arrange: (page: Page, site: Site) => Promise<unknown>;
};

export const asTenant = (site: Site): Login => site.demo.tenants[0]!.admin;

/** Folder for screenshots; none are taken without it. */
const pictures = process.env["SCREENSHOTS"];
if (pictures) mkdirSync(pictures, { recursive: true });

const inWords = (name: string): string => name.replaceAll(/\W+/g, "-").replaceAll(/^-|-$/g, "") || "landing";

const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

type Violation = { id: string; target: string };

const axeScript = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** Evaluated once a page: that takes longer than to examine the page. */
async function loadAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeScript);
}

async function violationsIn(page: Page, selector: string, runOnly: axe.RunOptions["runOnly"]): Promise<Violation[]> {
  await loadAxe(page);
  return page.evaluate(
    async ([selector, runOnly]) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(selector, { runOnly, resultTypes: ["violations"] });
      return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => ({ id, target: target.join(" ") })));
    },
    [selector, runOnly] as const,
  );
}

/** An element half hidden by a dialog's footer is measured after scrolling. */
async function isTooSmall(page: Page, target: string): Promise<boolean> {
  await page.locator(target).evaluate((element) => element.scrollIntoView({ block: "center" }));
  return (await violationsIn(page, target, ["target-size"])).length > 0;
}

async function violationsOn(page: Page, scheme: Scheme): Promise<string[]> {
  const wrong: string[] = [];
  const all = await violationsIn(page, "html", scheme === "light" ? { type: "tag", values: rules } : ["color-contrast"]);
  for (const { id, target } of all) if (id !== "target-size" || (await isTooSmall(page, target))) wrong.push(`${id}: ${target}`);
  return wrong;
}

const widthOutside = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

async function paint(page: Page, scheme: Scheme): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  const button = page.getByRole("button", { name: `Switch to ${scheme} mode` });
  // Also beneath an open dialog, where no pointer reaches it
  if ((await button.count()) > 0) await button.dispatchEvent("click");
  const colors = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  await expect.poll(colors, longTimeout).toMatch(new RegExp(`^(${scheme}|normal)$`));
}

/** Until the page has reacted to its new size: resize observers run after the layout, and React renders after them. */
const twoFrames = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));

const widths = { desktop, tablet, phone };
/** All rules in light colors; in dark ones only contrast can differ. */
const faces = [
  { scheme: "light", device: "desktop" },
  { scheme: "light", device: "tablet" },
  { scheme: "light", device: "phone" },
  { scheme: "dark", device: "phone" },
  { scheme: "dark", device: "tablet" },
  { scheme: "dark", device: "desktop" },
] as const;

export async function flawsOf(page: Page, name: string): Promise<string[]> {
  const flaws: string[] = [];
  let painted: Scheme | undefined;
  for (const { scheme, device } of faces) {
    await page.setViewportSize(widths[device]);
    await twoFrames(page);
    if (scheme !== painted) await paint(page, scheme);
    painted = scheme;
    const outside = await widthOutside(page);
    const violations = device === "tablet" ? [] : await violationsOn(page, scheme);
    flaws.push(...violations.map((violation) => `${scheme} ${device}: ${violation}`));
    if (outside > 0) flaws.push(`${scheme} ${device}: scrolls sideways by ${outside} px`);
    if (pictures)
      await page.screenshot({ path: path.join(pictures, `${inWords(name)}-${scheme}-${device}.png`), fullPage: true, caret: "initial" });
  }
  return flaws;
}

export async function flawsOfLook(site: Site, { name, as, refused, arrange }: Look): Promise<string[]> {
  let flaws: string[] = [];
  await site.visit({ refused, as: as?.(site) }, async ({ page }) => {
    await arrange(page, site);
    flaws = await flawsOf(page, name);
  });
  return flaws;
}
