import { screen, within } from "@testing-library/react";
import { sessions, tenants, users, type Tenant, type User } from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { demo, demoHandlers, demoUser, recordedAt } from "../../kit/screen/demo-answers.ts";
import { page, refusal, type FakeApi } from "../../kit/screen/fake-api.ts";
import {
  asSystem,
  button,
  dialog,
  eventually,
  fill,
  hasFocus,
  labeled,
  reads,
  region,
  settled,
  tab,
  textOf,
  toast,
  visit,
  type Screen,
} from "../../kit/screen/visit.tsx";
import { proves } from "../../requirements/proves.ts";

const address = "/admin?tab=users";
const people = demo("system_admin", users.listUsers) as [User, User, ...User[]];
const [oneself, rita] = people;
const [riverside, lakeside] = demo("system_admin", tenants.listTenants) as [Tenant, Tenant];
const someone: User = {
  ...rita,
  id: "01m83bhkd40ac6v2r6z8xmpabc",
  email: "someone@users.example",
  firstName: "Someone",
  lastName: "New",
  lastLogin: null,
  version: 1,
};

/** Users that change when a screen changes them. */
function openList(more: User[] = [], arrange: (api: FakeApi) => void = () => {}) {
  let list = [...people, ...more];
  const change = (id: string, changes: Partial<User>): User => {
    list = list.map((one) => (one.id === id ? { ...one, ...changes, version: one.version + 1 } : one));
    return list.find((one) => one.id === id)!;
  };
  const tenantNameOf = (id: string | null | undefined) => [riverside, lakeside].find((one) => one.id === id)?.name ?? null;
  const before = (api: FakeApi) => {
    api.on(users.listUsers, () => list);
    api.on(users.createUser, ({ body: { password: _password, invite, ...body } }) => {
      const invitedAt = invite ? recordedAt.toISOString() : null;
      const tenantId = body.role === "system_admin" ? null : body.tenantId;
      const created = { ...someone, ...body, tenantId, tenantName: tenantNameOf(tenantId), invitedAt, mustChangePassword: !invite };
      list = [...list, created];
      return created;
    });
    api.on(users.updateUser, ({ params, body }) => {
      const { tenantId } = { ...list.find(({ id }) => id === params.userId)!, ...body };
      const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
      return change(params.userId, { ...given, tenantName: tenantNameOf(tenantId) });
    });
    api.on(users.deactivateUser, ({ params }) => change(params.userId, { isActive: false }));
    api.on(users.reactivateUser, ({ params }) => change(params.userId, { isActive: true }));
    api.on(users.unlockUser, ({ params }) => change(params.userId, { lockedUntil: null }));
    api.on(users.resetUserPassword, ({ params }) => change(params.userId, { mustChangePassword: true }));
    api.on(users.resendInvite, ({ params }) => change(params.userId, { invitedAt: recordedAt.toISOString() }));
    arrange(api);
  };
  return { change, opened: asSystem(address, { before }) };
}

const panel = () => region("Users");
const rows = () => [...panel().querySelectorAll<HTMLElement>("tbody tr")];
const rowOf = (email: string) => rows().find((row) => textOf(row).includes(email)) ?? null;
const cellOf = (email: string, title: string) => textOf(rowOf(email)!.querySelector(`td[data-title="${title}"]`)!);
const emails = () => [...panel().querySelectorAll('td[data-title="Email"]')].map((cell) => textOf(cell));
const question = () => screen.getByRole("alertdialog");
const isClosed = () => eventually(() => expect(screen.queryByRole("dialog")).toBeNull());
const search = (text: string) => fill("Search users", text, panel());
const searchValue = (name: string) => new URLSearchParams(location.search).get(name);
type Person = Screen["user"];
const add = async (user: Person) => {
  await user.click(button("Add User", panel()));
  await reads(dialog, /Add New User/);
};
const edit = async (user: Person, { email }: User = someone) => {
  await user.click(within(rowOf(email)!).getByRole("button", { name: /^Edit/ }));
  await reads(dialog, /Two-factor sign-in/);
};

describe("the table of users", () => {
  proves("D2.2-009", async ({ sees, quoted }) => {
    await openList().opened;
    const text = textOf(button("Add User", panel()));
    expect(quoted).toEqual([text]);
    sees(text);
  });
  proves("D2.2-010", async ({ sees, quoted }) => {
    await openList().opened;
    const titles = within(panel())
      .getAllByRole("columnheader")
      .map((header) => textOf(header.querySelector("button") ?? header));
    expect(titles.slice(0, quoted.length)).toEqual(quoted);
    sees(titles.join(" "));
  });
  proves("D2.2-011", async ({ sees }) => {
    await openList().opened;
    const roles = [oneself, rita].map(({ email }) => cellOf(email, "Role"));
    expect(roles).toEqual(["System Admin", "Tenant Admin"]);
    sees(roles.join());
  });
  proves("D2.2-012", async () => {
    await openList().opened;
    expect(cellOf(oneself.email, "Tenant")).toBe("");
    expect(cellOf(rita.email, "Tenant")).toBe(riverside.name);
  });
  proves("D2.2-013", async ({ sees }) => {
    await openList([{ ...someone, isActive: false }]).opened;
    const states = [someone, oneself].map(({ email }) => cellOf(email, "Status"));
    expect(states).toEqual(["Inactive", "Active"]);
    sees(states.join());
  });
  proves("D2.2-014", async ({ sees }) => {
    await openList([someone]).opened;
    expect(cellOf(someone.email, "Last Login")).toBe("Never");
    sees(cellOf(someone.email, "Last Login"));
    expect(rowOf(rita.email)!.querySelector('td[data-title="Last Login"] time')?.getAttribute("datetime")).toBe(rita.lastLogin);
    expect(cellOf(rita.email, "Last Login")).toMatch(/[A-Z][a-z]{2} \d+, /);
  });

  test("is sorted by a column, the other way round when it is pressed again, and the address says so", async () => {
    const { user } = await openList([someone]).opened;
    const header = within(panel()).getByRole("columnheader", { name: /Email/ });
    const ascending = [...people, someone].map(({ email }) => email).toSorted((one, other) => one.localeCompare(other, "en-US"));
    await user.click(within(header).getByRole("button"));
    await eventually(() => expect(emails()).toEqual(ascending));
    expect(header.getAttribute("aria-sort")).toBe("ascending");
    await user.click(within(header).getByRole("button"));
    await eventually(() => expect(emails()).toEqual(ascending.toReversed()));
    expect(searchValue("sort")).toBe("-email");
    await asSystem(`/admin${location.search}`, { before: (api) => api.on(users.listUsers, () => [...people, someone]) });
    expect(emails()).toEqual(ascending.toReversed());
  });

  test("finds users by email, name and organization, keeps the search in the address, and says when there is none", async () => {
    const { user } = await openList([someone]).opened;
    search("someone riverside");
    await eventually(() => expect(emails()).toEqual([someone.email]));
    await eventually(() => expect(searchValue("q")).toBe("someone riverside"));
    search("not one of them");
    await reads(panel, /No users found/);
    await user.click(button("Clear search", panel()));
    await reads(panel, "4 users shown, that is all");
    await asSystem(`${address}&q=leo`);
    expect(emails()).toHaveLength(1);
    expect(labeled("Search users").value).toBe("leo");
  });

  test("leaves an email address that is searched for out of the address", async () => {
    await openList().opened;
    search("rita");
    await eventually(() => expect(searchValue("q")).toBe("rita"));
    search(rita.email);
    await eventually(() => expect(emails()).toEqual([rita.email]));
    await eventually(() => expect(searchValue("q")).toBeNull());
  });

  test("shows a thousand users step by step, and finds the last of them", async () => {
    const userAt = (number: number): User => ({ ...someone, id: String(number).padStart(26, "0"), email: `user${number}@many.example` });
    const { api, user } = await asSystem(address, {
      before: (fake) =>
        fake.on(users.listUsers, ({ query }) => {
          const from = Number(query.cursor ?? 0);
          return page(
            Array.from({ length: 200 }, (_, at) => userAt(from + at)),
            from < 800 ? String(from + 200) : undefined,
          );
        }),
    });
    const asked = () => api.received(users.listUsers).map(({ query }) => query.cursor ?? "0");
    expect(rows()).toHaveLength(50);
    expect(asked()).toEqual(["0"]);
    await user.click(button("Load more", panel()));
    await eventually(() => expect(rows()).toHaveLength(100));
    search("user999@");
    await eventually(() => expect(emails()).toEqual(["user999@many.example"]));
    expect(asked()).toEqual(["0", "200", "400", "600", "800"]);
  });
});

describe("users that do not load", () => {
  const failure = async (): Promise<string> => {
    const error = "The database could not be reached.";
    const { user } = await openList([], (api) => api.once(users.listUsers, () => refusal(503, { error }))).opened;
    const alert = within(panel()).getByRole("alert");
    const text = textOf(alert);
    await user.click(button("Retry", alert));
    await eventually(() => expect(emails()).toContain(rita.email));
    expect(within(panel()).queryByRole("alert")).toBeNull();
    return text;
  };
  proves("D2.8-008", async ({ sees }) => {
    const text = await failure();
    expect(text).toContain("The database could not be reached.");
    sees(text);
  });
  proves("D2.8-013", async ({ sees }) => {
    const text = await failure();
    expect(text).toMatch(/^Error loading users: /);
    sees(text.replace("Failed to fetch users", "{message}"));
  });
  test("are announced while they are on their way", async () => {
    let release = () => {};
    const { opened } = openList([], (api) => ({ release } = api.hold(users.listUsers)));
    await eventually(() => expect(within(panel()).getAllByRole("status").map(textOf)).toContain("Loading users..."));
    release();
    await opened;
    expect(textOf(panel())).not.toContain("Loading users...");
  });
});

describe("adding a user", () => {
  proves("D2.2-072", async ({ sees }) => {
    const { user } = await openList().opened;
    await add(user);
    const title = textOf(within(dialog()).getByRole("heading", { level: 2 }));
    expect(title).toBe("Add New User");
    sees(title);
  });
  proves("D2.2-073", async () => {
    const { user } = await openList().opened;
    await add(user);
    for (const label of ["Email", "Role", "First name", "Last name", "Tenant"]) expect(labeled(label, dialog())).toBeTruthy();
    fill("First sign-in", "password", dialog());
    await eventually(() => expect(labeled("Password", dialog()).type).toBe("password"));
    fill("Role", "system_admin", dialog());
    await eventually(() => expect(within(dialog()).queryByLabelText(/^Tenant/)).toBeNull());
  });

  test("by an invitation sends it once, and puts the user and the new count on the page", async () => {
    const { api, user } = await openList().opened;
    await add(user);
    await hasFocus(() => labeled("Email", dialog()));
    fill("Email", "invited@users.example", dialog());
    fill("First name", "Ivy", dialog());
    fill("Tenant", lakeside.id, dialog());
    await user.dblClick(button("Send Invitation", dialog()));
    await reads(toast, /Invitation sent/);
    await reads(() => rowOf("invited@users.example"), /Ivy.*Tenant Admin.*Lakeside Pediatrics.*Invited.*Never/);
    expect(api.received(users.createUser).map(({ body }) => body)).toEqual([
      expect.objectContaining({
        email: "invited@users.example",
        firstName: "Ivy",
        role: "tenant_admin",
        tenantId: lakeside.id,
        invite: true,
      }),
    ]);
    expect(api.log.filter((one) => one === "GET /api/dashboard/metrics")).toHaveLength(2);
    await hasFocus(() => button("Add User", panel()));
  });

  test("with a password makes a system administrator, who belongs to no tenant", async () => {
    const { api, user } = await openList().opened;
    await add(user);
    fill("Email", "second@users.example", dialog());
    fill("Tenant", lakeside.id, dialog());
    fill("First sign-in", "password", dialog());
    await eventually(() => expect(labeled("Password", dialog())).toBeTruthy());
    fill("Password", "three words apart", dialog());
    fill("Role", "system_admin", dialog());
    await user.click(button("Create User", dialog()));
    await reads(() => rowOf("second@users.example"), /System Admin.*Must change password/);
    const [sent] = api.received(users.createUser);
    expect(sent?.body).toMatchObject({ password: "three words apart", role: "system_admin", tenantId: "" });
    expect(sent?.body).not.toHaveProperty("invite");
    expect(sent?.body).not.toHaveProperty("access");
  });

  test("of an organization can be given less than an administrator's access, at once or later", async () => {
    const { api, user } = await openList().opened;
    await add(user);
    fill("Email", "nurse@users.example", dialog());
    fill("Tenant", lakeside.id, dialog());
    fill("Access", "staff", dialog());
    await reads(dialog, /Calls, tasks, leads and messages\. No keys, no settings\./);
    await user.click(button("Send Invitation", dialog()));
    await isClosed();
    expect(api.received(users.createUser)).toMatchObject([{ body: { role: "tenant_admin", access: "staff" } }]);
    await edit(user, rita);
    expect(labeled("Access", dialog()).value).toBe("administrator");
    fill("Access", "auditor", dialog());
    await reads(dialog, /Changing it signs them out/);
    await user.click(button("Save Changes", dialog()));
    await isClosed();
    expect(api.received(users.updateUser).map(({ body }) => body)).toEqual([{ access: "auditor" }]);
    await reads(() => rowOf(rita.email), /Auditor/);
  });

  test("says at the fields what is missing or taken, and keeps what was typed", async () => {
    const error = "A user with this email already exists";
    const { api, user } = await openList([], (fake) =>
      fake.on(users.createUser, () => refusal(409, { error, code: "conflict", fields: { email: error } })),
    ).opened;
    await add(user);
    await user.click(button("Send Invitation", dialog()));
    await reads(dialog, /Email is required.*Please select a tenant for tenant admin users/);
    fill("First sign-in", "password", dialog());
    await user.click(await within(dialog()).findByRole("button", { name: "Create User" }));
    await reads(() => within(dialog()).getByRole("alert"), "Email and password are required");
    await reads(dialog, /Email is required.*Password is required/);
    fill("Email", "some@users.example", dialog());
    await eventually(() => expect(textOf(dialog())).not.toContain("Email is required"));
    fill("First sign-in", "invite", dialog());
    fill("Tenant", riverside.id, dialog());
    expect(api.received(users.createUser)).toEqual([]);
    await user.click(await within(dialog()).findByRole("button", { name: "Send Invitation" }));
    await reads(dialog, error);
    await hasFocus(() => labeled("Email", dialog()));
    expect(labeled("Tenant", dialog()).value).toBe(riverside.id);
    expect(labeled("Email", dialog()).value).toBe("some@users.example");
  });

  proves("D2.2-120", async () => {
    const { user } = await openList().opened;
    await add(user);
    fill("Email", "half@users.example", dialog());
    await user.keyboard("{Escape}");
    await reads(question, /Discard changes\?/);
    await user.click(button("Keep editing", question()));
    expect(labeled("Email", dialog()).value).toBe("half@users.example");
    await user.click(button("Close", dialog()));
    await user.click(button("Discard", question()));
    await isClosed();
    await add(user);
    expect(labeled("Email", dialog()).value).toBe("");
  });
});

describe("a user", () => {
  proves("D2.4-017", async () => {
    const { api, user } = await openList([someone]).opened;
    await edit(user);
    fill("Last name", "Renamed", dialog());
    fill("Tenant", lakeside.id, dialog());
    await user.click(button("Save Changes", dialog()));
    await isClosed();
    await reads(() => rowOf(someone.email), /Someone Renamed.*Lakeside Pediatrics/);
    expect(api.received(users.updateUser)).toMatchObject([
      { params: { userId: someone.id }, ifMatch: 1, body: { lastName: "Renamed", tenantId: lakeside.id } },
    ]);
    await hasFocus(() => within(rowOf(someone.email)!).getByRole("button"));
  });

  test("that another administrator has changed meanwhile is not overwritten, and nothing typed is lost", async () => {
    const { change, opened } = openList([someone]);
    const { api, user } = await opened;
    await edit(user);
    fill("Last name", "Mine", dialog());
    change(someone.id, { firstName: "Theirs" });
    api.once(users.updateUser, () => refusal(409, { error: "Changed meanwhile.", code: "stale_version" }));
    await user.click(button("Save Changes", dialog()));
    await reads(dialog, /Someone else has changed this user.*They changed: first name/);
    expect(labeled("Last name", dialog()).value).toBe("Mine");
    await user.click(button("Save Changes", dialog()));
    await reads(() => rowOf(someone.email), /Theirs Mine/);
    expect(api.received(users.updateUser)).toMatchObject([
      { ifMatch: 1, body: { lastName: "Mine" } },
      { ifMatch: 2, body: { lastName: "Mine" } },
    ]);
    expect(api.received(users.updateUser)[1]?.body).not.toHaveProperty("firstName");
  });

  test("is locked out after a question, and let in again", async () => {
    const { api, user } = await openList([someone]).opened;
    await edit(user);
    await user.click(button("Deactivate", dialog()));
    await reads(question, /signed out everywhere/);
    await hasFocus(() => button("Cancel", question()));
    expect(api.received(users.deactivateUser)).toEqual([]);
    await user.click(button("Deactivate", question()));
    await reads(dialog, /can no longer sign in.*Reactivate/);
    expect(cellOf(someone.email, "Status")).toBe("Inactive");
    await user.click(button("Reactivate", dialog()));
    await reads(dialog, /They can sign in again/);
    await user.click(button("Close", dialog()));
    await isClosed();
    expect(cellOf(someone.email, "Status")).toBe("Active");
    for (const route of [users.deactivateUser, users.reactivateUser])
      expect(api.received(route)).toMatchObject([{ params: { userId: someone.id } }]);
  });

  test("with too many failed sign-ins is unlocked, and one with a lost password gets another", async () => {
    const lockedUntil = new Date(recordedAt.getTime() + 600_000).toISOString();
    const { api, user } = await openList([{ ...someone, lockedUntil }]).opened;
    await edit(user);
    await reads(dialog, /Locked Until/);
    await user.click(button("Unlock", dialog()));
    await reads(dialog, /Failed sign-ins are reset/);
    expect(screen.queryByRole("button", { name: "Unlock" })).toBeNull();
    expect(api.received(users.unlockUser)).toHaveLength(1);
    await hasFocus(() => button("Reset Password", dialog()));
    await user.click(button("Reset Password", dialog()));
    const reset = () => screen.getByRole("dialog", { name: "Reset Password" });
    await hasFocus(() => labeled("New password", reset()));
    fill("New password", "password", reset());
    await eventually(() => expect(labeled("Password", reset())).toBeTruthy());
    fill("Password", "short", reset());
    await user.click(button("Reset Password", reset()));
    await reads(reset, /Must be at least 12 characters/);
    await user.keyboard("{Escape}");
    await reads(question, /Discard changes\?/);
    await user.click(button("Keep editing", question()));
    fill("Password", "other words apart", reset());
    await user.click(button("Reset Password", reset()));
    await reads(dialog, /The password is set/);
    expect(api.received(users.resetUserPassword)).toMatchObject([
      { params: { userId: someone.id }, body: { password: "other words apart" } },
    ]);
    await hasFocus(() => button("Reset Password", dialog()));
  });

  test("whose reset is done but whose link was not mailed is shown as they are now, with what to do", async () => {
    const { change, opened } = openList([{ ...someone, hasTotp: true }]);
    const error = "The old password no longer works, but the link could not be emailed.";
    const { api, user } = await opened;
    await edit(user);
    await user.click(button("Reset Password", dialog()));
    const reset = screen.getByRole("dialog", { name: "Reset Password" });
    api.on(users.resetUserPassword, ({ params }) => {
      change(params.userId, { hasTotp: false });
      return refusal(503, { error, code: "unavailable" });
    });
    await user.click(button("Reset Password", reset));
    await reads(() => within(reset).getByRole("alert"), error);
    await reads(document.body, /Two-factor sign-in Off/);
    expect(api.received(users.listUsers)).toHaveLength(2);
  });

  test("that is not locked is not offered to be unlocked", async () => {
    const { user } = await openList([someone]).opened;
    await edit(user);
    expect(button("Reset Password", dialog())).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Unlock" })).toBeNull();
    expect(textOf(dialog())).not.toContain("Locked");
  });

  test("keeps a tenant that is not among those to choose from", async () => {
    const { api, user } = await openList([someone], (fake) => fake.on(tenants.listTenants, () => [])).opened;
    await edit(user);
    const { selectedOptions } = labeled<HTMLSelectElement>("Tenant", dialog());
    expect([...selectedOptions].map(({ text }) => text)).toEqual([riverside.name]);
    fill("Last name", "Kept", dialog());
    await user.click(button("Save Changes", dialog()));
    await reads(() => rowOf(someone.email), /Someone Kept.*Riverside Family Clinic/);
    expect(api.received(users.updateUser)[0]?.body).not.toHaveProperty("tenantId");
  });

  test("that is only invited is told apart, and gets the invitation again", async () => {
    const { api, user } = await openList([{ ...someone, invitedAt: someone.createdAt }]).opened;
    expect(cellOf(someone.email, "Status")).toBe("Invited Active, invitation not accepted");
    await edit(user);
    await user.click(button("Resend Invitation", dialog()));
    await reads(dialog, /was resent/);
    expect(api.received(users.resendInvite)).toMatchObject([{ params: { userId: someone.id } }]);
  });

  test("can neither lock themselves out nor reset their own password", async () => {
    const { user } = await openList().opened;
    await edit(user, oneself);
    await reads(dialog, /This is you/);
    expect(within(dialog()).queryByRole("button", { name: /Deactivate|Reset Password|Unlock/ })).toBeNull();
  });
});

describe("the administrators' console", () => {
  proves("D2.2-001", async () => {
    for (const area of ["/admin", "/admin-dashboard"]) {
      await visit(area);
      expect(location.pathname).toBe("/admin-login");
    }
    await visit("/admin", { as: "tenant_admin" });
    expect(location.pathname).not.toBe("/admin");
    for (const area of ["/admin", "/admin-dashboard"]) {
      await asSystem(area);
      await reads(screen.getByRole("main"), /Admin Dashboard.*Total Users/);
    }
  });
  proves("D2.2-002", async () => {
    const { user } = await visit("/admin/login", {
      before(api) {
        for (const [route, handler] of demoHandlers("system_admin")) api.on(route, handler);
        const me = demoUser("system_admin");
        api.on(sessions.login, () => ({ user: me, token: "a-session", mustChangePassword: false, pending: null }));
      },
    });
    fill("Email", oneself.email);
    fill("Password", "some words in a row");
    await user.click(button("Sign in", screen.getByRole("main")));
    await reads(() => screen.queryByRole("region", { name: "Users" }), /users shown/);
    await settled();
    await user.click(button("Logout"));
    await reads(() => screen.queryByRole("main"), /System Admin Login/);
    expect(location.pathname).toBe("/admin/login");
    expect(localStorage.getItem("auth_token")).toBeNull();
  });
  proves("D2.2-003", async () => {
    await visit("/admin");
    expect(location.pathname).toBe("/admin-login");
    expect(textOf(screen.getByRole("main"))).toContain("System Admin Login");
  });
  proves("D2.2-005", async () => {
    await openList().opened;
    const text = textOf(screen.getByRole("banner"));
    expect(text).toContain("System Administrator admin@vitaline.example System Admin");
  });
  proves("D2.2-006", async ({ sees }) => {
    await openList().opened;
    const logout = button("Logout", screen.getByRole("banner"));
    expect(textOf(logout)).toBe("Logout");
    sees(textOf(logout));
  });
  proves("D2.2-007", async ({ sees }) => {
    await openList().opened;
    const cards = within(region("Summary")).getAllByRole("article");
    expect(cards).toHaveLength(3);
    sees(cards.map(textOf).join());
  });
  proves("D2.2-008", async ({ sees, quoted }) => {
    await openList().opened;
    const tabs = screen.getAllByRole("tab").map(textOf);
    expect(tabs).toEqual(quoted);
    sees(tabs.join());
  });
  proves("D2.0-001", async () => {
    const { user } = await openList().opened;
    const parts = {
      Users: "Users",
      Tenants: "Tenants",
      "Voice & AI": "Voice Agents",
      "EHR/FHIR": "Platform Keys",
      "Audit & Compliance": "Compliance Metrics",
    };
    for (const [name, part] of Object.entries(parts)) {
      await user.click(tab(name));
      await eventually(() => expect(region(part)).toBeTruthy());
      await settled();
    }
  });
  proves("D2.6-005", async () => {
    const { api } = await visit(address);
    expect(location.pathname).toBe("/admin-login");
    expect(api.log.filter((one) => /\/api\/(admin|dashboard)/.test(one))).toEqual([]);
  });
});
