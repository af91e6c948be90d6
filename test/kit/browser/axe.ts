import { AxeBuilder } from "@axe-core/playwright";
import { mkdirSync } from "node:fs";
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

/** Legacy mode: there are no frames, and it needs no page of its own. */
async function found(page: Page, examine: (axe: AxeBuilder) => AxeBuilder): Promise<Violation[]> {
  const { violations } = await examine(new AxeBuilder({ page }).setLegacyMode()).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => ({ id, target: target.join(" ") })));
}

/** An element half hidden by a dialog's footer is measured after scrolling. */
async function isTooSmall(page: Page, target: string): Promise<boolean> {
  await page.locator(target).evaluate((element) => element.scrollIntoView({ block: "center" }));
  return (await found(page, (axe) => axe.include(target).withRules("target-size"))).length > 0;
}

async function violationsOn(page: Page, examine: (axe: AxeBuilder) => AxeBuilder): Promise<string[]> {
  const wrong: string[] = [];
  for (const { id, target } of await found(page, examine))
    if (id !== "target-size" || (await isTooSmall(page, target))) wrong.push(`${id}: ${target}`);
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
  for (const { scheme, device } of faces) {
    await page.setViewportSize(widths[device]);
    await paint(page, scheme);
    const outside = await widthOutside(page);
    const violations =
      device === "tablet"
        ? []
        : await violationsOn(page, (axe) => (scheme === "light" ? axe.withTags(rules) : axe.withRules("color-contrast")));
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
