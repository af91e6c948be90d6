import type { Page } from "playwright-core";
import { open, reads } from "./look.fixture.ts";
import type { Login, Site, VisitOptions } from "./site.fixture.ts";

export const keysAddress = "/tenant?tab=api-keys";
export const wholeKey = /^vtl_live_[0-9A-Za-z]{36}$/;

export const partOf = (page: Page, name: string | RegExp) => page.getByRole("region", { name });
export const keyPart = (page: Page) => partOf(page, "API Key Management");
export const shownKey = (page: Page) => keyPart(page).locator("code").first();
export const button = (page: Page, name: string | RegExp) => keyPart(page).getByRole("button", { name });
export const asking = (page: Page) => page.getByRole("alertdialog");
export const toast = (page: Page) => partOf(page, /notifications/i);
export const show = async (page: Page): Promise<string> => {
  await button(page, "Show API key").click();
  await reads(shownKey(page), wholeKey);
  return shownKey(page).innerText();
};

export type KeyLook = Pick<VisitOptions, "refused" | "viewport"> & {
  as: Login;
  /** Comes before the page. */ before?: (page: Page) => unknown;
};

/** On the API Keys tab, with the clipboard allowed. */
export const visitKeys = (site: Site, body: (page: Page) => Promise<void>, { before, ...look }: KeyLook): Promise<void> =>
  site.visit(look, async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await before?.(page);
    await open(page, keysAddress);
    await body(page);
  });

export const keyOf = async (site: Site, login: Login): Promise<string> =>
  (await site.api<{ apiKey: string }>("GET", "/api/tenant/info", { token: await site.tokenFor(login) })).json.apiKey;
