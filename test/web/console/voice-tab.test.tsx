import { screen, within } from "@testing-library/react";
import { dashboard, offices, tenants, voiceAgents, voiceProviders, type VoiceAgent, type VoiceProvider } from "@vitaline/contract";
import { describe, expect, test, vi } from "vitest";
import { demo } from "../../kit/screen/demo-answers.ts";
import { refusal, type FakeApi } from "../../kit/screen/fake-api.ts";
import {
  asSystem,
  button,
  dialogOpened,
  eventually,
  fill,
  reads,
  region,
  saysWhileLoading,
  tab,
  textOf,
  type Screen,
} from "../../kit/screen/visit.tsx";
import { keepVoice, lakeside, ourRetell, riverside, voiceAgent, voiceProvider } from "../../kit/screen/voice.ts";
import { proves } from "../../requirements/proves.ts";

const address = "/admin?tab=voice";
const { listVoiceProviders } = voiceProviders;
const { listVoiceAgents } = voiceAgents;
const providersOf = (tenantId: string): VoiceProvider[] => demo("system_admin", listVoiceProviders, { tenantId });
const agentsOf = (tenantId: string): VoiceAgent[] => demo("system_admin", listVoiceAgents, { tenantId });
const allProviders = [...providersOf(riverside.id), ...providersOf(lakeside.id)];
const allAgents = [...agentsOf(riverside.id), ...agentsOf(lakeside.id)];
const names = { vapi: "Vapi", elevenlabs: "ElevenLabs", retellai: "Retell AI", openai: "OpenAI Realtime" };

const openTab = (before: (api: FakeApi) => void = () => {}) => asSystem(address, { before });
const empty = (api: FakeApi): void => {
  api.on(listVoiceProviders, () => []);
  api.on(listVoiceAgents, () => []);
};
const providers = (): HTMLElement => region("Voice Providers");
const agents = (): HTMLElement => region("Voice Agents");
const figures = (panel: HTMLElement): string => textOf(panel.querySelector("dl") as HTMLElement);
const newest = (what: string): string[] =>
  within(screen.getByRole("list", { name: `Most recent voice ${what}` }))
    .getAllByRole("listitem")
    .map(textOf);
const lines = (panel: HTMLElement): string[] => [...panel.querySelectorAll("summary")].map(textOf);
/** What a panel lists of an organization, once its line is opened. */
const groupOf = async ({ user }: Pick<Screen, "user">, panel: HTMLElement, name: string): Promise<HTMLElement> => {
  await user.click(within(panel).getByText(name, { selector: "summary *" }));
  await eventually(() => expect(within(panel).getByRole("list", { name })).toBeTruthy());
  return within(panel).getByRole("list", { name });
};

describe("the tab of voice platforms and agents", () => {
  proves("D2.2-019", async ({ sees }) => {
    await openTab();
    for (const one of [button("Add Provider", providers()), button("Manage Agents", agents())]) {
      expect(one.getAttribute("aria-haspopup")).toBe("dialog");
      sees(textOf(one));
    }
  });
  proves("D2.2-020", async () => {
    const opened = await openTab();
    for (const panel of [providers(), agents()]) {
      expect(lines(panel).map((line) => line.replace(/ \d.*/, ""))).toEqual([riverside.name, lakeside.name]);
      const group = await groupOf(opened, panel, riverside.name);
      expect(within(group).getAllByRole("listitem").length).toBe(4);
      expect(textOf(group)).toContain("Active");
    }
  });
  proves("D2.2-021", async () => {
    expect(await saysWhileLoading(address, listVoiceProviders, "Voice Providers")).toBe("Loading voice providers...");
    await openTab(empty);
    expect(textOf(providers())).toContain("No voice providers configured yet.");
  });
  proves("D2.2-022", async () => {
    await openTab((api) =>
      api.on(listVoiceProviders, ({ params }) => providersOf(params.tenantId).filter(({ providerType }) => providerType !== "elevenlabs")),
    );
    expect(figures(providers())).toBe("Vapi providers 2 ElevenLabs providers 0 Retell AI providers 2 OpenAI Realtime providers 2");
    await openTab((api) =>
      api.on(listVoiceProviders, ({ params }) => providersOf(params.tenantId).slice(0, params.tenantId === riverside.id ? 1 : 0)),
    );
    expect(figures(providers())).toMatch(/^Vapi provider 1 ElevenLabs providers 0 /);
  });
  proves("D2.2-023", async ({ sees }) => {
    const off = voiceProvider(9, { providerName: "Switched off", isActive: false });
    await openTab((api) =>
      api.on(listVoiceProviders, ({ params }) => [...providersOf(params.tenantId), ...(params.tenantId === riverside.id ? [off] : [])]),
    );
    const expected = [off, ...allProviders]
      .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt))
      .slice(0, 5)
      .map(({ providerName, providerType, tenantId, isActive }) => {
        const tenantName = tenantId === riverside.id ? riverside.name : lakeside.name;
        const type = names[providerType] === providerName ? [] : [names[providerType]];
        return `${providerName} ${[...type, tenantName].join(" · ")} ${isActive ? "Active" : "Inactive"}`;
      });
    expect(expected[0]).toBe(`Switched off Retell AI · ${riverside.name} Inactive`);
    expect(newest("providers")).toEqual(expected);
    sees(newest("providers").join());
  });
  proves("D2.2-024", async ({ sees }) => {
    await openTab((api) =>
      api.on(listVoiceAgents, ({ params }) => agentsOf(params.tenantId).map((one, at) => ({ ...one, isActive: at > 0 }))),
    );
    sees(figures(agents()));
    expect(figures(agents())).toBe(`Active Agents ${allAgents.length - 2} Total Agents ${allAgents.length}`);
  });
  proves("D2.2-025", async ({ sees }) => {
    const evening = voiceAgent("Evening agent", { isActive: false });
    await openTab((api) =>
      api.on(listVoiceAgents, ({ params }) => [...(params.tenantId === riverside.id ? [evening] : []), ...agentsOf(params.tenantId)]),
    );
    const rows = newest("agents");
    expect(rows.length).toBe(5);
    expect(rows[0]).toBe(`Evening agent ${riverside.name} Inactive`);
    expect(rows[1]).toMatch(new RegExp(` ${lakeside.name}.* Active$`));
    sees(rows.join());
  });
  proves("D2.2-026", async ({ sees, quoted }) => {
    const text = await saysWhileLoading(address, listVoiceAgents, "Voice Agents");
    sees(text);
    expect(text).toBe(quoted[0]);
  });
  proves("D2.2-027", async ({ sees }) => {
    await openTab(empty);
    sees(textOf(agents()));
    expect(textOf(agents())).toContain("No voice agents configured yet.");
  });

  test("an agent names its office, and agents with one name are told apart", async () => {
    const office = demo("system_admin", offices.listOffices, { tenantId: riverside.id })[0];
    const byDay = voiceAgent("Front desk", { externalAgentId: "agent-by-day", createdAt: "2026-11-01T08:00:00.000Z" });
    const byNight = { ...byDay, id: `${byDay.id.slice(0, -1)}1`, externalAgentId: "agent-for-the-harbor-by-night" };
    const both = [byDay, { ...byNight, ...(office && { officeId: office.id }), createdAt: ourRetell.createdAt }];
    await openTab((api) => api.on(listVoiceAgents, ({ params }) => (params.tenantId === riverside.id ? both : [])));
    expect(newest("agents")[0]).toBe(`Front desk ${riverside.name} · Retell AI · ID ends in by-night Active`);
    const list = within(agents()).getByRole("list", { name: riverside.name });
    await reads(list, `Retell AI · ${office?.name} · ID ends in by-night`);
    expect(textOf(list)).toContain("Retell AI · Tenant-level · ID agent-by-day");
  });
  test("a second line that would repeat the first is left out", async () => {
    const group = await groupOf(await openTab(), providers(), riverside.name);
    expect(within(group).getAllByRole("listitem").map(textOf)).toContain("Vapi Active");
  });

  const eachTenant = (id: string, what: "voice-providers" | "voice-agents") =>
    proves(id, async () => {
      const [route, panel] = what === "voice-providers" ? [listVoiceProviders, providers] : [listVoiceAgents, agents];
      const warned: string[] = [];
      let isDown = true;
      const { user, api } = await openTab((fake) => {
        vi.spyOn(console, "warn").mockImplementation((...said: unknown[]) => void warned.push(said.join(" ")));
        const isSkipped = (asked: typeof what, tenantId: string) => isDown && asked === what && tenantId === lakeside.id;
        fake.on(listVoiceProviders, ({ params: { tenantId } }) =>
          isSkipped("voice-providers", tenantId) ? refusal(503) : providersOf(tenantId),
        );
        fake.on(listVoiceAgents, ({ params: { tenantId } }) => (isSkipped("voice-agents", tenantId) ? refusal(503) : agentsOf(tenantId)));
      });
      await reads(panel, /1 of 2 organizations loaded/);
      await reads(panel, `Failed to load ${what.replace("-", " ")} of ${lakeside.name}.`);
      expect(lines(panel())).toEqual([expect.stringMatching(new RegExp(`^${riverside.name} 4 voice`))]);
      expect(warned).toEqual([`Skipped tenant ${lakeside.id} of ${route.path}: ApiError, request 0123456789abcdef`]);
      expect(api.received(route).map(({ params }) => params.tenantId)).toEqual([riverside.id, lakeside.id]);
      isDown = false;
      await user.click(button("Retry", panel()));
      await eventually(() => expect(textOf(panel())).not.toMatch(/organizations loaded|Failed to load/));
      expect(lines(panel())[1]).toContain(lakeside.name);
    });
  eachTenant("D2.7-013", "voice-providers");
  eachTenant("D2.7-019", "voice-agents");
  eachTenant("D2.8-015", "voice-agents");

  test("over 200 organizations asks six at a time at most, and shows the first before the last has answered", async () => {
    const id = (number: number): string => String(number).padStart(26, "0");
    const many = Array.from({ length: 200 }, (_, at) => ({ ...riverside, id: id(at), name: `Clinic ${at}` }));
    let [inFlight, most] = [0, 0];
    let answerLast = () => {};
    const last = new Promise<void>((done) => (answerLast = done));
    const counted = async <T,>(tenantId: string, rows: T[]): Promise<T[]> => {
      most = Math.max(most, (inFlight += 1));
      await (tenantId === id(199) ? last : new Promise((done) => setImmediate(done)));
      inFlight -= 1;
      return rows;
    };
    const opening = openTab((api) => {
      api.on(tenants.listTenants, () => many);
      api.on(listVoiceProviders, ({ params }) =>
        counted(
          params.tenantId,
          params.tenantId === id(7)
            ? []
            : [voiceProvider(Number(params.tenantId), { tenantId: params.tenantId, providerName: "Same provider" })],
        ),
      );
      api.on(listVoiceAgents, ({ params }) => counted(params.tenantId, []));
    });
    await reads(providers, /\d+ of 200 organizations loaded/);
    await reads(providers, /by organization Clinic 0/);
    answerLast();
    const opened = await opening;
    const panel = providers();
    expect(textOf(panel)).toContain("1 organization has none.");
    expect(textOf(panel)).not.toContain("organizations loaded");
    expect(lines(panel).length).toBe(10);
    expect(within(panel).getAllByText("Same provider").length).toBe(5);
    fill("Search voice providers by organization", "clinic 198");
    await reads(panel, /1 of 199 organizations found/);
    expect(lines(panel)).toEqual(["Clinic 198 1 voice provider"]);
    expect(textOf(await groupOf(opened, panel, "Clinic 198"))).toContain("Same provider");
    expect(most).toBeGreaterThan(3);
    expect(most).toBeLessThanOrEqual(6);
  });
});

proves("D2.9-017", async () => {
  for (const dialog of ["providers", "agents"] as const) {
    const many = Array.from({ length: 60 }, (_, at) => voiceProvider(300 + at, { providerName: `Provider ${at}` }));
    const manyAgents = many.map(({ id }, at) => voiceAgent(`Agent ${at}`, { id }));
    await asSystem(`${address}&dialog=${dialog}&for=${riverside.id}`, {
      before: (api) => keepVoice(api, { providers: many, agents: manyAgents }),
    });
    const opened = await dialogOpened();
    expect(within(opened).getAllByRole("button", { name: /^Edit / }).length).toBe(60);
    expect(within(opened).queryByRole("button", { name: /more/i })).toBeNull();
  }
});

describe("above the tabs", () => {
  const waiting = (keptEvents: number, unmailedMessages: number, openRequests: number) => (api: FakeApi) =>
    api.on(dashboard.platformMetrics, () => ({
      ...demo("system_admin", dashboard.platformMetrics),
      waiting: { keptEvents, unmailedMessages, openRequests },
    }));
  test("the tab keeps its name, shows how much waits in it, and says so", async () => {
    for (const [kept, unmailed, requests, shown, said] of [
      [2, 1, 2, "5", "5 wait"],
      [0, 0, 1, "1", "1 waits"],
      [4, 100, 0, "104+", "104+ wait"],
      [0, 0, 100, "100+", "100+ wait"],
    ] as const) {
      await openTab(waiting(kept, unmailed, requests));
      const audit = tab("Audit & Compliance");
      expect(audit.textContent).toBe(`Audit & Compliance${shown}${said}`);
      expect(document.getElementById(audit.getAttribute("aria-describedby") ?? "")?.textContent).toBe(said);
    }
  });
  test("nothing stands at the tab when nothing waits", async () => {
    await openTab(waiting(0, 0, 0));
    expect(textOf(region("Summary"))).toMatch(/Total Users \d/);
    const audit = tab("Audit & Compliance");
    expect([textOf(audit), audit.getAttribute("aria-describedby")]).toEqual(["Audit & Compliance", null]);
  });
});
