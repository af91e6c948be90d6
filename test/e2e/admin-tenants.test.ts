import type { BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { proves } from "../requirements/proves.ts";
import { asConsole } from "./clinic.fixture.ts";
import { toastsOf } from "./console.fixture.ts";
import { hasFocus, tabTo } from "./focus.fixture.ts";
import { open, patience, reads, settled, titled } from "./look.fixture.ts";
import { openTenant, tenantDialog } from "./looks/admin-tenants.ts";
import { openSite, type Site } from "./site.fixture.ts";

const question =
  "Are you sure you want to regenerate the API key? This will invalidate the current key and break all existing integrations until updated.";
const tenantAddress = "**/api/admin/tenants/*";
const unwell = { status: 503, json: { error: "The record keeper sleeps.", code: "unavailable", requestId: "request-1" } };

let site: Site;
/** Has two offices, and is only looked at. */
let looked: string;
/** A tenant that these tests change. */
let mine: Made;
type Made = { id: string; apiKey: string };

const create = (path: string, body: object): Promise<Made> => asConsole<Made>(site, "POST", path, body);
let counter = 0;
const addClinic = (name = `Changed Clinic ${++counter}`): Promise<Made> =>
  create("/api/admin/tenants", { name, contactEmail: "desk@changed.example", contactPhone: "555 0100" });
const tenantNow = (id: string) => asConsole<Record<string, unknown>>(site, "GET", `/api/admin/tenants/${id}?withKey=false`);

beforeAll(async () => {
  site = await openSite();
  looked = site.demo.tenants[0]!.id;
  mine = await addClinic("Changed Clinic");
});
afterAll(() => site?.close());

const visit = (body: (page: Page, context: BrowserContext) => Promise<void>, refused: string[] = []): Promise<void> =>
  site.visit({ as: site.demo.systemAdmin, refused }, async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await body(page, context);
  });
/** In the dialog of a tenant, at one of its parts. */
const visitTenant = (part: string, body: (page: Page, dialog: Locator) => Promise<void>, id = looked, refused: string[] = []) =>
  visit(async (page) => {
    await openTenant(page, id, part);
    await settled(page);
    await body(page, tenantDialog(page));
  }, refused);
const visitList = (body: (page: Page) => Promise<void>, search = "", refused: string[] = []) =>
  visit(async (page) => {
    await open(page, `/admin?tab=tenants${search}`);
    await body(page);
  }, refused);

const button = (place: Page | Locator, name: string) => place.getByRole("button", { name, exact: true });
const panelOf = (page: Page) => page.getByRole("tabpanel", { name: "Tenants" });
const asking = (page: Page) => page.getByRole("alertdialog");
const table = (page: Page) => page.getByRole("table", { name: "Tenants" });
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const toasts = toastsOf;
const shownKey = (place: Locator) =>
  place
    .getByText(/^vtl_live_/)
    .first()
    .innerText();

describe("the list", () => {
  proves("D2.2-015", ({ sees }) =>
    visitList(async (page) => {
      sees(await button(page, "Add Tenant").innerText());
      expect(await button(page, "Add Tenant").count()).toBe(1);
    }),
  );
  proves("D2.2-016", ({ sees }) =>
    visitList(async (page) => {
      const titles = await table(page).getByRole("columnheader").allInnerTexts();
      expect(titles).toEqual(["Name", "Type", "Contact Email", "Status", "Created", "Actions"]);
      sees(titles.join(" "));
    }),
  );
  proves("D2.2-017", ({ sees }) =>
    visitList(async (page) => {
      for (const [name, focused] of [
        ["View", page.getByRole("tab", { name: "Details" })],
        ["Edit", page.getByRole("button", { name: "Edit details" })],
      ] as const) {
        const opening = button(page, `${name} Riverside Family Clinic`);
        sees(await opening.innerText());
        await opening.click();
        await reads(tenantDialog(page), /Riverside Family Clinic/);
        await hasFocus(focused);
        expect(page.url()).toContain(`tenant=${looked}`);
        await button(page, "Close").click();
        await expect.poll(() => page.getByRole("dialog").count(), patience).toBe(0);
        await hasFocus(opening);
      }
    }),
  );
  proves("D2.2-018", ({ sees }) =>
    visit(async (page) => {
      await page.route("**/api/admin/tenants", (route) => route.fulfill({ json: [] }));
      await open(page, "/admin?tab=tenants");
      await reads(panelOf(page), /No tenants found/);
      sees(await panelOf(page).innerText());
    }),
  );
  for (const id of ["D2.8-001", "D2.8-014"])
    proves(id, ({ sees }) =>
      visit(
        async (page) => {
          let isWell = false;
          await page.route("**/api/admin/tenants", (route) => (isWell ? route.continue() : route.fulfill(unwell)));
          await open(page, "/admin?tab=tenants");
          await reads(panelOf(page), /Error loading tenants: Failed to fetch tenants\s+The record keeper sleeps/);
          sees((await panelOf(page).innerText()).replace(/tenants: Failed.*/, "tenants: {message}"));
          sees(await panelOf(page).innerText());
          expect(await panelOf(page).getByRole("alert").count()).toBe(1);
          isWell = true;
          await button(panelOf(page), "Retry").click();
          await reads(panelOf(page), /Riverside Family Clinic/);
        },
        ["503 GET /api/admin/tenants"],
      ),
    );

  test("is searched, narrowed and put in order, all of it in the address", async () => {
    await visitList(async (page) => {
      const names = () => table(page).locator("tbody tr td:first-child").allInnerTexts();
      await page.getByLabel("Search tenants").fill("family riverside");
      await expect.poll(names, patience).toEqual(["Riverside Family Clinic"]);
      await page.getByLabel("Status").selectOption("inactive");
      await reads(panelOf(page), /No matching tenants/);
      await page.reload();
      await reads(panelOf(page), /No matching tenants/);
      await button(page, "Clear search").click();
      await button(page, "Name").click();
      const isInOrder = async () => {
        const now = await names();
        return now.length > 1 && now.join() === now.toSorted((a, b) => a.localeCompare(b)).join();
      };
      await expect.poll(isInOrder, patience).toBe(true);
      await expect.poll(() => page.url(), patience).toMatch(/\?tab=tenants&sort=name$/);
    });
  });
});

describe("a new tenant", () => {
  const begin = async (page: Page): Promise<Locator> => {
    await button(page, "Add Tenant").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Organization name").waitFor();
    return dialog;
  };

  proves("D2.2-074", ({ sees }) =>
    visitList(async (page) => {
      const dialog = await begin(page);
      sees(await dialog.getByRole("heading", { level: 2 }).innerText());
      await hasFocus(dialog.getByLabel("Organization name"));
    }),
  );
  proves("D2.2-075", () =>
    visitList(async (page) => {
      const dialog = await begin(page);
      const fields = ["Organization name", "Organization type", "Contact email", "Contact phone", "Address", "Description"];
      for (const name of fields) expect(await dialog.getByLabel(name).count()).toBe(1);
      expect(await dialog.getByLabel("Organization type").locator("option").allInnerTexts()).toHaveLength(6);
    }),
  );
  proves("D2.8-032", () =>
    visitList(
      async (page) => {
        const dialog = await begin(page);
        await page.route("**/api/admin/tenants", (route) =>
          route.request().method() === "POST" ? route.fulfill(unwell) : route.continue(),
        );
        await dialog.getByLabel("Organization name").fill("Half filled");
        await dialog.getByLabel("Contact email").fill("half@filled.example");
        await button(dialog, "Create Organization").click();
        await reads(dialog.getByRole("alert"), /The record keeper sleeps/);
        expect(await dialog.getByLabel("Organization name").inputValue()).toBe("Half filled");
      },
      "",
      ["503 POST /api/admin/tenants"],
    ),
  );
  test("whose making was not answered is not made a second time", () =>
    visitList(
      async (page) => {
        const dialog = await begin(page);
        let posts = 0;
        await page.route("**/api/admin/tenants", async (route) => {
          if (route.request().method() !== "POST") return route.continue();
          posts += 1;
          await route.fetch();
          await route.fulfill(unwell);
        });
        await dialog.getByLabel("Organization name").fill("Made Once Clinic");
        await dialog.getByLabel("Contact email").fill("Desk@Once.example");
        await button(dialog, "Create Organization").click();
        await reads(dialog.getByRole("alert"), /The record keeper sleeps/);
        await button(dialog, "Create Organization").click();
        await reads(dialog, /Made Once Clinic was created/);
        expect(posts).toBe(1);
        const all = await asConsole<{ name: string }[]>(site, "GET", "/api/admin/tenants");
        expect(all.filter(({ name }) => name === "Made Once Clinic")).toHaveLength(1);
      },
      "",
      ["503 POST /api/admin/tenants"],
    ));

  test("that was begun is asked about before it goes, and gone when it is begun again", () =>
    visitList(async (page) => {
      const dialog = await begin(page);
      await dialog.getByLabel("Organization name").fill("Never made");
      await button(dialog, "Close").click();
      await reads(asking(page), /Discard changes\?/);
      await button(page, "Discard").click();
      await expect.poll(() => dialog.count(), patience).toBe(0);
      const again = await begin(page);
      expect(await again.getByLabel("Organization name").inputValue()).toBe("");
      expect(await again.getByLabel("Organization type").inputValue()).toBe("clinic");
    }));

  test("is made once by two clicks, and leads on to its first administrator", async () => {
    await visitList(async (page) => {
      const dialog = await begin(page);
      await button(dialog, "Create Organization").click();
      await reads(dialog.getByRole("alert"), "Organization name and contact email are required");
      await reads(dialog, /Organization name is required[^]*Contact email is required/);
      await hasFocus(dialog.getByLabel("Organization name"));
      await dialog.getByLabel("Organization name").fill("Made Twice Clinic");
      await dialog.getByLabel("Contact email").fill("desk@twice.example");
      await button(dialog, "Create Organization").dblclick();
      await reads(dialog, /Made Twice Clinic was created/);
      await hasFocus(button(dialog, "Invite tenant admin"));
      const all = await asConsole<{ name: string }[]>(site, "GET", "/api/admin/tenants");
      expect(all.filter(({ name }) => name === "Made Twice Clinic")).toHaveLength(1);
      await reads(panelOf(page), /Made Twice Clinic/);
      await button(dialog, "Invite tenant admin").click();
      await reads(page.getByRole("dialog"), /Add New User/);
      const chosen = page.getByRole("dialog").getByLabel("Tenant", { exact: true });
      await expect
        .poll(() => chosen.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text), patience)
        .toBe("Made Twice Clinic");
    });
  });
});

describe("the dialog", () => {
  proves("D2.2-076", ({ sees }) =>
    visit(async (page) => {
      const answer = Promise.withResolvers<void>();
      await page.route(`${tenantAddress}?withKey=false`, async (route) => {
        await answer.promise;
        await route.continue();
      });
      await page.goto(`/admin?tab=tenants&tenant=${looked}`);
      const title = tenantDialog(page).getByRole("heading", { level: 2 });
      await reads(title, "Tenant Details");
      sees(await title.innerText());
      answer.resolve();
      await reads(title, "Riverside Family Clinic");
      expect(await title.innerText()).toBe("Riverside Family Clinic");
    }),
  );
  proves("D2.2-077", ({ sees }) =>
    visit(async (page) => {
      const answer = Promise.withResolvers<void>();
      await page.route(`${tenantAddress}?withKey=false`, async (route) => {
        await answer.promise;
        await route.continue();
      });
      await page.goto(`/admin?tab=tenants&tenant=${looked}`);
      const said = tenantDialog(page).getByText("Loading tenant details...");
      await said.waitFor({ state: "attached", ...patience });
      sees(await said.textContent());
      answer.resolve();
      await expect.poll(() => said.count(), patience).toBe(0);
      expect(await tenantDialog(page).getByRole("tab").count()).toBe(4);
    }),
  );
  proves("D2.2-078", ({ sees }) =>
    visitTenant("details", async (page, dialog) => {
      const tabs = await dialog.getByRole("tab").allInnerTexts();
      expect(tabs).toEqual(["Details", "Offices", "API & Security", "Preferences"]);
      sees(tabs.join(" "));
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Enter");
      await reads(dialog, /Main Street Office/);
      expect(page.url()).toContain("part=offices");
    }),
  );
  proves("D2.2-097", () =>
    visit(
      async (page) => {
        let isWell = false;
        await page.route(`${tenantAddress}?withKey=false`, (route) => (isWell ? route.continue() : route.fulfill(unwell)));
        await open(page, `/admin?tab=tenants&tenant=${looked}`);
        await reads(tenantDialog(page).getByRole("alert"), /The record keeper sleeps/);
        isWell = true;
        await button(tenantDialog(page), "Retry").click();
        await reads(tenantDialog(page), /API & Security/);
        expect(await tenantDialog(page).getByRole("alert").count()).toBe(0);
      },
      [`503 GET /api/admin/tenants/${looked}`],
    ),
  );
  proves("D2.2-098", ({ sees }) =>
    visitTenant("details", async (page, dialog) => {
      sees(await button(dialog, "Close").innerText());
      await button(dialog, "Close").click();
      await expect.poll(() => page.getByRole("dialog").count(), patience).toBe(0);
      expect(page.url()).not.toContain("tenant=");
    }),
  );
});

proves("D2.6-004", () =>
  visit(async (page) => {
    const token = await site.tokenFor(site.demo.systemAdmin);
    const asked: string[] = [];
    page.on("request", (request) => {
      if (!/\/api\/(admin|dashboard)\//.test(request.url())) return;
      asked.push(request.url());
      expect(request.headers()["authorization"]).toBe(`Bearer ${token}`);
    });
    for (const part of ["details", "offices", "api", "preferences"]) await openTenant(page, looked, part);
    await settled(page);
    expect(asked.length).toBeGreaterThan(6);
  }),
);

describe("details", () => {
  const edit = (page: Page) => page.getByRole("button", { name: "Edit details" });

  proves("D2.2-079", ({ sees }) =>
    visitTenant("details", async (page, dialog) => {
      sees(await edit(page).innerText());
      await edit(page).click();
      sees(await button(dialog, "Cancel editing").innerText());
      await button(dialog, "Cancel editing").click();
      await hasFocus(edit(page));
      expect(await button(dialog, "Save Changes").count()).toBe(0);
    }),
  );
  proves("D2.2-080", ({ sees }) =>
    visitTenant(
      "details",
      async (page, dialog) => {
        await edit(page).click();
        sees(await button(dialog, "Cancel").innerText());
        sees(await button(dialog, "Save Changes").innerText());
        const answer = Promise.withResolvers<void>();
        await page.route(tenantAddress, async (route) => {
          if (route.request().method() === "PUT") await answer.promise;
          await route.continue();
        });
        await dialog.getByLabel("Description").fill("Saved once");
        await button(dialog, "Save Changes").click();
        await reads(dialog, /Saving\.\.\./);
        sees(await dialog.innerText());
        answer.resolve();
        await reads(toasts(page), /Tenant saved/);
        await hasFocus(edit(page));
        expect((await tenantNow(mine.id))["description"]).toBe("Saved once");
      },
      mine.id,
    ),
  );
  proves("D2.2-081", () =>
    visitTenant("details", async (page, dialog) => {
      const name = dialog.getByLabel("Organization name");
      const fields = dialog.locator("input, select, textarea");
      await reads(dialog, /Organization name\s+Riverside Family Clinic\s+Organization type\s+Clinic\s+Contact email\s+\S+@\S+/);
      expect(await fields.count()).toBe(0);
      await edit(page).click();
      expect(await fields.count()).toBeGreaterThan(8);
      expect(await name.isEditable()).toBe(true);
      await hasFocus(name);
    }),
  );
  proves("D2.2-082", () =>
    visitTenant("details", async (page, dialog) => {
      const name = dialog.getByLabel("Organization name");
      await edit(page).click();
      await name.fill("Something else");
      await button(dialog, "Cancel").click();
      await reads(dialog, /Organization name\s+Riverside Family Clinic/);
      expect(await name.count()).toBe(0);
      await edit(page).click();
      expect(await name.inputValue()).toBe("Riverside Family Clinic");
    }),
  );
  proves("D2.2-083", ({ sees }) =>
    visit(async (page) => {
      await openTenant(page, looked);
      await reads(tenantDialog(page), /Created [A-Z][a-z]{2} \d+, /);
      await page.route(`${tenantAddress}?withKey=false`, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...((await response.json()) as object), createdAt: null } });
      });
      await page.reload();
      await reads(tenantDialog(page), /Created N\/A/);
      sees(await tenantDialog(page).innerText());
    }),
  );
  proves("D2.5-007", () =>
    visitTenant("details", async (page, dialog) => {
      await edit(page).click();
      expect(await dialog.getByLabel("Contact email").getAttribute("type")).toBe("email");
      expect(await dialog.getByLabel("Contact phone").getAttribute("type")).toBe("tel");
    }),
  );

  test("say what is not set, and what is once it is", async () => {
    const { id } = await addClinic();
    const notSet = /Contact phone\s+555 0100\s+Address\s+Not set\s+Description\s+Not set\s+Status\s+Active\s+Plan\s+Plan name\s+Not set/;
    await visitTenant(
      "details",
      async (page, dialog) => {
        await reads(dialog, notSet);
        await edit(page).click();
        await dialog.getByLabel("Address").fill("7 Long Road");
        await button(dialog, "Save Changes").click();
        await reads(dialog, /Address\s+7 Long Road\s+Description\s+Not set/);
        expect(await tenantNow(id)).toMatchObject({ address: "7 Long Road", description: null, plan: null });
      },
      id,
    );
  });

  test("say once what they cannot do without, and at the field that lacks it which one that is", async () => {
    await visitTenant("details", async (page, dialog) => {
      await edit(page).click();
      await dialog.getByLabel("Organization name").fill(" ");
      await button(dialog, "Save Changes").click();
      await reads(dialog.getByRole("alert"), "Name and contact email are required");
      await hasFocus(dialog.getByLabel("Organization name"));
      const text = await dialog.innerText();
      expect(text.match(/Name and contact email are required/g)).toHaveLength(1);
      expect(text).toContain("Organization name is required");
      expect(text).not.toContain("Contact email is required");
      await dialog.getByLabel("Organization name").fill("Riverside");
      await expect.poll(() => dialog.innerText(), patience).not.toContain("required");
    });
  });

  test("that somebody else changes meanwhile are told, and nothing that was typed is lost", async () => {
    const { id } = await addClinic();
    await visitTenant(
      "details",
      async (page, dialog) => {
        await edit(page).click();
        await dialog.getByLabel("Description").fill("Typed here");
        const before = await tenantNow(id);
        const theirs = { name: before["name"], contactEmail: "theirs@changed.example", organizationType: "hospital", isActive: true };
        await asConsole(site, "PUT", `/api/admin/tenants/${id}`, theirs);
        await button(dialog, "Save Changes").click();
        await reads(dialog, /Somebody else has changed this tenant[^]*They changed: organization type, contact email/);
        expect(await dialog.getByLabel("Description").inputValue()).toBe("Typed here");
        await button(dialog, "Save Changes").click();
        await reads(toasts(page), /Tenant saved/);
        expect(await tenantNow(id)).toMatchObject({
          description: "Typed here",
          contactEmail: "theirs@changed.example",
          organizationType: "hospital",
        });
      },
      id,
      [`409 PUT /api/admin/tenants/${id}`],
    );
  });

  test("switch a tenant off only after a question, and its key with it", async () => {
    const { id, apiKey } = await addClinic();
    await visitTenant(
      "details",
      async (page, dialog) => {
        await edit(page).click();
        await dialog.getByRole("switch", { name: "Active" }).uncheck();
        await button(dialog, "Save Changes").click();
        await reads(asking(page), /Deactivate tenant\?/);
        await hasFocus(button(asking(page), "Cancel"));
        await button(asking(page), "Deactivate").click();
        await reads(toasts(page), /Tenant saved/);
        expect(await button(dialog, "View as tenant").count()).toBe(0);
        const body = { message: { type: "tool-calls", call: { id: "c" }, toolCallList: [] } };
        expect((await site.api("POST", "/api/vapi/tool-call", { key: apiKey, body })).status).toBe(403);
        await button(dialog, "Close").click();
        await reads(table(page).getByRole("row", { name: new RegExp(`Changed Clinic ${counter} `) }), /Inactive/);
      },
      id,
    );
  });

  test("have a plan, against which usage counts", async () => {
    const { id } = await addClinic();
    await visitTenant(
      "details",
      async (page, dialog) => {
        await reads(dialog, /No plan is set/);
        await edit(page).click();
        await dialog.getByLabel("Plan name").fill("Growth");
        await dialog.getByLabel("US dollars a month").fill("much");
        await dialog.getByLabel("Minutes included").fill("2500");
        await button(dialog, "Save Changes").click();
        await reads(dialog, /Must be an amount in dollars/);
        await dialog.getByLabel("US dollars a month").fill("499.50");
        await button(dialog, "Save Changes").click();
        await reads(dialog, /0 of 2,500 minutes[^]*Plan: Growth/i);
        expect((await tenantNow(id))["plan"]).toEqual({ name: "Growth", monthlyPrice: 499.5, bundledMinutes: 2500 });
      },
      id,
    );
  });

  test("lead to an invitation, in front of them", async () => {
    await visitTenant("details", async (page, dialog) => {
      await button(dialog, "Invite tenant admin").click();
      const invitation = page.getByRole("dialog", { name: "Add New User" });
      const chosen = invitation.getByLabel("Tenant", { exact: true });
      await expect.poll(() => chosen.inputValue(), patience).toBe(looked);
      await page.keyboard.press("Escape");
      await expect.poll(() => invitation.count(), patience).toBe(0);
      await hasFocus(button(dialog, "Invite tenant admin"));
    });
  });

  test("lead into the tenant's own console, to be looked at and not changed", async () => {
    await visitTenant("details", async (page, dialog) => {
      const begun: string[] = [];
      page.on("request", (request) => void (request.url().endsWith("/view-as") && begun.push(request.url())));
      await button(dialog, "View as tenant").dblclick();
      await titled(page, "Tenant Dashboard");
      expect(begun).toHaveLength(1);
      await reads(page.getByRole("region", { name: "View as a tenant" }), /You can read, not change/);
      await button(page, "End view").click();
      await reads(tenantDialog(page), /Riverside Family Clinic/);
      expect(page.url()).toContain(`/admin?tab=tenants&tenant=${looked}`);
    });
  });
});

test("the tenant's own console does not take the place of what is typed without a question", async () => {
  await visitTenant("preferences", async (page, dialog) => {
    await dialog.getByRole("switch", { name: "SMS" }).uncheck();
    await dialog.getByRole("tab", { name: "Details" }).click();
    await button(dialog, "View as tenant").click();
    await reads(asking(page), /Discard changes\?[^]*has not been saved/);
    await button(asking(page), "Cancel").click();
    await hasFocus(button(dialog, "View as tenant"));
    await dialog.getByRole("tab", { name: "Preferences" }).click();
    expect(await dialog.getByRole("switch", { name: "SMS" }).isChecked()).toBe(false);
    await dialog.getByRole("tab", { name: "Details" }).click();
    await button(dialog, "View as tenant").click();
    const askedAgain: string[] = [];
    page.on("dialog", (browsers) => {
      askedAgain.push(browsers.type());
      void browsers.dismiss();
    });
    await button(asking(page), "Discard and view as tenant").click();
    await titled(page, "Tenant Dashboard");
    expect(askedAgain).toEqual([]);
    await button(page, "End view").click();
    await reads(tenantDialog(page), /Riverside Family Clinic/);
  });
});

describe("offices", () => {
  proves("D2.2-084", ({ sees }) =>
    visitTenant("offices", async (_, dialog) => {
      sees(await dialog.innerText());
      expect(await dialog.getByRole("list", { name: "Offices" }).getByRole("listitem").count()).toBe(2);
      expect(await button(dialog, "Edit Main Street Office").count()).toBe(1);
    }),
  );
  proves("D2.2-085", () =>
    visit(async (page) => {
      const { id } = await addClinic();
      const office = { name: "Row Office", address: "7 Row Road", phone: "555 0177", email: "row@changed.example", isActive: false };
      await create(`/api/admin/tenants/${id}/offices`, office);
      await openTenant(page, id, "offices");
      const row = tenantDialog(page).getByRole("listitem");
      await reads(row, /Row Office\s+7 Row Road\s+555 0177 · row@changed\.example\s+Inactive/);
      expect(await row.count()).toBe(1);
    }),
  );
  proves("D2.2-086", ({ sees }) =>
    visitTenant(
      "offices",
      async (_, dialog) => {
        await reads(dialog, /No offices configured/);
        sees(await dialog.innerText());
        expect(await button(dialog, "Add Office").count()).toBe(1);
      },
      mine.id,
    ),
  );
  proves("D2.8-003", ({ sees }) =>
    visit(
      async (page) => {
        await page.route("**/api/admin/tenants/*/offices*", (route) => route.fulfill(unwell));
        await openTenant(page, looked, "offices");
        await reads(tenantDialog(page).getByRole("alert"), /Failed to fetch offices/);
        sees(await tenantDialog(page).innerText());
        expect(await button(tenantDialog(page), "Retry").count()).toBe(1);
      },
      [`503 GET /api/admin/tenants/${looked}/offices`],
    ),
  );
  proves("D2.2-099", () =>
    visit(async (page) => {
      const { id } = await addClinic();
      await openTenant(page, id, "offices");
      await button(tenantDialog(page), "Add Office").click();
      const editor = page.getByRole("dialog", { name: "Add Office" });
      await editor.getByLabel("Office name").waitFor();
      for (const name of ["Office name", "Address", "Phone", "Email"]) expect(await editor.getByLabel(name).count()).toBe(1);
      expect(await editor.getByRole("switch", { name: "Active" }).isChecked()).toBe(true);
      await editor.getByLabel("Office name").fill("First Office");
      await button(editor, "Add office").click();
      await reads(tenantDialog(page), /First Office/);
      await button(page, "Edit First Office").click();
      const again = page.getByRole("dialog", { name: "Edit Office" });
      await again.getByLabel("Address").fill("1 New Road");
      await button(again, "Save office").click();
      await reads(tenantDialog(page), /1 New Road/);
    }),
  );
});

describe("API & Security", () => {
  proves("D2.2-087", ({ sees }) =>
    visitTenant("api", async (page, dialog) => {
      const stored = () => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
      expect(await dialog.innerText()).not.toContain("vtl_live_");
      sees(await button(dialog, "Show API key").innerText());
      await button(dialog, "Show API key").click();
      await reads(dialog, /vtl_live_/);
      sees(await button(dialog, "Hide API key").innerText());
      expect(await shownKey(dialog)).toBe(site.demo.tenants[0]!.apiKey);
      expect(await stored()).not.toContain("vtl_live_");
      await dialog.getByRole("tab", { name: "Offices" }).click();
      await button(dialog, "Add Office").waitFor();
      await dialog.getByRole("tab", { name: "API & Security" }).click();
      await button(dialog, "Show API key").waitFor();
      expect(await page.content()).not.toContain("vtl_live_");
    }),
  );
  for (const id of ["D2.2-088", "D2.8-028", "D2.9-004"])
    proves(id, ({ sees }) =>
      visitTenant("api", async (page, dialog) => {
        sees(await button(dialog, "Copy API key").innerText());
        await button(dialog, "Copy API key").click();
        await reads(dialog, /Copied!/);
        const began = Date.now();
        sees(await dialog.innerText());
        await reads(toasts(page), /API Key Copied\s+API key copied to clipboard successfully\./);
        sees(await toasts(page).innerText());
        expect(await clipboard(page)).toBe(site.demo.tenants[0]!.apiKey);
        await expect.poll(() => dialog.innerText(), patience).not.toContain("Copied!");
        expect(Date.now() - began).toBeGreaterThan(1000);
      }),
    );
  proves("D2.8-029", ({ sees }) =>
    visitTenant("api", async (page, dialog) => {
      await page.evaluate(() => {
        navigator.clipboard.write = () => Promise.reject(new DOMException("no", "NotAllowedError"));
      });
      await button(dialog, "Copy API key").click();
      await reads(toasts(page), /Copy Failed\s+Failed to copy API key to clipboard\./);
      sees(await toasts(page).innerText());
      expect(await button(dialog, "Show API key").count()).toBe(1);
    }),
  );
  proves("D2.8-030", ({ sees }) =>
    visitTenant("api", async (page, dialog) => {
      await button(dialog, "Copy Universal MCP endpoint").click();
      await reads(toasts(page), /Endpoint Copied/);
      sees(await toasts(page).innerText());
      expect(await clipboard(page)).toBe(`${site.origin}/api/mcp/${looked}`);
    }),
  );
  proves("D2.8-031", ({ sees }) =>
    visitTenant("api", async (page, dialog) => {
      await button(dialog, "Copy All tools over MCP").click();
      await reads(toasts(page), /Copied to clipboard/);
      sees(await toasts(page).innerText());
      expect(await clipboard(page)).toContain(site.demo.tenants[0]!.apiKey);
      await page.evaluate(() => {
        navigator.clipboard.write = () => Promise.reject(new DOMException("no", "NotAllowedError"));
      });
      await button(dialog, "Copy All tools over MCP").or(button(dialog, "Copied All tools over MCP")).click();
      await reads(toasts(page), /Copy failed/);
      sees(await toasts(page).innerText());
    }),
  );
  proves("D2.2-090", () =>
    visitTenant("api", async (_, dialog) => {
      await reads(dialog, /This key authenticates all requests that voice platforms make/);
      expect(await dialog.getByRole("heading", { name: "API Key" }).count()).toBe(1);
    }),
  );
  proves("D2.2-091", ({ sees }) =>
    visitTenant("api", async (_, dialog) => {
      sees(await dialog.innerText());
      expect(await dialog.getByRole("heading", { name: "Platform Integration Guide" }).count()).toBe(1);
    }),
  );
  proves("D2.2-092", () =>
    visitTenant("api", async (_, dialog) => {
      await reads(dialog.getByRole("region", { name: "Universal MCP endpoint" }), `${site.origin}/api/mcp/${looked}`);
      expect(await button(dialog, "Copy Universal MCP endpoint").count()).toBe(1);
    }),
  );
  proves("D2.2-093", () =>
    visitTenant("api", async (page, dialog) => {
      const platform = dialog.getByLabel("Voice platform");
      const snippet = dialog.locator("pre[role=region]").filter({ hasText: "YOUR_API_KEY" }).first();
      for (const name of ["Vapi", "ElevenLabs", "Retell AI"]) {
        await platform.selectOption({ label: name });
        await reads(snippet, /Bearer YOUR_API_KEY|YOUR_API_KEY/);
      }
      await button(dialog, "Show API key").click();
      const { apiKey } = site.demo.tenants[0]!;
      await reads(dialog.locator("pre[role=region]").filter({ hasText: apiKey }).first(), apiKey);
      await button(dialog, "Hide API key").click();
      await reads(snippet, /YOUR_API_KEY/);
      await snippet.locator("xpath=..").getByRole("button", { name: /^Copy/ }).click();
      await expect.poll(() => clipboard(page), patience).toContain(apiKey);
      expect(await dialog.innerText()).not.toContain(apiKey);
    }),
  );
  for (const id of ["D2.2-094", "D2.9-006"])
    proves(id, ({ sees }) =>
      visit(async (page) => {
        const { id: tenantId } = await addClinic();
        for (const name of ["One", "Two", "Three", "Four"]) await create(`/api/admin/tenants/${tenantId}/offices`, { name });
        await openTenant(page, tenantId, "api");
        const dialog = tenantDialog(page);
        await reads(dialog, /\+2 more offices available/);
        sees((await dialog.innerText()).replace("+2", "+N"));
        expect(await dialog.getByRole("region", { name: /^Endpoint of / }).allInnerTexts()).toHaveLength(2);
        expect(await dialog.getByRole("region", { name: "Endpoint of Three" }).count()).toBe(0);
      }),
    );
  proves("D2.2-095", () =>
    visitTenant("api", async (_, dialog) => {
      await reads(dialog, /Available tools[^]*verifyPatientIdentity[^]*getFhirProviders[^]*Security advice[^]*secret store/);
      expect(await dialog.getByRole("list", { name: "Patient management" }).getByRole("listitem").count()).toBe(4);
    }),
  );

  for (const id of ["D2.2-089", "D2.8-042", "D2.8-043"])
    proves(id, ({ sees }) =>
      visit(async (page) => {
        const { id: tenantId, apiKey } = await addClinic();
        await openTenant(page, tenantId, "api");
        const dialog = tenantDialog(page);
        const answer = Promise.withResolvers<void>();
        await page.route("**/regenerate-api-key", async (route) => {
          await answer.promise;
          await route.continue();
        });
        sees(await button(dialog, "Regenerate").innerText());
        await button(dialog, "Regenerate").click();
        await reads(asking(page), question);
        sees(await asking(page).innerText());
        await button(asking(page), "Regenerate API Key").click();
        await expect.poll(() => dialog.textContent(), patience).toContain("Generating...");
        sees(await dialog.textContent());
        answer.resolve();
        await reads(toasts(page), /API Key Regenerated\s+New API key generated successfully/);
        sees(await toasts(page).innerText());
        const fresh = await shownKey(dialog);
        const body = { message: { type: "tool-calls", call: { id: "c" }, toolCallList: [] } };
        const statusWith = async (key: string) => (await site.api("POST", "/api/vapi/tool-call", { key, body })).status;
        expect([await statusWith(apiKey), await statusWith(fresh)]).toEqual([401, 200]);
      }),
    );
  proves("D2.8-027", ({ sees }) =>
    visitTenant(
      "api",
      async (page, dialog) => {
        await page.route("**/regenerate-api-key", (route) => route.fulfill({ status: 400, body: "" }));
        await button(dialog, "Regenerate").click();
        await button(asking(page), "Regenerate API Key").click();
        await reads(toasts(page), /Error\s+Failed to regenerate API key\. Please try again\./);
        sees(await toasts(page).innerText());
        await reads(asking(page), /Failed to regenerate API key/);
        expect(await button(asking(page), "Regenerate API Key").count()).toBe(1);
      },
      mine.id,
      [`400 POST /api/admin/tenants/${mine.id}/regenerate-api-key`],
    ),
  );

  test("let a former key go on for a while, and end it before its time", async () => {
    const { id, apiKey } = await addClinic();
    await visitTenant(
      "api",
      async (page, dialog) => {
        await button(dialog, "Regenerate").click();
        await asking(page).getByLabel("Old key stops working").selectOption({ label: "In 1 hour" });
        await reads(asking(page), /go on working with the current key until the time below[^]*goes on working until/);
        expect(await asking(page).innerText()).not.toContain("invalidate");
        await button(asking(page), "Regenerate API Key").click();
        await reads(dialog, new RegExp(`Former keys\\s+Key ending in ${apiKey.slice(-4)}[^]*left`));
        await button(dialog, `Revoke now the key ending in ${apiKey.slice(-4)}`).click();
        await button(asking(page), "Revoke now").click();
        await reads(dialog, /None of them works any more/);
        const body = { message: { type: "tool-calls", call: { id: "c" }, toolCallList: [] } };
        expect((await site.api("POST", "/api/vapi/tool-call", { key: apiKey, body })).status).toBe(401);
      },
      id,
    );
  });

  test("keep policies", async () => {
    const { id } = await addClinic();
    await visitTenant(
      "api",
      async (page, dialog) => {
        await dialog.getByRole("switch", { name: "Messages in free text" }).check();
        await button(dialog, "Save Policies").click();
        await reads(toasts(page), /Policies saved/);
        expect((await tenantNow(id))["policies"]).toMatchObject({ messageFreeText: true, messageAnyContact: false });
      },
      id,
    );
  });
});

describe("preferences", () => {
  proves("D2.2-096", () =>
    visit(async (page) => {
      const { id } = await addClinic();
      await openTenant(page, id, "preferences");
      const dialog = tenantDialog(page);
      await dialog.getByLabel("Default contact method").selectOption("sms");
      await dialog.getByRole("switch", { name: "SMS" }).uncheck();
      await button(dialog, "Save Changes").click();
      await reads(dialog, /Must be a method that is enabled/);
      await dialog.getByLabel("Default contact method").selectOption("phone");
      await dialog.getByLabel("Opens", { exact: true }).fill("08:00");
      await dialog.getByLabel("Time zone").selectOption("America/Chicago");
      await dialog.getByLabel("Sunday", { exact: true }).selectOption("closed");
      await button(dialog, "Save Changes").click();
      await reads(toasts(page), /Preferences saved/);
      expect((await tenantNow(id))["contactPreferences"]).toEqual({
        defaultMethod: "phone",
        emailEnabled: true,
        smsEnabled: false,
        phoneEnabled: true,
        businessHours: { start: "08:00", end: "17:00", timezone: "America/Chicago", days: { sunday: null } },
      });
    }),
  );

  test("that are typed and not saved are asked about before the dialog closes", async () => {
    await visitTenant("preferences", async (page, dialog) => {
      await dialog.getByRole("switch", { name: "SMS" }).uncheck();
      await dialog.getByRole("tab", { name: "Details" }).click();
      await page.keyboard.press("Escape");
      await reads(asking(page), /Discard changes\?/);
      await button(asking(page), "Keep editing").click();
      await dialog.getByRole("tab", { name: "Preferences" }).click();
      expect(await dialog.getByRole("switch", { name: "SMS" }).isChecked()).toBe(false);
    });
  });
});

describe("what is typed and not saved", () => {
  /** In a tenant's details, of which one was changed. */
  const typing = (body: (page: Page, name: Locator) => Promise<void>) =>
    visitList(async (page) => {
      await button(page, "Edit Riverside Family Clinic").click();
      await page.getByRole("button", { name: "Edit details" }).click();
      const name = tenantDialog(page).getByLabel("Organization name");
      await name.fill("Typed Clinic");
      await body(page, name);
    });

  test("is asked about when somebody goes back in the browser, as often as they do", () =>
    typing(async (page, name) => {
      const address = page.url();
      for (let tries = 1; tries <= 2; tries++) {
        await page.evaluate(() => history.back());
        await reads(asking(page), /Discard changes\?/);
        await expect.poll(() => page.url(), patience).toBe(address);
        await button(asking(page), "Keep editing").click();
        expect(await name.inputValue()).toBe("Typed Clinic");
      }
      await page.evaluate(() => history.back());
      await button(asking(page), "Discard").click();
      await expect.poll(() => page.getByRole("dialog").count(), patience).toBe(0);
      expect(new URL(page.url()).searchParams.has("tenant")).toBe(false);
      // What asks no longer is in nobody's way.
      await button(page, "View Riverside Family Clinic").click();
      await reads(tenantDialog(page), /Riverside/);
      await page.evaluate(() => history.back());
      await expect.poll(() => page.getByRole("dialog").count(), patience).toBe(0);
    }));

  test("stays where only what stands in front of it is left", () =>
    visitTenant("preferences", async (page, dialog) => {
      await dialog.getByRole("switch", { name: "SMS" }).uncheck();
      await dialog.getByRole("tab", { name: "Offices" }).click();
      await button(dialog, "Edit Main Street Office").click();
      const office = page.getByRole("dialog", { name: "Edit Office" });
      await reads(office, /Office name/);
      await page.evaluate(() => history.back());
      await expect.poll(() => office.count(), patience).toBe(0);
      expect(await asking(page).count()).toBe(0);
      await dialog.getByRole("tab", { name: "Preferences" }).click();
      expect(await dialog.getByRole("switch", { name: "SMS" }).isChecked()).toBe(false);
    }));

  test("is not taken along by a reload that nobody has confirmed", () =>
    typing(async (page, name) => {
      const asked: string[] = [];
      page.on("dialog", (dialog) => {
        asked.push(dialog.type());
        void dialog.dismiss();
      });
      await name.press("End");
      await page.evaluate(() => location.reload());
      await expect.poll(() => asked, patience).toEqual(["beforeunload"]);
      expect(await name.inputValue()).toBe("Typed Clinic");
    }));
});

test("all of it can be had by keyboard alone", async () => {
  await visitList(async (page) => {
    await tabTo(page, "Search tenants");
    await page.keyboard.type("riverside");
    await tabTo(page, "Edit Riverside Family Clinic");
    await page.keyboard.press("Enter");
    await hasFocus(page.getByRole("button", { name: "Edit details" }));
    await page.keyboard.press("Enter");
    await hasFocus(tenantDialog(page).getByLabel("Organization name"));
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count(), patience).toBe(0);
    await hasFocus(button(page, "Edit Riverside Family Clinic"));
  });
});
