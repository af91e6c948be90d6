import { fireEvent, screen, within } from "@testing-library/react";
import { offices, tenants, type ApiKey, type Tenant, type TenantDetail, type TenantProfile } from "@vitaline/contract";
import { describe, expect, test, vi } from "vitest";
import { demo, recordedAt } from "../../kit/screen/demo-answers.ts";
import { Reply, type FakeApi } from "../../kit/screen/fake-api.ts";
import {
  asSystem,
  button,
  dialog,
  dialogOpened,
  eventually,
  fill,
  labeled,
  reads,
  showTab,
  textOf,
  toast,
  type Screen,
} from "../../kit/screen/visit.tsx";
import { proves } from "../../requirements/proves.ts";

const [{ id }] = demo("system_admin", tenants.listTenants) as [Tenant, Tenant];
const params = { tenantId: id };
const riverside = demo("system_admin", tenants.getTenant, params);
const key = riverside.apiKey ?? "";
const [current] = demo("system_admin", tenants.listTenantApiKeys, params) as [ApiKey];
const endpoint = `${location.origin}/api/mcp/${id}`;

const open = async (before: (api: FakeApi) => void = () => {}): Promise<Screen> => {
  const opened = await asSystem(`/admin?tab=tenants&tenant=${id}&part=api`, {
    before(api) {
      api.on(tenants.getTenant, ({ query }) => ({ ...riverside, apiKey: query.withKey === false ? null : key }));
      before(api);
    },
  });
  await dialogOpened();
  return opened;
};
/** React has drawn, and begun what follows. */
const drawn = () => new Promise<void>((done) => setImmediate(done));
const question = () => screen.getByRole("alertdialog");
const looksAtKey = ({ api }: Screen) => api.received(tenants.getTenant).filter(({ query }) => query.withKey !== false);
const clipboardText = () => navigator.clipboard.readText();
const heading = (name: string) => within(dialog()).getByRole("heading", { name });
const refuseClipboard = (): void => {
  const no = () => Promise.reject(new DOMException("no", "NotAllowedError"));
  vi.spyOn(navigator.clipboard, "write").mockImplementation(no);
  vi.spyOn(navigator.clipboard, "writeText").mockImplementation(no);
};

describe("the key of a tenant", () => {
  proves("D2.2-087", async ({ sees }) => {
    const opened = await open();
    const { user } = opened;
    expect(document.body.innerHTML).not.toContain("vtl_live_");
    expect(looksAtKey(opened)).toEqual([]);
    sees(textOf(button("Show API key", dialog())));
    await user.click(button("Show API key", dialog()));
    await reads(dialog, key);
    sees(textOf(button("Hide API key", dialog())));
    expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }])).not.toContain("vtl_live_");
    await showTab(user, "Offices");
    await showTab(user, "API & Security");
    expect(button("Show API key", dialog())).toBeTruthy();
    expect(document.body.innerHTML).not.toContain("vtl_live_");
    expect(looksAtKey(opened)).toHaveLength(1);
  });
  for (const id of ["D2.2-088", "D2.8-028", "D2.9-004"])
    proves(id, async ({ sees }) => {
      await open();
      sees(textOf(button("Copy API key", dialog())));
      vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: recordedAt });
      fireEvent.click(button("Copy API key", dialog()));
      await vi.waitFor(() => expect(textOf(dialog())).toContain("Copied!"), { timeout: 20_000, interval: 1 });
      sees(textOf(dialog()));
      expect(textOf(toast())).toMatch(/API Key Copied API key copied to clipboard successfully\./);
      sees(textOf(toast()));
      expect(await clipboardText()).toBe(key);
      await drawn();
      await vi.advanceTimersByTimeAsync(1990);
      await drawn();
      expect(textOf(dialog())).toContain("Copied!");
      await vi.advanceTimersByTimeAsync(10);
      await drawn();
      expect(textOf(dialog())).not.toContain("Copied!");
      expect(textOf(dialog())).not.toContain(key);
    });
  proves("D2.8-029", async ({ sees }) => {
    const { user } = await open();
    refuseClipboard();
    await user.click(button("Copy API key", dialog()));
    await reads(toast, /Copy Failed Failed to copy API key to clipboard\./);
    sees(textOf(toast()));
    expect(button("Show API key", dialog())).toBeTruthy();
  });
  proves("D2.2-090", async () => {
    await open();
    expect(textOf(dialog())).toContain("This key authenticates all requests that voice platforms make");
    expect(heading("API Key")).toBeTruthy();
  });
});

describe("a new key for a tenant", () => {
  /** Keys that change once regenerated. */
  const openRegenerating = (overlaps = false) => {
    const fresh = "vtl_live_the-new-one";
    let keys = [current];
    const notAfter = overlaps ? new Date(recordedAt.getTime() + 3_600_000).toISOString() : recordedAt.toISOString();
    return open((api) => {
      api.on(tenants.listTenantApiKeys, () => keys);
      api.on(tenants.regenerateTenantApiKey, () => {
        const former: ApiKey = { ...current, status: overlaps ? "retiring" : "revoked", notAfter };
        keys = [{ ...current, id: "01m83bhkbde14k9gkkdveqfnew", last4: "-one", lastUsedAt: null }, former];
        return { apiKey: fresh };
      });
      api.on(tenants.revokeTenantApiKey, () => {
        const ended: ApiKey = { ...current, status: "revoked", notAfter: recordedAt.toISOString() };
        keys = [keys[0]!, ended];
        return ended;
      });
    });
  };

  for (const id of ["D2.2-089", "D2.8-042", "D2.8-043"])
    proves(id, async ({ sees }) => {
      const { api, user } = await openRegenerating();
      const { release } = api.hold(tenants.regenerateTenantApiKey);
      sees(textOf(button("Regenerate", dialog())));
      await user.click(button("Regenerate", dialog()));
      await reads(question, /Are you sure you want to regenerate the API key\?/);
      sees(textOf(question()));
      expect(api.received(tenants.regenerateTenantApiKey)).toEqual([]);
      await user.click(button("Regenerate API Key", question()));
      await reads(dialog, "Generating...");
      sees(textOf(dialog()));
      release();
      await reads(toast, /API Key Regenerated New API key generated successfully/);
      sees(textOf(toast()));
      await reads(dialog, "vtl_live_the-new-one");
      expect(api.received(tenants.regenerateTenantApiKey)).toMatchObject([{ params, body: { overlapSeconds: 0 } }]);
    });
  proves("D2.8-027", async ({ sees }) => {
    const { user } = await open((api) => api.on(tenants.regenerateTenantApiKey, () => new Reply("", { status: 400 })));
    await user.click(button("Regenerate", dialog()));
    await user.click(button("Regenerate API Key", question()));
    await reads(toast, /Error Failed to regenerate API key\. Please try again\./);
    sees(textOf(toast()));
    await reads(question, /Failed to regenerate API key/);
    expect(button("Regenerate API Key", question())).toBeTruthy();
  });

  test("lets the former one go on for a while, and ends it before its time", async () => {
    const { api, user } = await openRegenerating(true);
    await user.click(button("Regenerate", dialog()));
    fill("Old key stops working", String(3600), question());
    await reads(question, /keep working with the current key until the time below.*keeps working until/);
    expect(textOf(question())).not.toContain("invalidate");
    await user.click(button("Regenerate API Key", question()));
    await reads(dialog, new RegExp(`Former keys Key ending in ${current.last4}.*left`));
    expect(api.received(tenants.regenerateTenantApiKey)).toMatchObject([{ body: { overlapSeconds: 3600 } }]);
    await user.click(button(`Revoke now the key ending in ${current.last4}`, dialog()));
    await user.click(button("Revoke now", question()));
    await reads(dialog, /No former key still works/);
    expect(api.received(tenants.revokeTenantApiKey)).toMatchObject([{ params: { tenantId: id, keyId: current.id } }]);
  });
});

describe("the integration guide", () => {
  proves("D2.8-030", async ({ sees }) => {
    const { user } = await open();
    await user.click(button("Copy Universal MCP endpoint", dialog()));
    await reads(toast, /Endpoint Copied/);
    sees(textOf(toast()));
    expect(await clipboardText()).toBe(endpoint);
  });
  proves("D2.8-031", async ({ sees }) => {
    const { user } = await open();
    await user.click(button("Copy All tools over MCP", dialog()));
    await reads(toast, /Copied to clipboard/);
    sees(textOf(toast()));
    expect(await clipboardText()).toContain(key);
    refuseClipboard();
    await user.click(button(/^(Copy|Copied) All tools over MCP/, dialog()));
    await reads(toast, /Copy failed/);
    sees(textOf(toast()));
  });
  proves("D2.2-091", async ({ sees }) => {
    await open();
    expect(heading("Platform Integration Guide")).toBeTruthy();
    sees(textOf(dialog()));
  });
  proves("D2.2-092", async () => {
    await open();
    expect(textOf(within(dialog()).getByRole("region", { name: "Universal MCP endpoint" }))).toBe(endpoint);
    expect(button("Copy Universal MCP endpoint", dialog())).toBeTruthy();
  });
  proves("D2.2-093", async () => {
    const opened = await open();
    const { user } = opened;
    const snippets = () => [...dialog().querySelectorAll<HTMLElement>("pre[role=region]")];
    const snippetWith = (text: string) => snippets().find((one) => one.textContent.includes(text));
    const platform = () => labeled<HTMLSelectElement>("Voice platform", dialog());
    for (const name of ["Vapi", "ElevenLabs", "Retell AI"]) {
      const { value = "" } = [...platform().options].find(({ text }) => text === name) ?? {};
      fill("Voice platform", value, dialog());
      await eventually(() => expect(platform().value).toBe(value));
      await eventually(() => expect(snippetWith("YOUR_API_KEY")).toBeTruthy());
    }
    await user.click(button("Show API key", dialog()));
    await eventually(() => expect(snippetWith(key)).toBeTruthy());
    expect(snippetWith("YOUR_API_KEY")).toBeUndefined();
    await user.click(button("Hide API key", dialog()));
    await eventually(() => expect(snippetWith("YOUR_API_KEY")).toBeTruthy());
    expect(snippetWith(key)).toBeUndefined();
    await user.click(button(/^Copy/, snippetWith("YOUR_API_KEY")?.parentElement ?? undefined));
    await eventually(async () => expect(await clipboardText()).toContain(key));
    expect(textOf(dialog())).not.toContain(key);
    expect(looksAtKey(opened)).toHaveLength(2);
  });
  for (const id of ["D2.2-094", "D2.9-006"])
    proves(id, async ({ sees }) => {
      const [like] = demo("system_admin", offices.listOffices, params);
      const four = ["One", "Two", "Three", "Four"].map((name, at) => ({ ...like!, name, id: `01m83bhmdm7ypbc26p44c9g26${at}` }));
      await open((api) => api.on(offices.listOffices, () => four));
      expect(textOf(dialog())).toContain("+2 more offices available");
      sees(textOf(dialog()).replace("+2", "+N"));
      const shown = within(dialog()).getAllByRole("region", { name: /^Endpoint of / });
      expect(shown.map(textOf)).toEqual(four.slice(0, 2).map((office) => `${endpoint}/${office.id}`));
      expect(shown.map((one) => one.getAttribute("aria-label"))).toEqual(["Endpoint of One", "Endpoint of Two"]);
    });
  proves("D2.2-095", async () => {
    await open();
    expect(textOf(dialog())).toMatch(/Available tools.*verifyPatientIdentity.*getFhirProviders.*Security advice.*secret store/);
    expect(within(within(dialog()).getByRole("list", { name: "Patient management" })).getAllByRole("listitem")).toHaveLength(4);
  });
});

test("S02 countries that may be texted are two letters each, and none is the organization's own", async () => {
  const { api, user } = await open((fake) =>
    fake.on(tenants.updateTenant, ({ body: { policies } }): TenantProfile => {
      const { apiKey: _key, defaultFhirProvider: _provider, createdAt, ...profile }: TenantDetail = riverside;
      return { ...profile, createdAt: createdAt ?? "", policies: { ...profile.policies, textCountries: policies?.textCountries ?? null } };
    }),
  );
  const countries = () => within(dialog()).getByRole<HTMLInputElement>("textbox", { name: "Countries that may be texted" });
  const save = async (text: string) => {
    fireEvent.input(countries(), { target: { value: text } });
    await user.click(button("Save Policies", dialog()));
  };
  expect(countries().value).toBe("");
  await save("USA");
  await reads(dialog, /Enter two letters for each country, such as US, CA/);
  expect(api.received(tenants.updateTenant)).toEqual([]);
  await save("us, ca CA");
  await reads(toast, /Policies saved/);
  expect(countries().value).toBe("US, CA");
  await save("");
  await eventually(() => expect(api.received(tenants.updateTenant)).toHaveLength(2));
  expect(api.received(tenants.updateTenant).map(({ body }) => body.policies)).toEqual([
    { textCountries: ["US", "CA"] },
    { textCountries: null },
  ]);
});

test("policies of a tenant are kept one by one", async () => {
  const { api, user } = await open((fake) =>
    fake.on(tenants.updateTenant, ({ body: { policies } }): TenantProfile => {
      const { apiKey: _key, defaultFhirProvider: _provider, createdAt, ...profile }: TenantDetail = riverside;
      return {
        ...profile,
        createdAt: createdAt ?? "",
        policies: { ...profile.policies, messageFreeText: policies?.messageFreeText === true },
      };
    }),
  );
  const freeText = () => within(dialog()).getByRole<HTMLInputElement>("switch", { name: "Messages in free text" });
  await user.click(freeText());
  await user.click(button("Save Policies", dialog()));
  await reads(toast, /Policies saved/);
  const [saved, ...more] = api.received(tenants.updateTenant);
  expect(more).toEqual([]);
  expect(saved).toMatchObject({ params, ifMatch: riverside.version });
  expect(saved?.body.policies).toEqual({ messageFreeText: true });
  expect(freeText().checked).toBe(true);
});

test("who may call for a child, and from which age parents hear no medical record, is set for each tenant", async () => {
  const { api, user } = await open((fake) =>
    fake.on(tenants.updateTenant, ({ body: { policies } }): TenantProfile => {
      const { apiKey: _key, defaultFhirProvider: _provider, createdAt, ...profile }: TenantDetail = riverside;
      const minors = { ...profile.policies.minors, ...(policies?.minors as Partial<typeof profile.policies.minors>) };
      return { ...profile, createdAt: createdAt ?? "", policies: { ...profile.policies, minors } };
    }),
  );
  const isOn = (name: string) => within(dialog()).getByRole<HTMLInputElement>("switch", { name });
  const age = () => within(dialog()).getByRole<HTMLSelectElement>("combobox", { name: "Withhold the medical record from parents" });
  expect([isOn("Parents and guardians").checked, isOn("Parents listed as contacts").checked, age().value]).toEqual([true, false, "12"]);
  await user.selectOptions(age(), "From age 14");
  await user.click(isOn("Parents listed as contacts"));
  await user.click(button("Save Policies", dialog()));
  await reads(toast, /Policies saved/);
  expect(api.received(tenants.updateTenant).map(({ body }) => body.policies)).toEqual([
    { minors: { contacts: true, confidentialFrom: 14 } },
  ]);
  expect([isOn("Parents listed as contacts").checked, age().value]).toEqual([true, "14"]);
});

test("C06: for how long what callers leave is kept is chosen for each kind, and texts not for longer than their call", async () => {
  const { api, user } = await open((fake) =>
    fake.on(tenants.updateTenant, ({ body: { policies } }): TenantProfile => {
      const { apiKey: _key, defaultFhirProvider: _provider, createdAt, ...profile }: TenantDetail = riverside;
      const retention = { ...profile.policies.retention, ...(policies?.retention as Partial<typeof profile.policies.retention>) };
      return { ...profile, createdAt: createdAt ?? "", policies: { ...profile.policies, retention } };
    }),
  );
  const choice = (name: string) => within(dialog()).getByRole<HTMLSelectElement>("combobox", { name });
  const shown = () =>
    ["Keep calls for", "Keep transcripts and summaries for", "Keep leads and tasks for", "Keep message records for"].map(
      (name) => [...choice(name).options].find(({ value }) => value === choice(name).value)?.text,
    );
  expect(shown()).toEqual(["7 years", "1 year", "1 year", "90 days"]);
  await user.selectOptions(choice("Keep calls for"), "180 days");
  await user.click(button("Save Policies", dialog()));
  await reads(dialog, /Must not be longer than the calls themselves are kept/);
  expect(api.received(tenants.updateTenant)).toEqual([]);
  await user.selectOptions(choice("Keep transcripts and summaries for"), "30 days");
  await user.click(button("Save Policies", dialog()));
  await reads(toast, /Policies saved/);
  expect(api.received(tenants.updateTenant).map(({ body }) => body.policies)).toEqual([{ retention: { calls: 180, transcripts: 30 } }]);
  await eventually(() => expect(shown()).toEqual(["180 days", "30 days", "1 year", "90 days"]));
});
