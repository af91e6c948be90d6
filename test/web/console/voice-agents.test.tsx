import { screen, within } from "@testing-library/react";
import { offices, voiceAgents, voiceProviders, type Office } from "@vitaline/contract";
import { describe, expect, test } from "vitest";
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
  reads,
  region,
  saysWhileLoading,
  textOf,
  toast,
  type Screen,
} from "../../kit/screen/visit.tsx";
import { keepVoice, ourRetell, riverside, secondProvider, voiceAgent } from "../../kit/screen/voice.ts";
import { proves } from "../../requirements/proves.ts";

const tabAddress = "/admin?tab=voice";
const address = `${tabAddress}&dialog=agents&for=${riverside.id}`;
const [office] = demo("system_admin", offices.listOffices, { tenantId: riverside.id }) as [Office];
const officeAddress = `${address}&office=${office.id}`;
const { assignVoiceAgent, updateVoiceAgent, deleteVoiceAgent, listVoiceAgents, listOfficeVoiceAgents, assignOfficeVoiceAgent } =
  voiceAgents;
const { listProviderAgents } = voiceProviders;
const unreachable = "The database could not be reached.";
const down = () => refusal(503, { error: unreachable });

type Kept = Parameters<typeof keepVoice>[1];
const open = async (of: Kept = {}, before: (api: FakeApi) => void = () => {}, at = address) => {
  const kept: ReturnType<typeof keepVoice>[] = [];
  const opened = await asSystem(at, {
    before: (api) => {
      kept.push(keepVoice(api, of));
      before(api);
    },
  });
  if (at !== tabAddress) await dialogOpened();
  return { ...opened, kept: kept[0] as ReturnType<typeof keepVoice> };
};
const list = (): HTMLElement => within(dialog()).getByRole("list", { name: "Voice agent assignments" });
const panel = (): HTMLElement => region("Voice Agents");
const agentField = (): HTMLSelectElement => labeled<HTMLSelectElement>("Agent");
const openForm = async ({ user }: Pick<Screen, "user">): Promise<void> => {
  await user.click(button("Assign Agent", dialog()));
  await user.selectOptions(labeled("Voice provider"), "Our Retell (Retell AI)");
  await eventually(() => expect(agentField().options.length).toBe(3));
};
const assign = (): HTMLElement => button("Assign Agent", dialog());

describe("voice agents of an organization", () => {
  proves("D2.2-104", async ({ sees }) => {
    const { user } = await open({}, undefined, tabAddress);
    await user.click(button("Manage Agents", panel()));
    const title = within(await dialogOpened()).getByRole("heading", { level: 2 });
    sees(textOf(title));
    expect(textOf(title)).toBe("Voice Agent Management");
  });
  proves("D2.2-105", async ({ sees, quoted }) => {
    const { user, api } = await open({}, undefined, tabAddress);
    await user.click(button("Manage Agents", panel()));
    await dialogOpened();
    await user.selectOptions(labeled("Tenant"), riverside.name);
    const choices = () => [...labeled<HTMLSelectElement>("Office").options].map(textOf);
    await eventually(() => expect(choices()).toEqual([quoted[0], office.name, "Hillside Office"]));
    sees(choices());
    await user.selectOptions(labeled("Office"), office.name);
    await eventually(() => expect(api.received(listOfficeVoiceAgents)).toMatchObject([{ params: { officeId: office.id } }]));
  });
  proves("D2.2-106", async ({ sees }) => {
    const { user } = await open({ agents: [voiceAgent("Listed agent")] });
    expect(textOf(list())).toMatch(/^Listed agent Retell AI · Tenant-level Active Edit Listed agent Delete Listed agent$/);
    sees(textOf(list()));
    sees(textOf(assign()));
    await user.click(assign());
    await hasFocus(() => labeled("Voice provider"));
  });
  proves("D2.2-107", async ({ sees, quoted }) => {
    const text = await saysWhileLoading(officeAddress, listOfficeVoiceAgents, dialog);
    sees(text);
    expect(text).toBe(quoted[0]);
  });
  const withoutProvider = (id: string, isSo: () => boolean) =>
    proves(id, async ({ sees }) => {
      await open({ providers: [] });
      await reads(dialog, /No voice agent assignments configured yet\./);
      sees(textOf(dialog()));
      expect(isSo()).toBe(true);
    });
  withoutProvider("D2.2-108", () => within(dialog()).queryAllByRole("listitem").length === 0);
  withoutProvider("D2.2-109", () => textOf(dialog()).includes("You need to configure at least one voice provider"));
  withoutProvider("D2.2-110", () => (assign() as HTMLButtonElement).disabled);

  proves("D2.4-012", async () => {
    const opened = await open({ providers: [ourRetell, secondProvider] });
    await openForm(opened);
    await opened.user.selectOptions(agentField(), "agent-2");
    await opened.user.selectOptions(labeled("Voice provider"), "Second (ElevenLabs)");
    await eventually(() => expect([agentField().value, labeled("Agent name").value]).toEqual(["", ""]));
    expect(opened.api.received(listProviderAgents).map(({ params }) => params.providerId)).toEqual([ourRetell.id, secondProvider.id]);
  });
  proves("D2.4-013", async () => {
    const opened = await open();
    await openForm(opened);
    await opened.user.selectOptions(agentField(), "agent-2");
    expect(labeled("Agent name").value).toBe("Agent 2");
    await opened.user.selectOptions(agentField(), "agent-1");
    expect(labeled("Agent name").value).toBe("Agent 1");
  });
  proves("D2.5-013", async () => {
    const opened = await open();
    const isDisabled = () => (assign() as HTMLButtonElement).disabled;
    await opened.user.click(assign());
    expect(isDisabled()).toBe(true);
    await opened.user.selectOptions(labeled("Voice provider"), "Our Retell (Retell AI)");
    await eventually(() => expect(agentField().options.length).toBe(3));
    expect(isDisabled()).toBe(true);
    await opened.user.selectOptions(agentField(), "agent-2");
    expect(isDisabled()).toBe(false);
  });
  proves("D2.8-035", async ({ sees }) => {
    const opened = await open();
    await openForm(opened);
    await opened.user.selectOptions(agentField(), "agent-2");
    fill("Agent name", "Reception");
    await opened.user.dblClick(assign());
    await reads(list, /^Reception Retell AI · agent-2 · Tenant-level/);
    sees(textOf(toast()));
    const body = { voiceProviderId: ourRetell.id, externalAgentId: "agent-2", agentName: "Reception", isActive: true };
    expect(opened.api.received(assignVoiceAgent)).toMatchObject([{ params: { tenantId: riverside.id }, body }]);
    await opened.user.click(button("Close", dialog()));
    await isGone("dialog");
    await reads(panel, /Reception/);
  });

  test("are named by their id where the platform lists none, and answer for an office", async () => {
    const opened = await open({}, (api) => api.on(listProviderAgents, () => []));
    const { user, api } = opened;
    await user.selectOptions(labeled("Office"), office.name);
    await user.click(assign());
    await user.selectOptions(labeled("Voice provider"), "Our Retell (Retell AI)");
    await reads(dialog, /The platform lists no agents\. You can enter an agent ID instead\./);
    await user.click(button("Enter the agent ID instead"));
    fill("Agent ID", "agent-by-hand");
    fill("Agent name", "By hand");
    await user.click(assign());
    await reads(list, /By hand/);
    expect(api.received(assignOfficeVoiceAgent)).toMatchObject([
      { params: { officeId: office.id }, body: { externalAgentId: "agent-by-hand", agentName: "By hand" } },
    ]);
    await user.selectOptions(labeled("Office"), "All offices / Tenant-level");
    await reads(list, `By hand Retell AI · agent-by-hand · ${office.name}`);
  });

  proves("D2.8-018", async ({ sees }) => {
    const opened = await open({}, (api) => api.once(assignVoiceAgent, down));
    await openForm(opened);
    await opened.user.selectOptions(agentField(), "agent-2");
    await opened.user.click(assign());
    await reads(dialog, `Failed to assign voice agent. ${unreachable}`);
    await reads(toast, /Error assigning voice agent/);
    sees(textOf(toast()));
    expect(agentField().value).toBe("agent-2");
  });
  proves("D2.8-005", async ({ sees }) => {
    const { user } = await open({}, (api) => api.once(listProviderAgents, down));
    await user.click(assign());
    await user.selectOptions(labeled("Voice provider"), "Our Retell (Retell AI)");
    const alert = () => within(dialog()).getByRole("alert");
    await reads(alert, /Failed to fetch provider agents/);
    await reads(toast, /Failed to fetch agents from provider/);
    sees(`${textOf(alert())} ${textOf(toast())}`);
    await user.click(button("Retry", alert()));
    await eventually(() => expect(agentField().options.length).toBe(3));
  });
  const unread = (id: string, before: (api: FakeApi) => void) =>
    proves(id, async ({ sees }) => {
      const { user } = await open({}, before, officeAddress);
      const alert = within(dialog()).getByRole("alert");
      sees(textOf(alert));
      expect(textOf(alert)).toContain(unreachable);
      await user.click(button("Retry", alert));
      await isGone("alert");
      await eventually(() => expect(labeled<HTMLSelectElement>("Office").value).toBe(office.id));
    });
  unread("D2.8-003", (api) => api.once(offices.listOffices, down));
  unread("D2.8-004", (api) => api.once(listOfficeVoiceAgents, down));

  const switchOff = async ({ user }: Pick<Screen, "user">): Promise<void> => {
    await user.click(button(/^Edit /, dialog()));
    await hasFocus(() => labeled("Active"));
    expect(within(dialog()).queryAllByRole("textbox")).toEqual([]);
    await user.click(labeled("Active"));
    await user.click(button("Save Changes", dialog()));
  };
  proves("D2.8-036", async ({ sees }) => {
    const opened = await open({ agents: [voiceAgent("Pausing agent")] });
    await switchOff(opened);
    await reads(list, /^Pausing agent .* Inactive /);
    sees(textOf(toast()));
    expect(opened.api.received(updateVoiceAgent)).toMatchObject([{ body: { isActive: false }, ifMatch: 1 }]);
  });
  proves("D2.8-019", async ({ sees }) => {
    const opened = await open({ agents: [voiceAgent("Racing agent")] });
    opened.kept.agents[0] = voiceAgent("Racing agent", { version: 2 });
    await switchOff(opened);
    await reads(dialog, /Failed to update voice agent assignment\. Another user has changed it/);
    sees(textOf(toast()));
    expect(labeled("Active").checked).toBe(false);
    await opened.user.click(button("Save Changes", dialog()));
    await reads(list, /Inactive/);
    expect(opened.api.received(updateVoiceAgent).map(({ ifMatch }) => ifMatch)).toEqual([1, 2]);
  });
  const askToDelete = async ({ user }: Pick<Screen, "user">): Promise<HTMLElement> => {
    await user.click(button(/^Delete /, dialog()));
    const asks = screen.getByRole("alertdialog");
    await hasFocus(() => button("Cancel", asks));
    return asks;
  };
  proves("D2.8-044", async ({ sees, quoted }) => {
    const opened = await open({ agents: [voiceAgent("Careful agent")] });
    const asks = await askToDelete(opened);
    sees(textOf(asks));
    expect(within(asks).getByText(quoted[0] ?? "")).toBeTruthy();
    await reads(asks, `Careful agent (Retell AI) no longer answers for ${riverside.name}, all offices.`);
    expect(textOf(asks)).toContain("The agent itself stays at Retell AI and can be assigned again.");
    await opened.user.click(button("Cancel", asks));
    await hasFocus(() => button(/^Delete /, dialog()));
    expect(opened.api.received(deleteVoiceAgent)).toEqual([]);
  });
  proves("D2.8-037", async ({ sees }) => {
    const leaving = voiceAgent("Leaving agent", { version: 4 });
    const opened = await open({ agents: [leaving] });
    await opened.user.click(button("Delete", await askToDelete(opened)));
    await reads(dialog, /No voice agent assignments configured yet/);
    sees(textOf(toast()));
    await hasFocus(() => within(dialog()).getByRole("heading", { level: 3, name: "Voice agent assignments" }));
    expect(opened.api.received(deleteVoiceAgent)).toMatchObject([{ params: { tenantId: riverside.id, id: leaving.id }, ifMatch: 4 }]);
    expect(opened.api.received(listVoiceAgents).length).toBeGreaterThan(2);
  });
  proves("D2.8-020", async ({ sees }) => {
    const opened = await open({ agents: [voiceAgent("Sticky agent")] }, (api) => api.once(deleteVoiceAgent, down));
    const asks = await askToDelete(opened);
    await opened.user.click(button("Delete", asks));
    await reads(asks, `Failed to delete voice agent assignment. ${unreachable}`);
    sees(textOf(asks));
    expect(textOf(list())).toContain("Sticky agent");
  });
});
