import { screen, within } from "@testing-library/react";
import {
  accounts,
  allRoutes,
  dashboard,
  offices,
  tenants,
  type Office,
  type OfficeDetail,
  type Tenant,
  type TenantDetail,
  type TenantProfile,
} from "@vitaline/contract";
import { describe, expect, test, vi } from "vitest";
import { readView } from "../../../web/src/lib/session/credentials.ts";
import { demo, inDays } from "../../kit/screen/demo-answers.ts";
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
  reads,
  showTab,
  textOf,
  toast,
  type Screen,
} from "../../kit/screen/visit.tsx";
import { proves } from "../../requirements/proves.ts";

const [{ id, name }] = demo("system_admin", tenants.listTenants) as [Tenant, Tenant];
const riverside: TenantDetail = { ...demo("system_admin", tenants.getTenant, { tenantId: id }), apiKey: null };
const params = { tenantId: id };

/** A tenant that changes when a screen changes it. */
function keepTenant(changes: Partial<TenantDetail> = {}) {
  let now = { ...riverside, ...changes };
  const change = (to: object): TenantProfile => {
    now = { ...now, ...to, version: now.version + 1 };
    const { apiKey: _key, defaultFhirProvider: _provider, createdAt, ...profile } = now;
    return { ...profile, createdAt: createdAt ?? "" };
  };
  const keep = (api: FakeApi) => {
    const stale = () => refusal(409, { error: "Changed meanwhile.", code: "stale_version" });
    api.on(tenants.getTenant, () => now);
    api.on(tenants.updateTenant, ({ body: { policies, facts, ...body }, ifMatch }) => {
      const merged = { policies: { ...now.policies, ...given(policies ?? {}) }, facts: { ...now.facts, ...given(facts ?? {}) } };
      return ifMatch === now.version ? change({ ...given(body), ...merged }) : stale();
    });
    api.on(tenants.updateTenantContactPreferences, ({ body, ifMatch }) =>
      ifMatch === now.version ? change({ contactPreferences: { ...now.contactPreferences, ...given(body) } }) : stale(),
    );
  };
  return { change, keep };
}
const given = (body: object): object => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));

const open = async (part: string, before: (api: FakeApi) => void = keepTenant().keep): Promise<Screen> => {
  const opened = await asSystem(`/admin?tab=tenants&tenant=${id}&part=${part}`, { before });
  await dialogOpened();
  return opened;
};
const tenantDialog = () => screen.getAllByRole("dialog")[0]!;
const question = () => screen.getByRole("alertdialog");
const editButton = () => button("Edit details", tenantDialog());
const beginEditing = async ({ user }: Screen): Promise<void> => {
  await user.click(editButton());
  await hasFocus(() => labeled("Organization name", dialog()));
};
const save = ({ user }: Screen): Promise<void> => user.click(button("Save Changes", dialog()));
const switchOf = (label: string) => within(tenantDialog()).getByRole<HTMLInputElement>("switch", { name: label });
/** The browser would ask before the page goes. */
const asksBeforeUnload = () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));

proves("D2.6-004", async () => {
  const tokens: (string | undefined)[] = [];
  for (const part of ["details", "offices", "api", "preferences"]) {
    const { api } = await open(part);
    const asked = allRoutes().flatMap(({ route }) => api.received(route));
    tokens.push(...asked.filter(({ route }) => /\/api\/(admin|dashboard)\//.test(route.path)).map(({ token }) => token));
  }
  expect(tokens.length).toBeGreaterThan(6);
  expect(new Set(tokens)).toEqual(new Set([localStorage.getItem("auth_token")]));
});

describe("details", () => {
  proves("D2.2-079", async ({ sees }) => {
    const opened = await open("details");
    sees(textOf(editButton()));
    await beginEditing(opened);
    const cancel = button("Cancel editing", dialog());
    sees(textOf(cancel));
    await opened.user.click(cancel);
    await hasFocus(editButton);
    expect(screen.queryByRole("button", { name: "Save Changes" })).toBeNull();
  });
  proves("D2.2-080", async ({ sees }) => {
    const opened = await open("details");
    await beginEditing(opened);
    sees(textOf(button("Cancel", dialog())));
    sees(textOf(button("Save Changes", dialog())));
    const { release } = opened.api.hold(tenants.updateTenant);
    fill("Description", "Saved once", dialog());
    await save(opened);
    await reads(dialog, /Saving\.\.\./);
    sees(textOf(dialog()));
    release();
    await reads(toast, /Tenant saved/);
    await hasFocus(editButton);
    await reads(dialog, "Description Saved once");
    expect(opened.api.received(tenants.updateTenant)).toMatchObject([
      { params, ifMatch: riverside.version, body: { description: "Saved once" } },
    ]);
  });
  proves("D2.2-081", async () => {
    const opened = await open("details");
    const fields = () => dialog().querySelectorAll("input, select, textarea").length;
    expect(textOf(dialog())).toMatch(/Organization name Riverside Family Clinic Organization type Clinic Contact email \S+@\S+/);
    expect(fields()).toBe(0);
    await beginEditing(opened);
    expect(fields()).toBeGreaterThan(8);
    expect(labeled("Organization name", dialog()).readOnly).toBe(false);
  });
  proves("D2.2-082", async () => {
    const opened = await open("details");
    await beginEditing(opened);
    fill("Organization name", "Something else", dialog());
    await opened.user.click(button("Cancel", dialog()));
    await reads(dialog, `Organization name ${name}`);
    expect(within(dialog()).queryByLabelText("Organization name")).toBeNull();
    await beginEditing(opened);
    expect(labeled("Organization name", dialog()).value).toBe(name);
    expect(opened.api.received(tenants.updateTenant)).toEqual([]);
  });
  proves("D2.2-083", async ({ sees }) => {
    await open("details");
    expect(textOf(dialog())).toMatch(/Created [A-Z][a-z]{2} \d+, /);
    await open("details", keepTenant({ createdAt: null }).keep);
    expect(textOf(dialog())).toMatch(/Created N\/A/);
    sees(textOf(dialog()));
  });
  proves("D2.5-007", async () => {
    await beginEditing(await open("details"));
    expect(labeled("Contact email", dialog()).type).toBe("email");
    expect(labeled("Contact phone", dialog()).type).toBe("tel");
  });

  test("say what is not set, and what is once it is", async () => {
    const opened = await open("details", keepTenant({ address: null, description: null }).keep);
    expect(textOf(dialog())).toMatch(
      /Contact phone \+1 415 555 0110 Address Not set Description Not set Status Active Plan Plan name Not set/,
    );
    await beginEditing(opened);
    fill("Address", "7 Long Road", dialog());
    await save(opened);
    await reads(dialog, "Address 7 Long Road Description Not set");
    const [saved] = opened.api.received(tenants.updateTenant);
    expect(saved?.body).toMatchObject({ address: "7 Long Road" });
    expect(given(saved?.body ?? {})).not.toHaveProperty("plan");
  });

  test("say once what they cannot do without, and at the field that lacks it which one that is", async () => {
    const opened = await open("details");
    await beginEditing(opened);
    fill("Organization name", " ", dialog());
    await save(opened);
    await reads(() => within(dialog()).queryByRole("alert"), "Name and contact email are required");
    await hasFocus(() => labeled("Organization name", dialog()));
    const text = textOf(dialog());
    expect(text.match(/Name and contact email are required/g)).toHaveLength(1);
    expect(text).toContain("Organization name is required");
    expect(text).not.toContain("Contact email is required");
    fill("Organization name", "Riverside", dialog());
    await eventually(() => expect(textOf(dialog())).not.toContain("required"));
    expect(opened.api.received(tenants.updateTenant)).toEqual([]);
  });

  test("that another administrator changes meanwhile are told, and nothing that was typed is lost", async () => {
    const { change, keep } = keepTenant();
    const opened = await open("details", keep);
    await beginEditing(opened);
    fill("Description", "Typed here", dialog());
    change({ contactEmail: "theirs@changed.example", organizationType: "hospital" });
    await save(opened);
    await reads(dialog, /Someone else has changed this tenant.*They changed: organization type, contact email/);
    expect(labeled("Description", dialog()).value).toBe("Typed here");
    await save(opened);
    await reads(toast, /Tenant saved/);
    expect(opened.api.received(tenants.updateTenant)).toMatchObject([
      { ifMatch: riverside.version },
      {
        ifMatch: riverside.version + 1,
        body: { description: "Typed here", contactEmail: "theirs@changed.example", organizationType: "hospital" },
      },
    ]);
  });

  test("switch a tenant off only after a question", async () => {
    const opened = await open("details");
    await beginEditing(opened);
    await opened.user.click(switchOf("Active"));
    await save(opened);
    await reads(question, /Deactivate tenant\?/);
    await hasFocus(() => button("Cancel", question()));
    expect(opened.api.received(tenants.updateTenant)).toEqual([]);
    await opened.user.click(button("Deactivate", question()));
    await reads(toast, /Tenant saved/);
    expect(opened.api.received(tenants.updateTenant)).toMatchObject([{ body: { isActive: false } }]);
    expect(screen.queryByRole("button", { name: "View as tenant" })).toBeNull();
    await opened.user.click(button("Close", dialog()));
    await isGone("dialog");
    expect(textOf(screen.getAllByRole("row", { name: new RegExp(name) })[0]!)).toContain("Inactive");
  });

  test("have a plan, against which usage counts", async () => {
    const usage = demo("system_admin", tenants.tenantUsage, params);
    const opened = await open("details", (api) => {
      keepTenant().keep(api);
      api.on(tenants.tenantUsage, () =>
        api.received(tenants.updateTenant).length === 0
          ? usage
          : { ...usage, minutes: 0, planName: "Growth", bundledMinutes: 2500, overageMinutes: 0, overageCharge: 0 },
      );
    });
    expect(textOf(dialog())).toContain("No plan is set");
    await beginEditing(opened);
    fill("Plan name", "Growth", dialog());
    fill("US dollars per month", "much", dialog());
    fill("Minutes included", "2500", dialog());
    await save(opened);
    await reads(dialog, /Must be an amount in dollars/);
    fill("US dollars per month", "499.50", dialog());
    await save(opened);
    await reads(dialog, /0 of 2,500 minutes.*Plan: Growth/i);
    expect(opened.api.received(tenants.updateTenant)).toMatchObject([
      { body: { plan: { name: "Growth", monthlyPrice: 499.5, bundledMinutes: 2500 } } },
    ]);
    expect(opened.api.received(dashboard.platformMetrics).length).toBeGreaterThan(1);
  });

  test("lead to an invitation, in front of them", async () => {
    const { user } = await open("details");
    await user.click(button("Invite tenant admin", dialog()));
    const invitation = () => screen.getByRole("dialog", { name: "Add New User" });
    await eventually(() => expect(labeled("Tenant", invitation()).value).toBe(id));
    await user.keyboard("{Escape}");
    await eventually(() => expect(screen.getAllByRole("dialog")).toHaveLength(1));
    await hasFocus(() => button("Invite tenant admin", dialog()));
  });
});

describe("the tenant's own console", () => {
  const openView = async (part: string) => {
    const left = vi.spyOn(location, "assign").mockImplementation(() => {});
    const opened = await open(part, (api) => {
      keepTenant().keep(api);
      api.on(accounts.viewAs, () => ({ token: "a-view", expiresAt: inDays(0.01) }));
    });
    return { ...opened, left };
  };

  test("is opened once by two clicks, with the way back to the tenant", async () => {
    const { api, user, left } = await openView("details");
    const before = `${location.pathname}${location.search}`;
    await user.dblClick(button("View as tenant", dialog()));
    await eventually(() => expect(left.mock.calls).toEqual([["/tenant"]]));
    expect(api.received(accounts.viewAs)).toMatchObject([{ params }]);
    expect(readView()).toEqual(["a-view", before]);
  });

  test("does not take the place of what is typed without a question", async () => {
    const { api, user, left } = await openView("preferences");
    await user.click(switchOf("SMS"));
    expect(asksBeforeUnload()).toBe(true);
    await showTab(user, "Details");
    await user.click(button("View as tenant", dialog()));
    await reads(question, /Discard changes\?.*unsaved changes/);
    await user.click(button("Cancel", question()));
    await hasFocus(() => button("View as tenant", dialog()));
    await showTab(user, "Preferences");
    expect(switchOf("SMS").checked).toBe(false);
    expect(api.received(accounts.viewAs)).toEqual([]);
    await showTab(user, "Details");
    await user.click(button("View as tenant", dialog()));
    await user.click(button("Discard and view as tenant", question()));
    await eventually(() => expect(left.mock.calls).toEqual([["/tenant"]]));
    expect(asksBeforeUnload()).toBe(false);
  });
});

describe("offices", () => {
  const all = demo("system_admin", offices.listOffices, params);
  const listItems = () => within(dialog()).getAllByRole("listitem").map(textOf);

  proves("D2.2-084", async ({ sees }) => {
    await open("offices");
    sees(textOf(dialog()));
    expect(listItems()).toHaveLength(2);
    expect(button("Edit Main Street Office", dialog())).toBeTruthy();
    expect(button("Edit Hillside Office", dialog())).toBeTruthy();
  });
  proves("D2.2-085", async () => {
    const office = { name: "Row Office", address: "7 Row Road", phone: "555 0177", email: "row@changed.example", isActive: false };
    await open("offices", (api) => api.on(offices.listOffices, () => [{ ...all[0]!, ...office }, all[1]!]));
    expect(listItems()[0]).toMatch(/^Row Office 7 Row Road 555 0177 · row@changed\.example Inactive Edit/);
    expect(listItems()[1]).toMatch(/^Hillside Office 4 Hill Road, Springfield \+1 415 555 0112 · No email Active Edit/);
  });
  proves("D2.2-086", async ({ sees }) => {
    await open("offices", (api) => api.on(offices.listOffices, () => []));
    expect(textOf(dialog())).toContain("No offices configured");
    sees(textOf(dialog()));
    expect(button("Add Office", dialog())).toBeTruthy();
  });
  proves("D2.8-003", async ({ sees }) => {
    const { user } = await open("offices", (api) => api.once(offices.listOffices, () => refusal(503)));
    expect(textOf(within(dialog()).getByRole("alert"))).toContain("Failed to fetch offices");
    sees(textOf(dialog()));
    await user.click(button("Retry", dialog()));
    await eventually(() => expect(listItems()).toHaveLength(2));
  });
  proves("D2.2-099", async () => {
    let list: Office[] = [];
    const like: OfficeDetail = demo("system_admin", offices.getOffice, { tenantId: id, officeId: all[0]!.id });
    const { api, user } = await open("offices", (fake) => {
      fake.on(offices.listOffices, () => list);
      fake.on(offices.createOffice, ({ body }) => {
        const made = { ...all[0]!, address: null, phone: null, email: null, name: body.name ?? "", id: "01m83bhmdm7ypbc26p44c9gnew" };
        list = [made];
        return made;
      });
      fake.on(offices.getOffice, () => ({ ...like, ...list[0]! }));
      fake.on(offices.updateOffice, ({ body }) => {
        list = [{ ...list[0]!, address: body.address ?? null, version: 2 }];
        return list[0]!;
      });
    });
    await user.click(button("Add Office", dialog()));
    const editor = (title: string) => screen.getByRole("dialog", { name: title });
    await eventually(() => expect(editor("Add Office")).toBeTruthy());
    for (const label of ["Office name", "Address", "Phone", "Email"]) expect(labeled(label, editor("Add Office"))).toBeTruthy();
    expect(within(editor("Add Office")).getByRole<HTMLInputElement>("switch", { name: "Active" }).checked).toBe(true);
    fill("Office name", "First Office", editor("Add Office"));
    await user.click(button("Add office", editor("Add Office")));
    await reads(tenantDialog, /First Office/);
    expect(api.received(offices.createOffice)).toMatchObject([{ params, body: { name: "First Office", isActive: true } }]);
    await user.click(await within(tenantDialog()).findByRole("button", { name: "Edit First Office" }));
    await eventually(() => expect(labeled("Address", editor("Edit Office"))).toBeTruthy());
    fill("Address", "1 New Road", editor("Edit Office"));
    await user.click(button("Save office", editor("Edit Office")));
    await eventually(() => expect(screen.getAllByRole("dialog")).toHaveLength(1));
    await reads(dialog, /First Office 1 New Road/);
    expect(api.received(offices.updateOffice)).toMatchObject([{ ifMatch: 1, body: { address: "1 New Road" } }]);
  });
});

describe("preferences", () => {
  proves("D2.2-096", async () => {
    const opened = await open("preferences");
    fill("Default contact method", "sms", dialog());
    await opened.user.click(switchOf("SMS"));
    await save(opened);
    await reads(dialog, /Must be a method that is enabled/);
    fill("Default contact method", "phone", dialog());
    fill("Opens", "08:00", dialog());
    fill("Time zone", "America/Chicago", dialog());
    fill("Sunday", "closed", dialog());
    await save(opened);
    await reads(toast, /Preferences saved/);
    const [saved, ...more] = opened.api.received(tenants.updateTenantContactPreferences);
    expect(more).toEqual([]);
    expect(saved).toMatchObject({ params, ifMatch: riverside.version });
    expect(saved?.body).toEqual({
      defaultMethod: "phone",
      smsEnabled: false,
      businessHours: { start: "08:00", end: "17:00", timezone: "America/Chicago", days: { sunday: null } },
    });
    expect(labeled("Default contact method", dialog()).value).toBe("phone");
    expect(asksBeforeUnload()).toBe(false);
  });

  test("that are typed and not saved are asked about before the dialog closes", async () => {
    const { user } = await open("preferences");
    await user.click(switchOf("SMS"));
    await showTab(user, "Details");
    await user.keyboard("{Escape}");
    await reads(question, /Discard changes\?/);
    await user.click(button("Keep editing", question()));
    await showTab(user, "Preferences");
    expect(switchOf("SMS").checked).toBe(false);
  });

  test("include the facts of all offices, which are saved by themselves", async () => {
    const opened = await open("preferences");
    const section = () => within(dialog()).getByRole("region", { name: "Facts for callers" });
    fill(/^Parking/, "In the lot", section());
    fill(/^Languages spoken/, "English\nFrench", section());
    await opened.user.selectOptions(within(section()).getByLabelText(/^Usual language/), "Spanish");
    await opened.user.click(button("Save Facts", section()));
    await reads(toast, /Facts saved/);
    expect(opened.api.received(tenants.updateTenant)).toMatchObject([
      {
        params,
        ifMatch: riverside.version,
        body: { name: riverside.name, language: "es", facts: { parking: "In the lot", languages: ["English", "French"] } },
      },
    ]);
    expect(opened.api.received(tenants.updateTenantContactPreferences)).toEqual([]);
  });

  test("leave the usual language and facts that were not typed over as they are, also if someone else sets them meanwhile", async () => {
    const { change, keep } = keepTenant({ language: null });
    const opened = await open("preferences", keep);
    const section = () => within(dialog()).getByRole("region", { name: "Facts for callers" });
    const fact = (label: RegExp) => labeled(label, section()).value;
    fill(/^Parking/, "In the lot", section());
    change({ language: "en", facts: { ...riverside.facts, directions: "By the river" } });
    await opened.user.click(button("Save Facts", section()));
    await reads(section, /They changed: facts for callers\. Your entries/);
    await opened.user.click(button("Save Facts", section()));
    await reads(toast, /Facts saved/);
    expect(opened.api.received(tenants.updateTenant).map(({ body: { language, facts } }) => ({ language, facts }))).toEqual([
      { language: undefined, facts: { parking: "In the lot" } },
      { language: undefined, facts: { parking: "In the lot" } },
    ]);
    expect([fact(/^Parking/), fact(/^Directions/)]).toEqual(["In the lot", "By the river"]);
  });
});
