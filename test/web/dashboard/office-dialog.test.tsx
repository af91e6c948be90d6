import { screen, within } from "@testing-library/react";
import {
  calendarFeeds,
  tenant,
  tenantFhirProviders,
  tenantOffices,
  tenantVoiceAgents,
  tenantVoiceProviders,
  type TenantFhirProvider,
  type VoiceAgent,
} from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { demo } from "../../kit/screen/demo-answers.ts";
import { refusal, type FakeApi } from "../../kit/screen/fake-api.ts";
import { changed, demoOffice, keepOffices, stale } from "../../kit/screen/offices.ts";
import {
  article,
  asTenant,
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
  settled,
  showTab,
  tab,
  textOf,
} from "../../kit/screen/visit.tsx";
import { proves } from "../../requirements/proves.ts";

const main = demoOffice(0);
const { id: officeId } = main;
const second = demoOffice(1);

type Offices = ReturnType<typeof keepOffices>;
type Opening = { office?: typeof main; before?: (api: FakeApi, offices: Offices) => void };

/** Opens the first office's dialog at one of its parts. */
const openOffice = async (part: string, { office = main, before }: Opening = {}) => {
  const kept: Offices[] = [];
  const opened = await asTenant(`/tenant?tab=offices&office=${office.id}&part=${part}`, {
    before: (api) => {
      const offices = keepOffices(api, office, second);
      kept.push(offices);
      before?.(api, offices);
    },
  });
  await dialogOpened();
  return { ...opened, offices: kept[0] as Offices };
};
const gone = () => isGone("dialog");
const question = () => screen.getByRole("alertdialog");
const labels = () =>
  within(dialog())
    .getAllByLabelText<HTMLInputElement>("Label")
    .map(({ value }) => value);
const routing = ["Desk", "Nurse", "Night"].map((label, at) => ({ label, phone: `617 555 010${at}`, reasons: [] }));

describe("the dialog of an office", () => {
  proves("D1.5-006", async () => {
    const { api, user } = await asTenant("/tenant?tab=offices&office=new", { before: (of) => void keepOffices(of, main) });
    await dialogOpened();
    await user.click(button("Add office"));
    await reads(dialog, /Office name is required/);
    expect(api.received(tenantOffices.createOwnOffice)).toEqual([]);
    fill("Office name", "Nothing but a name");
    fill("Email", "not an address");
    await user.click(button("Add office"));
    await gone();
    expect(article("Nothing but a name")).toBeTruthy();
    const [{ body } = {}] = api.received(tenantOffices.createOwnOffice);
    expect(body).toMatchObject({ name: "Nothing but a name", email: "not an address", isActive: true });
  });

  test("adds an office once, with its hours, its staff and its message texts", async () => {
    const { api, user } = await asTenant("/tenant?tab=offices", { before: (of) => void keepOffices(of, main) });
    await user.click(button("Add Office"));
    await dialogOpened();
    fill("Office name", "Harbour Office");
    fill("Phone", "+1 617 555 0199");
    fill("Number of staff", "14");
    await showTab(user, "Hours");
    await user.selectOptions(labeled("Business hours"), "own");
    fill("Opens", "08:30");
    await user.selectOptions(labeled("Time zone"), "America/Chicago");
    await user.selectOptions(labeled("Saturday"), "own");
    fill("Saturday closes", "12:00");
    await user.selectOptions(labeled("Sunday"), "closed");
    await showTab(user, "Staff routing");
    for (const [label, phone] of [
      ["Front desk", "617 555 0145"],
      ["Nurse", "617 555 0146"],
    ] as const) {
      await user.click(button("Add destination"));
      const last = within(dialog()).getAllByRole("listitem").at(-1);
      fill("Label", label, last);
      fill("Phone", phone, last);
    }
    fill("Reasons", "prescription, lab results", within(dialog()).getAllByRole("listitem").at(-1));
    await user.click(button("Move Nurse up"));
    await showTab(user, "Messages");
    const followUp = screen.getByRole("textbox", { name: /^Follow-up/ });
    await user.click(followUp);
    await user.paste("Thank you for calling ");
    await user.click(within(screen.getByRole("group", { name: "Placeholders of Follow-up" })).getByRole("button", { name: /\{office\}/ }));
    await hasFocus(() => followUp);
    await user.paste(".");
    await reads(dialog, "Thank you for calling Harbour Office.");
    await user.dblClick(button("Add office"));
    await gone();
    await reads(() => article("Harbour Office"), "Mon–Fri 8:30 AM – 5:00 PM Sat 8:30 AM – 12:00 PM Sun closed Central Time");
    const sent = api.received(tenantOffices.createOwnOffice);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.body).toMatchObject({
      name: "Harbour Office",
      phone: "+1 617 555 0199",
      staffCount: 14,
      businessHours: {
        start: "08:30",
        end: "17:00",
        timezone: "America/Chicago",
        days: { saturday: { start: "08:30", end: "12:00" }, sunday: null },
      },
      staffRouting: [
        { label: "Nurse", phone: "617 555 0146", reasons: ["prescription", "lab results"] },
        { label: "Front desk", phone: "617 555 0145", reasons: [] },
      ],
      messageTemplates: { followUp: "Thank you for calling {office}." },
    });
  });

  test("has breaks: added and removed by keyboard, carried over to a day of its own, and saved", async () => {
    const { api, user } = await openOffice("hours", { office: { ...main, businessHours: null } });
    await user.selectOptions(labeled("Business hours"), "own");
    const press = async (name: string) => {
      button(name, dialog()).focus();
      await user.keyboard("{Enter}");
    };
    await press("Add break");
    await hasFocus(() => labeled("Break 1 starts"));
    expect([labeled("Break 1 starts").value, labeled("Break 1 ends").value]).toEqual(["12:00", "13:00"]);
    await user.selectOptions(labeled("Friday"), "own");
    expect([labeled("Friday break 1 starts").value, labeled("Friday break 1 ends").value]).toEqual(["12:00", "13:00"]);
    fill("Friday break 1 ends", "12:30");
    await press("Add break on Friday");
    expect(labeled("Friday break 2 starts").value).toBe("");
    await press("Remove Friday break 2");
    await hasFocus(() => button("Add break on Friday"));
    expect(labeled("Break 1 ends").value).toBe("13:00");
    await user.click(button("Save office"));
    await gone();
    const [{ body } = {}] = api.received(tenantOffices.updateOwnOffice);
    expect(body?.businessHours).toMatchObject({
      ...{ start: "09:00", end: "17:00", breaks: [{ start: "12:00", end: "13:00" }] },
      days: { friday: { start: "09:00", end: "17:00", breaks: [{ start: "12:00", end: "12:30" }] } },
    });
    await reads(() => article(main.name), /Mon–Thu 9:00 AM – 12:00 PM, 1:00 PM – 5:00 PM Fri 9:00 AM – 12:00 PM, 12:30 PM – 5:00 PM/);
  });

  test("says at a break's time what to do when it is not within the hours, and saves once it is; three are the most", async () => {
    const { api, user } = await openOffice("hours", { office: { ...main, businessHours: null } });
    await user.selectOptions(labeled("Business hours"), "own");
    await user.click(button("Add break"));
    fill("Break 1 ends", "17:00");
    await user.click(button("Save office"));
    await reads(dialog, /Must be before the office closes: to close earlier, change that/);
    const end = labeled("Break 1 ends");
    await hasFocus(() => end);
    expect(document.getElementById(end.getAttribute("aria-describedby") ?? "")?.textContent).toMatch(/^Must be before/);
    expect(api.received(tenantOffices.updateOwnOffice)).toEqual([]);
    fill("Break 1 ends", "12:20");
    for (const _ of [2, 3, 4]) await user.click(button("Add break"));
    expect(within(dialog()).getAllByLabelText(/^Break \d starts$/)).toHaveLength(3);
    expect(button("Add break").getAttribute("aria-disabled")).toBe("true");
    await user.click(button("Remove Break 3"));
    await user.click(button("Remove Break 2"));
    await user.click(button("Save office"));
    await gone();
    expect(api.received(tenantOffices.updateOwnOffice)[0]?.body).toMatchObject({
      businessHours: { breaks: [{ start: "12:00", end: "12:20" }] },
    });
  });

  test("has its texts in English and in Spanish, with what a patient reads of each, and the language of those who named none", async () => {
    const { api, user } = await openOffice("messages");
    const preview = (label: string) => textOf(screen.getByRole("region", { name: new RegExp(`^What a patient reads.*\\(${label}\\)$`) }));
    expect(preview("Spanish appointment reminder")).toContain(`Le recordamos su cita en ${main.name} el martes 3 de marzo a las 2:30 p.m.`);
    expect(preview("Appointment reminder")).toContain(`A reminder of your appointment at ${main.name} on Tuesday, March 3 at 2:30 PM.`);
    fill("Spanish follow-up", "Gracias, le atendió {office}.");
    await reads(dialog, `Gracias, le atendió ${main.name}.`);
    expect(screen.getByRole("textbox", { name: /^Spanish follow-up/ }).getAttribute("lang")).toBe("es");
    expect(textOf(labeled("Usual language"))).toMatch(/^Same as the organization: English/);
    await user.selectOptions(labeled("Usual language"), "Spanish");
    await user.click(button("Save office"));
    await gone();
    expect(api.received(tenantOffices.updateOwnOffice).map(({ body }) => body)).toEqual([
      { name: main.name, language: "es", spanishMessageTemplates: { followUp: "Gracias, le atendió {office}." } },
    ]);
  });

  test("leads to what has to be corrected in another part, and keeps what was typed when saving fails", async () => {
    const { api, user } = await openOffice("hours");
    await user.selectOptions(labeled("Business hours"), "own");
    fill("Closes", "07:00");
    await showTab(user, "Details");
    fill("Address", "1 Pier");
    await user.click(button("Save office"));
    await reads(dialog, /Must be after the start/);
    expect(tab(/^Hours ?, to be corrected/)).toBeTruthy();
    await hasFocus(() => labeled("Closes"));
    expect(api.received(tenantOffices.updateOwnOffice)).toEqual([]);
    fill("Closes", "19:00");

    api.once(tenantOffices.updateOwnOffice, () => refusal(503, { error: "Later, please." }));
    await user.click(button("Save office"));
    await reads(dialog, /Later, please\./);
    expect(labeled("Closes").value).toBe("19:00");

    await showTab(user, "Details");
    fill("Office name", second.name);
    await user.click(button("Save office"));
    await eventually(() => expect(labeled("Office name").getAttribute("aria-invalid")).toBe("true"));
    fill("Office name", "Corrected Office");
    await user.click(button("Save office"));
    await gone();
    await reads(() => article("Corrected Office"), /1 Pier.*9:00 AM – 7:00 PM/);
  });

  test("a change made meanwhile is told, what was typed stays, and saving over it keeps what both have changed", async () => {
    const { api, user, offices } = await openOffice("details");
    fill("Address", "2 Quay");
    offices.change(officeId, { name: "Renamed Office", phone: "617 555 0111" });
    await user.click(button("Save office"));
    await reads(dialog, /Someone else has changed this office.*They changed: office name, phone/);
    expect(labeled("Address").value).toBe("2 Quay");
    await user.click(button("Save office"));
    await gone();
    await reads(() => article("Renamed Office"), /2 Quay.*617 555 0111/);
    const sent = api.received(tenantOffices.updateOwnOffice);
    expect(sent.map(({ ifMatch }) => ifMatch)).toEqual([main.version, main.version + 1]);
    expect(sent[1]?.body).toEqual({ name: "Renamed Office", address: "2 Quay" });
  });
  test("a change made meanwhile can be shown in place of what was typed", async () => {
    const { api, user, offices } = await openOffice("details");
    fill("Address", "3 Quay");
    offices.change(officeId, { name: main.name, address: "4 Quay" });
    await user.click(button("Save office"));
    await user.click(await screen.findByRole("button", { name: "Load their version" }));
    await eventually(() => expect(labeled("Address").value).toBe("4 Quay"));
    await isGone("alert");
    expect(api.received(tenantOffices.updateOwnOffice)).toHaveLength(1);
    expect(offices.now(officeId).address).toBe("4 Quay");
  });

  test("asks before it throws away what was typed", async () => {
    const { api, user } = await openOffice("details");
    fill("Address", "Somewhere");
    await user.keyboard("{Escape}");
    await reads(question, /Discard changes\?/);
    await user.click(button("Keep editing"));
    expect(labeled("Address").value).toBe("Somewhere");
    await user.click(button("Close"));
    await user.click(button("Discard"));
    await gone();
    expect(api.log.filter((line) => line.startsWith("PUT"))).toEqual([]);
  });

  test("staff are moved up and removed, and are saved in their order", async () => {
    const { api, user } = await openOffice("routing", { office: changed(main, { staffRouting: routing }) });
    await user.click(button("Move Night up"));
    await eventually(() => expect(labels()).toEqual(["Desk", "Night", "Nurse"]));
    await hasFocus(() => button("Move Night up"));
    await user.keyboard("{Enter}");
    await eventually(() => expect(labels()).toEqual(["Night", "Desk", "Nurse"]));
    await user.click(button("Remove Desk"));
    await hasFocus(() => button("Add destination"));
    await user.click(button("Save office"));
    await gone();
    const [sent] = api.received(tenantOffices.updateOwnOffice);
    expect(sent?.body.staffRouting?.map(({ label }) => label)).toEqual(["Night", "Nurse"]);
  });
});

describe("an office's facts for callers", () => {
  const inherited = { ...main.facts, parking: null, insurance: [], holidays: [], questions: [] };
  const office = { ...main, facts: inherited };
  const organization = demo("tenant_admin", tenant.tenantSettings);
  const settings = {
    ...organization,
    facts: { ...inherited, parking: "Behind the building.", holidays: [{ date: "2026-12-25", name: "Christmas Day" }] },
  };
  const before = (api: FakeApi) => api.on(tenant.tenantSettings, () => settings);
  const sent = (api: FakeApi) => api.received(tenantOffices.updateOwnOffice).map(({ body }) => body.facts);
  const row = (name: string) => within(dialog()).getByRole("listitem", { name });

  test("are typed line by line and saved; the organization's are shown where the office has none", async () => {
    const { api, user } = await openOffice("facts", { office, before });
    await reads(dialog, /Parking.*Same as the organization: Behind the building\..*Holidays.*Same as the organization: Christmas Day, /);
    fill(/^Parking/, "On the street");
    await eventually(() => expect(textOf(dialog())).not.toContain("Behind the building"));
    fill(/^Insurance accepted/, "Aetna\n\nCigna ");
    await user.click(button("Add holiday"));
    fill("Closed on", "2026-11-27", row("holiday 1"));
    fill("Name", "The day after", row("holiday 1"));
    await user.click(button("Add question"));
    fill("Question", "Do you take walk-ins?", row("question 1"));
    fill("Answer", "Yes, before ten.", row("question 1"));
    await user.click(button("Save office"));
    await gone();
    expect(sent(api)).toMatchObject([
      {
        parking: "On the street",
        insurance: ["Aetna", "Cigna"],
        holidays: [{ date: "2026-11-27", name: "The day after" }],
        questions: [{ question: "Do you take walk-ins?", answer: "Yes, before ten." }],
      },
    ]);
  });

  test("that are wrong are led to, and a removed row leaves the focus on the button that adds one", async () => {
    const { api, user } = await openOffice("facts", { office, before });
    fill(/^Prices without insurance/, "x".repeat(81));
    await user.click(button("Add question"));
    fill("Question", "Why?", row("question 1"));
    await showTab(user, "Details");
    await user.click(button("Save office"));
    await reads(dialog, /Must be at most 80 characters.*Enter an answer/);
    expect(tab(/^Facts ?, to be corrected/).getAttribute("aria-selected")).toBe("true");
    await hasFocus(() => labeled(/^Prices without insurance/));
    expect(sent(api)).toEqual([]);
    await user.click(button("Remove question 1"));
    await hasFocus(() => button("Add question"));
    fill(/^Prices without insurance/, "New patient visit: $180");
    await user.click(button("Save office"));
    await gone();
    expect(sent(api)).toMatchObject([{ selfPayPrices: ["New patient visit: $180"] }]);
  });
});

describe("an office's voice agents", () => {
  const [platform] = demo("tenant_admin", tenantVoiceProviders.listOwnVoiceProviders);
  const platformId = platform?.id ?? "";
  const rows = () => {
    const list = screen.queryByRole("list", { name: "Voice agents of this office" });
    return list ? within(list).queryAllByRole("listitem") : [];
  };
  const row = (name: string) => rows().find((one) => textOf(one).includes(name)) ?? document.createElement("li");

  /** The agents that answer for the tenant and its offices, kept as the API would. */
  const keepAgents = (api: FakeApi) => {
    const kept = demo("tenant_admin", tenantVoiceAgents.listOwnVoiceAgents);
    const at = (id: string) => kept.findIndex((one) => one.id === id);
    const change = (id: string, to: Partial<VoiceAgent>): VoiceAgent => {
      const before = kept[at(id)] as VoiceAgent;
      const next = { ...before, ...to, version: before.version + 1 };
      kept[at(id)] = next;
      return next;
    };
    api.on(tenantVoiceAgents.listOwnVoiceAgents, () => kept);
    api.on(tenantVoiceAgents.assignOwnVoiceAgent, ({ params, body }) => {
      const [template] = kept;
      const made = { ...(template as VoiceAgent), id: `01m83bhms9ew6dsmvedztdz${String(kept.length).padStart(3, "0")}` };
      Object.assign(made, { ...body, agentData: null, officeId: params.officeId, version: 1 });
      kept.push(made);
      return made;
    });
    api.on(tenantVoiceAgents.updateOwnVoiceAgent, ({ params, body, ifMatch }) =>
      kept[at(params.id)]?.version === ifMatch ? change(params.id, body) : stale(),
    );
    api.on(tenantVoiceAgents.deleteOwnVoiceAgent, ({ params }) => void kept.splice(at(params.id), 1));
    return { kept, change };
  };
  const openAgents = async (before: (api: FakeApi) => void = () => {}) => {
    let agents: ReturnType<typeof keepAgents> | undefined;
    const opened = await openOffice("agents", {
      before: (api) => {
        agents = keepAgents(api);
        before(api);
      },
    });
    return { ...opened, agents: agents as ReturnType<typeof keepAgents> };
  };

  test("an agent is assigned from the platform's own list, switched off and on, and removed", async () => {
    const { api, user } = await openAgents();
    const before = rows().length;
    await user.selectOptions(labeled("Voice platform"), platformId);
    await settled();
    await user.click(button("Assign Agent"));
    await reads(dialog, /Please select a voice provider and agent/);
    await user.selectOptions(labeled("Agent"), "agent-0");
    expect(labeled("Agent name").value).toBe("Agent 0");
    fill("Agent name", "Evening agent");
    await user.dblClick(button("Assign Agent"));
    await eventually(() => expect(rows()).toHaveLength(before + 1));
    const assigned = api.received(tenantVoiceAgents.assignOwnVoiceAgent);
    expect(assigned).toHaveLength(1);
    expect(assigned[0]).toMatchObject({
      params: { officeId },
      body: { voiceProviderId: platformId, externalAgentId: "agent-0", agentName: "Evening agent", isActive: true },
    });
    await hasFocus(() => labeled("Voice platform"));

    await user.click(button("Switch off Evening agent"));
    await eventually(() => expect(textOf(row("Evening agent"))).toMatch(/Evening agent Inactive/));
    await user.click(button("Switch on Evening agent"));
    await eventually(() => expect(textOf(row("Evening agent"))).toMatch(/Evening agent Active/));
    await user.click(button("Remove Evening agent"));
    await reads(question, /Are you sure you want to delete this voice agent assignment\?/);
    await user.click(button("Remove", question()));
    await eventually(() => expect(rows()).toHaveLength(before));
    await hasFocus(() => screen.getByRole("heading", { name: "Who answers" }));
    expect(api.received(tenantVoiceAgents.deleteOwnVoiceAgent)).toMatchObject([{ params: { officeId }, ifMatch: 3 }]);
  });

  test("an agent that was changed meanwhile is shown as it is now, and can then be changed", async () => {
    const { user, agents } = await openAgents();
    const { id, agentName } = agents.kept.find((one) => one.officeId === officeId) as VoiceAgent;
    await reads(() => row(agentName), /Active/);
    agents.change(id, { isActive: false });
    await user.click(button(`Switch off ${agentName}`));
    await reads(() => row(agentName), /Inactive.*Someone else has changed this agent/);
    await user.click(button(`Switch on ${agentName}`));
    await eventually(() => expect(textOf(row(agentName))).toMatch(new RegExp(`${agentName} Active`)));
  });

  test("a half-filled assignment is asked about before it is thrown away", async () => {
    const { api, user } = await openAgents();
    fill("Agent name", "Half an agent");
    await user.keyboard("{Escape}");
    await reads(question, /Discard changes\?/);
    await user.click(button("Discard"));
    await gone();
    expect(api.received(tenantVoiceAgents.assignOwnVoiceAgent)).toEqual([]);
  });

  test("an agent can be named by its id where the platform's list does not come", async () => {
    const { api, user } = await openAgents((of) =>
      of.on(tenantVoiceProviders.listOwnProviderAgents, () =>
        refusal(503, { error: "The voice platform does not answer.", code: "voice_platform_unavailable" }),
      ),
    );
    await user.selectOptions(labeled("Voice platform"), platformId);
    await reads(() => screen.getByRole("alert"), /Failed to load agents from provider.*does not answer/);
    await user.click(button("Enter the agent ID instead"));
    fill("Agent ID", "typed-agent");
    fill("Agent name", "Typed agent");
    await user.click(button("Assign Agent"));
    await reads(() => row("Typed agent"), /typed-agent/);
    expect(api.received(tenantVoiceAgents.assignOwnVoiceAgent)).toMatchObject([{ body: { externalAgentId: "typed-agent" } }]);
  });

  test("a tenant without a voice platform is told what it needs", async () => {
    await openOffice("agents", {
      before: (api) => {
        api.on(tenantVoiceAgents.listOwnVoiceAgents, () => []);
        api.on(tenantVoiceProviders.listOwnVoiceProviders, () => []);
      },
    });
    await reads(dialog, /No voice agent for this office.*You need to configure at least one voice provider before assigning agents\./);
    expect(screen.queryByRole("button", { name: "Assign Agent" })).toBeNull();
  });
});

describe("an office's record system", () => {
  const [sandbox] = demo("tenant_admin", tenantFhirProviders.listTenantFhirProviders) as [TenantFhirProvider];
  const archive: TenantFhirProvider = { ...sandbox, id: "01m83bhjwe3z8vdh2rpw2archv", providerName: "County archive", isDefault: false };
  const choice = () => labeled<HTMLSelectElement>("Record system of this office");
  const save = () => button("Save record system");
  const sent = (api: FakeApi) =>
    api.received(tenantFhirProviders.assignOwnOfficeFhirProvider).map(({ body, ifMatch }) => [body.fhirProviderId, ifMatch]);

  /** The platform gave the office `given`, which is listed as long as an office uses it. */
  const openSystems = (given: TenantFhirProvider | null = null) =>
    openOffice("record-system", {
      office: { ...main, fhirProviderId: given?.id ?? null },
      before: (api, offices) => {
        api.on(tenantFhirProviders.listTenantFhirProviders, () =>
          offices.now(officeId).fhirProviderId === archive.id ? [sandbox, archive] : [sandbox],
        );
        api.on(tenantFhirProviders.assignOwnOfficeFhirProvider, ({ body, ifMatch }) => {
          if (offices.now(officeId).version !== ifMatch) return stale();
          return { ...body, version: offices.change(officeId, body).version };
        });
      },
    });

  test("is chosen or inherited, and the record can still be saved afterwards", async () => {
    const { api, user } = await openSystems();
    expect(choice().value).toBe("");
    await user.selectOptions(choice(), sandbox.id);
    await user.click(save());
    await reads(dialog, "Saved. It applies from the next call.");
    await user.selectOptions(choice(), "");
    await user.click(save());
    await eventually(() =>
      expect(sent(api)).toEqual([
        [sandbox.id, main.version],
        [null, main.version + 1],
      ]),
    );
    await reads(dialog, "Saved. It applies from the next call.");
    await showTab(user, "Details");
    fill("Address", "5 Own Street");
    await user.click(button("Save office"));
    await gone();
    await reads(() => article(main.name), "5 Own Street");
    expect(api.received(tenantOffices.updateOwnOffice).map(({ ifMatch }) => ifMatch)).toEqual([main.version + 2]);
  });

  test("that only the platform can give back is left after a question alone", async () => {
    const { api, user } = await openSystems(archive);
    expect(choice().value).toBe(archive.id);
    await user.selectOptions(choice(), "");
    await user.click(save());
    await reads(question, /manages County archive.*only the platform can give it back/);
    await user.click(button("Cancel", question()));
    await isGone("alertdialog");
    expect(sent(api)).toEqual([]);
    await user.click(save());
    await user.click(button("Stop using it", question()));
    await reads(dialog, "Saved. It applies from the next call.");
    expect(sent(api)).toEqual([[null, main.version]]);
    await eventually(() => expect(textOf(choice())).not.toContain("County archive"));
  });

  test("chosen while the office is saved elsewhere is told, and can then be set", async () => {
    const { api, user, offices } = await openSystems();
    offices.change(officeId, { name: main.name, phone: "617 555 0177" });
    await user.selectOptions(choice(), sandbox.id);
    await user.click(save());
    await reads(() => screen.getByRole("alert"), /Someone else has changed this office/);
    await user.click(save());
    await reads(dialog, "Saved. It applies from the next call.");
    expect(sent(api)).toEqual([
      [sandbox.id, main.version],
      [sandbox.id, main.version + 1],
    ]);
    expect(offices.now(officeId)).toMatchObject({ phone: "617 555 0177", fhirProviderId: sandbox.id });
  });
});

describe("an office's calendar", () => {
  const address = (letter: string) => `https://clinic.example/api/calendar/${letter.repeat(43)}.ics`;
  const shown = () => region("Calendar address");
  const createdAt = "2026-11-20T09:00:00.000Z";

  /** Every address that is made differs from the one before. */
  const keepFeed = (api: FakeApi) => {
    const feed = { isOn: false, made: 0 };
    api.on(calendarFeeds.getCalendarFeed, () => ({ isOn: feed.isOn, createdAt: feed.isOn ? createdAt : null }));
    api.on(calendarFeeds.renewCalendarFeed, () => {
      Object.assign(feed, { isOn: true, made: feed.made + 1 });
      return { url: address("abc"[feed.made - 1] ?? "z"), createdAt };
    });
    api.on(calendarFeeds.endCalendarFeed, () => void (feed.isOn = false));
  };

  test("address is shown once, replaced and ended after a question", async () => {
    const { api, user } = await openOffice("calendar", { before: keepFeed });
    await reads(dialog, "No address yet");
    await user.dblClick(button("Create address"));
    await reads(shown, address("a"));
    expect(api.received(calendarFeeds.renewCalendarFeed)).toHaveLength(1);
    expect(textOf(dialog())).not.toContain("no address yet");
    expect(screen.queryByRole("button", { name: "Create address" })).toBeNull();
    expect(JSON.stringify({ ...localStorage, ...sessionStorage }) + location.href).not.toContain(address("a"));
    await user.click(button("Close"));
    await reads(question, "The calendar address has not been copied");
    await user.click(button("Discard"));
    await gone();

    await user.click(link(`Edit ${main.name}`));
    await dialogOpened();
    await showTab(user, "Calendar");
    await reads(dialog, "Address created Nov 20");
    expect(document.body.innerHTML).not.toContain(address("a"));
    await user.click(button("Replace address"));
    await user.click(button("Replace address", question()));
    await reads(shown, address("b"));
    await user.click(button("Remove address"));
    await user.click(button("Remove address", question()));
    await reads(dialog, "No address yet");
    await hasFocus(() => button("Create address"));
    expect(api.received(calendarFeeds.endCalendarFeed)).toMatchObject([{ params: { officeId } }]);
  });
});
