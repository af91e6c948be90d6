import { contract, routeKey, type Route } from "@vitaline/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accountPath, adminPaths, headingOf, open, publicPaths, sitePaths, tenantPaths, titled } from "./look.fixture.ts";
import { openSite, type Login, type Site } from "./site.fixture.ts";

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());

const unknown = ["/nowhere", "/tenant/nowhere", "/admin/users/42", "/login.php", "/TENANT", "/assets"];
const titleOfUnknown = /Page Not Found/;

describe("an address", () => {
  const visitors: [string, string[], () => Login | undefined][] = [
    ["a stranger", publicPaths.filter((address) => address !== "/404.html"), () => undefined],
    ["a tenant admin", [...tenantPaths, accountPath], () => site.demo.tenants[0]?.admin],
    ["a system admin", [...adminPaths, accountPath], () => site.demo.systemAdmin],
  ];
  test.each(visitors)("of %s answers 200 with its own page, typed in and loaded again", async (_who, addresses, login) => {
    await site.visit({ as: login() }, async ({ page }) => {
      for (const address of addresses) {
        expect([address, await open(page, `${address}?from=outside#part`)]).toEqual([address, 200]);
        const title = await headingOf(page);
        expect(title).toBeTruthy();
        expect(title).not.toMatch(titleOfUnknown);
        expect((await page.reload())?.status()).toBe(200);
        await titled(page, title ?? "");
        expect(page.url()).toBe(`${site.origin}${address}?from=outside#part`);
      }
    });
  });

  test("that does not exist answers 404 with a page that leads home", async () => {
    await site.visit({ refused: unknown.map((address) => `404 GET ${address}`) }, async ({ page }) => {
      for (const address of unknown) {
        expect(await open(page, address)).toBe(404);
        expect(await headingOf(page)).toMatch(titleOfUnknown);
        expect(await page.title()).toMatch(titleOfUnknown);
      }
      await page.getByRole("main").getByRole("link", { name: "Home" }).click();
      await titled(page, "Healthcare AI Voice Agent Platform");
    });
  });

  test("of the API that does not exist answers 404 with a problem, not with a page", async () => {
    const { status, headers, json } = await site.api("GET", "/api/nowhere");
    expect(status).toBe(404);
    expect(headers.get("content-type")).toMatch(/^application\/json/);
    expect(json).toMatchObject({ code: "not_found", requestId: expect.stringMatching(/./) });
  });
});

/** What every page says to the browser that shows it. */
const pageHeaders: Record<string, RegExp> = {
  "strict-transport-security": /^max-age=63072000; includeSubDomains$/,
  "x-content-type-options": /^nosniff$/,
  "content-security-policy": /frame-ancestors 'none'/,
  "referrer-policy": /^(strict-origin-when-cross-origin|no-referrer)$/,
};
const expectHeaders = (headers: Headers, expected: Record<string, RegExp>): void => {
  for (const [name, value] of Object.entries(expected)) expect(headers.get(name), name).toMatch(value);
};
const get = (address: string): Promise<Response> => fetch(`${site.origin}${address}`);

/** The policy's directives by name. */
const policyIn = (headers: Headers): Record<string, string[]> =>
  Object.fromEntries(
    (headers.get("content-security-policy") ?? "").split("; ").map((directive) => {
      const [name = "", ...sources] = directive.split(" ");
      return [name, sources];
    }),
  );

describe("what comes over the wire", () => {
  test.each(sitePaths)("the page %s runs only the site's own scripts and stands in no frame", async (address) => {
    const { headers } = await get(address);
    expectHeaders(headers, {
      ...pageHeaders,
      "x-frame-options": /^DENY$/,
      "cache-control": /^no-cache$/,
      "permissions-policy": /camera=\(\), geolocation=\(\), microphone=\(\)/,
      "cross-origin-opener-policy": /^same-origin$/,
    });
    const policy = policyIn(headers);
    expect(policy).toMatchObject({
      "default-src": ["'self'"],
      "connect-src": ["'self'"],
      "base-uri": ["'none'"],
      "object-src": ["'none'"],
      "form-action": ["'self'"],
    });
    for (const directive of ["script-src", "style-src"]) {
      for (const source of policy[directive] ?? [""]) expect(source).toMatch(/^'(self|sha256-[\w+/]+=*)'$/);
    }
  });

  test("a page that does not exist is as strict, and is not kept", async () => {
    const { headers } = await get("/nowhere");
    expectHeaders(headers, { ...pageHeaders, "cache-control": /^no-store$/ });
    expect(policyIn(headers)).toMatchObject({ "default-src": ["'none'"] });
    expect(headers.get("content-security-policy")).not.toContain("unsafe");
  });

  test("files named by their content are kept for good, and every page's are there", async () => {
    const pages = await Promise.all(publicPaths.map(async (address) => (await get(address)).text()));
    const assets = [...new Set(pages.flatMap((html) => html.match(/\/assets\/[\w.-]+/g) ?? []))];
    expect(assets.length).toBeGreaterThan(2);
    for (const asset of assets) {
      const { status, headers } = await get(asset);
      expect([asset, status]).toEqual([asset, 200]);
      expectHeaders(headers, { "cache-control": /^public, max-age=31536000, immutable$/, "x-content-type-options": /^nosniff$/ });
    }
  });

  test("a file that is not there is no page and is not kept for good", async () => {
    const { status, headers } = await get("/assets/index-00000000.js");
    expect(status).toBe(404);
    expect(headers.get("cache-control") ?? "").not.toContain("immutable");
  });

  test("an answer that holds a secret or what a patient said is stored nowhere", async () => {
    const [one] = site.demo.tenants;
    const tokens = { tenant_admin: await site.tokenFor(one!.admin), system_admin: await site.tokenFor(site.demo.systemAdmin) };
    const routes = Object.values(contract).flatMap((group) => Object.values(group) as Route[]);
    const secret = routes.filter((route) => route.noStore && route.method === "GET" && !route.path.includes("{"));
    expect(secret.map(routeKey)).toEqual(
      expect.arrayContaining(["GET /api/auth/me", "GET /api/tenant/info", "GET /api/tenant/dashboard/recent-calls"]),
    );
    const answers = [
      await site.api("POST", "/api/auth/login", { body: one!.admin }),
      await site.api("POST", "/api/vapi/server", { key: one!.apiKey, body: { message: { type: "hang" } } }),
      await site.api("GET", "/api/auth/me"),
      ...(await Promise.all(
        secret.map(({ path, auth }) =>
          site.api("GET", path, { token: auth === "system_admin" ? tokens.system_admin : tokens.tenant_admin }),
        ),
      )),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, ...secret.map(() => 200)]);
    for (const { headers } of answers) {
      expectHeaders(headers, {
        ...pageHeaders,
        "cache-control": /^no-store$/,
        "x-frame-options": /^DENY$/,
        "content-security-policy": /^default-src 'none'/,
      });
    }
  });
});

describe("a visit of these tests", () => {
  test("hears what goes wrong on a page: a stopped script, an exception, a missing file", async () => {
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
