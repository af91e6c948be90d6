import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiError } from "../../web/src/api/api-error.ts";
import { renderOutsideAuthProvider } from "../../web/src/app/lost.fixture.tsx";
import { shownAt } from "../fixtures/authenticator.ts";
import { proves } from "../requirements/proves.ts";
import { fillLogin, headingOf, open, patience, reads, settled, titled } from "./look.fixture.ts";
import { addTenant } from "./people.fixture.ts";
import { openSite, type Login, type Site } from "./site.fixture.ts";

let site: Site;
/** Each part has an administrator of its own, as it ends sessions. */
let [one, two, three]: Login[] = [];
beforeAll(async () => {
  site = await openSite();
  for (const name of ["Account One", "Account Two", "Account Three"]) {
    const login = await addTenant(site, name);
    [one, two, three] = [two, three, login];
  }
});
afterAll(() => site?.close());

const placeOf = (page: Page): string => page.url().slice(site.origin.length);
const stored = (page: Page): Promise<Record<string, string>> => page.evaluate(() => ({ ...localStorage }));
const partOf = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const statusOfMe = async (token: string): Promise<number> => (await site.api("GET", "/api/auth/me", { token })).status;
const tokenOf = (login: Login): Promise<string> => site.tokenOf(login.email, login.password);

/** Signed in on the account page, in a session of its own. */
async function openAccount(page: Page, login: Login): Promise<string> {
  await open(page, "/account");
  await titled(page, "Tenant Login");
  await fillLogin(page, login);
  await titled(page, "Your account");
  await settled(page);
  return (await stored(page))["auth_token"] ?? "";
}

describe("the account page", () => {
  test("brings whoever signs in back to it, and shows who they are", async () => {
    await site.visit({}, async ({ page }) => {
      await openAccount(page, one!);
      expect(placeOf(page)).toBe("/account");
      await reads(partOf(page, "Profile"), new RegExp(`Nora New[^]*${one!.email}[^]*Tenant Admin[^]*Account One`));
      await page.getByRole("link", { name: "Vitaline dashboard" }).click();
      await titled(page, "Tenant Dashboard");
      await settled(page);
      await page.getByRole("link", { name: "Your account" }).click();
      await titled(page, "Your account");
      await settled(page);
    });
  });

  test("ends another session at once and leaves this one", async () => {
    const other = await tokenOf(one!);
    await site.visit({}, async ({ page }) => {
      const own = await openAccount(page, one!);
      const rows = partOf(page, "My sessions").getByRole("listitem");
      const before = await rows.count();
      expect(await rows.filter({ hasText: "This device" }).count()).toBe(1);
      await rows.getByRole("button", { name: "Sign out" }).first().click();
      await expect.poll(() => rows.count(), patience).toBe(before - 1);
      expect(await statusOfMe(other)).toBe(401);
      expect(await statusOfMe(own)).toBe(200);
    });
  });

  test("changes the password, which ends every other session and keeps this browser signed in", async () => {
    const other = await tokenOf(two!);
    const next = { ...two!, password: "another four words entirely" };
    await site.visit({ refused: ["400 POST /api/auth/change-password"] }, async ({ page }) => {
      const before = await openAccount(page, two!);
      const change = async (current: string) => {
        await page.getByLabel("Current password").fill(current);
        await page.getByLabel("New password", { exact: true }).fill(next.password);
        await page.getByLabel("New password again").fill(next.password);
        await page.getByRole("button", { name: "Change password" }).click();
      };
      await change("not the password");
      await reads(partOf(page, "Password"), /not correct|wrong|incorrect/i);
      expect(await page.getByLabel("New password", { exact: true }).inputValue()).toBe(next.password);
      await change(two!.password);
      await reads(page.getByRole("region", { name: /notifications/i }).first(), "Password changed");
      await expect.poll(() => page.getByLabel("Current password").inputValue(), patience).toBe("");
      expect((await stored(page))["auth_token"]).not.toBe(before);
      expect([await statusOfMe(before), await statusOfMe(other)]).toEqual([401, 401]);
      await page.reload();
      await titled(page, "Your account");
      await settled(page);
    });
    two = next;
    expect(await statusOfMe(await tokenOf(next))).toBe(200);
  });

  test("turns a second factor on and off again", async () => {
    await site.visit({}, async ({ page }) => {
      await openAccount(page, one!);
      const panel = partOf(page, "Two-factor sign-in");
      await reads(panel, /\nOff\n/);
      await page.getByRole("button", { name: "Set up two-factor sign-in" }).click();
      await titled(page, "Set up two-factor sign-in");
      await page.getByRole("button", { name: "Back to your account" }).click();
      await titled(page, "Your account");
      await page.getByRole("button", { name: "Set up two-factor sign-in" }).click();
      const secret = (await page.locator("dt:text-is('Setup key') + dd").innerText()).replaceAll(" ", "");
      await page.getByLabel("Authenticator code").fill(shownAt(secret, Date.now()));
      await page.getByRole("button", { name: "Turn on two-factor sign-in" }).click();
      await titled(page, "Save your recovery codes");
      const [recoveryCode = ""] = await page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem").allInnerTexts();
      await page.getByRole("button", { name: "I have saved them" }).click();
      await titled(page, "Your account");
      await reads(panel, /\nOn\n/);
      await panel.getByRole("button", { name: "Turn off" }).click();
      await page.getByLabel("Authenticator code").fill(recoveryCode);
      await page.getByRole("button", { name: "Turn off two-factor sign-in" }).click();
      await reads(panel, /\nOff\n/);
      expect(await statusOfMe((await stored(page))["auth_token"] ?? "")).toBe(200);
    });
  });

  test("signs out everywhere, after asking", async () => {
    const other = await tokenOf(one!);
    await site.visit({}, async ({ page }) => {
      const own = await openAccount(page, one!);
      const ask = page.getByRole("button", { name: "Sign out everywhere" });
      await ask.click();
      await page.keyboard.press("Escape");
      expect(await page.getByRole("alertdialog").count()).toBe(0);
      expect(await statusOfMe(other)).toBe(200);
      await ask.click();
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Cancel");
      await page.getByRole("alertdialog").getByRole("button", { name: "Sign out everywhere" }).click();
      await titled(page, "Tenant Login");
      expect([await statusOfMe(own), await statusOfMe(other)]).toEqual([401, 401]);
      expect(await stored(page)).toEqual({});
    });
  });
});

describe("who leaves the screen", () => {
  const idle = async (page: Page, time: string): Promise<void> => {
    await page.clock.fastForward(time);
  };

  test("is warned for a minute, may stay by a button, and is signed out in every tab if nobody does", async () => {
    await site.visit({}, async ({ page, context }) => {
      await page.clock.install();
      const token = await openAccount(page, three!);
      const dialog = page.getByRole("alertdialog", { name: "Are you still there?" });
      await idle(page, "12:00");
      expect(await dialog.count()).toBe(0);
      await idle(page, "01:05");
      await reads(dialog, /signed out in \d+ seconds/);
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Stay signed in");
      const told = page.waitForRequest("**/api/auth/me");
      await page.getByRole("button", { name: "Stay signed in" }).click();
      await told;
      await expect.poll(() => dialog.count(), patience).toBe(0);

      await page.clock.runFor(5000);
      const otherTab = await context.newPage();
      await open(otherTab, "/account");
      await idle(page, "13:05");
      await reads(dialog, /signed out/);
      // Second by second: the tab that has been idle for longer is the first to end.
      for (let seconds = 0; seconds < 90 && (await headingOf(page)) !== "Tenant Login"; seconds++) await page.clock.runFor(1000);
      await titled(page, "Tenant Login");
      await reads(page.getByRole("alert"), "You were signed out because nothing happened for a while. Please sign in again.");
      await titled(otherTab, "Tenant Login");
      expect(await stored(page)).toEqual({});
      await expect.poll(() => statusOfMe(token), patience).toBe(401);
      await fillLogin(page, three!);
      await titled(page, "Your account");
      await settled(page);
    });
  });

  test("is not there because the page asks for something by itself; a person who works tells the server once a minute", async () => {
    await site.visit({}, async ({ page }) => {
      await page.clock.install();
      await openAccount(page, three!);
      const asked: Request[] = [];
      page.on("request", (request) => void (request.url().endsWith("/api/auth/me") && asked.push(request)));
      await idle(page, "05:00");
      expect(asked).toEqual([]);
      await page.mouse.move(100, 100);
      await page.keyboard.press("Shift");
      await expect.poll(() => asked.length, patience).toBe(1);
      await idle(page, "12:30");
      expect(await page.getByRole("alertdialog").count()).toBe(0);
      await idle(page, "00:40");
      await page.keyboard.press("Shift");
      await reads(page.getByRole("alertdialog"), /still there/);
    });
  });
});

describe("a session", () => {
  for (const id of ["D1.2-059", "D1.4-001", "D1.4-002", "D1.4-004"])
    proves(id, async () => {
      await site.visit({ as: three! }, async ({ page }) => {
        let release = (): void => undefined;
        const held = new Promise<void>((resolve) => (release = resolve));
        const asked: Request[] = [];
        await page.route("**/api/auth/me", async (route) => {
          asked.push(route.request());
          await held;
          await route.continue();
        });
        await page.goto("/login");
        await reads(page.getByRole("main"), "Checking your session...");
        expect(await page.getByRole("main").innerText()).not.toContain("Password");
        release();
        await titled(page, "Tenant Dashboard");
        expect(placeOf(page)).toBe("/tenant");
        expect(asked[0]?.method()).toBe("GET");
        expect(await asked[0]?.headerValue("authorization")).toBe(`Bearer ${(await stored(page))["auth_token"]}`);
        await settled(page);
      });
    });
  for (const id of ["D1.4-003", "D1.7-004"])
    proves(id, async () => {
      await site.visit({ refused: ["401 GET /api/auth/me", "503 GET /api/auth/me"] }, async ({ page }) => {
        for (const isDown of [false, true]) {
          await open(page, "/");
          await page.evaluate(() => localStorage.setItem("auth_token", "no.real.token"));
          if (isDown) await page.route("**/api/auth/me", (route) => route.fulfill({ status: 503, json: {} }));
          await page.goto("/account");
          await titled(page, "Tenant Login");
          expect(await stored(page)).toEqual({});
          await reads(page.getByRole("alert"), isDown ? /could not verify/ : /has ended/);
        }
      });
    });
  for (const id of ["D1.3-004", "D1.4-005", "D1.4-006"])
    proves(id, async ({ sees }) => {
      await site.visit({}, async ({ page }) => {
        const token = await openAccount(page, three!);
        expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
        await page.evaluate(() => localStorage.setItem("tenant_api_key", "a key"));
        const names = Object.keys(await stored(page)).toSorted();
        expect(names).toEqual(["auth_token", "tenant_api_key"]);
        sees(names);
        await page.getByRole("button", { name: "Logout" }).click();
        await titled(page, "Tenant Login");
        expect(await stored(page)).toEqual({});
        await expect.poll(() => statusOfMe(token), patience).toBe(401);
      });
    });
  proves("D1.8-005", ({ sees }) => {
    let said = "";
    try {
      renderOutsideAuthProvider();
    } catch (error) {
      said = String(error);
    }
    expect(said).toContain("useAuth must be used within an AuthProvider");
    sees(said);
  });
});

describe("a request", () => {
  for (const id of ["D1.6-006", "D1.6-007", "D1.7-001", "D1.7-002", "D1.7-003"])
    proves(id, async () => {
      await site.visit({ as: three!, refused: ["400 POST /api/auth/change-password"] }, async ({ page }) => {
        await open(page, "/account");
        await page.evaluate(() => localStorage.setItem("tenant_api_key", "a key"));
        const asked: Request[] = [];
        page.on("request", (request) => void (request.url().includes("/api/") && asked.push(request)));
        await page.reload();
        await settled(page);
        const list = asked.find((request) => request.url().endsWith("/api/auth/sessions"));
        const headers = (await list?.allHeaders()) ?? {};
        expect([list?.method(), list?.postData()]).toEqual(["GET", null]);
        expect(headers).toMatchObject({
          authorization: `Bearer ${(await stored(page))["auth_token"]}`,
          "x-api-key": "a key",
          accept: "application/json",
        });
        await page.route("**/api/auth/change-password", (route) =>
          route.fulfill({ status: 400, json: { error: "No.", code: "invalid_request", requestId: "r" } }),
        );
        await page.getByLabel("Current password").fill("one password");
        await page.getByLabel("New password", { exact: true }).fill("another password");
        await page.getByLabel("New password again").fill("another password");
        const sent = page.waitForRequest("**/api/auth/change-password");
        await page.getByRole("button", { name: "Change password" }).click();
        expect((await sent).postDataJSON()).toEqual({ currentPassword: "one password", newPassword: "another password" });
        expect(await (await sent).headerValue("content-type")).toBe("application/json");
        await reads(page.getByRole("alert"), "No.");
      });
    });
  for (const id of ["D1.9-001", "D1.9-002", "D1.9-003"])
    proves(id, async () => {
      await site.visit({ as: three!, refused: ["503 GET /api/auth/sessions"] }, async ({ page }) => {
        let asked = 0;
        await page.route("**/api/auth/sessions", (route) => {
          asked += 1;
          return asked === 1
            ? route.fulfill({ status: 503, json: { error: "Not now.", code: "unavailable", requestId: "r" } })
            : route.continue();
        });
        await page.clock.install();
        await page.goto("/account");
        await reads(partOf(page, "My sessions"), /Failed to load sessions[^]*Not now\./);
        await page.clock.fastForward("05:00");
        expect(asked).toBe(1);
        await page.getByRole("button", { name: "Retry" }).click();
        await reads(partOf(page, "My sessions"), "This device");
        await page.clock.fastForward("05:00");
        await page.evaluate(() => {
          window.dispatchEvent(new Event("focus"));
          document.dispatchEvent(new Event("visibilitychange"));
          window.dispatchEvent(new Event("online"));
        });
        await page.clock.fastForward("01:00");
        expect(asked).toBe(2);
      });
    });
  for (const [id, body] of [
    ["D1.8-001", '{"error":"No."}'],
    ["D1.8-002", ""],
  ] as const)
    proves(id, ({ quoted: [pattern = ""], sees }) => {
      for (const status of [400, 401, 403, 409, 429, 500]) {
        const expected = pattern.replace("{status}", String(status)).replace(/\{.*\}/, body || "Some Text");
        expect(new ApiError(status, "Some Text", body).message).toBe(expected);
      }
      sees(pattern);
    });
  proves("D1.8-003", () => {
    const messages = [400, 401, 403, 404, 409, 422, 429, 500, 502, 503].map((status) => new ApiError(status, "", "x").message);
    expect(new Set(messages.map((message) => message.replace(/\d+/, "N")))).toEqual(new Set(["N: x"]));
    expect(messages).toHaveLength(10);
  });
});

describe("a toast", () => {
  const swipe = async (page: Page, pixels: number): Promise<void> => {
    const box = await page.locator("[data-scope=toast][data-part=root]").boundingBox();
    if (!box) throw new Error("No toast is on screen.");
    await page.mouse.move(box.x + 20, box.y + 15);
    await page.mouse.down();
    await page.mouse.move(box.x + 20 + pixels, box.y + 15, { steps: 4 });
    await page.mouse.up();
  };
  /** How many toasts and how many recent notifications there are, at each turn. */
  type Turn = { shown: number; kept: number };
  const turns: Record<string, Turn> = {};

  const tellStory = async ({ page }: { page: Page }): Promise<void> => {
    await page.clock.install();
    await open(page, "/account");
    const toasts = page.locator("[data-scope=toast][data-part=root]").filter({ visible: true });
    const recent = partOf(page, "Recent notifications").getByRole("listitem");
    const others = partOf(page, "My sessions").getByRole("button", { name: /^Sign out (?!everywhere)/ });
    const now = async (): Promise<Turn> => ({ shown: await toasts.count(), kept: await recent.count() });
    const settles = async (name: string, turn: Turn): Promise<void> => {
      for (let tries = 0; tries < 20 && JSON.stringify(await now()) !== JSON.stringify(turn); tries++) await page.clock.runFor(200);
      turns[name] = await now();
    };
    const end = async (): Promise<void> => {
      const before = await others.count();
      await others.first().click();
      await expect.poll(() => others.count(), patience).toBe(before - 1);
    };
    await end();
    await settles("said", { shown: 1, kept: 0 });
    await end();
    await settles("said again", { shown: 1, kept: 1 });
    await swipe(page, 30);
    await settles("swiped too little", { shown: 1, kept: 1 });
    await swipe(page, 60);
    await settles("swiped away", { shown: 0, kept: 2 });
    await end();
    await settles("said at last", { shown: 1, kept: 2 });
    // The pointer holds a toast for as long as it is over it.
    await page.mouse.move(5, 5);
    await page.clock.runFor(4000);
    turns["after four seconds"] = await now();
    await page.clock.runFor(3000);
    await settles("after five seconds", { shown: 0, kept: 3 });
    // Somebody comes by now and then.
    for (let minutes = 0; minutes < 16; minutes += 8) {
      await page.clock.fastForward("08:00");
      await page.keyboard.press("Shift");
    }
    turns["after sixteen minutes"] = await now();
    await page.clock.fastForward("01:00");
    await settles("after seventeen minutes", { shown: 0, kept: 0 });
  };
  let story: Promise<void> | undefined;
  const proven: [string, Record<string, Turn>][] = [
    ["D1.2-153", { said: { shown: 1, kept: 0 }, "said again": { shown: 1, kept: 1 } }],
    ["D1.4-018", { "said again": { shown: 1, kept: 1 }, "swiped away": { shown: 0, kept: 2 }, "said at last": { shown: 1, kept: 2 } }],
    ["D1.4-019", { "after sixteen minutes": { shown: 0, kept: 3 }, "after seventeen minutes": { shown: 0, kept: 0 } }],
    ["D1.9-005", { said: { shown: 1, kept: 0 }, "said again": { shown: 1, kept: 1 } }],
    ["D1.9-006", { "after sixteen minutes": { shown: 0, kept: 3 }, "after seventeen minutes": { shown: 0, kept: 0 } }],
    ["D1.9-007", { "after four seconds": { shown: 1, kept: 2 }, "after five seconds": { shown: 0, kept: 3 } }],
    ["D1.9-008", { "swiped too little": { shown: 1, kept: 1 }, "swiped away": { shown: 0, kept: 2 } }],
  ];
  for (const [id, expected] of proven)
    proves(id, async () => {
      story ??= Promise.all([1, 2, 3].map(() => tokenOf(three!))).then(() => site.visit({ as: three! }, tellStory));
      await story;
      for (const [name, turn] of Object.entries(expected)) expect([name, turns[name]]).toEqual([name, turn]);
      expect(Object.keys(turns).length).toBeGreaterThan(5);
    });
});
