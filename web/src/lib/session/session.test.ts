import type { Role, User } from "@vitaline/contract";
import { afterEach, describe, expect, test } from "vitest";
import { type Answer, type Asked, openBrowser } from "../api/browser.fixture.ts";
import { clearCredentials, forgetView, readToken, readTokens, readView, storeToken, storeView } from "./credentials.ts";
import { admit } from "./admission.ts";
import { checkSession, type Session } from "./session.ts";

const user = (role: Role, tenant: "one" | "two" | null = null): User => ({
  id: "01hzzzzzzzzzzzzzzzzzzzzzz1",
  email: `${tenant ?? "root"}@clinic.example`,
  role,
  firstName: "Dana",
  lastName: "Okafor",
  tenantId: tenant && (tenant === "one" ? "01hzzzzzzzzzzzzzzzzzzzzzt1" : "01hzzzzzzzzzzzzzzzzzzzzzt2"),
  tenantName: tenant && `Clinic ${tenant}`,
  isActive: true,
  lastLogin: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  hasTotp: false,
  mustChangePassword: false,
  invitedAt: null,
  lockedUntil: null,
  version: 1,
});
const one = user("tenant_admin", "one");
const two = user("tenant_admin", "two");
const root = user("system_admin");

let browser: Awaited<ReturnType<typeof openBrowser>>;
const open = async (answer: (asked: Asked) => Answer) => (browser = await openBrowser(answer));
afterEach(() => browser?.close());

describe("the session check", () => {
  test("sends no request when no token is stored", async () => {
    const { asked } = await open(() => ({ status: 200 }));
    expect(await checkSession()).toEqual({ status: "signed-out", reason: "none" });
    expect(asked).toEqual([]);
  });

  test("signs in whom the token belongs to", async () => {
    await open(({ headers }) => ({ status: 200, body: JSON.stringify(headers.authorization === "Bearer token-one" ? one : two) }));
    storeToken("token-one");
    expect(await checkSession()).toEqual({ status: "signed-in", user: one });
    storeToken("token-two");
    expect(await checkSession()).toEqual({ status: "signed-in", user: two });
  });

  test.each([
    ["expired", 401, JSON.stringify({ error: "Over.", code: "session_expired", requestId: "r" })],
    ["unverified", 500, ""],
    ["unverified", 200, "{}"],
  ] as const)("forgets a token that is %s (%i)", async (reason, status, body) => {
    await open(() => ({ status, body }));
    storeToken("token-one");
    expect(await checkSession()).toEqual({ status: "signed-out", reason });
    expect(readToken()).toBeNull();
  });

  test.each([
    ["password_change", "password_change_required"],
    ["totp_enrolment", "totp_enrolment_required"],
  ])("keeps a session that has a duty first: %s", async (duty, code) => {
    await open(() => ({ status: 403, body: JSON.stringify({ error: "First.", code, requestId: "r" }) }));
    storeToken("token-one");
    expect(await checkSession()).toEqual({ status: "pending", duty });
    expect(readToken()).toBe("token-one");
  });

  test("goes by the newer token when another tab signs in meanwhile", async () => {
    await open(({ headers }) =>
      headers.authorization === "Bearer token-one"
        ? { status: 401, before: () => storeToken("token-two") }
        : { status: 200, body: JSON.stringify(two) },
    );
    storeToken("token-one");
    expect(await checkSession()).toEqual({ status: "signed-in", user: two });
    expect(readToken()).toBe("token-two");
  });
});

describe("a view of a tenant", () => {
  test("is the active session of the tab until it ends", async () => {
    const { asked } = await open(({ headers }) => ({
      status: 200,
      body: JSON.stringify(headers.authorization === "Bearer view" ? one : root),
    }));
    storeToken("own");
    storeView("view", "/admin?tab=tenants");
    expect(await checkSession()).toEqual({ status: "signed-in", user: one });
    expect([readTokens(), readView()]).toEqual([
      ["view", "own"],
      ["view", "/admin?tab=tenants"],
    ]);
    forgetView();
    expect(await checkSession()).toEqual({ status: "signed-in", user: root });
    expect(asked.map(({ headers }) => headers.authorization)).toEqual(["Bearer view", "Bearer own"]);
  });

  test("of a user who has signed out since does not affect the next user", async () => {
    await open(() => ({ status: 200, body: JSON.stringify(two) }));
    storeToken("the administrator's");
    storeView("view", "/admin");
    storeToken("the next person's");
    expect([readToken(), readView()]).toEqual(["the next person's", []]);
  });

  test("that the server has ended leaves the person's own session, and a sign-out leaves neither", async () => {
    await open(({ headers }) => (headers.authorization === "Bearer own" ? { status: 200, body: JSON.stringify(root) } : { status: 401 }));
    storeToken("own");
    storeView("view", "/admin");
    expect(await checkSession()).toEqual({ status: "checking" });
    expect(readTokens()).toEqual(["own"]);
    expect(await checkSession()).toEqual({ status: "signed-in", user: root });
    storeView("view", "/admin");
    clearCredentials();
    expect(readTokens()).toEqual([]);
  });
});

describe("the guard", () => {
  const door = { role: "tenant_admin", redirectTo: "/login", afterLogout: "/goodbye" } as const;
  const toLogin = { kind: "redirect", to: "/login", remember: true };
  const cases: [string, Session, unknown][] = [
    ["waits for the check", { status: "checking" }, { kind: "wait" }],
    ["opens to the role", { status: "signed-in", user: one }, { kind: "show" }],
    ["is closed to the other role", { status: "signed-in", user: root }, toLogin],
    ["is closed before a duty is done", { status: "pending", duty: "password_change" }, toLogin],
    ["is closed to a stranger", { status: "signed-out", reason: "none" }, toLogin],
    ["remembers where an ended session was", { status: "signed-out", reason: "expired" }, toLogin],
    ["remembers the address after an idle logout", { status: "signed-out", reason: "idle" }, toLogin],
    ["remembers where an unverified session was", { status: "signed-out", reason: "unverified" }, toLogin],
    [
      "does not bring the next person back to where the last one left",
      { status: "signed-out", reason: "left" },
      { kind: "redirect", to: "/goodbye", remember: false },
    ],
  ];
  test("opens the account area to both roles, and not to visitors", () => {
    const accountArea = { ...door, role: undefined };
    for (const signedIn of [one, root]) expect(admit({ status: "signed-in", user: signedIn }, accountArea)).toEqual({ kind: "show" });
    expect(admit({ status: "signed-out", reason: "none" }, accountArea)).toEqual(toLogin);
    expect(admit({ status: "pending", duty: "totp_enrolment" }, accountArea)).toEqual(toLogin);
  });

  test.each(cases)("%s", (_name, session, expected) => {
    expect(admit(session, door)).toEqual(expected);
  });
});
