import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCall } from "../call/run-call.ts";
import { flawsOf } from "../kit/browser/axe.ts";
import {
  addTenant,
  desktop,
  fillLogin,
  open,
  openSite,
  longTimeout,
  phone,
  reads,
  settled,
  showsFocus,
  tabTo,
  titled,
  type Login,
  type Site,
} from "../kit/browser/site.ts";

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: typeof name === "string" });
const dialogOf = (page: Page) => page.getByRole("dialog");
const panelOf = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

async function mailedLink(email: string): Promise<string> {
  const url = new URL(site.demo.outbox);
  url.searchParams.set("format", "json");
  const mails = (await (await fetch(url)).json()) as { to: string[]; text: string }[];
  const text = mails.find(({ to }) => to.includes(email))?.text ?? "";
  const [, origin, address = ""] = /(https?:\/\/[^/\s]+)(\/\S+)/.exec(text) ?? [];
  expect(origin).toBe(site.origin);
  return address;
}

const signInByKeyboard = async (page: Page, { email, password }: Login): Promise<void> => {
  await tabTo(page, "Email");
  await page.keyboard.type(email);
  await tabTo(page, "Password");
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
};

test("a patient's call is on the clinic's dashboard, with its transcript, and on no other clinic's", async () => {
  const [clinic, other] = site.demo.tenants;
  const { changes } = await runCall({
    origin: site.origin,
    apiKey: clinic!.apiKey,
    platform: "vapi",
    scenario: "book",
    patient: site.demo.patients[0]!,
  });
  expect(changes).toMatchObject([{ what: "booked" }]);
  await site.platform.cloud.drained();
  const count = async (login: Login): Promise<number> => {
    const token = await site.tokenFor(login);
    return (await site.api<{ totalCalls: number }>("GET", "/api/tenant/dashboard/metrics", { token })).json.totalCalls;
  };
  await site.visit({ as: clinic!.admin }, async ({ page }) => {
    await open(page, "/tenant");
    await reads(page.getByRole("region", { name: "Summary" }), new RegExp(`Total Calls\\s+${await count(clinic!.admin)}\\s`));
    await reads(page.getByRole("list", { name: "Recent calls" }).getByRole("listitem").first(), /Completed/);
    await open(page, "/tenant?tab=analytics");
    await panelOf(page, "Recent Call Details").getByRole("link", { name: "View" }).first().click();
    await reads(dialogOf(page), /appointment/i);
    await page.keyboard.press("Escape");
    await expect.poll(() => dialogOf(page).count(), longTimeout).toBe(0);
  });
  await site.visit({ as: other!.admin }, async ({ page }) => {
    await open(page, "/tenant");
    await reads(page.getByRole("region", { name: "Summary" }), new RegExp(`Total Calls\\s+${await count(other!.admin)}\\s`));
  });
});

test("a forgotten password is replaced by the mailed link, which works once", async () => {
  const login = await addTenant(site, "Forgetful Clinic");
  const password = "a sentence to remember";
  await site.visit({ refused: ["401 POST /api/auth/login"] }, async ({ page }) => {
    await open(page, "/login");
    await page.getByRole("link", { name: /Forgot/ }).click();
    await titled(page, "Forgot your password?");
    await page.getByLabel("Email").fill(login.email);
    await page.getByRole("main").getByRole("button").first().click();
    await reads(page.getByRole("main"), /mail|sent/i);
    await expect.poll(() => mailedLink(login.email).catch(() => ""), longTimeout).toMatch(/^\/reset-password\//);
    const address = await mailedLink(login.email);
    await open(page, address);
    await page.getByLabel("New password", { exact: true }).fill(password);
    await page.getByLabel("Confirm new password").fill(password);
    await button(page, "Save password").click();
    await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
    await titled(page, "Tenant Login");
    await fillLogin(page, login);
    await reads(page.getByRole("alert"), /\w/);
    await fillLogin(page, { ...login, password });
    await titled(page, "Tenant Dashboard");
    const [, token = ""] = /\/reset-password\/([^?#]+)/.exec(address) ?? [];
    expect((await site.api("POST", "/api/auth/reset-password", { body: { token, newPassword: "another long sentence" } })).status).toBe(
      400,
    );
  });
});

test("a visitor's message reaches the administrators' console", async () => {
  await site.visit({}, async ({ page }) => {
    await open(page, "/contact?topic=demo");
    await page.getByLabel("First name").fill("Ann");
    await page.getByLabel("Last name").fill("Lee");
    await page.getByLabel("Email").fill("ann@lee.example");
    await button(page, "Send message").click();
    await reads(page.getByRole("main"), /Thank you/);
  });
  await site.visit({ as: site.demo.systemAdmin }, async ({ page }) => {
    await open(page, "/admin?tab=audit");
    await panelOf(page, "Contact Messages").getByRole("button", { name: "Show messages" }).click();
    await reads(panelOf(page, "Contact Messages"), /Ann Lee/);
    expect(await panelOf(page, "Contact Messages").getByText("Ann Lee").count()).toBe(1);
  });
});

test("a regenerated API key works, and the former one is refused", async () => {
  const login = await addTenant(site, "Rotating Clinic");
  const token = await site.tokenFor(login);
  const keyNow = async () => (await site.api<{ apiKey: string }>("GET", "/api/tenant/info", { token })).json.apiKey;
  const statusWith = async (key: string) =>
    (await site.api("POST", "/api/vapi/tool-call", { key, body: { message: { type: "status-update", call: { id: "c" } } } })).status;
  const former = await keyNow();
  await site.visit({ as: login }, async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await open(page, "/tenant?tab=api-keys");
    await button(page, /^Regenerate/)
      .first()
      .click();
    const question = page.getByRole("alertdialog");
    await question.getByLabel("Old key stops working").selectOption({ label: "Now" });
    await question.getByRole("button", { name: /^Regenerate/ }).click();
    await reads(page.getByRole("region", { name: /notifications/i }), /Regenerated/);
  });
  const current = await keyNow();
  expect(current).not.toBe(former);
  expect([await statusWith(former), await statusWith(current)]).toEqual([401, expect.not.stringMatching(/401/)]);
});

test("a system administrator views a clinic's screens, changes nothing, and returns", async () => {
  const [clinic] = site.demo.tenants;
  const [office] = clinic!.offices;
  await site.visit({ as: site.demo.systemAdmin, refused: [`403 PUT /api/tenant/offices/${office!.id}`] }, async ({ page }) => {
    await open(page, `/admin?tab=tenants&tenant=${clinic!.id}`);
    await page
      .getByRole("button", { name: /View as/ })
      .first()
      .click();
    await titled(page, "Tenant Dashboard");
    const banner = page.getByRole("region", { name: "View as a tenant" });
    await reads(banner, /You are viewing Riverside Family Clinic/);
    await open(page, `/tenant?tab=offices&office=${office!.id}`);
    await dialogOf(page).getByLabel("Office name").fill("Another name");
    await dialogOf(page).getByRole("button", { name: "Save office" }).click();
    await reads(page.locator("body"), /Nothing can be changed while you view as a tenant\./);
    await dialogOf(page).getByRole("button", { name: "Close" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
    await expect.poll(() => dialogOf(page).count(), longTimeout).toBe(0);
    await banner.getByRole("button", { name: "End view" }).click();
    await titled(page, "Admin Dashboard");
  });
});

test("of two people who edit one office the second sees the first one's changes, and loses nothing", async () => {
  const login = await addTenant(site, "Shared Clinic");
  const token = await site.tokenFor(login);
  const { json } = await site.api<{ id: string }>("POST", "/api/tenant/offices", { token, body: { name: "Shared Office" } });
  const path = `/api/tenant/offices/${json.id}`;
  await site.visit({ as: login, refused: [`409 PUT ${path}`] }, async ({ page, context }) => {
    const other = await context.newPage();
    for (const one of [page, other]) await open(one, `/tenant?tab=offices&office=${json.id}`);
    await page.getByLabel("Address").fill("2 Quay");
    await other.getByLabel("Phone").fill("617 555 0111");
    await button(other, "Save office").click();
    await reads(other.getByRole("article", { name: "Shared Office" }), /617 555 0111/);
    await button(page, "Save office").click();
    await reads(page.getByRole("alert").filter({ hasText: "Load their version" }), /changed this office/);
    await button(page, "Save office").click();
    await reads(page.getByRole("article", { name: "Shared Office" }), /2 Quay[^]*617 555 0111/);
  });
  expect((await site.api("GET", path, { token })).json).toMatchObject({ address: "2 Quay", phone: "617 555 0111" });
});

test("the audit log downloads as a file with the latest event", async () => {
  const login = await addTenant(site, "Audited Clinic");
  const token = await site.tokenFor(login);
  expect((await site.api("POST", "/api/tenant/offices", { token, body: { name: "Audited Office" } })).status).toBe(201);
  await site.visit({ as: login }, async ({ page }) => {
    await open(page, "/tenant?tab=audit");
    await button(page, /Export/)
      .first()
      .click();
    await dialogOf(page).getByLabel("Format").selectOption("csv");
    const [download] = await Promise.all([page.waitForEvent("download"), dialogOf(page).getByRole("button", { name: "Export" }).click()]);
    expect(await readFile(await download.path(), "utf8")).toMatch(/office\.create/);
  });
});

describe("with the keyboard alone", () => {
  test("a tenant administrator signs in, opens every tab and logs out, with a visible focus throughout", async () => {
    await site.visit({ viewport: desktop }, async ({ page }) => {
      await open(page, "/");
      await tabTo(page, "Skip to content");
      await page.keyboard.press("Enter");
      await tabTo(page, "Tenant login");
      await page.keyboard.press("Enter");
      await titled(page, "Tenant Login");
      await signInByKeyboard(page, site.demo.tenants[0]!.admin);
      await titled(page, "Tenant Dashboard");
      await settled(page);
      const labels = await page.getByRole("tab").allInnerTexts();
      expect(labels).toHaveLength(7);
      await tabTo(page, labels[0] ?? "");
      for (const label of labels.slice(1)) {
        await page.keyboard.press("ArrowRight");
        await expect.poll(() => focusedText(page), longTimeout).toBe(label);
        await page.keyboard.press("Enter");
        await expect.poll(() => page.getByRole("tabpanel", { name: label }).isVisible(), longTimeout).toBe(true);
        await showsFocus(page);
      }
      await open(page, "/tenant");
      await tabTo(page, "Logout");
      await page.keyboard.press("Enter");
      await titled(page, "Tenant Login");
    });
  });

  test("a dialog keeps the focus inside, Escape asks before typing is lost, and the focus goes back", async () => {
    await site.visit({ as: site.demo.systemAdmin }, async ({ page }) => {
      await open(page, "/admin?tab=users");
      await tabTo(page, "Add User");
      await page.keyboard.press("Enter");
      await reads(dialogOf(page), /Add New User/);
      for (let stop = 0; stop < 25; stop++) {
        await page.keyboard.press("Tab");
        const isInside = await page.evaluate(
          () => document.activeElement === document.body || document.querySelector("dialog")?.contains(document.activeElement),
        );
        expect(isInside).toBe(true);
      }
      await dialogOf(page).getByLabel("Email").fill("typed@clinic.example");
      await page.keyboard.press("Escape");
      await reads(page.getByRole("alertdialog"), /Discard changes\?/);
      await page.getByRole("alertdialog").getByRole("button", { name: "Keep editing" }).click();
      expect(await dialogOf(page).first().getByLabel("Email").inputValue()).toBe("typed@clinic.example");
      await page.keyboard.press("Escape");
      await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
      await expect.poll(() => dialogOf(page).count(), longTimeout).toBe(0);
      await expect.poll(() => focusedText(page), longTimeout).toBe("Add User");
    });
  });
});

describe("at 360, 768 and 1440 px, in light and in dark colors", () => {
  const faces: [address: string, as: () => Login | undefined][] = [
    ["/", () => undefined],
    ["/tenant", () => site.demo.tenants[0]!.admin],
  ];
  test.each(faces)("%s has nothing that axe finds and never scrolls sideways", async (address, as) => {
    await site.visit({ as: as() }, async ({ page }) => {
      await open(page, address);
      expect(await flawsOf(page, address)).toEqual([]);
    });
  });
});

test("pages have a security policy that blocks scripts of others and frames", async () => {
  for (const address of ["/", "/login", "/tenant", "/admin"]) {
    const { headers } = await fetch(site.origin + address);
    expect(headers.get("content-security-policy")).toMatch(/default-src 'self'[^]*frame-ancestors 'none'/);
    expect(headers.get("content-security-policy")).toMatch(/script-src 'self'(;| 'sha256)/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("strict-transport-security")).toMatch(/max-age=\d{8}/);
  }
  await site.visit({ viewport: phone, complains: /inline script[^]*Content Security Policy/ }, async ({ page }) => {
    await open(page, "/login");
    await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "globalThis.injected = true";
      document.head.append(script);
    });
    expect(await page.evaluate(() => "injected" in globalThis)).toBe(false);
  });
});
