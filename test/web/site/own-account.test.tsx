import { act, fireEvent, screen, within } from "@testing-library/react";
import { accounts, sessions, tenant, type OpenSession, type SignedIn } from "@vitaline/contract";
import { describe, expect, test, vi } from "vitest";
import { ApiError } from "../../../web/src/lib/api/api-error.ts";
import { renderOutsideAuthProvider } from "../../../web/src/lib/session/outside-auth.fixture.tsx";
import { demo, demoUser, recordedAt } from "../../kit/screen/demo-answers.ts";
import { refusal, type FakeApi } from "../../kit/screen/fake-api.ts";
import {
  asTenant,
  button,
  described,
  eventually,
  link,
  reads,
  region,
  reload,
  settled,
  textOf,
  toast,
  visit,
} from "../../kit/screen/visit.tsx";
import { proves } from "../../requirements/proves.ts";

const main = (): HTMLElement => screen.getByRole("main");
const place = (): string => `${location.pathname}${location.search}`;
const titled = (title: string): Promise<void> => eventually(() => expect(document.querySelector("h1")?.textContent).toBe(title));
const question = (): HTMLElement | null => screen.queryByRole("alertdialog");
const fill = (fields: Record<string, string>): void => {
  for (const [label, value] of Object.entries(fields)) fireEvent.input(screen.getByLabelText(label), { target: { value } });
};
const valueOf = (label: string): string => screen.getByLabelText<HTMLInputElement>(label).value;
const login = { email: "rita@riverside.example", password: "four words in a row" };
const signedIn = (token: string): SignedIn => ({ user: demoUser("tenant_admin"), token, mustChangePassword: false, pending: null });
const me = demoUser("tenant_admin");

const [own] = demo("tenant_admin", accounts.listSessions) as [OpenSession, ...OpenSession[]];
const session = (at: number, change: Partial<OpenSession> = {}): OpenSession => ({
  ...{ ...own, id: `01hzzzzzzzzzzzzzzzzzzzzzz${at}`, current: false, userAgent: `Firefox ${at} on Windows` },
  ...change,
});
/** Sessions that can be ended, one by one. */
const keeps =
  (...list: OpenSession[]) =>
  (api: FakeApi): void => {
    let open = [session(0, { current: true }), ...list];
    api.on(accounts.listSessions, () => open);
    api.on(accounts.endSession, ({ params }) => void (open = open.filter(({ id }) => id !== params.sessionId)));
  };
const timed = [
  "Date",
  "setTimeout",
  "clearTimeout",
  "setInterval",
  "clearInterval",
  "requestAnimationFrame",
  "cancelAnimationFrame",
  "performance",
] as const;
/** Time stands until it is told to go on. */
const stopTime = () => void vi.useFakeTimers({ toFake: [...timed], now: recordedAt });
const goOn = (milliseconds: number): Promise<void> => act(() => vi.advanceTimersByTimeAsync(milliseconds).then(() => undefined));
const minutes = (count: number): number => count * 60_000;

describe("the account page", () => {
  test("shows times in the organization's time zone", async () => {
    const lastSeen = "2026-05-10T03:30:00.000Z";
    await asTenant("/account", {
      before: (api) => {
        keeps(session(1, { lastSeen }))(api);
        api.on(tenant.tenantSettings, () => ({ ...demo("tenant_admin", tenant.tenantSettings), timeZone: "Asia/Tokyo" }));
      },
    });
    await eventually(() => expect(textOf(region("My sessions"))).toContain("last active May 10, 12:30 PM"));
  });

  test("brings a person who signs in back to it, and shows who they are", async () => {
    const { user } = await visit("/account", { before: (api) => api.on(sessions.login, () => signedIn("a-session")) });
    await titled("Tenant Login");
    fill({ Email: login.email, Password: login.password });
    await user.click(button("Sign in", main()));
    await titled("Your account");
    await settled();
    expect(place()).toBe("/account");
    const profile = region("Profile");
    expect(["Name", "Email", "Role", "Organization"].map((term) => described(term, profile))).toEqual([
      `${me.firstName} ${me.lastName}`,
      me.email,
      "Tenant Admin",
      me.tenantName,
    ]);
    expect(textOf(profile)).toContain("An administrator of your organization can change your name and role under Settings, Team.");
    await user.click(link("Vitaline dashboard"));
    await titled("Tenant Dashboard");
    await settled();
    await user.click(link(/^Your account/));
    await titled("Your account");
    await settled();
  });

  test("names the access of a person whose access is narrowed", async () => {
    await asTenant("/account", { me: { access: "staff" } });
    expect(described("Role", region("Profile"))).toBe("Staff");
  });

  test("leads those who work on the list to the choice of their emails, and no one else", async () => {
    await asTenant("/account", { me: { access: "staff" } });
    expect(within(region("Email notices")).getByRole("link", { name: "To do" }).getAttribute("href")).toBe("/tenant/to-do");
    await asTenant("/account", { me: { access: "auditor" } });
    expect(screen.queryByRole("region", { name: "Email notices" })).toBeNull();
  });

  test("ends another session at once and leaves this one", async () => {
    const { user, api } = await asTenant("/account", { before: keeps(session(1), session(2)) });
    const rows = () => within(region("My sessions")).getAllByRole("listitem").map(textOf);
    expect(rows().filter((row) => row.endsWith("This device"))).toHaveLength(1);
    await user.click(button("Log out Firefox 1 on Windows"));
    await eventually(() => expect(rows()).toHaveLength(2));
    expect(rows().join(" ")).not.toContain("Firefox 1");
    expect(api.received(accounts.endSession).map(({ params }) => params.sessionId)).toEqual([session(1).id]);
    expect(localStorage.getItem("auth_token")).toBe("a-session");
    await settled();
  });

  test("changes the password, which ends every other session and keeps this browser signed in", async () => {
    const { user, api } = await asTenant("/account", {
      before: (one) => {
        keeps(session(1))(one);
        one.on(accounts.changePassword, () => {
          keeps()(one);
          return signedIn("another-session");
        });
        one.once(accounts.changePassword, () =>
          refusal(400, { code: "invalid_request", fields: { currentPassword: "The current password is not correct" } }),
        );
      },
    });
    const next = "another four words entirely";
    fill({ "Current password": "not the password", "New password": next, "Confirm new password": next });
    await user.click(button("Change password"));
    await reads(() => region("Password"), "The current password is not correct");
    expect(valueOf("New password")).toBe(next);
    fill({ "Current password": login.password });
    await user.click(button("Change password"));
    await reads(toast, "Password changed");
    await eventually(() => expect([valueOf("Current password"), valueOf("New password")]).toEqual(["", ""]));
    expect(api.received(accounts.changePassword).at(-1)?.body).toEqual({ currentPassword: login.password, newPassword: next });
    expect(localStorage.getItem("auth_token")).toBe("another-session");
    await eventually(() => expect(within(region("My sessions")).getAllByRole("listitem")).toHaveLength(1));
    expect(api.received(accounts.listSessions).at(-1)?.token).toBe("another-session");
    await reload();
    expect(document.querySelector("h1")?.textContent).toBe("Your account");
  });

  test("turns a second factor on and off again", async () => {
    let hasTotp = false;
    const { user, api } = await asTenant("/account", {
      before: (one) => {
        one.on(sessions.me, () => ({ ...me, hasTotp }));
        one.on(accounts.enrollTotp, () => ({ secret: "ABCDEFGHIJKLMNOP", otpauthUri: "otpauth://totp/Vitaline?secret=ABCDEFGHIJKLMNOP" }));
        const message = "Please enter your password";
        for (let time = 0; time < 2; time++)
          one.once(accounts.enrollTotp, () =>
            refusal(400, { error: message, code: "invalid_request", fields: { currentPassword: message } }),
          );
        one.on(accounts.confirmTotp, () => {
          hasTotp = true;
          return { recoveryCodes: ["one-code", "other-code"] };
        });
        one.on(accounts.removeTotp, () => void (hasTotp = false));
      },
    });
    const panel = () => region("Two-factor sign-in");
    const setUp = async () => {
      await user.click(button("Set up two-factor sign-in"));
      await titled("Set up two-factor sign-in");
    };
    expect(textOf(panel())).toMatch(/ Off /);
    await setUp();
    await eventually(() => expect(textOf(main())).toContain("Current password"));
    await user.click(button("Back to your account"));
    await titled("Your account");
    await setUp();
    await eventually(() => expect(textOf(main())).toContain("You signed in a while ago, so please enter your password first."));
    fill({ "Current password": login.password });
    await user.click(button("Continue"));
    await eventually(() => expect(described("Setup key")).toBe("ABCD EFGH IJKL MNOP"));
    fill({ "Authenticator code": "123456" });
    await user.click(button("Turn on two-factor sign-in"));
    await titled("Save your recovery codes");
    await user.click(button("I have saved them"));
    await titled("Your account");
    await reads(panel, / On /);
    await user.click(button("Turn off"));
    fill({ "Authenticator code": "one-code" });
    await user.click(button("Turn off two-factor sign-in"));
    await reads(panel, / Off /);
    expect(api.received(accounts.confirmTotp).map(({ body }) => body.code)).toEqual(["123456"]);
    expect(api.received(accounts.enrollTotp).map(({ body }) => body)).toEqual([{}, {}, { currentPassword: login.password }]);
    expect(api.received(accounts.removeTotp).map(({ body }) => body.code)).toEqual(["one-code"]);
    await reads(toast, "Two-factor sign-in is off");
    await settled();
  });

  test("signs out everywhere, after asking", async () => {
    const { user, api } = await asTenant("/account", { before: (one) => one.on(accounts.logoutEverywhere, () => undefined) });
    await user.click(button("Log out everywhere"));
    expect(textOf(question()!)).toMatch(/^Log out everywhere\?/);
    fireEvent(question()!, new Event("cancel", { cancelable: true }));
    await eventually(() => expect(question()).toBeNull());
    expect(api.received(accounts.logoutEverywhere)).toEqual([]);
    await user.click(button("Log out everywhere"));
    await user.click(button("Log out everywhere", question()!));
    await titled("Tenant Login");
    expect(api.received(accounts.logoutEverywhere).map(({ token }) => token)).toEqual(["a-session"]);
    expect({ ...localStorage }).toEqual({});
  });
});

describe("a person who leaves the screen", () => {
  const openIdle = () => asTenant("/account", { before: stopTime });

  test("is warned for a minute, may stay by a button, and is signed out if no one does", async () => {
    const { api } = await openIdle();
    const heard = () => api.received(sessions.me).length;
    const before = heard();
    await goOn(minutes(12));
    expect(question()).toBeNull();
    await goOn(minutes(1) + 5000);
    expect(textOf(question()!)).toMatch(/^Are you still there\?.*signed out in 5\d seconds \./);
    expect(heard()).toBe(before);
    fireEvent.click(button("Stay signed in"));
    await goOn(1000);
    expect(question()).toBeNull();
    expect(heard()).toBe(before + 1);

    await goOn(minutes(13));
    expect(textOf(question()!)).toMatch(/signed out/);
    await goOn(minutes(1));
    await titled("Tenant Login");
    expect(textOf(screen.getByRole("alert"))).toBe("You were signed out because you were inactive. Please sign in again.");
    expect({ ...localStorage }).toEqual({});
    expect(api.received(sessions.logout).map(({ token }) => token)).toEqual(["a-session"]);
    api.on(sessions.login, () => signedIn("another-session"));
    fill({ Email: login.email, Password: login.password });
    fireEvent.click(button("Sign in", main()));
    await titled("Your account");
    await settled();
  });

  test("is not there because the page asks for something by itself; one who works tells the server once a minute", async () => {
    const { api } = await openIdle();
    const before = api.received(sessions.me).length;
    const told = () => api.received(sessions.me).length - before;
    await goOn(minutes(5));
    expect(told()).toBe(0);
    fireEvent.pointerMove(document.body);
    fireEvent.keyDown(document.body, { key: "Shift" });
    await goOn(10);
    expect(told()).toBe(1);
    await goOn(minutes(12.5));
    expect(question()).toBeNull();
    await goOn(minutes(40 / 60));
    fireEvent.keyDown(document.body, { key: "Shift" });
    await goOn(10);
    expect(textOf(question()!)).toMatch(/still there/);
    expect(told()).toBe(1);
  });
});

describe("a session", () => {
  for (const id of ["D1.2-059", "D1.4-001", "D1.4-002", "D1.4-004"])
    proves(id, async () => {
      let release = () => {};
      let api: FakeApi | undefined;
      const opening = asTenant("/login", {
        before: (one) => {
          api = one;
          ({ release } = one.hold(sessions.me));
        },
      });
      await reads(() => screen.queryByRole("main"), "Checking your session...");
      expect(textOf(main())).not.toContain("Password");
      expect(api?.log).toContain("GET /api/auth/me");
      expect(api?.received(sessions.me).map(({ token }) => token)).toEqual(["a-session"]);
      release();
      await opening;
      await titled("Tenant Dashboard");
      expect(place()).toBe("/tenant");
      await settled();
    });
  for (const id of ["D1.4-003", "D1.7-004"])
    proves(id, async () => {
      for (const [answer, said] of [
        [() => refusal(401, { code: "unauthenticated" }), /has ended/],
        [() => refusal(503), /could not verify/],
      ] as const) {
        await asTenant("/account", { before: (api) => api.on(sessions.me, answer) });
        expect(document.querySelector("h1")?.textContent).toBe("Tenant Login");
        expect({ ...localStorage }).toEqual({});
        expect(textOf(screen.getByRole("alert"))).toMatch(said);
      }
    });
  for (const id of ["D1.3-004", "D1.4-005", "D1.4-006"])
    proves(id, async ({ sees }) => {
      const { user, api } = await visit("/account", { before: (one) => one.on(sessions.login, () => signedIn("a-session")) });
      fill({ Email: login.email, Password: login.password });
      await user.click(button("Sign in", main()));
      await titled("Your account");
      await settled();
      expect(textOf(region("Profile"))).toContain(me.email);
      localStorage.setItem("tenant_api_key", "a key");
      const names = Object.keys(localStorage).toSorted();
      expect(names).toEqual(["auth_token", "tenant_api_key"]);
      expect(localStorage.getItem("auth_token")).toBe("a-session");
      sees(names);
      await user.click(button("Logout"));
      await titled("Tenant Login");
      expect({ ...localStorage }).toEqual({});
      await eventually(() => expect(api.received(sessions.logout).map(({ token }) => token)).toEqual(["a-session"]));
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
      const { user } = await asTenant("/account", {
        before: (api) => {
          localStorage.setItem("tenant_api_key", "a key");
          api.on(accounts.changePassword, () => refusal(400, { error: "No.", code: "invalid_request" }));
        },
      });
      const fetched = vi.spyOn(globalThis, "fetch");
      const sent = (address: string) => fetched.mock.calls.find(([to]) => to === address)?.[1];
      await reload();
      const identity = { authorization: "Bearer a-session", "x-api-key": "a key", accept: "application/json" };
      const list = sent("/api/auth/sessions");
      expect(list).toMatchObject({ method: "GET", body: null, credentials: "same-origin", headers: identity });
      expect(list?.headers).not.toHaveProperty("content-type");
      fill({ "Current password": "one password", "New password": "another password", "Confirm new password": "another password" });
      await user.click(button("Change password"));
      await reads(() => screen.queryByRole("alert"), "No.");
      expect(sent("/api/auth/change-password")).toMatchObject({
        method: "POST",
        credentials: "same-origin",
        headers: { ...identity, "content-type": "application/json" },
        body: JSON.stringify({ currentPassword: "one password", newPassword: "another password" }),
      });
    });
  for (const id of ["D1.9-001", "D1.9-002", "D1.9-003"])
    proves(id, async () => {
      const { api } = await asTenant("/account", {
        before: (one) => {
          stopTime();
          one.once(accounts.listSessions, () => refusal(503, { error: "Not now." }));
        },
      });
      const asked = () => api.received(accounts.listSessions).length;
      expect(textOf(region("My sessions"))).toMatch(/Failed to load sessions.*Not now\./);
      await goOn(minutes(5));
      expect(asked()).toBe(1);
      fireEvent.click(button("Retry"));
      await reads(() => region("My sessions"), "This device");
      await goOn(minutes(5));
      fireEvent(window, new Event("focus"));
      fireEvent(document, new Event("visibilitychange"));
      fireEvent(window, new Event("online"));
      await goOn(minutes(1));
      expect(asked()).toBe(2);
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
  /** How many toasts and how many recent notifications there are, at each turn. */
  type Turn = { shown: number; kept: number };

  const tellStory = async (): Promise<Record<string, Turn>> => {
    await asTenant("/account", {
      before: (api) => {
        stopTime();
        keeps(session(1), session(2), session(3))(api);
      },
    });
    const turns: Record<string, Turn> = {};
    const toasts = () => [...document.querySelectorAll<HTMLElement>("[data-scope=toast][data-part=root][data-state=open]")];
    const note = (name: string): void => {
      const list = within(region("Recent notifications")).queryByRole("list");
      turns[name] = { shown: toasts().length, kept: list ? within(list).getAllByRole("listitem").length : 0 };
    };
    const end = async (): Promise<void> => {
      fireEvent.click(within(region("My sessions")).getAllByRole("button", { name: /^Log out (?!everywhere)/ })[0]!);
      await settled();
      await goOn(500);
    };
    const swipe = async (pixels: number): Promise<void> => {
      fireEvent.pointerDown(toasts()[0]!, { clientX: 20 });
      fireEvent.pointerUp(toasts()[0]!, { clientX: 20 + pixels });
      await goOn(500);
    };
    await end();
    note("said");
    await end();
    note("said again");
    await swipe(49);
    note("swiped too little");
    await swipe(50);
    note("swiped away");
    await end();
    note("said at last");
    await goOn(3500);
    note("after four seconds");
    await goOn(2000);
    note("after five seconds");
    for (let at = 0; at < 16; at += 8) {
      await goOn(minutes(8));
      fireEvent.keyDown(document.body, { key: "Shift" });
      await settled();
    }
    note("after sixteen minutes");
    await goOn(minutes(1));
    note("after seventeen minutes");
    return turns;
  };
  let story: Promise<Record<string, Turn>> | undefined;
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
      const turns = await (story ??= tellStory());
      for (const [name, turn] of Object.entries(expected)) expect([name, turns[name]]).toEqual([name, turn]);
      expect(Object.keys(turns).length).toBeGreaterThan(5);
    });
});
