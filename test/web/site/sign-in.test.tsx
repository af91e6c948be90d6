import { fireEvent, screen, within } from "@testing-library/react";
import { accounts, type Pending, type Role, sessions, type SignedIn, tenantDashboard } from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { destinationAfterLogin } from "../../../web/src/lib/session/admission.ts";
import { demoHandlers, demoUser } from "../../kit/screen/demo-answers.ts";
import { type FakeApi, refusal, Reply } from "../../kit/screen/fake-api.ts";
import { button, eventually, link, reads, reload, type Screen, settled, textOf, visit } from "../../kit/screen/visit.tsx";
import { proves } from "../../requirements/proves.ts";

const main = (): HTMLElement => screen.getByRole("main");
const place = (): string => `${location.pathname}${location.search}`;
const heading = (): string => document.querySelector("h1")?.textContent ?? "";
const titled = (title: string): Promise<void> => eventually(() => expect(heading()).toBe(title));
const storedToken = (): string | null => localStorage.getItem("auth_token");
const focused = (): Element | null => document.activeElement;

const homes = { tenant_admin: "/tenant", system_admin: "/admin" } as const;
const titles = { tenant_admin: "Tenant Dashboard", system_admin: "Admin Dashboard" } as const;

const signedIn = (role: Role, pending: Pending | null = null): SignedIn => ({
  user: demoUser(role),
  token: "a-session",
  mustChangePassword: pending === "password_change",
  pending,
});
/** An API at which an administrator has an account. */
const knows =
  (role: Role, more: (api: FakeApi) => void = () => {}) =>
  (api: FakeApi): void => {
    for (const [route, handler] of demoHandlers(role)) api.on(route, handler);
    api.on(sessions.login, () => signedIn(role));
    more(api);
  };
/** A visit in a browser that has kept nothing of the one before. */
const open = (address: string, options: Parameters<typeof visit>[1] = {}): Promise<Screen> => {
  localStorage.clear();
  return visit(address, options);
};

const fill = (fields: Record<string, string>): void => {
  for (const [label, value] of Object.entries(fields)) fireEvent.input(screen.getByLabelText(label), { target: { value } });
};
const login = { email: "rita@riverside.example", password: "four words in a row" };
const submitLogin = async ({ user }: Screen, { email, password } = login): Promise<void> => {
  fill({ Email: email, Password: password });
  await user.click(button("Sign in", main()));
};
const submitPassword = async ({ user }: Screen, password: string, repeated = password): Promise<void> => {
  fill({ "New password": password, "Confirm new password": repeated });
  await user.click(button("Save password"));
};
const chosen = "a sentence to remember";

describe("signing in", () => {
  const leads = async (address: string, role: Role): Promise<void> => {
    const opened = await open(address, { before: knows(role) });
    await submitLogin(opened);
    await titled(titles[role]);
    expect(place()).toBe(homes[role]);
    expect(storedToken()).toBe("a-session");
    expect(opened.api.received(sessions.login).map(({ body }) => body)).toEqual([login]);
    const banner = textOf(screen.getByRole("banner"));
    expect(banner).toContain(role === "system_admin" ? "System Admin" : "Tenant Admin");
    expect(banner).toContain(demoUser(role).email);
    expect(document.title).toBe(`${titles[role]} · Vitaline`);
    await settled();
  };
  proves("D1.2-048", () => leads("/admin-login", "system_admin"));
  proves("D1.2-049", () => leads("/admin-login", "tenant_admin"));
  proves("D1.2-053", () => leads("/login", "tenant_admin"));
  proves("D1.2-054", () => leads("/login", "system_admin"));
  test("leads a system admin from /admin/login to /admin", async () => {
    await leads("/admin/login", "system_admin");
    expect(location.pathname).toBe("/admin");
  });
  for (const id of ["D1.2-055", "D1.6-004"])
    proves(id, () => {
      expect(destinationAfterLogin(undefined, "auditor")).toBe("/");
      expect(destinationAfterLogin("/admin", "auditor")).toBe("/");
    });
  for (const [id, address] of [
    ["D1.2-047", "/admin-login"],
    ["D1.2-052", "/login"],
  ] as const)
    proves(id, async () => {
      await open(address);
      expect(screen.getByLabelText<HTMLInputElement>("Email").type).toBe("email");
      expect(screen.getByLabelText<HTMLInputElement>("Password").type).toBe("password");
      expect(main().querySelectorAll("form input")).toHaveLength(2);
    });
  proves("D1.2-057", async ({ sees }) => {
    const { user } = await open("/login");
    sees(textOf(link("Contact support", main())));
    await user.click(link("Contact support", main()));
    await titled("Contact us");
    expect(place()).toBe("/contact");
  });
  proves("D1.2-058", async () => {
    const { user } = await open("/login");
    await user.click(link("System admin login", main()));
    await titled("System Admin Login");
    expect(place()).toBe("/admin-login");
  });
  for (const id of ["D1.5-003", "D1.8-004"])
    proves(id, async ({ sees }) => {
      const error = "Email or password is not correct.";
      const opened = await open("/login", {
        before: (api) => {
          api.on(sessions.login, () => new Reply("<h1>Bad</h1>", { status: 502 }));
          api.once(sessions.login, () => refusal(401, { error, code: "invalid_credentials" }));
        },
      });
      await submitLogin(opened);
      await reads(() => screen.queryByRole("alert"), error);
      await opened.user.click(button("Sign in", main()));
      await reads(() => screen.queryByRole("alert"), /^Login failed$/);
      sees(textOf(screen.getByRole("alert")));
      expect(localStorage.length).toBe(0);
    });

  test("with a wrong password keeps nothing, and lets one type another at once", async () => {
    const opened = await open("/login", {
      before: knows("tenant_admin", (api) =>
        api.once(sessions.login, () => refusal(401, { error: "Email or password is not correct.", code: "invalid_credentials" })),
      ),
    });
    await submitLogin(opened, { ...login, password: "not the password" });
    await reads(() => screen.queryByRole("alert"), "Email or password is not correct.");
    expect(storedToken()).toBeNull();
    const field = screen.getByLabelText<HTMLInputElement>("Password");
    await eventually(() => expect(focused() === field).toBe(true));
    expect([field.selectionStart, field.selectionEnd]).toEqual([0, field.value.length]);
    await opened.user.keyboard(`${login.password}{Enter}`);
    await titled("Tenant Dashboard");
    expect(opened.api.received(sessions.login).at(-1)?.body).toEqual(login);
    await settled();
  });

  test("without email or password names the field and asks no one", async () => {
    const { user, api } = await open("/login");
    await user.click(button("Sign in", main()));
    await reads(main, /Email is required.*Password is required/);
    expect(screen.getByLabelText("Email").getAttribute("aria-invalid")).toBe("true");
    await eventually(() => expect(focused() === screen.getByLabelText("Email")).toBe(true));
    expect(api.received(sessions.login)).toEqual([]);
  });
});

describe("an area's guard", () => {
  const closed: [string, string, Role, string][] = [
    ["D1.2-004", "/tenant", "tenant_admin", "/login"],
    ["D1.2-005", "/tenant-dashboard", "tenant_admin", "/login"],
    ["D1.2-006", "/admin", "system_admin", "/admin-login"],
    ["D1.2-007", "/admin-dashboard", "system_admin", "/admin-login"],
  ];
  const otherThan = (role: Role): Role => (role === "tenant_admin" ? "system_admin" : "tenant_admin");
  for (const [id, area, own, entrance] of closed)
    proves(id, async () => {
      for (const as of [undefined, otherThan(own)]) {
        const { api } = await open(area, { ...(as && { as }) });
        expect(place()).toBe(entrance);
        expect(heading()).toBe(as ? "Wrong Login Page" : own === "tenant_admin" ? "Tenant Login" : "System Admin Login");
        expect(api.log.filter((line) => !/\/api\/(auth\/me|public\/)/.test(line))).toEqual([]);
      }
      await open(area, { as: own });
      await titled(titles[own]);
      expect(place()).toBe(area);
    });

  for (const id of ["D1.2-050", "D1.2-051", "D1.6-005"])
    proves(id, async ({ sees }) => {
      const { user } = await open("/admin-login", { as: "tenant_admin" });
      sees(textOf(main()));
      const ways = [...main().querySelectorAll("a, button")];
      expect(ways.map(textOf)).toEqual(["Go to tenant dashboard", "Log out and log in as system admin"]);
      await user.click(link("Go to tenant dashboard"));
      await titled("Tenant Dashboard");
      expect(place()).toBe("/tenant");
      await settled();
    });
  proves("D1.2-056", async ({ sees }) => {
    const { user } = await open("/login", { as: "system_admin" });
    sees(textOf(main()));
    const ways = [...main().querySelectorAll("a, button")];
    expect(ways.map(textOf)).toEqual(["Go to admin dashboard", "Log out and log in as tenant admin"]);
    expect(link("Go to admin dashboard").getAttribute("href")).toBe("/admin");
    await user.click(link("Go to admin dashboard"));
    await titled("Admin Dashboard");
    await settled();
  });
  for (const [id, as, open1, shut] of [
    ["D1.6-001", "system_admin", ["/admin", "/admin-dashboard"], ["/tenant", "/tenant-dashboard"]],
    ["D1.6-002", "tenant_admin", ["/tenant", "/tenant-dashboard"], ["/admin", "/admin-dashboard"]],
  ] as const)
    proves(id, async () => {
      for (const address of open1) {
        await open(address, { as });
        expect([heading(), place()]).toEqual([titles[as], address]);
      }
      for (const address of shut) {
        await open(address, { as });
        expect(heading()).toBe("Wrong Login Page");
      }
    });
  for (const [id, as] of [
    ["D1.2-018", undefined],
    ["D1.2-019", "tenant_admin"],
  ] as const)
    proves(id, async () => {
      await open("/admin?from=outside", { ...(as && { as }) });
      expect(place()).toBe("/admin-login");
      expect(screen.queryByRole("navigation", { name: "Dashboard sections" })).toBeNull();
    });

  test("brings a person who had to sign in back to the address that was asked for", async () => {
    const opened = await open("/tenant-dashboard?tab=overview", { before: knows("tenant_admin") });
    expect(heading()).toBe("Tenant Login");
    await submitLogin(opened);
    await titled("Tenant Dashboard");
    expect(place()).toBe("/tenant-dashboard?tab=overview");
    await settled();
  });

  test("lets a tenant admin log out on the wrong login page and leaves them at that page's form", async () => {
    const { user, api } = await open("/admin-login", { as: "tenant_admin" });
    await user.click(button("Log out and log in as system admin"));
    await titled("System Admin Login");
    await eventually(() => expect(api.received(sessions.logout).map(({ token }) => token)).toEqual(["a-session"]));
    expect(storedToken()).toBeNull();
  });
});

describe("Logout", () => {
  test.each([
    ["tenant_admin", "/tenant?tab=overview", "/login", "Tenant Login"],
    ["system_admin", "/admin?tab=overview", "/admin/login", "System Admin Login"],
  ] as const)("ends the session of a %s: here and for the token", async (as, address, entrance, title) => {
    const { user, api } = await open(address, { as });
    await user.click(button("Logout"));
    await titled(title);
    expect(place()).toBe(entrance);
    expect(Object.keys(localStorage)).toEqual([]);
    await eventually(() => expect(api.received(sessions.logout).map(({ token }) => token)).toEqual(["a-session"]));
  });

  test("in another tab ends the session in this one", async () => {
    await open("/tenant?tab=overview", { as: "tenant_admin" });
    localStorage.removeItem("auth_token");
    fireEvent(window, new StorageEvent("storage", { key: "auth_token", newValue: null }));
    await titled("Tenant Login");
    expect(screen.queryByRole("alert")).toBeNull();
  });
});

describe("a session that ended", () => {
  const ended = "Your session has ended. Please sign in again.";
  const expired = () => refusal(401, { error: "Please sign in.", code: "unauthenticated" });

  test("leads from the open dashboard to sign-in with a word why, and back after it", async () => {
    const opened = await open("/tenant?tab=overview", { as: "tenant_admin", before: knows("tenant_admin") });
    opened.api.once(tenantDashboard.tenantMetrics, expired);
    await opened.user.click(button("Refresh"));
    await titled("Tenant Login");
    await reads(() => screen.queryByRole("alert"), ended);
    expect(storedToken()).toBeNull();
    await submitLogin(opened);
    await titled("Tenant Dashboard");
    expect(place()).toBe("/tenant?tab=overview");
    await settled();
  });

  test("is told when the page is opened again", async () => {
    const { api } = await open("/admin", { as: "system_admin" });
    api.on(sessions.me, expired);
    await reload();
    expect(heading()).toBe("System Admin Login");
    await reads(() => screen.queryByRole("alert"), ended);
    expect(storedToken()).toBeNull();
  });
});

describe("a first password that an administrator chose", () => {
  const mustChange = () => refusal(403, { error: "Please choose another password.", code: "password_change_required" });
  const isNew = knows("tenant_admin", (api) => {
    api.on(sessions.login, () => signedIn("tenant_admin", "password_change"));
    api.on(accounts.changePassword, () => ({ ...signedIn("tenant_admin"), token: "another-session" }));
  });

  test("leads to choosing another, with a word at the field that is wrong, and then home", async () => {
    const opened = await open("/login", { before: isNew });
    opened.api.once(accounts.changePassword, () =>
      refusal(400, { code: "invalid_request", fields: { newPassword: "Is too easy to guess" } }),
    );
    await submitLogin(opened);
    await titled("Choose a new password");
    await eventually(() => expect(focused()?.tagName).toBe("H1"));
    expect(document.title).toBe("Choose a new password · Vitaline");
    expect(screen.queryByLabelText("Current password")).toBeNull();
    await submitPassword(opened, "too short");
    await reads(main, /Must be at least 12 characters/);
    await submitPassword(opened, chosen, `${chosen}!`);
    await reads(main, /Must be the same as the new password/);
    expect(opened.api.received(accounts.changePassword)).toEqual([]);
    await submitPassword(opened, "passwordpassword");
    await reads(main, /Is too easy to guess/);
    await eventually(() => expect(focused() === screen.getByLabelText("New password")).toBe(true));
    await submitPassword(opened, chosen);
    await titled("Tenant Dashboard");
    expect(place()).toBe("/tenant");
    expect(opened.api.received(accounts.changePassword).at(-1)?.body).toEqual({ currentPassword: login.password, newPassword: chosen });
    expect(storedToken()).toBe("another-session");
    await settled();
  });

  test("is asked for when the page was loaded again meanwhile, and a wrong one is told at its field", async () => {
    const opened = await open("/tenant-dashboard?tab=overview", {
      as: "tenant_admin",
      before: (api) => {
        isNew(api);
        api.once(sessions.me, mustChange);
        api.once(accounts.changePassword, () =>
          refusal(400, { code: "invalid_request", fields: { currentPassword: "The current password is not correct" } }),
        );
      },
    });
    expect(heading()).toBe("Choose a new password");
    fill({ "Current password": "not the password" });
    await submitPassword(opened, chosen);
    await reads(main, /The current password is not correct/);
    fill({ "Current password": login.password });
    await opened.user.click(button("Save password"));
    await titled("Tenant Dashboard");
    expect(place()).toBe("/tenant-dashboard?tab=overview");
    expect(opened.api.received(accounts.changePassword).map(({ body }) => body.currentPassword)).toEqual([
      "not the password",
      login.password,
    ]);
    await settled();
  });

  test("can be changed later: logging out leads back to the form", async () => {
    const opened = await open("/login", { before: isNew });
    await submitLogin(opened);
    await titled("Choose a new password");
    await opened.user.click(button("Log out and do it later"));
    await titled("Tenant Login");
    await eventually(() => expect(focused()?.tagName).toBe("H1"));
    expect(storedToken()).toBeNull();
    await eventually(() => expect(opened.api.received(sessions.logout)).toHaveLength(1));
  });
});

describe("a forgotten password", () => {
  const mails = { before: (api: FakeApi) => api.on(accounts.forgotPassword, () => undefined) };

  test.each(["/login", "/admin-login"])("is asked about from %s, and the answer tells no one who has an account", async (address) => {
    const { user, api } = await open(address, mails);
    await user.click(link("Forgot password?"));
    await titled("Forgot your password?");
    await eventually(() => expect(focused()?.tagName).toBe("H1"));
    await user.click(button("Send link"));
    await reads(main, /Must be a valid email address/);
    expect(api.received(accounts.forgotPassword)).toEqual([]);
    fill({ Email: "ada@byron.example" });
    await user.click(button("Send link"));
    await titled("Check your email");
    await eventually(() => expect(focused()?.tagName).toBe("H1"));
    expect(textOf(main())).toContain("If an account belongs to ada@byron.example, a link is on its way there.");
    expect(api.received(accounts.forgotPassword).map(({ body }) => body)).toEqual([{ email: "ada@byron.example" }]);
  });

  test("that cannot be mailed now says why and can be sent again", async () => {
    const { user, api } = await open("/forgot-password", mails);
    const error = "Too many requests. Please wait a little before trying again.";
    api.once(accounts.forgotPassword, () => refusal(429, { error, code: "too_many_requests" }));
    fill({ Email: "ada@byron.example" });
    await user.click(button("Send link"));
    await reads(() => screen.queryByRole("alert"), error);
    await user.click(button("Send link"));
    await titled("Check your email");
    await eventually(() => expect(focused()?.tagName).toBe("H1"));
  });
});

describe("a mailed link", () => {
  const links = [
    {
      kind: "to a new password",
      address: "/reset-password/a-secret",
      route: accounts.resetPassword,
      title: "Choose a new password",
      done: "Your password is changed",
      dead: "This link no longer works",
      wayOut: ["Send a new link", "Forgot your password?"],
    },
    {
      kind: "of an invitation",
      address: "/accept-invite/a-secret",
      route: accounts.acceptInvite,
      title: "Welcome to Vitaline",
      done: "Your account is ready",
      dead: "This invitation no longer works",
      wayOut: ["Sign in", "Tenant Login"],
    },
  ] as const;

  test.each(links)("$kind takes a password once and leads to sign-in", async ({ address, route, title, done, dead, wayOut }) => {
    // Whom an invitation is for cannot be told.
    const unknown = (api: FakeApi) => api.on(accounts.readInvitation, () => refusal(503));
    const opened = await open(address, {
      before: (api) => {
        unknown(api);
        api.on(route, () => undefined);
      },
    });
    expect(heading()).toBe(title);
    expect(document.querySelector("meta[name=referrer]")?.getAttribute("content")).toBe("no-referrer");
    await submitPassword(opened, "too short");
    await reads(main, /Must be at least 12 characters/);
    await submitPassword(opened, chosen);
    await titled(done);
    await eventually(() => expect(focused()?.tagName).toBe("H1"));
    expect(opened.api.received(route).map(({ body }) => body)).toEqual([{ token: "a-secret", password: chosen }]);
    await opened.user.click(link("Sign in", main()));
    await titled("Tenant Login");

    const again = await open(address, {
      before: (api) => {
        unknown(api);
        api.on(route, () => refusal(422, { code: "not_doable" }));
      },
    });
    await submitPassword(again, chosen);
    await titled(dead);
    await again.user.click(link(wayOut[0], main()));
    await titled(wayOut[1]);
  });

  const invitation = { email: "nora@clinic.example", firstName: "Nora", lastName: "New", organization: "Lakeside Clinic" };
  const invites = (api: FakeApi) => {
    api.on(accounts.readInvitation, () => invitation);
    api.on(accounts.acceptInvite, () => undefined);
  };

  test("of an invitation names the user and the organization, and signs in with the password that was set", async () => {
    const opened = await open("/accept-invite/a-secret", { before: knows("tenant_admin", invites) });
    await reads(main, "Nora New, you have been invited by Lakeside Clinic.");
    await reads(main, "Your sign-in name is nora@clinic.example.");
    await submitPassword(opened, chosen);
    await titled("Tenant Dashboard");
    expect(opened.api.received(accounts.readInvitation).map(({ body }) => body)).toEqual([{ token: "a-secret" }]);
    expect(opened.api.received(sessions.login).map(({ body }) => body)).toEqual([{ email: invitation.email, password: chosen }]);
    expect(storedToken()).toBe("a-session");
  });

  test("of an invitation that is used up says so before a password is typed", async () => {
    const { api: asked } = await open("/accept-invite/a-secret", {
      before: (api) => api.on(accounts.readInvitation, () => refusal(422, { code: "not_doable" })),
    });
    await titled("This invitation no longer works");
    expect(asked.received(accounts.acceptInvite)).toEqual([]);
  });

  test("of an invitation leads to a second factor that the organization requires", async () => {
    const opened = await open("/accept-invite/a-secret", {
      before: knows("tenant_admin", (api) => {
        invites(api);
        api.on(sessions.login, () => signedIn("tenant_admin", "totp_enrolment"));
        api.on(accounts.enrollTotp, () => ({
          secret: "ABCDEFGHIJKLMNOP",
          otpauthUri: "otpauth://totp/Vitaline:n?secret=ABCDEFGHIJKLMNOP",
        }));
      }),
    });
    await submitPassword(opened, chosen);
    await eventually(() => expect(location.pathname).toBe("/login"));
    await reads(main, "Your account needs a second step at sign-in");
  });

  test("that is used where someone else is signed in ends that session here", async () => {
    const opened = await open("/accept-invite/a-secret", {
      as: "tenant_admin",
      before: (api) => {
        invites(api);
        api.on(sessions.login, () => ({ ...signedIn("tenant_admin"), token: "another-session" }));
      },
    });
    await submitPassword(opened, chosen);
    await titled("Tenant Dashboard");
    expect(storedToken()).toBe("another-session");
    await eventually(() => expect(opened.api.received(sessions.logout).map(({ token }) => token)).toEqual(["a-session"]));
  });

  test("shows what is typed on a press, and hides it again", async () => {
    const { user } = await open("/reset-password/a-secret");
    const typed = () => screen.getByLabelText<HTMLInputElement>("New password").type;
    expect(typed()).toBe("password");
    await user.click(button("Show new password"));
    expect(typed()).toBe("text");
    await user.click(button("Hide new password"));
    expect(typed()).toBe("password");
  });
});

describe("a second factor", () => {
  const wantsCode = knows("tenant_admin", (api) =>
    api.on(sessions.login, ({ body }) => {
      if (body.totpCode === undefined)
        return refusal(401, { error: "Please enter the code from your authenticator app.", code: "totp_required" });
      if (["123456", "a-recovery-code"].includes(body.totpCode)) return signedIn("tenant_admin");
      return refusal(401, { error: "This code is not correct.", code: "invalid_credentials" });
    }),
  );
  const code = () => screen.getByLabelText("Authenticator code");

  test("is asked for at sign-in: a wrong code says so, the right one leads home", async () => {
    const opened = await open("/login", { before: wantsCode });
    await submitLogin(opened);
    await titled("Two-factor sign-in");
    await eventually(() => expect(focused() === code()).toBe(true));
    await opened.user.click(button("Sign in", main()));
    await reads(main, /Is required/);
    fill({ "Authenticator code": "000000" });
    await opened.user.click(button("Sign in", main()));
    await reads(main, /This code is not correct\./);
    await eventually(() => expect(focused() === code()).toBe(true));
    await opened.user.click(button("Back"));
    await titled("Tenant Login");
    await submitLogin(opened);
    await titled("Two-factor sign-in");
    fill({ "Authenticator code": "123456" });
    await opened.user.click(button("Sign in", main()));
    await titled("Tenant Dashboard");
    expect(place()).toBe("/tenant");
    expect(opened.api.received(sessions.login).map(({ body }) => body.totpCode)).toEqual([undefined, "000000", undefined, "123456"]);
    await settled();
  });

  test("may be stood for by a recovery code", async () => {
    const opened = await open("/login", { before: wantsCode });
    await submitLogin(opened);
    await titled("Two-factor sign-in");
    await opened.user.click(button("Use a recovery code"));
    fill({ "Recovery code": "a-recovery-code" });
    await opened.user.click(button("Sign in", main()));
    await titled("Tenant Dashboard");
    expect(opened.api.received(sessions.login).at(-1)?.body).toEqual({ ...login, totpCode: "a-recovery-code" });
    await settled();
  });

  test("that an organization requires is set up in the middle of a session", async () => {
    const secret = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    const otpauthUri = `otpauth://totp/Vitaline:rita?secret=${secret}&issuer=Vitaline`;
    const recoveryCodes = Array.from({ length: 10 }, (_, at) => `code-${at}`);
    const opened = await open("/tenant?tab=overview", {
      as: "tenant_admin",
      before: (api) => {
        api.on(accounts.enrollTotp, () => ({ secret, otpauthUri }));
        api.on(accounts.confirmTotp, () => ({ recoveryCodes }));
        api.once(accounts.confirmTotp, () => refusal(400, { code: "invalid_request", fields: { code: "Is not correct" } }));
      },
    });
    const { user, api } = opened;
    const clipboard = () => navigator.clipboard.readText();
    api.once(tenantDashboard.tenantMetrics, () => refusal(403, { error: "Set up a second factor.", code: "totp_enrolment_required" }));
    await user.click(button("Refresh"));
    await titled("Set up two-factor sign-in");
    await eventually(() => expect(focused()?.tagName).toBe("H1"));
    await eventually(() => expect(button("Copy setup key")).toBeTruthy());
    await user.click(button("Copy setup link"));
    await eventually(async () => expect(await clipboard()).toBe(otpauthUri));
    expect(link("open the setup link").getAttribute("href")).toBe(otpauthUri);
    await user.click(button("Copy setup key"));
    await eventually(async () => expect(await clipboard()).toBe(secret));

    fill({ "Authenticator code": "000000" });
    await user.click(button("Turn on two-factor sign-in"));
    await reads(main, /Is not correct/);
    fill({ "Authenticator code": "123456" });
    await user.click(button("Turn on two-factor sign-in"));
    await titled("Save your recovery codes");
    expect(api.received(accounts.confirmTotp).map(({ body }) => body.code)).toEqual(["000000", "123456"]);
    const shown = within(screen.getByRole("list", { name: "Recovery codes" })).getAllByRole("listitem");
    expect(shown.map(textOf)).toEqual(recoveryCodes);
    await user.click(button("Copy recovery codes"));
    await eventually(async () => expect(await clipboard()).toBe(recoveryCodes.join("\n")));
    await user.click(button("I have saved them"));
    await titled("Tenant Dashboard");
    expect(place()).toBe("/tenant?tab=overview");
    await settled();
  });
});
