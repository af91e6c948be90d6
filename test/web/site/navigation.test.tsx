import { fireEvent, screen, within } from "@testing-library/react";
import { callWork, tenantCalls, tenantDashboard, tenantOffices, tenants, type UserAccess } from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { demo } from "../../kit/screen/demo-answers.ts";
import {
  asSystem,
  asTenant,
  button,
  dialog,
  eventually,
  hasFocus,
  isGone,
  link,
  reads,
  region,
  settled,
  tab,
  textOf,
} from "../../kit/screen/visit.tsx";

const main = (): HTMLElement => screen.getByRole("navigation", { name: "Main" });
const names = (): string[] => within(main()).getAllByRole("link").map(textOf);
const place = (): string => location.pathname + location.search;
const heading = (): string => textOf(screen.getByRole("heading", { level: 1 }));

describe("the main navigation", () => {
  test.each([
    ["administrator", ["Dashboard", "To do", "Calls", "Leads", "Messages", "Approved callers", "Developers", "Settings", "Help"]],
    ["staff", ["Dashboard", "To do", "Calls", "Leads", "Messages", "Approved callers", "Help"]],
    ["auditor", ["Dashboard", "Help"]],
  ] as const)("leads an %s to the pages of that access, and to no other", async (access, expected) => {
    await asTenant("/account", { me: { access: access as UserAccess } });
    expect(names().map((name) => name.replace(/ \d.*/, ""))).toEqual(expected);
  });

  test("gives each page an address, a heading and a title of its own, and marks the open one", async () => {
    const { user } = await asTenant("/tenant");
    for (const [name, address, part] of [
      ["Calls", "/tenant/calls", "Recent Call Details"],
      ["Leads", "/tenant/leads", "Leads"],
      ["Messages", "/tenant/messages", "Messages to Patients"],
      ["Approved callers", "/tenant/proxies", "People Who May Call for a Patient"],
    ] as const) {
      await user.click(link(name, main()));
      await eventually(() => expect([place(), heading(), document.title]).toEqual([address, name, `${name} · Vitaline`]));
      await settled();
      expect(region(part)).toBeTruthy();
      expect(within(main()).getAllByRole("link", { current: "page" }).map(textOf)).toEqual([name]);
      expect(screen.queryByRole("region", { name: "Summary" })).toBeNull();
    }
  });

  test("has the developers' panels on pages of their own, each with a title", async () => {
    const { user } = await asTenant("/tenant/developers");
    for (const [name, part] of [
      ["Connect a platform", "Platform Configuration"],
      ["Test a tool", "Test a tool"],
      ["Tool calls", "Recent Tool Calls"],
      ["Webhooks", "Webhooks"],
    ] as const) {
      await user.click(link(name, screen.getByRole("navigation", { name: "Developers" })));
      await settled();
      expect(region(part)).toBeTruthy();
      expect([heading(), document.title]).toEqual(["Developers", `${name} · Developers · Vitaline`]);
      expect(within(main()).getAllByRole("link", { current: "page" }).map(textOf)).toEqual(["Developers"]);
    }
  });

  test.each([
    ["/tenant?tab=api-keys&tool=sendSMS", "/tenant/developers/test?tool=sendSMS"],
    ["/tenant?tab=api-keys&platform=mcp", "/tenant/developers?platform=mcp"],
    ["/tenant?tab=api-keys&delivery=failed", "/tenant/developers/webhooks?delivery=failed"],
    ["/tenant?tab=analytics&leads=open", "/tenant/leads?leads=open"],
  ])("follows a bookmark from before, %s", async (former, now) => {
    await asTenant(former);
    expect(place()).toBe(now);
  });
});

describe("the tabs of a dashboard", () => {
  test("have a title each", async () => {
    await asTenant("/tenant?tab=fhir");
    expect(document.title).toBe("FHIR · Tenant Dashboard · Vitaline");
    await asSystem("/admin?tab=voice");
    expect(document.title).toBe("Voice & AI · Admin Dashboard · Vitaline");
  });

  test("are passed one by one however quickly an arrow key is pressed", async () => {
    await asTenant("/tenant");
    tab("Overview").focus();
    const press = (key: string) => fireEvent.keyDown(document.activeElement!, { key });
    for (let pressed = 1; pressed <= 3; pressed++) press("ArrowRight");
    expect(document.activeElement).toBe(tab("Analytics"));
    for (let pressed = 1; pressed <= 4; pressed++) press("ArrowLeft");
    expect(document.activeElement).toBe(tab("System"));
    press("Home");
    expect(document.activeElement).toBe(tab("Overview"));
    expect(tab("Overview").getAttribute("aria-selected")).toBe("true");
  });
});

test("tools are named in words, with the code beside them", async () => {
  await asTenant("/tenant", {
    before: (api) => api.on(tenantDashboard.toolUsage, () => [{ toolName: "sendSMS", count: 2, successRate: 50 }]),
  });
  expect(textOf(region("Top Tools"))).toMatch(/Send a text message sendSMS 2 uses/);
});

describe("the switch of density", () => {
  test("is kept by the browser, and says what it will do", async () => {
    const density = () => document.documentElement.dataset["density"];
    const { user } = await asTenant("/account");
    await user.click(button("Use compact spacing"));
    expect([density(), localStorage.getItem("density")]).toEqual(["compact", "compact"]);
    await asSystem("/account");
    await user.click(button("Use comfortable spacing"));
    expect([density(), localStorage.getItem("density")]).toEqual(["comfortable", "comfortable"]);
  });
});

describe("the palette", () => {
  const field = (): HTMLElement => within(dialog()).getByRole("combobox");
  const options = (): string[] => within(dialog()).queryAllByRole("option").map(textOf);
  const active = (): string =>
    textOf(document.getElementById(field().getAttribute("aria-activedescendant") ?? "") ?? document.createElement("p"));
  const openPalette = async (control = "{Control>}k{/Control}", opened = asTenant("/account")) => {
    const arranged = await opened;
    await arranged.user.keyboard(control);
    await eventually(() => expect(field()).toBe(document.activeElement));
    await settled();
    return arranged;
  };

  test.each(["{Control>}k{/Control}", "{Meta>}k{/Meta}"])("opens by %s, and Escape leads back", async (keys) => {
    const { user } = await openPalette(
      keys,
      (async () => {
        const opened = await asTenant("/account");
        button("Logout").focus();
        return opened;
      })(),
    );
    await user.keyboard("{Escape}");
    await isGone("dialog");
    expect(screen.queryByRole("combobox")).toBeNull();
    await hasFocus(() => button("Logout"));
  });

  test("leads by the keyboard to a page, a setting and help, found by other words too", async () => {
    const { user } = await openPalette();
    for (const [typed, name, address, title] of [
      ["transcr", "Calls", "/tenant/calls", "Calls"],
      ["regenerate", "API Keys", "/tenant?tab=api-keys", "Tenant Dashboard"],
      ["plan us", "Plan and usage", "/tenant/settings/plan", "Settings"],
    ] as const) {
      await user.keyboard(typed);
      expect(active()).toBe(name);
      await user.keyboard("{Enter}");
      await isGone("dialog");
      await eventually(() => expect([place(), heading()]).toEqual([address, title]));
      await settled();
      await user.click(button(/^Go to/));
      await eventually(() => expect(field()).toBe(document.activeElement));
    }
    await user.keyboard("help vapi");
    expect(options()).toEqual(["Connect Vapi"]);
    await user.clear(field());
    await user.keyboard("zzz");
    expect(options()).toEqual([]);
    await reads(dialog(), "Nothing found");
  });

  test("leads operators to what organizations ask for", async () => {
    const { user } = await openPalette(undefined, asSystem("/admin?tab=users"));
    await user.keyboard("request");
    expect(active()).toBe("Requests");
    await user.keyboard("{Enter}");
    await eventually(() => expect(document.activeElement?.contains(region("Requests"))).toBe(true));
    expect([place(), location.hash, textOf(document.activeElement!)]).toEqual([
      "/admin?tab=audit",
      "#requests",
      expect.stringMatching(/^Requests/),
    ]);
  });

  test("moves through the list with the arrow keys, around its ends", async () => {
    const { user } = await openPalette();
    await user.keyboard("spacing");
    expect(options()).toEqual(["Use compact spacing"]);
    await user.clear(field());
    await user.keyboard("connect");
    const all = options();
    expect(all.length).toBeGreaterThan(2);
    expect(active()).toBe(all[0]);
    await user.keyboard("{ArrowDown}");
    expect(active()).toBe(all[1]);
    await user.keyboard("{ArrowUp}{ArrowUp}");
    expect(active()).toBe(all.at(-1));
    expect(within(dialog()).getAllByRole("option", { selected: true })).toHaveLength(1);
  });

  test("leads to an office, and staff to its calls", async () => {
    const [office] = demo("tenant_admin", tenantOffices.officeCards);
    const { user } = await openPalette();
    await user.keyboard(office!.name.toLowerCase());
    await user.keyboard("{Enter}");
    expect(place()).toBe(`/tenant?tab=offices&office=${office!.id}&part=details`);
    await settled();
    const { user: nurse } = await openPalette(undefined, asTenant("/account", { me: { access: "staff" } }));
    await nurse.keyboard(`${office!.name}{Enter}`);
    expect(place()).toBe(`/tenant/calls?office=${office!.id}`);
    await settled();
  });

  test("opens a call by its id", async () => {
    const [call] = demo("tenant_admin", tenantCalls.listCalls);
    const { user } = await openPalette();
    await user.keyboard(call!.id);
    expect(options()).toEqual(["Open the call with this id"]);
    await user.keyboard("{Enter}");
    expect(place()).toBe(`/tenant/calls?call=${call!.id}`);
    await settled();
  });

  test("finds calls by a number that never stands in an address, the history or the browser's storage", async () => {
    const found = { found: [], read: 0, total: null, next: null };
    const { api, user } = await openPalette(
      undefined,
      asTenant("/account", { before: (fake) => fake.on(callWork.searchCalls, () => found) }),
    );
    await user.keyboard("(617) 555-0101");
    expect(options()).toEqual(["Find calls by this phone number Audited"]);
    await user.keyboard("{Enter}");
    await settled();
    await reads(region("Recent Call Details"), /0 calls found/);
    const searched = () => api.received(callWork.searchCalls).map(({ body }) => body);
    expect(searched()).toEqual([{ by: "number", number: "(617) 555-0101" }]);
    expect(place()).toBe("/tenant/calls");
    const kept = JSON.stringify([history.state, { ...localStorage }, { ...sessionStorage }]);
    expect(kept).not.toMatch(/617|0101/);
    // On the open page too.
    await user.keyboard("{Control>}k{/Control}");
    await eventually(() => expect(field()).toBe(document.activeElement));
    await user.keyboard("6175550102{Enter}");
    await eventually(() => expect(searched().at(-1)).toEqual({ by: "number", number: "6175550102" }));
    await settled();
  });

  test("offers an auditor nothing that the access does not open", async () => {
    await openPalette(undefined, asTenant("/account", { me: { access: "auditor" } }));
    expect(options()).toEqual(expect.arrayContaining(["Audit", "Your account", "Documentation"]));
    for (const closed of ["Calls", "To do", "Team", "API Keys", "Offices", "Webhooks"]) expect(options()).not.toContain(closed);
    fireEvent.change(field(), { target: { value: "6175550101" } });
    expect(options()).toEqual([]);
  });

  test("leads a system administrator to the console's tabs and to a tenant", async () => {
    const [tenant] = demo("system_admin", tenants.listTenants);
    const { user } = await openPalette(undefined, asSystem("/account"));
    expect(options()).toEqual(expect.arrayContaining(["Users", "Voice & AI", "Your account"]));
    await user.keyboard(`${tenant!.name.toLowerCase()}{Enter}`);
    expect(place()).toBe(`/admin?tab=tenants&tenant=${tenant!.id}`);
    await settled();
  });

  test("stays closed while a dialog is open, whose input it would lose", async () => {
    const { user } = await asTenant("/tenant/leads");
    await user.click(button("Add lead"));
    await eventually(() => expect(dialog()).toBeTruthy());
    await user.keyboard("{Control>}k{/Control}");
    expect(screen.getAllByRole("dialog")).toHaveLength(1);
    expect(screen.queryByRole("combobox", { name: /phone number or call ID/ })).toBeNull();
    await settled();
  });
});
