import {
  type OwnVoiceProvider,
  team,
  tenant,
  tenantCalls,
  tenantFhirProviders,
  tenantVoiceProviders,
  type User,
  type VoiceProvider,
} from "@vitaline/contract";
import { screen, within } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { demo, demoUser } from "../../kit/screen/demo-answers.ts";
import { page, refusal, type FakeApi } from "../../kit/screen/fake-api.ts";
import {
  asTenant,
  button,
  dialog,
  dialogOpened,
  eventually,
  hasFocus,
  labeled,
  link,
  reads,
  region,
  settled,
  tab,
  textOf,
} from "../../kit/screen/visit.tsx";

const settings = demo("tenant_admin", tenant.tenantSettings);
const me: User = demoUser("tenant_admin");
const nora: User = {
  ...me,
  id: "01hzzzzzzzzzzzzzzzzzzzzzn1",
  email: "nora@clinic.example",
  firstName: "Nora",
  lastName: "New",
  access: "staff",
  invitedAt: "2026-01-02T10:00:00.000Z",
  lastLogin: null,
  version: 3,
};
const withTeam = (api: FakeApi) => api.on(team.listTeam, () => [me, nora]);
const rowOf = (name: string): HTMLElement => screen.getByRole("row", { name: new RegExp(name) });
const tabNames = (): string[] => screen.getAllByRole("tab").map(textOf);

describe("the team's page", () => {
  test("lists everyone with access and status, and says which one is the reader", async () => {
    await asTenant("/tenant/settings/team", { before: withTeam });
    expect(textOf(rowOf("Nora New"))).toMatch(/nora@clinic\.example Staff Invited Off Never/);
    expect(textOf(rowOf(`${me.firstName} ${me.lastName}`))).toContain("(you)");
    expect(document.title).toBe("Team · Settings · Vitaline");
  });

  test("shows what each access may do, as the server enforces it", async () => {
    await asTenant("/tenant/settings/team", { before: withTeam });
    const rows = region("What each access level can do");
    expect(textOf(within(rows).getByRole("row", { name: /See and replace API keys/ }))).toMatch(/Yes No No$/);
    expect(textOf(within(rows).getByRole("row", { name: /Read calls with their transcripts/ }))).toMatch(/Yes Yes No$/);
    expect(textOf(within(rows).getByRole("row", { name: /Search the audit log/ }))).toMatch(/Yes No Yes$/);
  });

  test("invites a colleague with the chosen access", async () => {
    const { api, user } = await asTenant("/tenant/settings/team", { before: withTeam });
    api.on(team.inviteColleague, () => nora);
    await user.click(button("Invite Colleague"));
    await dialogOpened();
    await user.type(labeled("Email"), "nora@clinic.example");
    await user.selectOptions(labeled<HTMLSelectElement>("Access"), "Auditor");
    await reads(dialog(), "The audit log, figures and exports.");
    await user.click(button("Send Invitation"));
    await eventually(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(api.received(team.inviteColleague).map(({ body }) => body)).toEqual([
      { email: "nora@clinic.example", firstName: "", lastName: "", access: "auditor" },
    ]);
  });

  test("changes a colleague's access with the version that was seen, and sends nothing else", async () => {
    const { api, user } = await asTenant("/tenant/settings/team", { before: withTeam });
    api.on(team.changeColleague, () => ({ ...nora, access: "auditor" as const, version: 4 }));
    await user.click(button("Edit Nora New"));
    await dialogOpened();
    await user.selectOptions(labeled<HTMLSelectElement>("Access"), "Auditor");
    await user.click(button("Save Changes"));
    await eventually(() => expect(textOf(rowOf("Nora New"))).toContain("Auditor"));
    expect(api.received(team.changeColleague)).toMatchObject([{ body: { access: "auditor" }, ifMatch: 3, params: { userId: nora.id } }]);
  });

  test("removes a colleague after a question, and restores them", async () => {
    const { api, user } = await asTenant("/tenant/settings/team", { before: withTeam });
    api.on(team.changeColleague, ({ body }) => ({ ...nora, isActive: body.isActive ?? true }));
    await user.click(button("Edit Nora New"));
    await dialogOpened();
    await user.click(button("Remove"));
    await user.click(button("Remove", screen.getByRole("alertdialog")));
    await reads(document.body, "They are signed out and can no longer sign in.");
    await user.click(button("Restore"));
    await reads(document.body, "They can sign in again.");
    expect(api.received(team.changeColleague).map(({ body }) => body)).toEqual([{ isActive: false }, { isActive: true }]);
  });

  test("unlocks a locked colleague, and the focus goes on", async () => {
    const locked = { ...nora, invitedAt: null, lockedUntil: new Date(Date.now() + 600_000).toISOString() };
    const { api, user } = await asTenant("/tenant/settings/team", { before: (one) => one.on(team.listTeam, () => [me, locked]) });
    expect(textOf(rowOf("Nora New"))).toContain("Staff Locked");
    await user.click(button("Edit Nora New"));
    await dialogOpened();
    await reads(dialog(), /Locked until .*, after too many failed sign-ins\./);
    api.on(team.unlockColleague, () => ({ ...locked, lockedUntil: null }));
    await user.click(button("Unlock"));
    await reads(dialog(), "Failed sign-ins are reset: they can try again now.");
    expect(screen.queryByRole("button", { name: "Unlock" })).toBeNull();
    await hasFocus(() => button("Remove"));
    expect(textOf(rowOf("Nora New"))).not.toContain("Locked");
    expect(api.received(team.unlockColleague)).toMatchObject([{ params: { userId: nora.id } }]);
  });

  test("resets a colleague's second factor, with the administrator's password where the server asks for it", async () => {
    const protectedNora = { ...nora, invitedAt: null, hasTotp: true };
    const { api, user } = await asTenant("/tenant/settings/team", { before: (one) => one.on(team.listTeam, () => [me, protectedNora]) });
    await user.click(button("Edit Nora New"));
    await dialogOpened();
    await user.click(button("Reset Second Factor"));
    const asks = await screen.findByRole("dialog", { name: "Reset Second Factor" });
    expect(textOf(asks)).toContain("They are signed out everywhere, and their password stops working.");
    expect(within(asks).queryByLabelText("Your password")).toBeNull();
    const message = "Please enter your password";
    api.on(team.resetColleagueTotp, () => ({ ...protectedNora, hasTotp: false }));
    api.once(team.resetColleagueTotp, () =>
      refusal(400, { error: message, code: "invalid_request", fields: { currentPassword: message } }),
    );
    await user.click(button("Reset Second Factor", asks));
    await reads(asks, message);
    await hasFocus(() => within(asks).getByLabelText("Your password"));
    await user.type(within(asks).getByLabelText("Your password"), "correct horse battery staple");
    await user.click(button("Reset Second Factor", asks));
    await reads(document.body, "Two-factor sign-in is off. A link to choose a new password was emailed to nora@clinic.example.");
    expect(api.received(team.resetColleagueTotp).map(({ params, body }) => [params, body])).toEqual([
      [{ userId: nora.id }, {}],
      [{ userId: nora.id }, { currentPassword: "correct horse battery staple" }],
    ]);
    await hasFocus(() => button("Remove"));
    expect(screen.queryByRole("button", { name: "Reset Second Factor" })).toBeNull();
  });

  test("says what to do when a second factor is off but the link was not mailed, and does not invite to reset it again", async () => {
    let colleague: User = { ...nora, invitedAt: null, hasTotp: true };
    const { api, user } = await asTenant("/tenant/settings/team", { before: (one) => one.on(team.listTeam, () => [me, colleague]) });
    await user.click(button("Edit Nora New"));
    await dialogOpened();
    await user.click(button("Reset Second Factor"));
    const asks = await screen.findByRole("dialog", { name: "Reset Second Factor" });
    const error = "Two-factor sign-in is off, but the link could not be emailed. Ask them to choose Forgot password when they sign in.";
    api.on(team.resetColleagueTotp, () => {
      colleague = { ...colleague, hasTotp: false, version: 4 };
      return refusal(503, { error, code: "unavailable" });
    });
    await user.click(button("Reset Second Factor", asks));
    await reads(() => within(asks).getByRole("alert"), error);
    expect(within(asks).queryByRole("button", { name: /Reset/ })).toBeNull();
    const close = within(asks).getAllByRole("button", { name: "Close" }).at(-1)!;
    await hasFocus(() => close);
    await user.click(close);
    await hasFocus(() => button("Remove"));
    expect(screen.queryByRole("button", { name: "Reset Second Factor" })).toBeNull();
  });

  test("clears the failure of an act when another begins", async () => {
    const lockedUntil = new Date(Date.now() + 600_000).toISOString();
    const locked = { ...nora, lockedUntil, invitedAt: null };
    const { api, user } = await asTenant("/tenant/settings/team", { before: (one) => one.on(team.listTeam, () => [me, locked]) });
    await user.click(button("Edit Nora New"));
    await dialogOpened();
    api.on(team.unlockColleague, () => refusal(503, { error: "Not now." }));
    await user.click(button("Unlock"));
    await reads(dialog(), "Not now.");
    api.on(team.changeColleague, () => ({ ...locked, isActive: false }));
    await user.click(button("Remove"));
    await user.click(button("Remove", screen.getByRole("alertdialog")));
    await reads(document.body, "They are signed out and can no longer sign in.");
    expect(textOf(document.body)).not.toContain("Not now.");
  });

  test("keeps a colleague of a further page open when the list is read again", async () => {
    const protectedNora = { ...nora, invitedAt: null, hasTotp: true };
    const { api, user } = await asTenant("/tenant/settings/team", {
      before: (one) => one.on(team.listTeam, ({ query }) => (query.cursor ? [protectedNora] : page([me], "further"))),
    });
    api.on(team.resetColleagueTotp, () => refusal(503));
    await user.click(button("Load more"));
    await user.click(await screen.findByRole("button", { name: "Edit Nora New" }));
    await dialogOpened();
    await user.click(button("Reset Second Factor"));
    await user.click(button("Reset Second Factor", await screen.findByRole("dialog", { name: "Reset Second Factor" })));
    await eventually(() => expect(api.received(team.resetColleagueTotp)).toHaveLength(1));
    await settled();
    for (const name of ["Nora New", "Reset Second Factor"]) expect(screen.getByRole("dialog", { name })).toBeTruthy();
  });

  test("offers neither to unlock nor to reset where there is nothing to", async () => {
    const { user } = await asTenant("/tenant/settings/team", { before: withTeam });
    await user.click(button("Edit Nora New"));
    await dialogOpened();
    for (const name of ["Unlock", "Reset Second Factor"]) expect(screen.queryByRole("button", { name })).toBeNull();
  });

  test("offers administrators neither their own access nor their own removal", async () => {
    const { user } = await asTenant("/tenant/settings/team", { before: withTeam });
    await user.click(within(rowOf(`${me.firstName} ${me.lastName}`)).getByRole("button", { name: /^Edit/ }));
    await dialogOpened();
    await reads(dialog(), "Another administrator can change your access or remove you.");
    expect(screen.queryByLabelText("Access")).toBeNull();
    expect(screen.queryByRole("button", { name: "Remove" })).toBeNull();
  });
});

describe("a narrowed user", () => {
  test("of staff gets the tabs of calls and connections, no settings, and asks for nothing that is refused", async () => {
    const { api } = await asTenant("/tenant", { me: { access: "staff" } });
    expect(tabNames()).toEqual(["Overview", "Analytics", "System"]);
    expect(screen.queryByRole("link", { name: "Settings" })).toBeNull();
    expect(api.received(tenantFhirProviders.listTenantFhirProviders)).toEqual([]);
    await reads(screen.getByRole("banner"), "Staff");
    expect(textOf(screen.getByRole("banner"))).not.toContain("Tenant Admin");
  });

  test("of staff finds no export and no amounts in Analytics", async () => {
    await asTenant("/tenant?tab=analytics", { me: { access: "staff" } });
    for (const name of ["Export CSV", "Export JSON", /wage/i, /visit value/i])
      expect(screen.queryAllByRole("button", { name })).toEqual([]);
  });

  test("who is an auditor exports calls without seeing them", async () => {
    const { api, user } = await asTenant("/tenant", { me: { access: "auditor" } });
    api.on(tenantCalls.exportCalls, () => ({ fileName: "calls.csv", rows: 3, complete: true, csv: "Call\r\n" }));
    const saved = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
    await user.click(button("Export Calls"));
    await reads(region("Export calls"), "3 calls are in calls.csv.");
    expect(saved).toHaveBeenCalledOnce();
    expect(api.received(tenantCalls.listCalls)).toEqual([]);
  });

  test("who is an auditor gets the audit log, wherever an address leads", async () => {
    await asTenant("/tenant?tab=api-keys", { me: { access: "auditor" } });
    expect(tabNames()).toEqual(["Audit"]);
    expect(tab("Audit").getAttribute("aria-selected")).toBe("true");
  });

  test.each(["staff", "auditor"] as const)("of access %s is told on a page of settings that it is not open to them", async (access) => {
    const { api } = await asTenant("/tenant/settings/team", { me: { access } });
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("You do not have access to this page");
    expect(api.received(team.listTeam)).toEqual([]);
  });
});

describe("settings", () => {
  test("have an address for each section, and mark the open one", async () => {
    const { user } = await asTenant("/tenant");
    await user.click(link("Settings"));
    await settled();
    expect(location.pathname).toBe("/tenant/settings");
    await user.click(link("Retention and rules"));
    await settled();
    expect(location.pathname).toBe("/tenant/settings/retention");
    expect(link("Retention and rules").getAttribute("aria-current")).toBe("page");
    await reads(region("Retention"), "Keep calls for 7 years");
  });

  test("save the hours alone, with the version that was seen", async () => {
    const { api, user } = await asTenant("/tenant/settings");
    const { version } = settings;
    api.on(tenant.updateContactPreferences, () => ({ ...settings, version: version + 1 }));
    const opens = within(region("Time zone and default hours")).getByLabelText("Opens");
    await user.clear(opens);
    await user.type(opens, "08:00");
    await user.click(button("Save Hours"));
    await eventually(() => expect(api.received(tenant.updateContactPreferences)).toHaveLength(1));
    const [sent] = api.received(tenant.updateContactPreferences);
    expect(sent).toMatchObject({ ifMatch: version, body: { businessHours: { start: "08:00" } } });
    expect(Object.keys(sent?.body ?? {})).toEqual(["businessHours"]);
  });

  test("save how patients may be contacted", async () => {
    const { api, user } = await asTenant("/tenant/settings/patient-contact");
    const { contactPreferences } = settings;
    api.on(tenant.updateContactPreferences, ({ body: { smsEnabled = true } }) => ({
      ...settings,
      contactPreferences: { ...contactPreferences, smsEnabled },
    }));
    await user.click(screen.getByRole("switch", { name: "SMS" }));
    await user.click(button("Save Patient Contact"));
    await eventually(() =>
      expect(api.received(tenant.updateContactPreferences).map(({ body }) => body)).toEqual([
        { smsEnabled: !contactPreferences.smsEnabled },
      ]),
    );
  });
});

test.each([
  ["/tenant/settings", "Organization"],
  ["/tenant/settings/retention", "Retention"],
  ["/tenant/settings/plan", "Plan"],
])("%s leads to the requests for what only the operator changes", async (address, panel) => {
  await asTenant(address);
  expect(within(region(panel)).getByRole("link", { name: "Requests" }).getAttribute("href")).toBe("/tenant/settings/requests");
});

describe("the organization's voice platforms", () => {
  const providers = demo("tenant_admin", tenantVoiceProviders.listOwnVoiceProviders);
  const [own] = providers as [OwnVoiceProvider];
  const { webhookUrl, ...shared } = own;
  const full: VoiceProvider = {
    ...shared,
    tenantId: me.tenantId!,
    config: {
      ...{ baseUrl: null, model: null, voice: null, settings: {}, hasApiKey: true, apiKeyLast4: "4242", hasWebhookSecret: false },
      webhookUrl,
    },
    createdAt: "2026-01-02T10:00:00.000Z",
    version: 4,
  };
  const allowing = (ownVoiceProviders: boolean) => (api: FakeApi) => {
    api.on(tenant.tenantSettings, () => ({ ...settings, policies: { ...settings.policies, ownVoiceProviders } }));
    api.on(tenantVoiceProviders.readOwnVoiceProvider, () => full);
  };

  test("are listed with their webhook addresses, and the platform is asked for a change where it keeps them", async () => {
    await asTenant("/tenant/settings/voice", { before: allowing(false) });
    await reads(() => region("Voice platforms"), new RegExp(own.providerName));
    await reads(() => region("Voice platforms"), /The platform sets up voice platforms for your organization/);
    expect(textOf(region("Voice platforms"))).toContain(webhookUrl);
    expect(screen.queryByRole("button", { name: "Add Provider" })).toBeNull();
    for (const action of ["Edit", "Delete"]) expect(screen.queryByRole("button", { name: `${action} ${own.providerName}` })).toBeNull();
  });

  test("are added and changed where the organization may; an empty key keeps the stored one", async () => {
    const { api, user } = await asTenant("/tenant/settings/voice", { before: allowing(true) });
    api.on(tenantVoiceProviders.createOwnVoiceProvider, () => full);
    api.on(tenantVoiceProviders.updateOwnVoiceProvider, () => full);
    await user.click(await screen.findByRole("button", { name: "Add Provider" }));
    await dialogOpened();
    await user.type(labeled("Provider name"), "Night line");
    await user.type(labeled("API key"), "key-of-the-clinic");
    await user.click(within(dialog()).getByRole("button", { name: "Add Provider" }));
    await eventually(() =>
      expect(api.received(tenantVoiceProviders.createOwnVoiceProvider).map(({ body }) => body)).toMatchObject([
        { providerType: "vapi", providerName: "Night line", config: { apiKey: "key-of-the-clinic" } },
      ]),
    );
    await eventually(() => expect(screen.queryByRole("dialog")).toBeNull());

    await user.click(button(`Edit ${own.providerName}`));
    await dialogOpened();
    await screen.findByLabelText("Provider name");
    await user.clear(labeled("Provider name"));
    await user.type(labeled("Provider name"), "Day line");
    await user.click(button("Save Changes"));
    await eventually(() =>
      expect(api.received(tenantVoiceProviders.updateOwnVoiceProvider).map(({ body, ifMatch, params }) => [body, ifMatch, params])).toEqual(
        [[{ providerName: "Day line" }, 4, { providerId: own.id }]],
      ),
    );
    await eventually(() => expect(screen.queryByRole("dialog")).toBeNull());
    api.on(tenantVoiceProviders.readOwnVoiceProvider, () => ({ ...full, providerName: "Day line", version: 5 }));
    await user.click(button(`Edit ${own.providerName}`));
    await dialogOpened();
    await screen.findByDisplayValue("Day line");
  });

  test("are deleted where the organization may, and the focus goes on; a refusal is told", async () => {
    const ended = { ...own, isActive: false };
    let list = [ended, ...providers.slice(1)];
    const reason = "Voice agents still use this provider: 1 of the organization. Please remove them first.";
    const { api, user } = await asTenant("/tenant/settings/voice", {
      before: (fake) => {
        allowing(true)(fake);
        fake.on(tenantVoiceProviders.listOwnVoiceProviders, () => list);
        fake.once(tenantVoiceProviders.deleteOwnVoiceProvider, () => refusal(422, { error: reason, code: "not_doable" }));
      },
    });
    await user.click(await screen.findByRole("button", { name: `Delete ${own.providerName}` }));
    const asks = screen.getByRole("alertdialog");
    await user.click(button("Delete", asks));
    await reads(asks, `Failed to delete voice provider. ${reason}`);
    api.on(tenantVoiceProviders.deleteOwnVoiceProvider, ({ params }) => {
      list = list.filter(({ id }) => id !== params.providerId);
    });
    await user.click(button("Delete", asks));
    await eventually(() => expect(screen.queryByRole("button", { name: `Delete ${own.providerName}` })).toBeNull());
    await hasFocus(() => button("Add Provider"));
    expect(api.received(tenantVoiceProviders.deleteOwnVoiceProvider).map(({ params }) => params.providerId)).toEqual([own.id, own.id]);
  });

  test("that are active are edited before they are deleted", async () => {
    const { user } = await asTenant("/tenant/settings/voice", { before: allowing(true) });
    await user.click(await screen.findByRole("button", { name: `Delete ${own.providerName}` }));
    await user.click(button("Edit Provider", screen.getByRole("alertdialog")));
    await dialogOpened();
    await screen.findByLabelText("Provider name");
    expect(screen.queryByRole("alertdialog")).toBeNull();
  });
});
