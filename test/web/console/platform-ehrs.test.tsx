import { screen, within } from "@testing-library/react";
import { fhirProviders, type FhirProvider } from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { Reply } from "../../kit/screen/fake-api.ts";
import { keepEhrs, oldRecords, sandboxEhr } from "../../kit/screen/platform-ehr.ts";
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
  saysWhenRefused,
  saysWhileLoading,
  tab,
  textOf,
  toast,
} from "../../kit/screen/visit.tsx";
import { proves } from "../../requirements/proves.ts";

const address = "/admin?tab=fhir";
const { listFhirProviders, createFhirProvider, updateFhirProvider, discoverFhirServer, checkFhirProvider } = fhirProviders;

const openTab = async (listed?: FhirProvider[], at = address) => {
  let kept: ReturnType<typeof keepEhrs> | undefined;
  const opened = await asSystem(at, { before: (api) => (kept = keepEhrs(api, listed)) });
  return { ...opened, ...(kept as ReturnType<typeof keepEhrs>) };
};
const panel = (): HTMLElement => region("FHIR Providers");
const figures = (): string => textOf(panel().querySelector("dl") as HTMLElement);
const rowOf = (name: string): HTMLElement =>
  within(panel()).getByText(name, { exact: true, selector: "td p" }).closest("tr") as HTMLElement;

describe("FHIR providers", () => {
  proves("D2.2-028", async ({ sees, quoted }) => {
    await openTab();
    for (const name of quoted) sees(textOf(button(name, panel())));
    expect(quoted.length).toBe(2);
  });
  proves("D2.2-029", async () => {
    await openTab();
    for (const name of ["Platform Keys", "FHIR Providers", "Provider Assignments", "Connection Health"])
      expect(within(region(name)).getByRole("heading", { level: 2, name })).toBeTruthy();
  });
  proves("D2.2-030", async ({ sees }) => {
    const { listed } = await openTab();
    sees(figures());
    expect(figures()).toMatch(new RegExp(`^Active Providers ${listed.filter(({ isActive }) => isActive).length} `));
  });
  proves("D2.2-031", async () => {
    await openTab();
    expect(figures()).toMatch(/^Active Providers \d+ Epic 1 Oracle Health \(Cerner\) 1 Custom 5$/);
  });
  proves("D2.2-032", async () => {
    const { listed } = await openTab();
    expect(panel().querySelectorAll("tbody tr").length).toBe(listed.length);
    for (const { name } of listed) expect(rowOf(name)).toBeTruthy();
  });
  proves("D2.2-033", async () => {
    await openTab();
    expect(textOf(rowOf("Old records"))).toMatch(/^(Provider )?Old records Custom .*STU3/);
  });
  proves("D2.2-034", async ({ sees }) => {
    await openTab();
    for (const [name, access] of [
      ["Old records", "Read Only"],
      ["Sandbox EHR", "Read/Write"],
    ] as const) {
      sees(textOf(within(rowOf(name)).getByText(access)));
      expect(textOf(rowOf(name)).match(/Read Only|Read\/Write/g)).toEqual([access]);
    }
  });
  proves("D2.2-035", async () => {
    await openTab();
    expect(textOf(rowOf("Old records"))).toContain("2 resources, 3 scopes");
  });
  proves("D2.2-036", async ({ sees }) => {
    await openTab();
    for (const [name, state] of [
      ["Old records", "Inactive"],
      ["Sandbox EHR", "Active"],
    ] as const) {
      sees(textOf(within(rowOf(name)).getByText(state)));
      expect(textOf(rowOf(name)).match(/\b(Inactive|Active)\b/g)).toEqual([state]);
    }
  });
  proves("D2.2-037", async ({ sees, quoted }) => {
    await openTab([{ ...sandboxEhr, connectionStatus: "healthy" }, oldRecords]);
    sees(textOf(within(rowOf("Old records")).getByText(quoted[0] ?? "")));
    expect(textOf(rowOf("Sandbox EHR"))).toContain("Healthy");
  });
  proves("D2.2-038", async ({ sees, quoted }) => {
    await openTab();
    for (const name of quoted) sees(textOf(button(`${name} Old records`, rowOf("Old records"))));
    expect(quoted).toEqual(["Edit", "Test"]);
  });
  proves("D2.2-039", async ({ sees }) => {
    const { user } = await openTab();
    const edit = button("Edit Old records");
    sees(textOf(edit));
    await user.click(edit);
    expect(textOf(await dialogOpened())).toMatch(/^Configure Old records.*Save Changes/);
    expect(labeled("Provider name").value).toBe("Old records");
  });
  proves("D2.2-040", async ({ sees }) => {
    const { user } = await openTab();
    const run = button("Test Old records");
    sees(textOf(run));
    await user.click(run);
    expect(textOf(await dialogOpened())).toMatch(/^Test FHIR Connection/);
    expect(labeled<HTMLSelectElement>("Provider").value).toBe(oldRecords.id);
  });
  proves("D2.2-041", async ({ sees, quoted }) => {
    const text = await saysWhileLoading(address, listFhirProviders, "FHIR Providers");
    sees(text);
    expect(text).toBe(quoted[0]);
  });
  proves("D2.2-042", async ({ sees, quoted }) => {
    await openTab([]);
    sees(textOf(panel()));
    expect(textOf(panel())).toContain(quoted[0]);
    expect(within(panel()).queryByRole("button", { name: "Test Connections" })).toBeNull();
  });
  proves("D2.8-007", async ({ sees, quoted }) => {
    const text = await saysWhenRefused(address, listFhirProviders, "FHIR Providers");
    sees(text);
    expect(text).toContain(quoted[0]);
  });

  test("are found by name, type and address", async () => {
    await openTab();
    const names = () => [...panel().querySelectorAll("tbody tr")].map((row) => /Old records|Sandbox like Epic/.exec(textOf(row))?.[0]);
    fill("Search providers", "old REC");
    await eventually(() => expect(names()).toEqual(["Old records"]));
    fill("Search providers", "epic");
    await eventually(() => expect(names()).toEqual(["Sandbox like Epic"]));
    fill("Search providers", "/cerner-like/");
    await reads(panel, "1 of 7 providers found");
    fill("Search providers", "nothing has this text");
    await reads(panel, /No provider has this text/);
  });
});

describe("the form of a provider", () => {
  const secret = "a secret of the clinic";
  const edit = async (user: Awaited<ReturnType<typeof openTab>>["user"], name = "Old records", at?: string) => {
    await user.click(button(`Edit ${name}`));
    await dialogOpened();
    if (at) await user.click(tab(at, dialog()));
  };
  const openNew = async (user: Awaited<ReturnType<typeof openTab>>["user"]) => {
    await user.click(button("Add FHIR Provider"));
    await dialogOpened();
  };
  const fillNew = async (user: Awaited<ReturnType<typeof openTab>>["user"], name: string) => {
    await openNew(user);
    await user.selectOptions(labeled("Provider type"), "custom");
    fill("Provider name", name);
    fill("Base URL", "https://ehr.example/r4");
    await user.click(tab("OAuth Config"));
    fill("Client ID", "clinic-of-its-own");
    fill("Client Secret", secret);
  };
  const save = (): HTMLElement => button(/^(Add Provider|Save Changes)$/, dialog());

  proves("D2.2-111", async ({ sees, quoted }) => {
    const { user } = await openTab();
    await openNew(user);
    const labels = within(dialog()).getAllByRole("tab").map(textOf);
    sees(labels);
    expect(labels).toEqual(quoted);
  });
  proves("D2.2-112", async ({ sees, quoted }) => {
    const { user, api } = await openTab();
    await edit(user, "Old records", "Advanced");
    const toggle = within(dialog()).getByRole<HTMLInputElement>("switch", { name: quoted[0] });
    expect(toggle.checked).toBe(false);
    sees(textOf(dialog()));
    await user.click(toggle);
    await user.click(save());
    await reads(toast, /updated successfully/);
    expect(api.received(updateFhirProvider)).toMatchObject([{ params: { id: oldRecords.id }, body: { isActive: true } }]);
    expect(textOf(rowOf("Old records"))).not.toContain("Inactive");
  });
  proves("D2.4-002", async () => {
    const { user } = await openTab();
    await openNew(user);
    expect(labeled("Provider name").value).toBe("");
    await user.click(button("Cancel", dialog()));
    await isGone("dialog");
    await edit(user);
    expect(labeled("Base URL").value).toBe(oldRecords.baseUrl);
    await user.click(tab("OAuth Config"));
    expect(labeled("Client ID").value).toBe(oldRecords.clientId);
    expect(labeled("Client Secret").value).toBe("");
    expect(textOf(dialog())).toContain("A client secret is stored");
    await user.click(tab("Security"));
    expect(labeled<HTMLTextAreaElement>("Private Key").value).toBe("");
  });
  proves("D2.8-021", async ({ sees }) => {
    const { user, api } = await openTab();
    await fillNew(user, "Refused EHR");
    api.once(createFhirProvider, () => new Reply("no room left", { status: 500 }));
    await user.click(save());
    await reads(toast, /Error .*no room left/);
    api.once(createFhirProvider, () => Promise.reject(new TypeError("Failed to fetch")));
    await user.click(save());
    await reads(toast, /Failed to create FHIR provider/);
    sees(textOf(toast()));
    expect(labeled("Client ID").value).toBe("clinic-of-its-own");
    await user.keyboard("{Escape}");
    await user.click(button("Discard", screen.getByRole("alertdialog", { name: "Discard changes?" })));
    await isGone("dialog");
    await edit(user);
    fill("Provider name", "Older records");
    api.once(updateFhirProvider, () => Promise.reject(new TypeError("Failed to fetch")));
    await user.click(save());
    await reads(toast, /Failed to update FHIR provider/);
    const shown = textOf(toast());
    expect(shown).toContain("Error");
    // The row names the two sentences at once.
    sees(shown.replace("update", "create/update"));
    sees(shown);
  });
  proves("D2.8-038", async ({ sees, quoted }) => {
    const { user, api } = await openTab();
    const tokenUrl = "https://ehr.example/oauth2/token";
    api.on(discoverFhirServer, () => ({ authUrl: null, tokenUrl, scopes: "system/*.rs" }));
    await openNew(user);
    await user.selectOptions(labeled("Provider type"), "custom");
    fill("Provider name", "Discovered EHR");
    fill("Base URL", "https://ehr.example/r4");
    await user.click(button("Discover addresses and scopes"));
    await reads(toast, /Server found/);
    expect(api.received(discoverFhirServer)).toMatchObject([{ body: { baseUrl: "https://ehr.example/r4" } }]);
    await user.click(tab("OAuth Config"));
    expect(labeled("Token URL").value).toBe(tokenUrl);
    fill("Client ID", "clinic-of-its-own");
    await user.selectOptions(labeled("Client authentication"), "platform_key");
    await user.dblClick(save());
    await reads(toast, quoted[0] ?? "");
    sees(textOf(toast()));
    await isGone("dialog");
    expect(rowOf("Discovered EHR")).toBeTruthy();
    expect(api.received(createFhirProvider)).toMatchObject([{ body: { name: "Discovered EHR", tokenUrl, scopes: "system/*.rs" } }]);
  });
  proves("D2.8-039", async ({ sees, quoted }) => {
    const { user, api } = await openTab();
    await edit(user, "Old records", "Advanced");
    fill("Description", "Kept for its history.");
    await user.click(save());
    await reads(toast, quoted[0] ?? "");
    sees(textOf(toast()));
    await isGone("dialog");
    const [sent] = api.received(updateFhirProvider);
    expect(sent).toMatchObject({ ifMatch: oldRecords.version, body: { description: "Kept for its history." } });
    expect([sent?.body.clientSecret, sent?.body.privateKey]).toEqual([undefined, undefined]);
  });
  proves("D2.7-034", async () => {
    const { user, api } = await openTab();
    await edit(user);
    const before = api.received(listFhirProviders).length;
    fill("Provider name", "Renamed records");
    await user.click(save());
    await eventually(() => expect(rowOf("Renamed records")).toBeTruthy());
    expect(api.received(listFhirProviders).length).toBe(before + 1);
    expect(textOf(panel())).not.toContain("Old records");
  });

  test("a new connection is checked as soon as it is saved, and a changed one again", async () => {
    const { user, api, found } = await openTab([]);
    const checks = api.hold(checkFhirProvider);
    const count = () => api.received(checkFhirProvider).length;
    await fillNew(user, "Checked EHR");
    await user.click(save());
    await reads(() => rowOf("Checked EHR"), /Unknown Checking\.\.\./);
    await reads(() => region("Connection Health"), /Checked EHR Unknown .*Never checked.*Checking\.\.\. Checked EHR/);
    checks.release();
    await reads(() => rowOf("Checked EHR"), /Healthy/);
    await eventually(() => expect(textOf(rowOf("Checked EHR"))).not.toContain("Checking"));
    expect(count()).toBe(1);

    const change = async (at: string, label: string, text: string) => {
      await edit(user, "Checked EHR", at);
      fill(label, text);
      await user.click(save());
      await isGone("dialog");
    };
    await change("Advanced", "Description", "Only a word more.");
    expect(count()).toBe(1);
    found.status = "unhealthy";
    await change("OAuth Config", "Client ID", "unknown-there");
    await reads(() => rowOf("Checked EHR"), /Unhealthy/);
    expect(count()).toBe(2);
  });

  test("a connection that has just been authorized is checked, once", async () => {
    const { api } = await openTab(undefined, `${address}&ehr=connected&fhirProvider=${oldRecords.id}`);
    await reads(() => screen.getByRole("main"), /The record system is authorized/);
    await reads(() => rowOf("Old records"), /Healthy/);
    expect(api.received(checkFhirProvider)).toMatchObject([{ params: { id: oldRecords.id } }]);
    expect(location.search).toBe("?tab=fhir");
  });

  test("tells the second of two who change the same one, and keeps what was typed", async () => {
    const { user, change, api } = await openTab();
    await edit(user);
    change(oldRecords.id, { description: "Theirs", version: 4 });
    fill("Provider name", "Mine");
    await user.click(save());
    await reads(() => within(dialog()).getByRole("alert"), /Someone else has changed this provider.*They changed: description/);
    expect(labeled("Provider name").value).toBe("Mine");
    await user.click(button("Load their version"));
    await eventually(() => expect(labeled("Provider name").value).toBe("Old records"));
    fill("Provider name", "Mine after all");
    await user.click(save());
    await isGone("dialog");
    expect(api.received(updateFhirProvider).map(({ ifMatch }) => ifMatch)).toEqual([3, 4]);
    expect(rowOf("Mine after all")).toBeTruthy();
  });

  test("leads to the first mistake, on the tab where it stands", async () => {
    const { user, api } = await openTab();
    await openNew(user);
    fill("Provider name", "Without a secret");
    await user.click(tab("Advanced"));
    await user.click(save());
    await hasFocus(() => labeled("Client ID"));
    expect(textOf(dialog())).toContain("Client ID is required");
    expect(api.received(createFhirProvider)).toEqual([]);
  });
});
