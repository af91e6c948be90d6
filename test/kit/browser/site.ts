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
  /** Who is signed in already; a stranger unless told. */
  as?: Login;
  scheme?: Scheme;
  viewport?: { width: number; height: number };
  /** Requests that this visit makes fail on purpose, as "401 POST /api/auth/login". */
  refused?: string[];
  /** What the console must say on this visit. */
  complains?: RegExp;
};

export type Visit = { page: Page; context: BrowserContext };

export type Site = TestPlatform & {
  /** A session's token for someone, signed in once and through the API. */
  tokenFor(login: Login): Promise<string>;
  /**
   * A visitor with a browser profile of their own. Fails when anything went wrong on any of their pages: an error or a
   * warning in the console, an exception, something that the content security policy stopped, a request that failed.
   */
  visit(options: VisitOptions, body: (visit: Visit) => Promise<void>): Promise<void>;
};

type SiteOptions = Parameters<typeof ownPlatform>[0] & Parameters<typeof sharedPlatform>[0];

/** A running platform with two clinics, their calls and voice platforms, and a browser to visit it; of its own where an option changes the platform itself. */
export async function openSite({ fault, ...options }: SiteOptions = {}): Promise<Site> {
  const browser = await startBrowser();
  const populated = { voices: true, calls: true, fault };
  const opening = Object.keys(options).length > 0 ? ownPlatform({ ...populated, ...options }) : sharedPlatform(populated);
  const test = await opening.catch(async (error: unknown) => {
    await browser.close();
    throw error;
  });
  const tokens = new Map<string, Promise<string>>();
  const tokenFor = ({ email, password }: Login): Promise<string> => {
    const known = tokens.get(email) ?? test.tokenOf(email, password);
    tokens.set(email, known);
    return known;
  };
  return {
    ...test,
    tokenFor,
    async visit({ as, refused = [], complains, ...look }, body) {
      const token = as && (await tokenFor(as));
      const context = await openContext(browser, test.origin, { ...look, token });
      try {
        const complaints = hear(context);
        await body({ context, page: await context.newPage() });
        const unexpected = [...complaints].filter((complaint) => !complains?.test(complaint));
        expect(unexpected.toSorted()).toEqual(refused.toSorted());
        if (complains) expect([...complaints]).toContainEqual(expect.stringMatching(complains));
      } finally {
        await context.close();
      }
    },
    async close() {
      await browser.close();
      await test.close();
    },
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

/** Everything that goes wrong on the context's pages, as it happens; each thing once. */
function hear(context: BrowserContext): Set<string> {
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
    // What a page that was left no longer wants is no failure.
    if (reason !== "net::ERR_ABORTED") complaints.add(`${reason} ${request.method()} ${new URL(request.url()).pathname}`);
  });
  return complaints;
}

/** Every address of the site, as the edge knows it. */
export const sitePaths: string[] = (
  JSON.parse(readFileSync(path.resolve(import.meta.dirname, "../../../web/src/app/paths.json"), "utf8")) as { path: string }[]
).map((entry) => entry.path);

const areaPaths = (home: string): string[] => sitePaths.filter((one) => one === home || one === `${home}-dashboard`);
export const tenantPaths = areaPaths("/tenant");
export const adminPaths = areaPaths("/admin");
/** Everybody's who is signed in. */
export const accountPath = "/account";
export const publicPaths = sitePaths.filter((one) => ![...tenantPaths, ...adminPaths, accountPath].includes(one));

/** How long something may take on a busy machine; what is there sooner is seen sooner. */
export const patience = { timeout: 15_000 };

/** The page's title as it reads now; null while there is none. */
export const headingOf = (page: Page): Promise<string | null> => page.evaluate(() => document.querySelector("h1")?.textContent ?? null);

/** Waits until the page has its title. */
export async function titled(page: Page, title: string): Promise<void> {
  await expect.poll(() => headingOf(page), patience).toBe(title);
}

/** A prerendered page is awake once React has taken over its heading: before that, no button does anything. */
const isWaiting = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const heading = document.querySelector("h1");
    const isAsleep = document.getElementById("root") !== null && !Object.keys(heading ?? {}).some((name) => name.startsWith("__react"));
    const says = [...document.querySelectorAll("output, [role=status]")].some(({ textContent }) => /^(Loading|Checking)/.test(textContent));
    return heading === null || isAsleep || says || document.querySelector("[aria-busy=true]") !== null;
  });

/** Waits until nothing on the page is on its way any more. */
export async function settled(page: Page): Promise<void> {
  await expect.poll(() => isWaiting(page), patience).toBe(false);
}

/** Opens an address and waits for all of it. Gives the document's status. */
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

/** Waits until a part of the page reads so. */
export async function reads(part: Locator, text: string | RegExp): Promise<void> {
  await expect.poll(() => part.innerText().catch(() => ""), patience).toMatch(text);
}

/** A tenant that has made no calls, with an administrator: added through the API, as a system administrator does it. */
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

type Focused = { name: string; problems: string[] };

/** What has the focus, and whether a person sees that it has: inside the window, covered by nothing, and marked. */
const focused = (page: Page): Promise<Focused> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return { name: "", problems: [] };
    const labelled = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : undefined;
    const name = (element.getAttribute("aria-label") ?? labelled ?? element.textContent ?? "").trim();
    const box = element.getBoundingClientRect();
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const isMarked = outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0;
    // What is higher than the window, as a tab's panel may be, can only be in it in part
    const isInside =
      box.left >= 0 &&
      box.right <= innerWidth &&
      (box.height > innerHeight ? box.top < innerHeight && box.bottom > 0 : box.top >= 0 && box.bottom <= innerHeight);
    // In the middle of what is in the window of it
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

/** A ring may take a frame to appear. */
export async function showsFocus(page: Page): Promise<void> {
  await expect.poll(async () => (await focused(page)).problems, patience).toEqual([]);
}

/** Presses Tab until the focus is where it should be. Every stop on the way must show that it has the focus. */
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

/** Waits until an element has the focus: it may come with the next frame. */
export async function hasFocus(element: Locator): Promise<void> {
  await expect.poll(() => element.evaluate((one) => one === document.activeElement), patience).toBe(true);
}
