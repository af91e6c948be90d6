import { contract, routeKey, type Route } from "@vitaline/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sharedPlatform, type TestPlatform } from "../kit/platform.ts";
import { proves } from "../requirements/proves.ts";
import { accountPath, adminPaths, publicPaths, sitePaths, tenantPaths, type Login } from "../kit/browser/site.ts";

let site: TestPlatform;
beforeAll(async () => {
  site = await sharedPlatform();
});
afterAll(() => site?.close());

const unknown = ["/nowhere", "/tenant/nowhere", "/admin/users/42", "/login.php", "/TENANT", "/assets"];
const get = (address: string): Promise<Response> => fetch(`${site.origin}${address}`);
const textIn = (html: string): string =>
  html
    .replaceAll(/<(script|style|head)[^]*?<\/\1>/g, "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

describe("an address", () => {
  test.each(publicPaths.filter((address) => address !== "/404.html"))("%s answers 200 with its own page for any query", async (address) => {
    const response = await get(`${address}?from=outside`);
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(html).toMatch(/<h1[ >]|Checking your session\.\.\./);
    expect(textIn(html)).not.toMatch(/Page Not Found/);
  });

  test.each([...tenantPaths, ...adminPaths, accountPath])(
    "%s answers 200 with the dashboards' code and no figure of a dashboard",
    async (address) => {
      const response = await get(`${address}?from=outside`);
      const html = await response.text();
      expect(response.status).toBe(200);
      expect(textIn(html)).toMatch(
        /^Vitaline ((Tenant|Admin) Dashboard )?Checking your session\.\.\. (Total ([^\d]|last 30 days)+ )?Vitaline's sign-in .+ need JavaScript\.$/,
      );
      expect(html).toMatch(/<script type="module"[^>]* src="\/assets\/[^"]+"/);
    },
  );

  test.each(unknown)("%s that does not exist answers 404 with a page that leads home", async (address) => {
    const response = await get(address);
    const html = await response.text();
    expect(response.status).toBe(404);
    expect(textIn(html)).toMatch(/Page Not Found There is no page at this address\./);
    expect(html).toMatch(/<a [^>]*href="\/"/);
  });
  for (const id of ["D1.2-012", "D1.2-013", "D1.2-014"])
    proves(id, async ({ sees }) => {
      const response = await get("/no/such/page");
      const text = textIn(await response.text());
      expect(response.status).toBe(404);
      expect(text).toMatch(/Page Not Found/);
      sees(text);
    });

  test("of the API that does not exist answers 404 with a problem, not with a page", async () => {
    const { status, headers, json } = await site.api("GET", "/api/nowhere");
    expect(status).toBe(404);
    expect(headers.get("content-type")).toMatch(/^application\/json/);
    expect(json).toMatchObject({ code: "not_found", requestId: expect.stringMatching(/./) });
  });
});

const pageHeaders: Record<string, RegExp> = {
  "strict-transport-security": /^max-age=63072000; includeSubDomains$/,
  "x-content-type-options": /^nosniff$/,
  "content-security-policy": /frame-ancestors 'none'/,
  "referrer-policy": /^(strict-origin-when-cross-origin|no-referrer)$/,
};
const expectHeaders = (headers: Headers, expected: Record<string, RegExp>): void => {
  for (const [name, value] of Object.entries(expected)) expect(headers.get(name), name).toMatch(value);
};

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

  test("an unknown page has the same policy and is not cached", async () => {
    const { headers } = await get("/nowhere");
    expectHeaders(headers, { ...pageHeaders, "cache-control": /^no-store$/ });
    expect(policyIn(headers)).toMatchObject({ "default-src": ["'none'"] });
    expect(headers.get("content-security-policy")).not.toContain("unsafe");
  });

  test("files named by their content are cached for long, and every page's files exist", async () => {
    const pages = await Promise.all(publicPaths.map(async (address) => (await get(address)).text()));
    const assets = [...new Set(pages.flatMap((html) => html.match(/\/assets\/[\w.-]+/g) ?? []))];
    expect(assets.length).toBeGreaterThan(2);
    for (const asset of assets) {
      const { status, headers } = await get(asset);
      expect([asset, status]).toEqual([asset, 200]);
      expectHeaders(headers, { "cache-control": /^public, max-age=31536000, immutable$/, "x-content-type-options": /^nosniff$/ });
    }
  });

  test("a missing file is not a page and is not cached for long", async () => {
    const { status, headers } = await get("/assets/index-00000000.js");
    expect(status).toBe(404);
    expect(headers.get("cache-control") ?? "").not.toContain("immutable");
  });

  test("an answer with a secret or a patient's words is not stored in any cache", async () => {
    const [one] = site.demo.tenants;
    const tokenOf = ({ email, password }: Login): Promise<string> => site.tokenOf(email, password);
    const tokens = { tenant_admin: await tokenOf(one!.admin), system_admin: await tokenOf(site.demo.systemAdmin) };
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
