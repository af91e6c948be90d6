import { screen, within } from "@testing-library/react";
import { voiceProviders } from "@vitaline/contract";
import { describe, expect, test, vi } from "vitest";
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
import { keepVoice, ourRetell, riverside, secondProvider } from "../../kit/screen/voice.ts";
import { proves } from "../../requirements/proves.ts";

const tabAddress = "/admin?tab=voice";
const address = `${tabAddress}&dialog=providers&for=${riverside.id}`;
const { listVoiceProviders, createVoiceProvider, updateVoiceProvider, deleteVoiceProvider } = voiceProviders;
const unreachable = "The database could not be reached.";
const secret = "elevenlabs-secret-7890";

const open = async (of: Parameters<typeof keepVoice>[1] = {}, before: (api: FakeApi) => void = () => {}, at = address) => {
  const kept: ReturnType<typeof keepVoice>[] = [];
  const opened = await asSystem(at, {
    before: (api) => {
      kept.push(keepVoice(api, of));
      before(api);
    },
  });
  if (at === address) await dialogOpened();
  return { ...opened, kept: kept[0] as ReturnType<typeof keepVoice> };
};
const list = (): HTMLElement => within(dialog()).getByRole("list", { name: "Voice providers" });
const panel = (): HTMLElement => region("Voice Providers");
const typeNew = async ({ user }: Pick<Screen, "user">, name: string): Promise<void> => {
  await user.click(button("Add Provider", dialog()));
  await user.selectOptions(labeled("Provider type"), "elevenlabs");
  fill("Provider name", name);
  fill("API key", secret);
  fill("Default voice", "sarah");
};
const save = (): HTMLElement => button(/^(Add Provider|Save Changes)$/, dialog());

describe("voice providers of an organization", () => {
  proves("D2.2-100", async ({ sees }) => {
    const { user } = await open({}, undefined, tabAddress);
    await user.click(button("Add Provider", panel()));
    const title = within(await dialogOpened()).getByRole("heading", { level: 2 });
    sees(textOf(title));
    expect(textOf(title)).toBe("Voice Provider Configuration");
  });
  proves("D2.2-101", async ({ sees }) => {
    const { user } = await open({}, undefined, tabAddress);
    await user.click(button("Add Provider", panel()));
    await dialogOpened();
    await user.selectOptions(labeled("Tenant"), riverside.name);
    await reads(list, /Our Retell/);
    const add = button("Add Provider", dialog());
    sees(textOf(add));
    await user.click(add);
    expect(labeled("Provider name").value).toBe("");
    expect(new URLSearchParams(location.search).get("for")).toBe(riverside.id);
  });
  proves("D2.2-102", async ({ sees, quoted }) => {
    const text = await saysWhileLoading(address, listVoiceProviders, dialog);
    sees(text);
    expect(text).toBe(quoted[0]);
  });
  proves("D2.2-103", async ({ sees, quoted }) => {
    await open({ providers: [] });
    sees(textOf(dialog()));
    expect(textOf(dialog())).toContain(quoted[0]);
  });
  proves("D2.8-002", async ({ sees }) => {
    const { user } = await open({}, (api) => {
      vi.spyOn(console, "warn").mockImplementation(() => {});
      for (let asked = 0; asked < 3; asked += 1) api.once(listVoiceProviders, () => refusal(503, { error: unreachable }));
    });
    const alert = within(dialog()).getByRole("alert");
    sees(textOf(alert));
    expect(textOf(alert)).toContain(unreachable);
    await user.click(button("Retry", alert));
    await reads(list, /Our Retell/);
  });
  proves("D2.5-009", async () => {
    const { user, api } = await open();
    await user.click(button("Add Provider", dialog()));
    expect(labeled("API key").type).toBe("password");
    fill("Provider name", "Without a key");
    await user.click(save());
    await reads(dialog, /API key is required/);
    await hasFocus(() => labeled("API key"));
    expect(api.received(createVoiceProvider)).toEqual([]);
  });
  proves("D2.5-010", async () => {
    const { user } = await open();
    await user.click(button("Add Provider", dialog()));
    const shown = () => ["Base URL", "Model"].map((label) => within(dialog()).queryByLabelText(new RegExp(`^${label}`)) !== null);
    for (const type of ["retellai", "vapi", "elevenlabs", "openai"]) {
      await user.selectOptions(labeled("Provider type"), type);
      await eventually(() => expect(shown()).toEqual(type === "vapi" ? [false, false] : [true, true]));
    }
  });
  proves("D2.8-033", async ({ sees }) => {
    const opened = await open({ providers: [] });
    await typeNew(opened, "Our ElevenLabs");
    await opened.user.dblClick(save());
    await reads(list, /Our ElevenLabs .*ends in 7890 .*sarah/);
    await hasFocus(() => button("Add Provider", dialog()));
    sees(textOf(toast()));
    const config = { apiKey: secret, voice: "sarah" };
    expect(opened.api.received(createVoiceProvider)).toMatchObject([
      { params: { tenantId: riverside.id }, body: { providerName: "Our ElevenLabs", providerType: "elevenlabs", config } },
    ]);
    expect(textOf(list())).toContain(opened.kept.providers[0]?.config.webhookUrl);
    expect(document.body.outerHTML).not.toContain("elevenlabs-secret");
    await opened.user.click(button("Close", dialog()));
    await isGone("dialog");
    await reads(panel, /Our ElevenLabs/);
  });
  proves("D2.8-016", async ({ sees }) => {
    const opened = await open({}, (api) => api.once(createVoiceProvider, () => refusal(503, { error: unreachable })));
    await typeNew(opened, "Kept name");
    await opened.user.click(save());
    await reads(dialog, `Failed to create voice provider. ${unreachable}`);
    await reads(toast, /Error creating voice provider/);
    sees(textOf(toast()));
    expect([labeled("Provider name").value, labeled("API key").value]).toEqual(["Kept name", secret]);
  });
  proves("D2.8-034", async ({ sees }) => {
    const { user, api } = await open();
    await user.click(button("Edit Our Retell"));
    expect(labeled("Provider type").readOnly).toBe(true);
    fill("Provider name", "Their Retell");
    await user.click(screen.getByLabelText("Default provider"));
    await user.click(save());
    await reads(list, /Their Retell .*Default /);
    await reads(toast, /Voice provider updated/);
    sees(textOf(toast()));
    const [sent] = api.received(updateVoiceProvider);
    expect(sent).toMatchObject({ ifMatch: 1, params: { id: ourRetell.id }, body: { providerName: "Their Retell", isDefault: true } });
    expect(sent?.body.config?.apiKey).toBeUndefined();
  });
  proves("D2.8-017", async ({ sees }) => {
    const { user, api, kept } = await open();
    await user.click(button("Edit Our Retell"));
    fill("Default voice", "mine");
    kept.providers[0] = { ...ourRetell, providerName: "Theirs", version: 2 };
    await user.click(save());
    await reads(dialog, /Someone else has changed this provider.*They changed: provider name/);
    await reads(toast, /Error updating voice provider/);
    sees(textOf(toast()));
    expect(labeled("Default voice").value).toBe("mine");
    await user.click(save());
    await reads(list, /Theirs .*mine/);
    expect(api.received(updateVoiceProvider).map(({ ifMatch }) => ifMatch)).toEqual([1, 2]);
  });

  test("that another user has changed can be loaded with their changes", async () => {
    const { user, api, kept } = await open();
    await user.click(button("Edit Our Retell"));
    fill("Default voice", "mine");
    kept.providers[0] = { ...ourRetell, providerName: "Theirs", version: 2 };
    await user.click(save());
    await user.click(await screen.findByRole("button", { name: "Load their version" }));
    await hasFocus(() => labeled("Provider name"));
    expect([labeled("Provider name").value, labeled("Default voice").value]).toEqual(["Theirs", ourRetell.config.voice ?? ""]);
    await reads(dialog, /Edit Theirs/);
    expect(within(dialog()).queryByRole("alert")).toBeNull();
    fill("Default voice", "ours");
    await user.click(save());
    await reads(list, /Theirs .*ours/);
    expect(api.received(updateVoiceProvider).map(({ ifMatch }) => ifMatch)).toEqual([1, 2]);
  });

  test("ask before what was typed is lost, and keep the organization chosen meanwhile", async () => {
    const opened = await open();
    const { user } = opened;
    await typeNew(opened, "Half typed");
    expect(labeled("Tenant").disabled).toBe(true);
    await user.keyboard("{Escape}");
    await reads(() => screen.getByRole("alertdialog"), /^Discard changes\?/);
    await user.click(button("Discard"));
    await isGone("dialog");
    await user.click(button("Add Provider", panel()));
    await dialogOpened();
    expect(labeled("Tenant").value).toBe("");
  });

  test("want the key again for another address, and say so at the key", async () => {
    const needed = "Is required for another address";
    const { user, api } = await open({}, (fake) =>
      fake.on(updateVoiceProvider, () => refusal(400, { error: needed, code: "invalid", fields: { "config.apiKey": needed } })),
    );
    await user.click(button("Edit Our Retell"));
    fill("Base URL", "https://elevenlabs.example");
    fill("Settings", "[1]");
    await user.click(save());
    await reads(dialog, /Must be a JSON object/);
    expect(api.received(updateVoiceProvider)).toEqual([]);
    fill("Settings", "");
    await user.click(save());
    await reads(dialog, needed);
    expect(api.received(updateVoiceProvider)).toMatchObject([{ body: { config: { baseUrl: "https://elevenlabs.example" } } }]);
    expect(labeled("API key").value).toBe("");
    await hasFocus(() => labeled("API key"));
  });

  const askToDelete = async ({ user }: Pick<Screen, "user">, name: string): Promise<HTMLElement> => {
    await user.click(button(`Delete ${name}`, dialog()));
    const asks = screen.getByRole("alertdialog");
    await hasFocus(() => button("Cancel", asks));
    return asks;
  };
  const ended = { ...secondProvider, isActive: false, isDefault: true, version: 3 };

  test("are deleted once it was asked; the list and the panel no longer have them, and the focus stays in the dialog", async () => {
    const opened = await open({ providers: [ourRetell, ended] });
    const asks = await askToDelete(opened, "Second");
    await reads(asks, /Are you sure you want to delete this voice provider\?.*Second \(ElevenLabs\) is deleted with its stored secrets/);
    await reads(asks, /no default provider.*Its calls stay in the log, and the account stays at ElevenLabs\./);
    await opened.user.click(button("Cancel", asks));
    await hasFocus(() => button("Delete Second", dialog()));
    expect(opened.api.received(deleteVoiceProvider)).toEqual([]);
    await opened.user.dblClick(button("Delete", await askToDelete(opened, "Second")));
    await reads(dialog, /Voice provider deleted successfully/);
    await reads(toast, /Voice provider deleted successfully/);
    await hasFocus(() => button("Add Provider", dialog()));
    expect(textOf(list())).not.toContain("Second");
    expect(opened.api.received(deleteVoiceProvider)).toMatchObject([{ params: { tenantId: riverside.id, id: ended.id }, ifMatch: 3 }]);
    await opened.user.click(button("Close", dialog()));
    await isGone("dialog");
    expect(textOf(panel())).not.toContain("Second");
  });

  test("that are active are deactivated first, in their form, which the question opens", async () => {
    const opened = await open();
    const asks = await askToDelete(opened, "Our Retell");
    await reads(asks, /Our Retell is active\. Deactivate it first/);
    expect(within(asks).queryByRole("button", { name: "Delete" })).toBeNull();
    await opened.user.click(button("Edit Provider", asks));
    await hasFocus(() => labeled("Provider name"));
    await opened.user.click(screen.getByLabelText("Active"));
    await opened.user.click(save());
    await reads(list, /Inactive/);
    await opened.user.click(button("Delete", await askToDelete(opened, "Our Retell")));
    await reads(dialog, /No voice providers configured for this organization/);
    expect(opened.api.received(deleteVoiceProvider).map(({ ifMatch }) => ifMatch)).toEqual([2]);
  });

  test("that cannot be deleted stay, with the reason in the question and as a message", async () => {
    const reason = "Voice agents still use this provider: 2 of its offices. Please remove them first.";
    const opened = await open({ providers: [ended] }, (api) =>
      api.once(deleteVoiceProvider, () => refusal(422, { error: reason, code: "not_doable" })),
    );
    const asks = await askToDelete(opened, "Second");
    await opened.user.click(button("Delete", asks));
    await reads(asks, `Failed to delete voice provider. ${reason}`);
    await reads(toast, /Error deleting voice provider/);
    expect(textOf(list())).toContain("Second");
  });

  test("that another user has changed meanwhile are shown as they are now, and then deleted in that version", async () => {
    const opened = await open({ providers: [ended] });
    const asks = await askToDelete(opened, "Second");
    opened.kept.providers[0] = { ...ended, providerName: "Renamed", version: 4 };
    await opened.user.click(button("Delete", asks));
    await reads(asks, /Another user has changed it in the meantime/);
    await reads(asks, /Renamed \(ElevenLabs\)/);
    await opened.user.click(button("Delete", asks));
    await reads(dialog, /No voice providers configured for this organization/);
    expect(opened.api.received(deleteVoiceProvider).map(({ ifMatch }) => ifMatch)).toEqual([3, 4]);
  });
});
