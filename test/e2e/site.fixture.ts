import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import type { PlatformOptions } from "../../packages/local-cloud/platform.ts";
import { startTestPlatform, type TestPlatform } from "../platform/platform.fixture.ts";
import { startBrowser } from "./browser.fixture.ts";

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

/** The whole platform with its demo data, and a browser to visit it. */
export async function openSite(options: Partial<PlatformOptions> = {}): Promise<Site> {
  const browser = await startBrowser();
  const test = await startTestPlatform(options).catch(async (error: unknown) => {
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
    async visit({ as, refused = [], ...look }, body) {
      const token = as && (await tokenFor(as));
      const context = await openContext(browser, test.origin, { ...look, token });
      try {
        const complaints = hear(context);
        await body({ context, page: await context.newPage() });
        expect([...complaints].toSorted()).toEqual(refused.toSorted());
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
