import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { shownAt } from "../../kit/authenticator.ts";
import { chosenPassword, ownPassword } from "../../kit/api.ts";
import { flawsOf } from "../../kit/browser/axe.ts";
import { fillLogin, open, longTimeout, reads, titled, openSite, type Login, type Site } from "../../kit/browser/site.ts";

let site: Site;
let root: string;
let tenantIds: [string, string];
beforeAll(async () => {
  site = await openSite();
  root = await site.tokenFor(site.demo.systemAdmin);
  tenantIds = site.demo.tenants.map(({ id }) => id) as [string, string];
});
afterAll(() => site?.close());

const firstPassword = "correct horse battery staple";
const chosen = "a sentence to remember";
type Way = { password: string } | { invite: true };

async function create(way: Way, tenantId = tenantIds[0]): Promise<string> {
  const email = `user-${randomUUID()}@accounts.example`;
  const body = { email, firstName: "Ada", lastName: "Byron", role: "tenant_admin", tenantId, ...way };
  expect((await site.api("POST", "/api/admin/users", { token: root, body })).status).toBe(201);
  return email;
}

async function settle(tenantId?: string): Promise<Login & { token: string }> {
  const email = await create({ password: firstPassword }, tenantId);
  const token = await chosenPassword(site.api, { email, password: firstPassword });
  return { email, password: ownPassword(firstPassword), token };
}

async function mailedLink(email: string): Promise<string> {
  const url = new URL(site.demo.outbox);
  url.searchParams.set("format", "json");
  const mails = (await (await fetch(url)).json()) as { to: string[]; text: string }[];
  const text = mails.find(({ to }) => to.includes(email))?.text ?? "";
  const [, origin, address = ""] = /(https?:\/\/[^/\s]+)(\/\S+)/.exec(text) ?? [];
  expect(origin).toBe(site.origin);
  return address;
}

const placeOf = (page: Page): string => page.url().slice(site.origin.length);
const focusedTag = (page: Page): Promise<string | undefined> => page.evaluate(() => document.activeElement?.tagName);
const focusedName = (page: Page): Promise<string | null | undefined> => page.evaluate(() => document.activeElement?.getAttribute("name"));
const press = (page: Page, name: string): Promise<void> => page.getByRole("button", { name, exact: true }).click();

async function signIn(page: Page, login: Login, address = "/login"): Promise<void> {
  await open(page, address);
  await fillLogin(page, login);
}

async function fillNewPassword(page: Page, password: string, repeated = password): Promise<void> {
  await page.getByLabel("New password", { exact: true }).fill(password);
  await page.getByLabel("Confirm new password").fill(repeated);
  await press(page, "Save password");
}

async function isHome(page: Page): Promise<void> {
  await titled(page, "Tenant Dashboard");
  expect(placeOf(page)).toBe("/tenant");
}

describe("a first password that an administrator chose", () => {
  test("requires another one, with an error at the wrong field, and then opens the home page", async () => {
    const email = await create({ password: firstPassword });
    await site.visit({ refused: ["400 POST /api/auth/change-password"] }, async ({ page }) => {
      await signIn(page, { email, password: firstPassword });
      await titled(page, "Choose a new password");
      expect(await focusedTag(page)).toBe("H1");
      expect(await page.title()).toBe("Choose a new password · Vitaline");
      expect(await page.getByLabel("Current password").count()).toBe(0);
      await fillNewPassword(page, "too short");
      await reads(page.getByRole("main"), /Must be at least 12 characters/);
      await fillNewPassword(page, chosen, `${chosen}!`);
      await reads(page.getByRole("main"), /Must be the same as the new password/);
      await fillNewPassword(page, "passwordpassword");
      await reads(page.getByRole("main"), /Is too easy to guess/);
      expect(await focusedName(page)).toBe("newPassword");
      expect(await flawsOf(page, "own password refused")).toEqual([]);
      await fillNewPassword(page, chosen);
      await isHome(page);
    });
  });

  test("is required again after a reload, and a wrong one is reported at its field", async () => {
    const email = await create({ password: firstPassword });
    const refused = ["403 GET /api/auth/me", "400 POST /api/auth/change-password"];
    await site.visit({ refused }, async ({ page }) => {
      await signIn(page, { email, password: firstPassword }, "/admin-login");
      await titled(page, "Choose a new password");
      await open(page, "/tenant-dashboard?tab=overview");
      await titled(page, "Choose a new password");
      expect(await flawsOf(page, "own password")).toEqual([]);
      await page.getByLabel("Current password").fill("not the password");
      await fillNewPassword(page, chosen);
      await reads(page.getByRole("main"), /The current password is not correct/);
      await page.getByLabel("Current password").fill(firstPassword);
      await press(page, "Save password");
      await titled(page, "Tenant Dashboard");
      expect(placeOf(page)).toBe("/tenant-dashboard?tab=overview");
    });
  });
});

describe("a forgotten password", () => {
  test("is replaced by the mailed link, which works once", async () => {
    const { email } = await settle();
    await site.visit({ refused: ["422 POST /api/auth/reset-password"] }, async ({ page }) => {
      await open(page, "/login");
      await page.getByRole("link", { name: "Forgot password?" }).click();
      await titled(page, "Forgot your password?");
      expect(await focusedTag(page)).toBe("H1");
      await press(page, "Send link");
      await reads(page.getByRole("main"), /Must be a valid email address/);
      await page.getByLabel("Email").fill(email);
      await press(page, "Send link");
      await titled(page, "Check your email");
      expect(await focusedTag(page)).toBe("H1");
      await reads(page.getByRole("main"), `If an account belongs to ${email}`);
      expect(await flawsOf(page, "mail sent")).toEqual([]);

      const link = await mailedLink(email);
      expect(await open(page, link)).toBe(200);
      await titled(page, "Choose a new password");
      expect(await page.locator("meta[name=robots]").getAttribute("content")).toBe("noindex");
      await fillNewPassword(page, chosen);
      await titled(page, "Your password is changed");
      expect(await flawsOf(page, "password changed")).toEqual([]);
      await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
      await titled(page, "Tenant Login");
      await fillLogin(page, { email, password: chosen });
      await isHome(page);

      await open(page, link);
      await fillNewPassword(page, "another sentence to remember");
      await titled(page, "This link no longer works");
      expect(await flawsOf(page, "dead link")).toEqual([]);
      await page.getByRole("link", { name: "Send a new link" }).click();
      await titled(page, "Forgot your password?");
    });
  });
});

describe("an invitation", () => {
  test("is accepted with a password, which signs in", async () => {
    const email = await create({ invite: true });
    await site.visit({ refused: ["422 POST /api/auth/invitation"] }, async ({ page }) => {
      const link = await mailedLink(email);
      expect(link).toMatch(/^\/accept-invite\//);
      expect(await open(page, link)).toBe(200);
      await titled(page, "Welcome to Vitaline");
      await fillNewPassword(page, chosen);
      await isHome(page);

      await open(page, link);
      await titled(page, "This invitation no longer works");
      expect(await flawsOf(page, "dead invitation")).toEqual([]);
    });
  });
});

/** Tells whether the page has had no open request for half a second. Playwright's "networkidle" is only about the first load. */
function watchRequests(page: Page): () => boolean {
  let waiting = 0;
  let changedAt = performance.now();
  const count = (change: number) => () => {
    waiting += change;
    changedAt = performance.now();
  };
  page.on("request", count(1)).on("requestfinished", count(-1)).on("requestfailed", count(-1));
  return () => waiting === 0 && performance.now() - changedAt > 500;
}

describe("a second factor", () => {
  /** The next code is valid already and was not used before. */
  const codeOf = (secret: string): string => shownAt(secret, Date.now() + 30_000);

  test("is required at sign-in: a wrong code is reported, the right one opens the home page", async () => {
    const { token, ...login } = await settle();
    const { json: enrolment } = await site.api<{ secret: string }>("POST", "/api/auth/totp/enroll", { token });
    const body = { code: shownAt(enrolment.secret, Date.now()) };
    expect((await site.api("POST", "/api/auth/totp/confirm", { token, body })).status).toBe(200);
    await site.visit({ refused: ["401 POST /api/auth/login"] }, async ({ page }) => {
      await signIn(page, login);
      await titled(page, "Two-factor sign-in");
      expect(await focusedName(page)).toBe("code");
      await press(page, "Sign in");
      await reads(page.getByRole("main"), /Is required/);
      await page.getByLabel("Authenticator code").fill("000000");
      await press(page, "Sign in");
      await reads(page.getByRole("main"), /This code is not correct\./);
      expect(await focusedName(page)).toBe("code");
      expect(await flawsOf(page, "wrong code")).toEqual([]);
      await press(page, "Back");
      await titled(page, "Tenant Login");
      await fillLogin(page, login);
      await titled(page, "Two-factor sign-in");
      await page.getByLabel("Authenticator code").fill(codeOf(enrolment.secret));
      await press(page, "Sign in");
      await isHome(page);
    });
  });

  test("that an organization requires is set up in the middle of a session, and a recovery code stands for it", async () => {
    const login = await settle(tenantIds[1]);
    const path = `/api/admin/tenants/${tenantIds[1]}`;
    const { name, contactEmail, organizationType, isActive } = (await site.api("GET", path, { token: root })).json;
    const requireTotp = async (isRequired: boolean): Promise<void> => {
      const body = { name, contactEmail, organizationType, isActive, policies: { requireTotp: isRequired } };
      expect((await site.api("PUT", path, { token: root, body })).status).toBe(200);
    };
    const refused = ["403 GET /api/tenant/dashboard/metrics", "400 POST /api/auth/totp/confirm", "401 POST /api/auth/login"];
    await site
      .visit({ refused }, async ({ page, context }) => {
        await context.grantPermissions(["clipboard-read", "clipboard-write"]);
        const isQuiet = watchRequests(page);
        await signIn(page, login);
        await isHome(page);
        await expect.poll(isQuiet, longTimeout).toBe(true);
        // The first answer leads on; which other requests still arrive is random
        const others = /\/api\/tenant\/(?!dashboard\/metrics)/;
        await page.route(others, (route) => route.abort("aborted"));
        await requireTotp(true);
        await press(page, "Refresh");
        await titled(page, "Set up two-factor sign-in");
        await page.unroute(others);
        expect(await focusedTag(page)).toBe("H1");
        await expect.poll(() => page.getByRole("button", { name: "Copy setup key" }).count(), longTimeout).toBe(1);
        expect(await flawsOf(page, "enrolment")).toEqual([]);
        const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
        await page.getByRole("button", { name: "Copy setup link" }).click();
        await expect.poll(clipboard, longTimeout).toMatch(/^otpauth:\/\/totp\/.*secret=/);
        expect(await page.getByRole("link", { name: "open the setup link" }).getAttribute("href")).toBe(await clipboard());
        await page.getByRole("button", { name: "Copy setup key" }).click();
        await expect.poll(clipboard, longTimeout).toMatch(/^[A-Z2-7]{32}$/);
        const secret = await clipboard();

        await page.getByLabel("Authenticator code").fill("000000");
        await press(page, "Turn on two-factor sign-in");
        await reads(page.getByRole("main"), /Is not correct/);
        await page.getByLabel("Authenticator code").fill(codeOf(secret));
        await press(page, "Turn on two-factor sign-in");
        await titled(page, "Save your recovery codes");
        const codes = await page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem").allInnerTexts();
        expect(codes.length).toBe(10);
        expect(await flawsOf(page, "recovery codes")).toEqual([]);
        await page.getByRole("button", { name: "Copy recovery codes" }).click();
        await expect.poll(clipboard, longTimeout).toBe(codes.join("\n"));
        await press(page, "I have saved them");
        await isHome(page);
        await expect.poll(isQuiet, longTimeout).toBe(true);

        await press(page, "Logout");
        await titled(page, "Tenant Login");
        await fillLogin(page, login);
        await titled(page, "Two-factor sign-in");
        await press(page, "Use a recovery code");
        await page.getByLabel("Recovery code").fill(codes[0] ?? "");
        await press(page, "Sign in");
        await isHome(page);
      })
      .finally(() => requireTotp(false));
  });
});
