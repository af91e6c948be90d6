import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { proves } from "../requirements/proves.ts";
import { asConsole } from "./clinic.fixture.ts";
import { dialogOf, panelOf, textOfFailure, textWhileLoading, toastsOf, visitConsole } from "./console.fixture.ts";
import { hasFocus, tabTo } from "./focus.fixture.ts";
import { open, patience, reads } from "./look.fixture.ts";
import { addTenant } from "./people.fixture.ts";
import { openSite, type Site } from "./site.fixture.ts";

type User = {
  id: string;
  email: string;
  firstName: string;
  tenantId: string | null;
  isActive: boolean;
  invitedAt: string | null;
  version: number;
};

const address = "/admin?tab=users";
const path = "/api/admin/users";
const password = "a long enough password";

let site: Site;
let tenantId: string;
let seaside: string;
beforeAll(async () => {
  site = await openSite();
  tenantId = site.demo.tenants[0]!.id;
  await addTenant(site, "Seaside Clinic");
  seaside = (await asConsole<{ id: string; name: string }[]>(site, "GET", "/api/admin/tenants")).find(
    ({ name }) => name === "Seaside Clinic",
  )!.id;
});
afterAll(() => site?.close());

let count = 0;
/** A user of the first tenant, for one test alone. */
const addUser = (more: object = {}): Promise<User> => {
  count += 1;
  const [email, lastName] = [`someone-${count}@users.example`, `Number${count}`];
  return asConsole<User>(site, "POST", path, { email, password, firstName: "Someone", lastName, role: "tenant_admin", tenantId, ...more });
};
const userNow = async (id: string): Promise<User> => (await asConsole<User[]>(site, "GET", path)).find((user) => user.id === id)!;

const visit = (body: (page: Page) => Promise<void>, options?: Parameters<typeof visitConsole>[3], at = address): Promise<void> =>
  visitConsole(site, at, body, options);
const usersOf = (page: Page): Locator => panelOf(page, "Users");
const rowOf = (page: Page, email: string): Locator => usersOf(page).getByRole("row").filter({ hasText: email });
const cellOf = (page: Page, email: string, title: string): Locator => rowOf(page, email).locator(`td[data-title="${title}"]`);
const press = (part: Locator, name: string | RegExp): Promise<void> => part.getByRole("button", { name, exact: true }).click();
/** A field by its label, whether it may stay empty or not. */
const field = (page: Page, label: string): Locator => dialogOf(page).getByLabel(new RegExp(`^${label}( ?\\(optional\\))?$`));

const add = async (page: Page): Promise<void> => {
  await press(usersOf(page), "Add User");
  await reads(dialogOf(page), /Add New User/);
};
/** Finds a user and opens what can be done about them. */
const edit = async (page: Page, { email }: User): Promise<void> => {
  await usersOf(page).getByRole("searchbox", { name: "Search users" }).fill(email);
  await rowOf(page, email).getByRole("button", { name: /^Edit/ }).click();
  await reads(dialogOf(page), /Two-factor sign-in/);
};

describe("the table of users", () => {
  proves("D2.2-009", ({ sees, quoted }) =>
    visit(async (page) => {
      const button = usersOf(page).getByRole("button", { name: "Add User" });
      expect(quoted).toEqual([await button.innerText()]);
      sees(await button.innerText());
    }),
  );
  proves("D2.2-010", ({ sees, quoted }) =>
    visit(async (page) => {
      const titles = await usersOf(page).getByRole("columnheader").allInnerTexts();
      expect(titles.slice(0, quoted.length)).toEqual(quoted);
      sees(titles.join(" "));
    }),
  );
  proves("D2.2-011", ({ sees }) =>
    visit(async (page) => {
      const { systemAdmin, tenants } = site.demo;
      const roles = [
        await cellOf(page, systemAdmin.email, "Role").innerText(),
        await cellOf(page, tenants[0]!.admin.email, "Role").innerText(),
      ];
      expect(roles).toEqual(["System Admin", "Tenant Admin"]);
      sees(roles.join());
    }),
  );
  proves("D2.2-012", () =>
    visit(async (page) => {
      const { systemAdmin, tenants } = site.demo;
      expect(await cellOf(page, systemAdmin.email, "Tenant").innerText()).toBe("");
      expect(await cellOf(page, tenants[0]!.admin.email, "Tenant").innerText()).toBe(tenants[0]!.name);
    }),
  );
  proves("D2.2-013", async ({ sees }) => {
    const gone = await addUser();
    await asConsole(site, "POST", `${path}/${gone.id}/deactivate`);
    await visit(async (page) => {
      const states = [
        await cellOf(page, gone.email, "Status").innerText(),
        await cellOf(page, site.demo.systemAdmin.email, "Status").innerText(),
      ];
      expect(states).toEqual(["Inactive", "Active"]);
      sees(states.join());
    });
  });
  proves("D2.2-014", async ({ sees }) => {
    const fresh = await addUser();
    await visit(async (page) => {
      sees(await cellOf(page, fresh.email, "Last Login").innerText());
      const own = cellOf(page, site.demo.systemAdmin.email, "Last Login").locator("time");
      expect(Date.now() - Date.parse((await own.getAttribute("datetime")) ?? "")).toBeLessThan(3_600_000);
    });
  });

  test("is sorted by a column, the other way round when it is pressed again, and the address says so", () =>
    visit(async (page) => {
      const header = usersOf(page).getByRole("columnheader", { name: "Email" });
      const emails = async () => (await usersOf(page).locator('td[data-title="Email"]').allInnerTexts()).map((text) => text.toLowerCase());
      await header.getByRole("button").click();
      await expect.poll(() => header.getAttribute("aria-sort"), patience).toBe("ascending");
      const ascending = await emails();
      expect(ascending).toEqual(ascending.toSorted((a, b) => a.localeCompare(b, "en-US", { numeric: true })));
      await header.getByRole("button").click();
      await expect.poll(emails, patience).toEqual(ascending.toReversed());
      expect(new URL(page.url()).searchParams.get("sort")).toBe("-email");
      await page.reload();
      await expect.poll(emails, patience).toEqual(ascending.toReversed());
    }));

  test("finds users by email, name and organization, keeps the search in the address, and says when there is none", () =>
    visit(async (page) => {
      const search = usersOf(page).getByRole("searchbox", { name: "Search users" });
      await search.fill("nora seaside");
      await expect.poll(() => usersOf(page).locator("tbody tr").count(), patience).toBe(1);
      await reads(rowOf(page, "Seaside Clinic"), /Nora New/);
      await page.reload();
      await expect.poll(() => usersOf(page).locator("tbody tr").count(), patience).toBe(1);
      await search.fill("nobody at all");
      await reads(usersOf(page), /No users found/);
      await expect.poll(() => new URL(page.url()).searchParams.get("q"), patience).toBe("nobody at all");
      await search.fill(site.demo.systemAdmin.email);
      await expect.poll(() => usersOf(page).locator("tbody tr").count(), patience).toBe(1);
      // Somebody's address is not left in a history or a log.
      await expect.poll(() => new URL(page.url()).searchParams.get("q"), patience).toBeNull();
      await search.fill("nobody at all");
      await reads(usersOf(page), /No users found/);
      await press(usersOf(page), "Clear search");
      await reads(usersOf(page), /\d+ users shown, that is all/);
    }));

  test("shows a thousand users step by step, and finds the last of them", async () => {
    const asked: string[] = [];
    const user = (number: number) => ({
      ...{
        id: String(number).padStart(26, "0"),
        email: `user${number}@many.example`,
        role: "tenant_admin",
        firstName: "User",
        lastName: `${number}`,
      },
      ...{ tenantId, tenantName: "Riverside", isActive: true, lastLogin: null, createdAt: new Date(number * 1000).toISOString() },
      ...{ hasTotp: false, mustChangePassword: false, invitedAt: null, lockedUntil: null, version: 1 },
    });
    const before = (page: Page) =>
      page.route(
        ({ pathname }) => pathname === path,
        (route) => {
          const from = Number(new URL(route.request().url()).searchParams.get("cursor") ?? 0);
          asked.push(String(from));
          const next = from + 200;
          const headers: Record<string, string> = next < 1000 ? { link: `<${path}?cursor=${next}>; rel="next"` } : {};
          return route.fulfill({ json: Array.from({ length: 200 }, (_, at) => user(from + at)), headers });
        },
      );
    await visit(
      async (page) => {
        expect(await usersOf(page).locator("tbody tr").count()).toBe(50);
        expect(asked).toEqual(["0"]);
        await press(usersOf(page), "Load more");
        await expect.poll(() => usersOf(page).locator("tbody tr").count(), patience).toBe(100);
        await usersOf(page).getByRole("searchbox", { name: "Search users" }).fill("user999@");
        await expect.poll(() => usersOf(page).locator("tbody tr").count(), patience).toBe(1);
        expect(asked).toEqual(["0", "200", "400", "600", "800"]);
      },
      { before },
    );
  });
});

describe("users that do not load", () => {
  const failure = (): Promise<string> => textOfFailure(site, address, path, "Users");
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
    expect(await textWhileLoading(site, address, path, "Users")).toBe("Loading users...");
  });
});

describe("adding a user", () => {
  proves("D2.2-072", ({ sees }) =>
    visit(async (page) => {
      await add(page);
      const title = await dialogOf(page).getByRole("heading", { level: 2 }).innerText();
      expect(title).toBe("Add New User");
      sees(title);
    }),
  );
  proves("D2.2-073", () =>
    visit(async (page) => {
      await add(page);
      for (const label of ["Email", "Role", "First name", "Last name", "Tenant"]) expect(await field(page, label).count()).toBe(1);
      await field(page, "First sign-in").selectOption("password");
      expect(await field(page, "Password").getAttribute("type")).toBe("password");
      await field(page, "Role").selectOption("system_admin");
      expect(await field(page, "Tenant").count()).toBe(0);
    }),
  );

  test("by an invitation sends it, and puts the user and the new count on the page", () =>
    visit(async (page) => {
      await add(page);
      await hasFocus(field(page, "Email"));
      await field(page, "Email").fill("invited@users.example");
      await field(page, "First name").fill("Ivy");
      await field(page, "Tenant").selectOption(seaside);
      let posts = 0;
      page.on("request", (request) => (posts += request.method() === "POST" ? 1 : 0));
      await dialogOf(page).getByRole("button", { name: "Send Invitation" }).dblclick();
      await reads(toastsOf(page), /Invitation sent/);
      await reads(rowOf(page, "invited@users.example"), /Ivy[^]*Tenant Admin[^]*Seaside Clinic[^]*Invited[^]*Never/);
      expect(posts).toBe(1);
      await hasFocus(usersOf(page).getByRole("button", { name: "Add User" }));
    }));

  test("with a password makes a system administrator, who belongs to no tenant", () =>
    visit(async (page) => {
      await add(page);
      await field(page, "Email").fill("second@users.example");
      await field(page, "Tenant").selectOption(seaside);
      await field(page, "First sign-in").selectOption("password");
      await field(page, "Password").fill("three words apart");
      await field(page, "Role").selectOption("system_admin");
      await press(dialogOf(page), "Create User");
      await reads(rowOf(page, "second@users.example"), /System Admin[^]*Must change password/);
      expect(
        (await site.api("POST", "/api/auth/login", { body: { email: "second@users.example", password: "three words apart" } })).status,
      ).toBe(200);
    }));

  test("says at the fields what is missing or taken, and keeps what was typed", () =>
    visit(
      async (page) => {
        await add(page);
        await press(dialogOf(page), "Send Invitation");
        await reads(dialogOf(page), /Email is required[^]*Please select a tenant for tenant admin users/);
        await field(page, "First sign-in").selectOption("password");
        await press(dialogOf(page), "Create User");
        await reads(dialogOf(page).getByRole("alert"), "Email and password are required");
        await reads(dialogOf(page), /Email is required[^]*Password is required/);
        await field(page, "Email").fill("some@users.example");
        await expect.poll(() => dialogOf(page).innerText(), patience).not.toContain("Email is required");
        await field(page, "First sign-in").selectOption("invite");
        await field(page, "Email").fill(site.demo.tenants[0]!.admin.email);
        await field(page, "Tenant").selectOption(tenantId);
        await press(dialogOf(page), "Send Invitation");
        await reads(dialogOf(page), /A user with this email already exists/);
        await hasFocus(field(page, "Email"));
        expect(await field(page, "Tenant").inputValue()).toBe(tenantId);
      },
      { refused: [`409 POST ${path}`] },
    ));
});

proves("D2.2-120", () =>
  visit(async (page) => {
    await add(page);
    await field(page, "Email").fill("half@users.example");
    await page.keyboard.press("Escape");
    const asks = page.getByRole("alertdialog");
    await reads(asks, /Discard changes\?/);
    await asks.getByRole("button", { name: "Keep editing" }).click();
    expect(await field(page, "Email").inputValue()).toBe("half@users.example");
    await press(dialogOf(page), "Close");
    await asks.getByRole("button", { name: "Discard" }).click();
    await expect.poll(() => dialogOf(page).count(), patience).toBe(0);
    await add(page);
    expect(await field(page, "Email").inputValue()).toBe("");
  }),
);

describe("a user", () => {
  proves("D2.4-017", async () => {
    const user = await addUser();
    await visit(async (page) => {
      await edit(page, user);
      await field(page, "Last name").fill("Renamed");
      await field(page, "Tenant").selectOption(seaside);
      await press(dialogOf(page), "Save Changes");
      await expect.poll(() => dialogOf(page).count(), patience).toBe(0);
      await reads(rowOf(page, user.email), /Someone Renamed[^]*Seaside Clinic/);
      expect((await userNow(user.id)).tenantId).toBe(seaside);
    });
  });

  test("that somebody else has changed meanwhile is not overwritten, and nothing typed is lost", async () => {
    const user = await addUser();
    await visit(
      async (page) => {
        await edit(page, user);
        await field(page, "Last name").fill("Mine");
        await asConsole(site, "PUT", `${path}/${user.id}`, { firstName: "Theirs" });
        await press(dialogOf(page), "Save Changes");
        await reads(dialogOf(page), /Somebody else has changed this user[^]*They changed: first name/);
        expect(await field(page, "Last name").inputValue()).toBe("Mine");
        await press(dialogOf(page), "Save Changes");
        await reads(rowOf(page, user.email), /Theirs Mine/);
      },
      { refused: [`409 PUT ${path}/${user.id}`] },
    );
  });

  test("is locked out after a question, and let in again", async () => {
    const user = await addUser();
    await visit(async (page) => {
      await edit(page, user);
      await press(dialogOf(page), "Deactivate");
      const asks = page.getByRole("alertdialog");
      await reads(asks, /signed out everywhere/);
      await hasFocus(asks.getByRole("button", { name: "Cancel" }));
      await asks.getByRole("button", { name: "Deactivate" }).click();
      await reads(dialogOf(page), /cannot sign in any more[^]*Reactivate/);
      expect((await userNow(user.id)).isActive).toBe(false);
      await press(dialogOf(page), "Reactivate");
      await reads(dialogOf(page), /They can sign in again/);
      expect((await userNow(user.id)).isActive).toBe(true);
      await press(dialogOf(page), "Close");
      expect(await cellOf(page, user.email, "Status").innerText()).toMatch(/^Active/);
    });
  });

  test("who failed to sign in is unlocked, and who lost the password gets another", async () => {
    const user = await addUser();
    await visit(async (page) => {
      // Locks are short: by the time that this one is looked at it would be over.
      await page.route("**/api/admin/users", async (route) => {
        const response = await route.fetch();
        const all = (await response.json()) as User[];
        const lockedUntil = new Date(Date.now() + 600_000).toISOString();
        await route.fulfill({ response, json: all.map((one) => (one.id === user.id ? { ...one, lockedUntil } : one)) });
      });
      await page.reload();
      await edit(page, user);
      await reads(dialogOf(page), /Locked\s+Until/);
      await press(dialogOf(page), "Unlock");
      await reads(dialogOf(page), /Failed sign-ins are forgotten/);
      expect(await dialogOf(page).getByRole("button", { name: "Unlock" }).count()).toBe(0);
      await hasFocus(dialogOf(page).getByRole("button", { name: "Reset Password" }));
      await press(dialogOf(page), "Reset Password");
      const reset = page.getByRole("dialog", { name: "Reset Password" });
      await hasFocus(reset.getByLabel("New password", { exact: true }));
      await reset.getByLabel("New password", { exact: true }).selectOption("password");
      await reset.getByLabel("Password", { exact: true }).fill("short");
      await press(reset, "Reset Password");
      await reads(reset, /Must be at least 12 characters/);
      await page.keyboard.press("Escape");
      await reads(page.getByRole("alertdialog"), /Discard changes\?/);
      await page.getByRole("alertdialog").getByRole("button", { name: "Keep editing" }).click();
      await reset.getByLabel("Password", { exact: true }).fill("other words apart");
      await press(reset, "Reset Password");
      await expect.poll(() => reset.count(), patience).toBe(0);
      await reads(dialogOf(page), /The password is set/);
      await hasFocus(dialogOf(page).getByRole("button", { name: "Reset Password" }));
    });
    expect((await site.api("POST", "/api/auth/login", { body: { email: user.email, password: "other words apart" } })).status).toBe(200);
  });

  test("who is not locked out is not offered to be unlocked", async () => {
    const user = await addUser();
    await visit(async (page) => {
      await edit(page, user);
      expect(await dialogOf(page).getByRole("button", { name: "Reset Password" }).count()).toBe(1);
      expect(await dialogOf(page).getByRole("button", { name: "Unlock" }).count()).toBe(0);
      expect(await dialogOf(page).innerText()).not.toContain("Locked");
    });
  });

  test("keeps a tenant that is not among those to choose from", async () => {
    const user = await addUser();
    await visit(async (page) => {
      await page.route("**/api/admin/tenants*", (route) => route.fulfill({ json: [] }));
      await edit(page, user);
      const tenant = field(page, "Tenant");
      await expect.poll(() => tenant.locator("option:checked").innerText(), patience).toBe(site.demo.tenants[0]!.name);
      await field(page, "Last name").fill("Kept");
      await press(dialogOf(page), "Save Changes");
      await reads(rowOf(page, user.email), /Someone Kept/);
      expect((await userNow(user.id)).tenantId).toBe(tenantId);
    });
  });

  test("who is invited is told apart, and gets the invitation again", async () => {
    const user = await addUser({ password: undefined, invite: true });
    await visit(async (page) => {
      await reads(cellOf(page, user.email, "Status"), /^Invited\s+Active, not accepted yet$/);
      await edit(page, user);
      await press(dialogOf(page), "Resend Invitation");
      await reads(dialogOf(page), /mailed again/);
    });
    expect((await userNow(user.id)).invitedAt).not.toBe(user.invitedAt);
  });

  test("who is oneself can neither be locked out nor reset", () =>
    visit(async (page) => {
      await rowOf(page, site.demo.systemAdmin.email).getByRole("button", { name: /^Edit/ }).click();
      await reads(dialogOf(page), /This is you/);
      expect(
        await dialogOf(page)
          .getByRole("button", { name: /Deactivate|Reset Password|Unlock/ })
          .count(),
      ).toBe(0);
    }));
});

describe("the console itself", () => {
  proves("D2.2-001", () =>
    site.visit({}, async ({ page }) => {
      for (const area of ["/admin", "/admin-dashboard"]) {
        await open(page, area);
        await expect.poll(() => new URL(page.url()).pathname, patience).toBe("/admin-login");
      }
      await site.visit({ as: site.demo.systemAdmin }, async ({ page: signedIn }) => {
        for (const area of ["/admin", "/admin-dashboard"]) {
          await open(signedIn, area);
          await reads(signedIn.getByRole("main"), /Admin Dashboard[^]*Total Users/);
        }
      });
    }),
  );
  proves("D2.2-005", () =>
    visit(async (page) => reads(page.getByRole("banner"), /System Administrator\s+admin@vitaline\.example\s+System Admin/)),
  );
  proves("D2.2-006", ({ sees }) =>
    visit(async (page) => {
      const logout = page.getByRole("banner").getByRole("button", { name: "Logout" });
      expect(await logout.count()).toBe(1);
      sees(await logout.innerText());
    }),
  );
  proves("D2.2-007", ({ sees }) =>
    visit(async (page) => {
      const cards = page.getByRole("region", { name: "Summary" }).getByRole("article");
      expect(await cards.count()).toBe(3);
      sees((await cards.allInnerTexts()).join());
    }),
  );
  proves("D2.2-008", ({ sees, quoted }) =>
    visit(async (page) => {
      const tabs = await page.getByRole("tab").allInnerTexts();
      expect(tabs).toEqual(quoted);
      sees(tabs.join());
    }),
  );
  proves("D2.0-001", () =>
    visit(async (page) => {
      const parts = {
        Users: "Users",
        Tenants: "Tenants",
        "Voice & AI": "Voice Agents",
        "EHR/FHIR": "Platform Keys",
        "Audit & Compliance": "Compliance Metrics",
      };
      for (const [tab, part] of Object.entries(parts)) {
        await page.getByRole("tab", { name: tab }).click();
        await expect.poll(() => panelOf(page, part).count(), patience).toBe(1);
      }
    }),
  );
  proves("D2.6-005", () =>
    site.visit({}, async ({ page }) => {
      const asked: string[] = [];
      page.on("request", (request) => asked.push(new URL(request.url()).pathname));
      await open(page, address);
      await expect.poll(() => new URL(page.url()).pathname, patience).toBe("/admin-login");
      expect(asked.filter((one) => one.startsWith("/api/admin") || one.startsWith("/api/dashboard"))).toEqual([]);
    }),
  );

  test("can be used by keyboard alone: a user is found, opened and left again", () =>
    visit(async (page) => {
      await usersOf(page).getByRole("button", { name: "Add User" }).focus();
      await tabTo(page, "Search users");
      await page.keyboard.type(site.demo.tenants[0]!.admin.email);
      await expect.poll(() => usersOf(page).locator("tbody tr").count(), patience).toBe(1);
      await tabTo(page, "Edit Rita Rivers");
      await page.keyboard.press("Enter");
      await hasFocus(field(page, "Email"));
      await page.keyboard.press("Escape");
      await hasFocus(usersOf(page).getByRole("button", { name: "Edit Rita Rivers" }));
    }));
});

proves("D2.2-002", () =>
  // Logging out ends the session, so it is one of its own
  site.visit({}, async ({ page }) => {
    await open(page, "/admin/login");
    await page.getByLabel("Email").fill(site.demo.systemAdmin.email);
    await page.getByLabel("Password").fill(site.demo.systemAdmin.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await reads(usersOf(page), /users shown/);
    await page.getByRole("button", { name: "Logout" }).click();
    await reads(page.getByRole("main"), /System Admin Login/);
    expect(new URL(page.url()).pathname).toBe("/admin/login");
  }),
);
proves("D2.2-003", () =>
  site.visit({}, async ({ page }) => {
    await open(page, "/admin");
    await expect.poll(() => new URL(page.url()).pathname, patience).toBe("/admin-login");
    await reads(page.getByRole("main"), /System Admin Login/);
  }),
);
