import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  acceptsInvitations,
  accountPath,
  adminPaths,
  headingOf,
  open,
  publicPaths,
  tenantPaths,
  titled,
  openSite,
  type Login,
  type Site,
} from "../../kit/browser/site.ts";

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());

describe("an address", () => {
  const visitors: [string, string[], () => Login | undefined][] = [
    ["a stranger", publicPaths.filter((address) => address !== "/404.html"), () => undefined],
    ["a tenant admin", [...tenantPaths, accountPath], () => site.demo.tenants[0]?.admin],
    ["a system admin", [...adminPaths, accountPath], () => site.demo.systemAdmin],
  ];
  test.each(visitors)("of %s answers 200 with its own page, typed in and loaded again", async (_who, addresses, login) => {
    await site.visit({ as: login() }, async ({ page }) => {
      await acceptsInvitations(page);
      for (const address of addresses) {
        expect([address, await open(page, `${address}?from=outside#part`)]).toEqual([address, 200]);
        const title = await headingOf(page);
        expect(title).toBeTruthy();
        expect(title).not.toMatch(/Page Not Found/);
        expect((await page.reload())?.status()).toBe(200);
        await titled(page, title ?? "");
        expect(page.url()).toBe(`${site.origin}${address}?from=outside#part`);
      }
    });
  });
});

describe("a visit of these tests", () => {
  test("reports errors of a page: a stopped script, an exception, a missing file", async () => {
    const heard = await site
      .visit({}, async ({ page }) => {
        await open(page, "/contact");
        await page.evaluate(async () => {
          document.body.append(Object.assign(document.createElement("script"), { textContent: "document.title = 'taken over'" }));
          setTimeout(() => {
            throw new Error("thrown by a page");
          });
          await fetch("/assets/missing.js");
        });
        expect(await page.title()).toMatch(/^Contact us/);
      })
      .catch(({ actual }: { actual: string[] }) => actual);
    expect(heard).toEqual([
      expect.stringMatching(/^40\d GET \/assets\/missing\.js$/),
      expect.stringMatching(/^error: .*inline script violates .*Content Security Policy/),
      "exception: Error: thrown by a page",
    ]);
  });
});
