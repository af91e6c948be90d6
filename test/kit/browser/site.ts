import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { startBrowser } from "./start.ts";
import { chosenPassword, ownPassword } from "../api.ts";
import { ownPlatform, sharedPlatform, type TestPlatform } from "../platform.ts";

export type Login = { email: string; password: string };
export type Scheme = "light" | "dark";

export const desktop = { width: 1440, height: 900 };
export const tablet = { width: 768, height: 1024 };
export const phone = { width: 360, height: 780 };

export type VisitOptions = {
  as?: Login;
  scheme?: Scheme;
  viewport?: { width: number; height: number };
  /** Requests that fail on purpose, as "401 POST /api/auth/login". */
  refused?: string[];
  /** Expected console message. */
  complains?: RegExp;
};

export type Visit = { page: Page; context: BrowserContext };

export type Site = TestPlatform & {
  tokenFor(login: Login): Promise<string>;
  /** A new browser context. Fails on any console error or warning, exception, CSP violation or failed request of its pages. */
  visit(options: VisitOptions, body: (visit: Visit) => Promise<void>): Promise<void>;
};

type SiteOptions = Parameters<typeof ownPlatform>[0] & Parameters<typeof sharedPlatform>[0];

/** A platform with two clinics, their calls and voice platforms, and a browser; a separate platform where an option changes it. */
export async function openSite({ fault, ...options }: SiteOptions = {}): Promise<Site> {
  const browser = await startBrowser();
  const populated = { voices: true, calls: true, fault };
  const opening = Object.keys(options).length > 0 ? ownPlatform({ ...populated, ...options }) : sharedPlatform(populated);
  const test = await opening.catch(async (error: unknown) => {
    await browser.close();
    throw error;
  });
  const views = viewsOf(test, browser);
  return {
    ...test,
    ...views,
    async close() {
      await views.close();
      await test.close();
    },
  };
}

type Views = Pick<Site, "tokenFor" | "visit" | "close">;

/** A browser on a platform that runs already. Closing leaves the platform open. */
export const openViews = async (platform: Pick<TestPlatform, "origin" | "tokenOf">): Promise<Views> =>
  viewsOf(platform, await startBrowser());

function viewsOf(test: Pick<TestPlatform, "origin" | "tokenOf">, browser: Browser): Views {
  const tokens = new Map<string, Promise<string>>();
  const tokenFor = ({ email, password }: Login): Promise<string> => {
    const known = tokens.get(email) ?? test.tokenOf(email, password);
    tokens.set(email, known);
    return known;
  };
  return {
    tokenFor,
    async visit({ as, refused = [], complains, ...look }, body) {
      const token = as && (await tokenFor(as));
      const context = await openContext(browser, test.origin, { ...look, token });
      try {
        const complaints = watchPages(context);
        await body({ context, page: await context.newPage() });
        const unexpected = [...complaints].filter((complaint) => !complains?.test(complaint));
        expect(unexpected.toSorted()).toEqual(refused.toSorted());
        if (complains) expect([...complaints]).toContainEqual(expect.stringMatching(complains));
      } finally {
        await context.close();
      }
    },
    close: () => browser.close(),
  };
}

type Look = Pick<VisitOptions, "scheme" | "viewport"> & { token: string | undefined };

const openContext = (browser: Browser, origin: string, { scheme = "light", viewport = desktop, token }: Look): Promise<BrowserContext> =>
  browser.newContext({
    baseURL: origin,
    colorScheme: scheme,
    viewport,
    reducedMotion: "reduce",
    ...(token && { storageState: { cookies: [], origins: [{ origin, localStorage: [{ name: "auth_token", value: token }] }] } }),
  });

function watchPages(context: BrowserContext): Set<string> {
  const complaints = new Set<string>();
  context.on("console", (message) => {
    const isOfResponse = message.text().startsWith("Failed to load resource");
    if (["error", "warning"].includes(message.type()) && !isOfResponse)
      complaints.add(`${message.type()}: ${message.text().slice(0, 300)}`);
  });
  context.on("weberror", (error) => complaints.add(`exception: ${String(error.error())}`));
  context.on("response", (response) => {
    if (response.status() >= 400) complaints.add(`${response.status()} ${response.request().method()} ${new URL(response.url()).pathname}`);
  });
  context.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    if (reason !== "net::ERR_ABORTED") complaints.add(`${reason} ${request.method()} ${new URL(request.url()).pathname}`);
  });
  return complaints;
}

const pages = JSON.parse(readFileSync(path.resolve(import.meta.dirname, "../../../web/src/app/paths.json"), "utf8")) as {
  path: string;
  file: string;
}[];
export const sitePaths: string[] = pages.map((page) => page.path);

const areaPaths = (home: string): string[] =>
  pages.filter(({ file, path }) => ["/app.html", `${home}/index.html`].includes(file) && path.startsWith(home)).map((page) => page.path);
export const tenantPaths = areaPaths("/tenant");
export const adminPaths = areaPaths("/admin");
export const accountPath = "/account";
export const publicPaths = sitePaths.filter((one) => ![...tenantPaths, ...adminPaths, accountPath].includes(one));

/** Upper limit for slow machines; waits end as soon as the condition holds. */
export const longTimeout = { timeout: 45_000 };

export const headingOf = (page: Page): Promise<string | null> => page.evaluate(() => document.querySelector("h1")?.textContent ?? null);

export async function titled(page: Page, title: string): Promise<void> {
  await expect.poll(() => headingOf(page), longTimeout).toBe(title);
}

/** A prerendered page is usable after React has hydrated its heading. */
const isWaiting = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const heading = document.querySelector("h1");
    const isAsleep = document.getElementById("root") !== null && !Object.keys(heading ?? {}).some((name) => name.startsWith("__react"));
    const says = [...document.querySelectorAll("output, [role=status]")].some(({ textContent }) => /^(Loading|Checking)/.test(textContent));
    return heading === null || isAsleep || says || document.querySelector("[aria-busy=true]") !== null;
  });

export async function settled(page: Page): Promise<void> {
  await expect.poll(() => isWaiting(page), longTimeout).toBe(false);
}

export async function open(page: Page, address: string): Promise<number | undefined> {
  const response = await page.goto(address);
  await settled(page);
  return response?.status();
}

export async function fillLogin(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

export async function reads(part: Locator, text: string | RegExp): Promise<void> {
  await expect.poll(() => part.innerText().catch(() => ""), longTimeout).toMatch(text);
}

export async function addTenant(site: Site, name: string): Promise<Login> {
  const token = await site.tokenFor(site.demo.systemAdmin);
  const email = `${randomUUID()}@${name.toLowerCase().replaceAll(" ", "-")}.example`;
  const tenant = await site.api<{ id: string }>("POST", "/api/admin/tenants", { token, body: { name, contactEmail: email } });
  const login = { email, password: "a long enough password" };
  const body = { ...login, firstName: "Nora", lastName: "New", role: "tenant_admin", tenantId: tenant.json.id };
  expect((await site.api("POST", "/api/admin/users", { token, body })).status).toBe(201);
  await chosenPassword(site.api, login);
  return { email, password: ownPassword(login.password) };
}

/** Every invitation link is of an open invitation. */
export const acceptsInvitations = (page: Page): Promise<unknown> =>
  page.route("**/api/auth/invitation", (route) =>
    route.fulfill({ json: { email: "nora@clinic.example", firstName: "Nora", lastName: "New", organization: "Clinic" } }),
  );

type Focused = { name: string; problems: string[] };

/** The focused element, and whether the focus is visible: inside the window, not covered, and marked. */
const focused = (page: Page): Promise<Focused> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return { name: "", problems: [] };
    const labelled = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : undefined;
    const name = (element.getAttribute("aria-label") ?? labelled ?? element.textContent ?? "").trim();
    const box = element.getBoundingClientRect();
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const isMarked = outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0;
    // An element higher than the window, e.g. a tab's panel, need only be partly inside
    const isInside =
      box.left >= 0 &&
      box.right <= innerWidth &&
      (box.height > innerHeight ? box.top < innerHeight && box.bottom > 0 : box.top >= 0 && box.bottom <= innerHeight);
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

/** The focus ring may need a frame to appear. */
export async function showsFocus(page: Page): Promise<void> {
  await expect.poll(async () => (await focused(page)).problems, longTimeout).toEqual([]);
}

/** Presses Tab until the named element has the focus. Every stop must show its focus. */
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

export async function hasFocus(element: Locator): Promise<void> {
  await expect.poll(() => element.evaluate((one) => one === document.activeElement), longTimeout).toBe(true);
}
