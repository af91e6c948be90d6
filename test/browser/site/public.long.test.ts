import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { acceptsInvitations, longTimeout, open, openSite, phone, publicPaths, reads, settled, type Site } from "../../kit/browser/site.ts";
import type { PlatformOptions } from "../../../packages/local-cloud/platform.ts";

type Mutate = NonNullable<PlatformOptions["mutateTemplate"]>;
type Resource = { Type: string; Properties?: { Environment?: { Variables?: Record<string, unknown> }; [name: string]: unknown } };

type Setting = { calendar: string; placesLeft: number };

const isOfSite = ({ Type, Properties }: Resource): boolean =>
  Type === "AWS::Lambda::Function" && String(Properties?.["FunctionName"]).endsWith("-site");

const setUp =
  ({ calendar, placesLeft }: Setting): Mutate =>
  (template) => {
    for (const resource of Object.values((template.Resources ?? {}) as Record<string, Resource>)) {
      if (isOfSite(resource) && resource.Properties?.Environment?.Variables)
        Object.assign(resource.Properties.Environment.Variables, {
          DEMO_SCHEDULING_URL: calendar,
          PROMOTION_REMAINING: String(placesLeft),
        });
      if (resource.Type === "AWS::CloudFront::ResponseHeadersPolicy")
        resource.Properties = JSON.parse(
          JSON.stringify(resource.Properties).replace(/frame-src [^;]+/, `frame-src ${new URL(calendar).origin}`),
        ) as Resource["Properties"] & object;
    }
  };

const calendar = "https://cal.com/vitaline/demo/embed";

let site: Site;
beforeAll(async () => {
  site = await openSite({ mutateTemplate: setUp({ calendar, placesLeft: 37 }) });
});
afterAll(() => site?.close());

test("the configured calendar is loaded into its frame on request, and not before", async () => {
  await site.visit({}, async ({ page, context }) => {
    await context.route("https://cal.com/**", (route) =>
      route.fulfill({
        contentType: "text/html",
        body: "<!doctype html><html lang=en><title>Calendar</title><h1>Pick a slot</h1></html>",
      }),
    );
    const asked: string[] = [];
    page.on("request", (request) => void (request.url().startsWith("https://cal.com") && asked.push(request.url())));
    await open(page, "/pricing");
    await reads(page.getByRole("main"), /For the first 100 MVP members: 37 places left/);
    await reads(page.getByRole("region", { name: "Schedule a demo" }), /comes from cal\.com, which may set cookies/);
    expect(asked).toEqual([]);
    await page.getByRole("button", { name: "Choose a time" }).click();
    const frame = page.locator("iframe[title='Schedule a demo']");
    await reads(frame.contentFrame().locator("body"), "Pick a slot");
    expect(asked).toEqual([calendar]);
    expect((await frame.boundingBox())?.height).toBe(700);
  });
});

/** Layout shifts so far, from the page's start. */
const shiftOf = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value;
        }).observe({ type: "layout-shift", buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
      }),
  );

/** A line that breaks elsewhere; 0.1 is what Core Web Vitals call good. */
const maxShift = 0.01;

test.each(["/", "/security", "/docs"])("the text of %s stays in place when the type arrives after it", async (address) => {
  await site.visit({ viewport: phone }, async ({ page }) => {
    const arrival = Promise.withResolvers<void>();
    await page.route("**/*.woff2", async (route) => {
      await arrival.promise;
      await route.continue();
    });
    // A preloaded file holds the load event up.
    await page.goto(address, { waitUntil: "domcontentloaded" });
    await settled(page);
    const isThere = () => page.evaluate(() => document.fonts.check('1rem "Figtree Variable"'));
    expect(await isThere()).toBe(false);
    const before = await shiftOf(page);
    arrival.resolve();
    await expect.poll(isThere, longTimeout).toBe(true);
    expect((await shiftOf(page)) - before).toBeLessThan(maxShift);
  });
});

test("at 400 % zoom, which is 320 pixels wide, no public page scrolls sideways", async () => {
  await site.visit({ viewport: { width: 320, height: 256 } }, async ({ page }) => {
    const wide: string[] = [];
    await acceptsInvitations(page);
    for (const address of publicPaths) {
      await open(page, address);
      const outside = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      if (outside > 0) wide.push(`${address}: ${outside} px`);
    }
    expect(wide).toEqual([]);
  });
});
