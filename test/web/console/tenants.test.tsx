import { screen, within } from "@testing-library/react";
import { platformHealth, tenants, users, type Tenant, type TenantActivity, type TenantDetail } from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { formatMoment } from "../../../web/src/lib/format/times.ts";
import { demo } from "../../kit/screen/demo-answers.ts";
import { refusal, type FakeApi } from "../../kit/screen/fake-api.ts";
import {
  asSystem,
  button,
  dialog,
  dialogOpened,
  eventually,
  fill,
  hasFocus,
  isGone,
  labeled,
  link,
  reads,
  region,
  tab,
  textOf,
  type Screen,
} from "../../kit/screen/visit.tsx";
import { proves } from "../../requirements/proves.ts";

const address = "/admin?tab=tenants";
const listed = demo("system_admin", tenants.listTenants) as [Tenant, Tenant];
const [riverside, lakeside] = listed;
const detail: TenantDetail = { ...demo("system_admin", tenants.getTenant, { tenantId: riverside.id }), apiKey: null };
const unwell = () => refusal(503, { error: "The record keeper sleeps." });

const panel = () => region("Tenants");
const table = () => screen.getByRole("table", { name: "Tenants" });
const rows = () => [...table().querySelectorAll("tbody tr")].map(textOf);
const names = () => [...table().querySelectorAll("tbody tr td:first-child")].map(textOf);
const question = () => screen.getByRole("alertdialog");
const open = (before?: (api: FakeApi) => void, query = "") => asSystem(`${address}${query}`, before && { before });

/** Tenants that are there once they were made. */
function openMaking(answer?: (made: Tenant) => ReturnType<typeof refusal> | undefined) {
  let list: Tenant[] = listed;
  return open((api) => {
    api.on(tenants.listTenants, () => list);
    api.on(tenants.createTenant, ({ body }) => {
      const missing = { contactPhone: null, address: null, description: null };
      const made = { ...riverside, ...missing, ...body, id: "01m83bhkbde14k9gkkdveqfnew", isActive: true, version: 1 };
      list = [...list, made];
      return answer?.(made) ?? { ...made, apiKey: "vtl_live_new" };
    });
  });
}
const begin = async ({ user }: Screen): Promise<void> => {
  await user.click(button("Add Tenant"));
  await eventually(() => expect(labeled("Organization name", dialog())).toBeTruthy());
};
const describeClinic = (name: string, email: string): void => {
  fill("Organization name", name, dialog());
  fill("Contact email", email, dialog());
};

describe("U03: activity and health", () => {
  const activity = demo("system_admin", platformHealth.tenantActivity) as [TenantActivity, TenantActivity];
  const section = () => region("Activity and Health");
  const lines = () => [...section().querySelectorAll("tbody tr")].map(textOf);

  test("of each tenant stand in one table: calls, failures, connections, minutes, last call", async () => {
    const lastCallAt = "2026-11-27T15:00:00.000Z";
    await open((api) =>
      api.on(platformHealth.tenantActivity, () => [
        {
          ...activity[0],
          ...{ calls: 10, failedCalls: 1, toolRuns: 8, failedToolRuns: 8, minutes: 120.4, bundledMinutes: 100, lastCallAt },
          ...({ recordSystem: "missing", voicePlatform: "healthy" } as const),
        },
        {
          ...activity[1],
          ...{ calls: 0, failedCalls: 0, toolRuns: 0, failedToolRuns: 0, minutes: 0, bundledMinutes: null, lastCallAt: null },
        },
      ]),
    );
    await eventually(() => expect(lines()).toHaveLength(2));
    expect(lines()).toEqual([
      `${riverside.name} 10 1 of 10 (10.0%) 8 of 8 (100.0%) Missing Healthy 120.4 of 100 ${formatMoment(lastCallAt)}`,
      `${lakeside.name} 0 None None Unknown Unknown 0 None`,
    ]);
  });

  test("lead to the organization, whose calls can be viewed from there", async () => {
    const { user } = await open();
    await eventually(() => expect(lines()).toHaveLength(2));
    await user.click(link(riverside.name, section()));
    await dialogOpened();
    expect(new URLSearchParams(location.search).get("tenant")).toBe(riverside.id);
    expect(button("View as tenant", dialog())).toBeTruthy();
  });

  test("say what did not load, while the list of tenants lives on", async () => {
    await open((api) => api.on(platformHealth.tenantActivity, unwell));
    await reads(section, "Failed to load the tenants' activity");
    expect(rows()).toHaveLength(2);
  });

  test("of the platform itself stand below, with its connections counted and its days", async () => {
    const health = demo("system_admin", platformHealth.platformSystemHealth);
    await open((api) =>
      api.on(platformHealth.platformSystemHealth, () => ({
        ...health,
        ...{ overallStatus: "warning" as const, uptime: 99.5, fhirProviders: { healthy: 3, warning: 0, error: 1, unknown: 2 } },
        history: [{ date: "2026-11-27", probes: 288, successful: 280, averageMs: 31 }],
      })),
    );
    await reads(() => region("Platform Health"), /Record systems healthy 3 of 6 1 down, 0 with a warning, 2 unknown/);
    expect(textOf(region("Platform Health"))).toContain("2026-11-27 288 280 (97.2%) 31 ms");
  });
});

describe("the list", () => {
  proves("D2.2-015", async ({ sees }) => {
    await open();
    expect(textOf(button("Add Tenant", panel()))).toBe("Add Tenant");
    sees(textOf(button("Add Tenant", panel())));
  });
  proves("D2.2-016", async ({ sees, quoted }) => {
    await open();
    const titles = within(table())
      .getAllByRole("columnheader")
      .map((header) => textOf(header.querySelector("button") ?? header));
    expect(titles).toEqual(quoted);
    sees(titles.join(" "));
    expect(rows()[0]).toMatch(
      new RegExp(`^Riverside Family Clinic Clinic frontdesk@riverside\\.example Active ${formatMoment(riverside.createdAt)}`),
    );
  });
  proves("D2.2-017", async ({ sees }) => {
    const { user } = await open();
    for (const [name, focused] of [
      ["View", () => tab("Details", dialog())],
      ["Edit", () => button("Edit details", dialog())],
    ] as const) {
      const opening = button(`${name} ${riverside.name}`);
      sees(textOf(opening));
      await user.click(opening);
      await reads(dialog, new RegExp(riverside.name));
      await hasFocus(focused);
      expect(location.search).toContain(`tenant=${riverside.id}`);
      await user.click(button("Close", dialog()));
      await isGone("dialog");
      await hasFocus(() => opening);
    }
  });
  proves("D2.2-018", async ({ sees }) => {
    await open((api) => api.on(tenants.listTenants, () => []));
    expect(textOf(panel())).toContain("No tenants found");
    sees(textOf(panel()));
  });
  for (const id of ["D2.8-001", "D2.8-014"])
    proves(id, async ({ sees }) => {
      const { user } = await open((api) => api.once(tenants.listTenants, unwell));
      const text = textOf(within(panel()).getByRole("alert"));
      expect(text).toMatch(/Error loading tenants: Failed to fetch tenants The record keeper sleeps/);
      sees(text.replace(/tenants: Failed.*/, "tenants: {message}"));
      sees(text);
      await user.click(button("Retry", panel()));
      await reads(panel, riverside.name);
      expect(within(panel()).queryByRole("alert")).toBeNull();
    });

  test("is searched, narrowed and put in order, all of it in the address", async () => {
    await open();
    fill("Search tenants", "family riverside");
    await eventually(() => expect(names()).toEqual([riverside.name]));
    fill("Status", "inactive");
    await reads(panel, /No matching tenants/);
    await eventually(() => expect(location.search).toMatch(/q=family\+riverside&status=inactive/));
    await open(undefined, "&q=family+riverside&status=inactive");
    expect(textOf(panel())).toContain("No matching tenants");
    const again = await open(undefined, "&status=inactive");
    await again.user.click(button("Clear search"));
    await eventually(() => expect(names()).toEqual([riverside.name, lakeside.name]));
    await again.user.click(button("Name", table()));
    await eventually(() => expect(names()).toEqual([lakeside.name, riverside.name]));
    await eventually(() => expect(location.search).toBe("?tab=tenants&sort=name"));
  });
});

describe("a new tenant", () => {
  proves("D2.2-074", async ({ sees }) => {
    await begin(await open());
    const title = textOf(within(dialog()).getByRole("heading", { level: 2 }));
    expect(title).toBe("Add New Healthcare Organization");
    sees(title);
    await hasFocus(() => labeled("Organization name", dialog()));
  });
  proves("D2.2-075", async () => {
    await begin(await open());
    const fields = ["Organization name", "Organization type", "Contact email", "Contact phone", "Address", "Description"];
    for (const name of fields) expect(labeled(name, dialog())).toBeTruthy();
    expect(labeled<HTMLSelectElement>("Organization type", dialog()).options).toHaveLength(6);
  });
  proves("D2.8-032", async () => {
    const opened = await open((api) => api.on(tenants.createTenant, unwell));
    await begin(opened);
    describeClinic("Half filled", "half@filled.example");
    await opened.user.click(button("Create Organization", dialog()));
    await reads(() => within(dialog()).queryByRole("alert"), /The record keeper sleeps/);
    expect(labeled("Organization name", dialog()).value).toBe("Half filled");
  });
  test("whose making was not answered is not made a second time", async () => {
    let isFirst = true;
    const opened = await openMaking(() => {
      if (!isFirst) return undefined;
      isFirst = false;
      return unwell();
    });
    await begin(opened);
    describeClinic("Made Once Clinic", "Desk@Once.example");
    await opened.user.click(button("Create Organization", dialog()));
    await reads(() => within(dialog()).queryByRole("alert"), /The record keeper sleeps/);
    await opened.user.click(button("Create Organization", dialog()));
    await reads(dialog, /Made Once Clinic was created/);
    expect(opened.api.received(tenants.createTenant)).toHaveLength(1);
    expect(names().filter((name) => name === "Made Once Clinic")).toHaveLength(1);
  });
  test("that was begun is asked about before it goes, and gone when it is begun again", async () => {
    const opened = await open();
    await begin(opened);
    fill("Organization name", "Never made", dialog());
    await opened.user.click(button("Close", dialog()));
    await reads(question, /Discard changes\?/);
    await opened.user.click(button("Discard", question()));
    await isGone("dialog");
    await begin(opened);
    expect(labeled("Organization name", dialog()).value).toBe("");
    expect(labeled("Organization type", dialog()).value).toBe("clinic");
  });
  test("is made once by two clicks, and leads on to its first administrator", async () => {
    const opened = await openMaking();
    const { api, user } = opened;
    await begin(opened);
    await user.click(button("Create Organization", dialog()));
    await reads(() => within(dialog()).queryByRole("alert"), "Organization name and contact email are required");
    await reads(dialog, /Organization name is required.*Contact email is required/);
    await hasFocus(() => labeled("Organization name", dialog()));
    describeClinic("Made Twice Clinic", "Desk@Twice.example");
    await user.dblClick(button("Create Organization", dialog()));
    await reads(dialog, /Made Twice Clinic was created/);
    await hasFocus(() => button("Invite tenant admin", dialog()));
    expect(api.received(tenants.createTenant).map(({ body }) => body)).toMatchObject([
      { name: "Made Twice Clinic", contactEmail: "desk@twice.example", organizationType: "clinic" },
    ]);
    await reads(table, /Made Twice Clinic/);
    expect(api.log.filter((one) => one === "GET /api/dashboard/metrics")).toHaveLength(2);
    await user.click(button("Invite tenant admin", dialog()));
    await reads(dialog, /Add New User/);
    await eventually(() => {
      const { selectedOptions } = labeled<HTMLSelectElement>("Tenant", dialog());
      expect([...selectedOptions].map(({ text }) => text)).toEqual(["Made Twice Clinic"]);
    });
    fill("Email", "first@twice.example", dialog());
    api.on(users.createUser, () => unwell());
    await user.click(button("Send Invitation", dialog()));
    await eventually(() =>
      expect(api.received(users.createUser)).toMatchObject([{ body: { tenantId: "01m83bhkbde14k9gkkdveqfnew", invite: true } }]),
    );
  });
});

describe("the dialog of a tenant", () => {
  const openTenant = async (before?: (api: FakeApi) => void) => {
    const opened = await open(before, `&tenant=${riverside.id}`);
    await dialogOpened();
    return opened;
  };
  const title = () => textOf(within(dialog()).getByRole("heading", { level: 2 }));

  proves("D2.2-076", async ({ sees }) => {
    let release = () => {};
    const opening = openTenant((api) => ({ release } = api.hold(tenants.getTenant)));
    await eventually(() => expect(title()).toBe("Tenant Details"));
    sees(title());
    release();
    await opening;
    expect(title()).toBe(riverside.name);
  });
  proves("D2.2-077", async ({ sees }) => {
    let release = () => {};
    const opening = openTenant((api) => ({ release } = api.hold(tenants.getTenant)));
    await reads(() => screen.queryByRole("dialog"), "Loading tenant details...");
    sees(textOf(dialog()));
    release();
    await opening;
    expect(textOf(dialog())).not.toContain("Loading tenant details...");
    expect(within(dialog()).getAllByRole("tab")).toHaveLength(4);
  });
  proves("D2.2-078", async ({ sees, quoted }) => {
    const { user } = await openTenant();
    const tabs = within(dialog()).getAllByRole("tab").map(textOf);
    expect(tabs).toEqual(quoted);
    sees(tabs.join(" "));
    await hasFocus(() => tab("Details", dialog()));
    await user.keyboard("{ArrowRight}");
    await hasFocus(() => tab("Offices", dialog()));
    await user.keyboard("{Enter}");
    await reads(dialog, /Main Street Office/);
    expect(location.search).toContain("part=offices");
  });
  proves("D2.2-097", async () => {
    const { user } = await openTenant((api) => api.once(tenants.getTenant, unwell));
    expect(textOf(within(dialog()).getByRole("alert"))).toContain("The record keeper sleeps");
    await user.click(button("Retry", dialog()));
    await reads(dialog, /API & Security/);
    expect(within(dialog()).queryByRole("alert")).toBeNull();
  });
  proves("D2.2-098", async ({ sees }) => {
    const { user } = await openTenant();
    sees(textOf(button("Close", dialog())));
    await user.click(button("Close", dialog()));
    await isGone("dialog");
    expect(location.search).not.toContain("tenant=");
  });
  test("is read without the key", async () => {
    const { api } = await openTenant((fake) => fake.on(tenants.getTenant, () => detail));
    expect(api.received(tenants.getTenant).map(({ query }) => query)).toEqual([{ withKey: false }]);
  });
});
