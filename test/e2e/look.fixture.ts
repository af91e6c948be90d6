import { readFileSync } from "node:fs";
import path from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** Every address of the site, as the edge knows it. */
export const sitePaths: string[] = (
  JSON.parse(readFileSync(path.resolve(import.meta.dirname, "../../web/src/app/paths.json"), "utf8")) as { path: string }[]
).map((entry) => entry.path);

const areaPaths = (home: string): string[] => sitePaths.filter((one) => one === home || one === `${home}-dashboard`);
export const tenantPaths = areaPaths("/tenant");
export const adminPaths = areaPaths("/admin");
/** Everybody's who is signed in. */
export const accountPath = "/account";
export const publicPaths = sitePaths.filter((one) => ![...tenantPaths, ...adminPaths, accountPath].includes(one));

/** How long something may take on a busy machine; what is there sooner is seen sooner. */
export const patience = { timeout: 15_000 };

/** The page's title as it reads now; null while there is none. */
export const headingOf = (page: Page): Promise<string | null> => page.evaluate(() => document.querySelector("h1")?.textContent ?? null);

/** Waits until the page has its title. */
export async function titled(page: Page, title: string): Promise<void> {
  await expect.poll(() => headingOf(page), patience).toBe(title);
}

/** A prerendered page is awake once React has taken over its heading: before that, no button does anything. */
const isWaiting = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const heading = document.querySelector("h1");
    const isAsleep = document.getElementById("root") !== null && !Object.keys(heading ?? {}).some((name) => name.startsWith("__react"));
    const says = [...document.querySelectorAll("output, [role=status]")].some(({ textContent }) => /^(Loading|Checking)/.test(textContent));
    return heading === null || isAsleep || says || document.querySelector("[aria-busy=true]") !== null;
  });

/** Waits until nothing on the page is on its way any more. */
export async function settled(page: Page): Promise<void> {
  await expect.poll(() => isWaiting(page), patience).toBe(false);
}

/** Opens an address and waits for all of it. Gives the document's status. */
export async function open(page: Page, address: string): Promise<number | undefined> {
  const response = await page.goto(address);
  await settled(page);
  return response?.status();
}

/** A summary card's lines: its figure and what stands below. */
export type Card = { value: string; caption: string | undefined };

/** The summary cards by their labels. */
export async function cardsOf(page: Page): Promise<Record<string, Card>> {
  await settled(page);
  const read = await page
    .getByRole("region", { name: "Summary" })
    .getByRole("article")
    .evaluateAll((articles) =>
      articles.map((article) => {
        const [value = "", caption] = [...article.querySelectorAll("dd")].map(({ textContent }) => textContent);
        return [article.querySelector("dt")?.textContent ?? "", { value, caption }] as const;
      }),
    );
  return Object.fromEntries(read);
}

export async function fillLogin(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Waits until a part of the page reads so. */
export async function reads(part: Locator, text: string | RegExp): Promise<void> {
  await expect.poll(() => part.innerText().catch(() => ""), patience).toMatch(text);
}
