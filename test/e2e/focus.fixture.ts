import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { patience } from "./look.fixture.ts";

type Focused = { name: string; problems: string[] };

/** What has the focus, and whether a person sees that it has: inside the window, covered by nothing, and marked. */
const focused = (page: Page): Promise<Focused> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return { name: "", problems: [] };
    const labelled = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : undefined;
    const name = (element.getAttribute("aria-label") ?? labelled ?? element.textContent ?? "").trim();
    const box = element.getBoundingClientRect();
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const isMarked = outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0;
    // What is higher than the window, as a tab's panel may be, can only be in it in part
    const isInside =
      box.left >= 0 &&
      box.right <= innerWidth &&
      (box.height > innerHeight ? box.top < innerHeight && box.bottom > 0 : box.top >= 0 && box.bottom <= innerHeight);
    // In the middle of what is in the window of it
    const middle = (from: number, to: number, end: number) => (Math.max(from, 0) + Math.min(to, end)) / 2;
    const top = document.elementFromPoint(middle(box.left, box.right, innerWidth), middle(box.top, box.bottom, innerHeight));
    const isOnTop = top !== null && (element.contains(top) || top.contains(element));
    const problems = [
      ...(isMarked ? [] : ["is not marked"]),
      ...(isInside ? [] : ["is out of the window"]),
      ...(isOnTop ? [] : ["is covered"]),
    ];
    return { name, problems: problems.map((problem) => `${name}: ${problem}`) };
  });

/** A ring may take a frame to appear. */
export async function showsFocus(page: Page): Promise<void> {
  await expect.poll(async () => (await focused(page)).problems, patience).toEqual([]);
}

/** Presses Tab until the focus is where it should be. Every stop on the way must show that it has the focus. */
export async function tabTo(page: Page, name: string): Promise<void> {
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

/** Waits until an element has the focus: it may come with the next frame. */
export async function hasFocus(element: Locator): Promise<void> {
  await expect.poll(() => element.evaluate((one) => one === document.activeElement), patience).toBe(true);
}
