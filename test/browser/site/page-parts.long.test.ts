import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { open, longTimeout, reads, addTenant, openSite, type Login, type Site } from "../../kit/browser/site.ts";
import { unavailable } from "../../kit/browser/outage.ts";

let site: Site;
let clinic: Login;
let webhookId: string;
beforeAll(async () => {
  site = await openSite();
  clinic = await addTenant(site, "Patient Clinic");
  const token = await site.tokenFor(clinic);
  const body = { url: "https://crm.example.com/hook", events: ["lead.captured"] };
  webhookId = (await site.api<{ id: string }>("POST", "/api/tenant/webhooks", { token, body })).json.id;
});
afterAll(() => site?.close());

const webhooksPage = "/tenant/developers/webhooks";
const question = (page: Page) => page.getByRole("alertdialog");
const panelOf = (page: Page, name: string) => page.getByRole("region", { name, exact: true }).first();
const unseenDialogs = (page: Page): Promise<number> => page.evaluate(() => document.querySelectorAll("dialog:not(:modal)").length);

describe("Escape, however often it is pressed", () => {
  test("never leaves a half-filled dialog that cannot be closed", async () => {
    await site.visit({ as: clinic }, async ({ page }) => {
      await open(page, webhooksPage);
      await panelOf(page, "Webhooks").getByRole("button", { name: "Add webhook" }).click();
      const dialog = page.getByRole("dialog", { name: "Add webhook" });
      await page.keyboard.type("https://crm.example/");
      for (let pressed = 1; pressed <= 5; pressed++) {
        await page.keyboard.press("Escape");
        await expect.poll(() => unseenDialogs(page), longTimeout).toBe(0);
        expect(await dialog.getByLabel("Address").inputValue()).toBe("https://crm.example/");
      }
      if (await question(page).isVisible()) await question(page).getByRole("button", { name: "Keep editing" }).click();
      await expect.poll(() => question(page).count(), longTimeout).toBe(0);
      await dialog.getByRole("button", { name: "Close" }).click();
      await question(page).getByRole("button", { name: "Discard" }).click();
      await expect.poll(() => dialog.count(), longTimeout).toBe(0);
    });
  });

  test("keeps a confirmation while its action runs, and shows a refusal in it", async () => {
    await site.visit({ as: clinic, refused: [`503 POST /api/tenant/webhooks/${webhookId}/rotate-secret`] }, async ({ page }) => {
      const answer = Promise.withResolvers<void>();
      await page.route("**/rotate-secret", async (route) => {
        await answer.promise;
        await route.fulfill(unavailable);
      });
      await open(page, webhooksPage);
      await panelOf(page, "Webhooks")
        .getByRole("button", { name: /^Rotate secret/ })
        .click();
      await question(page).getByRole("button", { name: "Rotate secret" }).click();
      await reads(question(page), /Rotating\.\.\./);
      for (let pressed = 1; pressed <= 3; pressed++) {
        await page.keyboard.press("Escape");
        await expect.poll(() => question(page).isVisible(), longTimeout).toBe(true);
      }
      answer.resolve();
      await reads(question(page).getByRole("alert"), /The database could not be reached\./);
      await question(page).getByRole("button", { name: "Cancel" }).click();
      await expect.poll(() => question(page).count(), longTimeout).toBe(0);
    });
  });
});

test("with reduced motion every text changes its color at once", async () => {
  await site.visit({ as: clinic }, async ({ page }) => {
    await open(page, webhooksPage);
    const late = await page.evaluate(async () => {
      const texts = [...document.querySelectorAll("#root :not(button > *, svg *)")];
      const colors = () => texts.map((text) => getComputedStyle(text).color);
      const before = colors();
      document.querySelector<HTMLElement>("[aria-label='Switch to dark mode']")!.click();
      const atOnce = colors();
      for (let frame = 0; frame < 60; frame++) await new Promise(requestAnimationFrame);
      const last = colors();
      return {
        changed: last.filter((color, at) => color !== before[at]).length,
        late: last.filter((color, at) => color !== atOnce[at]).length,
      };
    });
    expect(late.changed).toBeGreaterThan(50);
    expect(late.late).toBe(0);
  });
});

const largestPaintMs = () =>
  new Promise<number>((resolve) => {
    const type = "largest-contentful-paint";
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1)!.startTime)).observe({ type, buffered: true });
  });

describe("a dashboard's frame", () => {
  test.each([
    [360, "comfortable"],
    [1440, "comfortable"],
    [1440, "compact"],
  ])(
    "is there before the session is known, its parts stay in place, the largest of a phone's screen among them, at a width of %i with %s spacing",
    async (width, density) => {
      for (const [as, address] of [
        [clinic, "/tenant"],
        [clinic, "/tenant/"],
        [site.demo.systemAdmin, "/admin"],
      ] as const)
        await site.visit({ as }, async ({ page }) => {
          const answer = Promise.withResolvers<void>();
          await page.route("**/api/auth/me", async (route) => {
            await answer.promise;
            await route.continue();
          });
          // A warning moves the others down
          await page.route("**/api/tenant/dashboard/notices", (route) => route.fulfill({ json: [] }));
          await page.setViewportSize({ width, height: 800 });
          await page.addInitScript((stored) => localStorage.setItem("density", stored), density);
          await page.goto(`${site.origin}${address}`);
          const places = () =>
            page.evaluate(() =>
              ["h1", "header svg", "main article"]
                .map((part) => document.querySelector(part)!.getBoundingClientRect())
                .map(({ x, y }) => [x, y]),
            );
          await reads(page.locator("main"), /Dashboard\s*Checking your session\.\.\./);
          const before = await places();
          const paintedMs = await page.evaluate(() => performance.now());
          answer.resolve();
          await page.getByRole("tab").first().waitFor();
          expect(await places()).toEqual(before);
          await page.waitForLoadState("networkidle");
          if (width < 400 && as === clinic) expect(await page.evaluate(largestPaintMs)).toBeLessThan(paintedMs);
        });
    },
  );

  test("shows no cards while it waits where the address names a tab", async () => {
    await site.visit({ as: clinic }, async ({ page }) => {
      await page.route("**/api/auth/me", () => {});
      await page.goto(`${site.origin}/tenant?tab=audit`);
      await reads(page.locator("main"), /Checking your session\.\.\./);
      expect(await page.locator("main article").evaluateAll((cards) => cards.filter((card) => card.checkVisibility()).length)).toBe(0);
    });
  });

  test("asks for the session and the numbers before any script has arrived, and for nothing twice", async () => {
    for (const [as, address, first] of [
      [clinic, "/tenant", ["/api/tenant/dashboard/metrics?compare=true", "/api/tenant/settings"]],
      [site.demo.systemAdmin, "/admin?tab=users", ["/api/dashboard/metrics"]],
    ] as const)
      await site.visit({ as }, async ({ page }) => {
        const asked: string[] = [];
        page.on("request", (request) => {
          const { pathname, search } = new URL(request.url());
          if (pathname.startsWith("/api/")) asked.push(pathname + search);
        });
        const scripts = Promise.withResolvers<void>();
        await page.route("**/assets/*.js", async (route) => {
          await scripts.promise;
          await route.continue();
        });
        await page.goto(`${site.origin}${address}`, { waitUntil: "commit" });
        await expect.poll(() => asked.toSorted(), longTimeout).toEqual(["/api/auth/me", ...first].toSorted());
        scripts.resolve();
        await page.getByRole("region", { name: "Summary" }).getByText(/^\d+$/).first().waitFor();
        expect(asked.filter((one, at) => asked.indexOf(one) !== at)).toEqual([]);
      });
  });

  test("asks for no numbers of a role that is not its user's, and for none while the user views a tenant", async () => {
    await site.visit({ as: clinic }, async ({ page }) => {
      const refused: string[] = [];
      page.on("response", (response) => void (response.status() === 403 && refused.push(response.url())));
      const asksItself = () => page.evaluate(() => "firstReads" in window);
      await page.goto(`${site.origin}/admin`);
      await page.waitForURL("**/admin-login");
      expect(refused).toEqual([]);
      expect(await asksItself()).toBe(true);
      await page.evaluate(() => sessionStorage.setItem("view", "another-token /admin mark"));
      await page.goto(`${site.origin}/tenant`);
      await page.getByRole("tab").first().waitFor();
      expect(await asksItself()).toBe(false);
    });
  });

  test("a user who leaves it while the session is checked stays signed in", async () => {
    await site.visit({ as: clinic }, async ({ page }) => {
      await page.route("**/api/auth/me", () => {});
      await Promise.all([page.waitForRequest("**/api/auth/me"), page.goto(`${site.origin}/tenant`)]);
      await page.unroute("**/api/auth/me");
      await open(page, "/tenant/calls");
      expect(page.url()).toBe(`${site.origin}/tenant/calls`);
    });
  });
});
