import { AxeBuilder } from "@axe-core/playwright";
import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adminPaths, fillLogin, open, patience, reads, settled, sitePaths, tenantPaths, titled } from "./look.fixture.ts";
import { addTenant } from "./people.fixture.ts";
import { desktop, openSite, phone, type Login, type Scheme, type Site } from "./site.fixture.ts";

/** Where pictures of every page go, for people to look at; none are taken without it. */
const pictures = process.env["SCREENSHOTS"];

let site: Site;
let emptyTenant: Login;
beforeAll(async () => {
  site = await openSite();
  emptyTenant = await addTenant(site, "New Clinic");
  if (pictures) mkdirSync(pictures, { recursive: true });
});
afterAll(() => site?.close());

const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** What axe finds, as "rule: element". Legacy mode: there are no frames to look into, and it needs no page of its own. */
async function violationsOn(page: Page, examine: (axe: AxeBuilder) => AxeBuilder): Promise<string[]> {
  const { violations } = await examine(new AxeBuilder({ page }).setLegacyMode()).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}

const widthOutside = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Changes colours as a person does; a page without the button follows the system. */
async function paint(page: Page, scheme: Scheme): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  const button = page.getByRole("button", { name: `Switch to ${scheme} mode` });
  if ((await button.count()) > 0) await button.click();
  const colours = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  await expect.poll(colours, patience).toMatch(new RegExp(`^(${scheme}|normal)$`));
}

const widths = { desktop, phone };
/** Every rule in light colours; what dark ones can add is a lack of contrast. */
const faces = [
  { scheme: "light", device: "desktop" },
  { scheme: "light", device: "phone" },
  { scheme: "dark", device: "phone" },
  { scheme: "dark", device: "desktop" },
] as const;

/** Everything wrong with what stands on the page now; `name` names its pictures. */
async function flawsOf(page: Page, name: string): Promise<string[]> {
  const flaws: string[] = [];
  for (const { scheme, device } of faces) {
    await page.setViewportSize(widths[device]);
    await paint(page, scheme);
    const outside = await widthOutside(page);
    const violations = await violationsOn(page, (axe) => (scheme === "light" ? axe.withTags(rules) : axe.withRules("color-contrast")));
    flaws.push(...violations.map((violation) => `${scheme} ${device}: ${violation}`));
    if (outside > 0) flaws.push(`${scheme} ${device}: scrolls sideways by ${outside} px`);
    if (pictures) await page.screenshot({ path: path.join(pictures, `${name}-${scheme}-${device}.png`), fullPage: true, caret: "initial" });
  }
  return flaws;
}

type Look = { name: string; as?: () => Login; refused?: string[]; arrange: (page: Page) => Promise<unknown> };

const loginOf = (address: string): Look["as"] => {
  if (tenantPaths.includes(address)) return () => site.demo.tenants[0]!.admin;
  return adminPaths.includes(address) ? () => site.demo.systemAdmin : undefined;
};

const routes: Look[] = sitePaths.map((address) => ({ name: address, as: loginOf(address), arrange: (page) => open(page, address) }));

/** What pages show besides their everyday face. */
const states: Look[] = [
  {
    name: "an unknown address",
    refused: ["404 GET /nowhere"],
    arrange: (page) => open(page, "/nowhere"),
  },
  {
    name: "a dashboard without calls",
    as: () => emptyTenant,
    arrange: (page) => open(page, "/tenant"),
  },
  {
    name: "a dashboard whose numbers do not load",
    as: () => site.demo.tenants[0]!.admin,
    refused: [
      "503 GET /api/tenant/dashboard/metrics",
      "503 GET /api/tenant/dashboard/recent-calls",
      "503 GET /api/tenant/dashboard/tool-usage",
    ],
    arrange: async (page) => {
      await page.route("**/api/tenant/dashboard/**", (route) =>
        route.fulfill({
          status: 503,
          json: { error: "The database could not be reached.", code: "unavailable", requestId: "0123456789abcdef" },
        }),
      );
      await open(page, "/tenant");
      await reads(page.getByRole("main"), /Failed to load call metrics/);
    },
  },
  {
    name: "a dashboard while its numbers load",
    as: () => site.demo.tenants[0]!.admin,
    arrange: async (page) => {
      await page.route("**/api/tenant/dashboard/**", () => undefined);
      await page.goto("/tenant");
      await titled(page, "Tenant Dashboard");
    },
  },
  {
    name: "a refused sign-in",
    refused: ["401 POST /api/auth/login"],
    arrange: async (page) => {
      await open(page, "/login");
      await fillLogin(page, { email: "nobody@nowhere.example", password: "not a password" });
      await reads(page.getByRole("alert"), /\w/);
    },
  },
  {
    name: "a sign-in that lacks something",
    arrange: async (page) => {
      await open(page, "/login");
      await page.getByRole("button", { name: "Sign in" }).click();
      await reads(page.getByRole("main"), /Email is required/);
    },
  },
  {
    name: "the wrong login page",
    as: () => site.demo.tenants[0]!.admin,
    arrange: (page) => open(page, "/admin-login"),
  },
  {
    name: "a session that ended",
    refused: ["401 GET /api/auth/me"],
    arrange: async (page) => {
      await open(page, "/");
      await page.evaluate(() => localStorage.setItem("auth_token", "no.real.token"));
      await open(page, "/tenant");
      await reads(page.getByRole("alert"), /sign in again/);
    },
  },
  {
    name: "a refresh that failed",
    as: () => site.demo.systemAdmin,
    refused: ["503 GET /api/dashboard/metrics"],
    arrange: async (page) => {
      await open(page, "/admin");
      await page.route("**/api/dashboard/metrics", (route) => route.fulfill({ status: 503, json: {} }));
      await page.getByRole("button", { name: "Refresh" }).click();
      await reads(page.getByRole("region", { name: /notifications/i }), /Error/);
    },
  },
];

const inWords = (name: string): string => name.replaceAll(/\W+/g, "-").replaceAll(/^-|-$/g, "") || "landing";

/** Flaws of what is open and then of every other tab. */
async function flawsOnEveryTab(page: Page, name: string): Promise<string[]> {
  const flaws = await flawsOf(page, name);
  for (const label of await page.getByRole("tab", { selected: false }).allInnerTexts()) {
    await page.getByRole("tab", { name: label }).click();
    await settled(page);
    flaws.push(...(await flawsOf(page, `${name}-${inWords(label)}`)).map((flaw) => `${label}: ${flaw}`));
  }
  return flaws;
}

describe("on a desktop and at 375 px, in light and in dark colours", () => {
  test.each([...routes, ...states])(
    "$name has nothing that axe finds and never scrolls sideways",
    async ({ name, as, refused, arrange }) => {
      await site.visit({ refused, as: as?.() }, async ({ page }) => {
        await arrange(page);
        expect(await flawsOnEveryTab(page, inWords(name))).toEqual([]);
      });
    },
  );

  test("a planted lack of contrast, a field without a name and a wide line are seen", async () => {
    await site.visit({}, async ({ page }) => {
      await open(page, "/contact");
      await page.evaluate(() => {
        const planted = document.createElement("div");
        planted.append(document.createElement("input"), Object.assign(document.createElement("p"), { id: "pale", textContent: "pale" }));
        Object.assign(planted.style, { color: "rgb(128, 128, 128)", background: "rgb(120, 120, 120)", width: "1000px" });
        document.querySelector("main")?.append(planted);
      });
      const flaws = await flawsOf(page, "planted");
      for (const face of ["light desktop", "light phone", "dark phone", "dark desktop"])
        expect(flaws).toContain(`${face}: color-contrast: #pale`);
      expect(flaws).toContain("light desktop: label: input");
      expect(flaws.filter((flaw) => flaw.includes("sideways")).length).toBe(2);
    });
  });
});
