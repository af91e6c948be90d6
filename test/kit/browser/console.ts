import type { Locator, Page } from "playwright-core";
import { open, type Site } from "./site.ts";

export const unanswered = {
  status: 503,
  json: { error: "The database could not be reached.", code: "unavailable", requestId: "0123456789abcdef" },
};

export const panelOf = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });
export const dialogOf = (page: Page): Locator => page.getByRole("dialog");
export const toastsOf = (page: Page): Locator => page.getByRole("region", { name: /notifications/i });

export const visitConsole = (
  site: Site,
  address: string,
  body: (page: Page) => Promise<void>,
  { refused = [], before }: { refused?: string[]; before?: (page: Page) => Promise<unknown> } = {},
): Promise<void> =>
  site.visit({ as: site.demo.systemAdmin, refused }, async ({ page }) => {
    await before?.(page);
    await open(page, address);
    await body(page);
  });
