import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { open, patience } from "./look.fixture.ts";
import type { Site } from "./site.fixture.ts";

/** What a route answers that cannot be answered now. */
export const unanswered = {
  status: 503,
  json: { error: "The database could not be reached.", code: "unavailable", requestId: "0123456789abcdef" },
};

export const panelOf = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });
export const dialogOf = (page: Page): Locator => page.getByRole("dialog");
export const toastsOf = (page: Page): Locator => page.getByRole("region", { name: /notifications/i });

/** Opens a tab of the console as the system administrator. `before` arranges what the page is answered. */
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

/** What a panel says as long as the answer to a path is on its way. */
export const textWhileLoading = async (site: Site, address: string, path: string, panel: string): Promise<string> => {
  let text = "";
  await site.visit({ as: site.demo.systemAdmin }, async ({ page }) => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(
      ({ pathname }) => pathname === path,
      async (route) => {
        await held;
        await route.continue();
      },
    );
    await page.goto(address);
    const said = panelOf(page, panel).locator("output", { hasText: /\.\.\.$/ });
    // The panel itself comes after its code.
    await expect
      .poll(
        async () =>
          (text =
            (await said
              .first()
              .textContent()
              .catch(() => "")) ?? ""),
        patience,
      )
      .not.toMatch(/^$|Loading [A-Z][A-Za-z]+ [A-Z]/);
    release();
    await expect.poll(() => panelOf(page, panel).locator("output", { hasText: text }).count(), patience).toBe(0);
  });
  return text;
};

/** What a panel says when a path is not answered; then it is asked again, and shows what it was asked for. */
export const textOfFailure = async (site: Site, address: string, path: string, panel: string): Promise<string> => {
  let text = "";
  await visitConsole(
    site,
    address,
    async (page) => {
      const alert = panelOf(page, panel).getByRole("alert");
      text = await alert.innerText();
      await alert.getByRole("button", { name: "Retry" }).click();
      await expect.poll(() => alert.count(), patience).toBe(0);
    },
    {
      refused: [`503 GET ${path}`],
      before: (page) =>
        page.route(
          ({ pathname }) => pathname === path,
          (route) => route.fulfill(unanswered),
          { times: 1 },
        ),
    },
  );
  return text;
};
