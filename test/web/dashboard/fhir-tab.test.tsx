import { screen, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import {
  tenant,
  tenantFhirProviders,
  tools,
  type ConnectionTestResult,
  type FhirProvider,
  type TenantFhirProvider,
} from "@vitaline/contract";
import { describe, expect, test, vi } from "vitest";
import { versionName } from "../../../web/src/features/fhir-providers/provider-format.ts";
import { demo } from "../../kit/screen/demo-answers.ts";
import { refusal, type FakeApi } from "../../kit/screen/fake-api.ts";
import {
  article,
  asTenant,
  button,
  described,
  dialog,
  dialogOpened,
  eventually,
  fill,
  isGone,
  labeled,
  link,
  reads,
  region,
  settled,
  tab,
  textOf,
  toast,
} from "../../kit/screen/visit.tsx";
import { proves } from "../../requirements/proves.ts";

const { listTenantFhirProviders, listOwnFhirProviders, createOwnFhirProvider, updateOwnFhirProvider } = tenantFhirProviders;
const { testTenantFhirProvider, authorizeOwnFhirProvider, requestFhirProvider } = tenantFhirProviders;

const [sandbox] = demo("tenant_admin", listTenantFhirProviders) as [TenantFhirProvider, ...TenantFhirProvider[]];
const kept: FhirProvider = {
  ...{ id: "01hzzzzzzzzzzzzzzzzzzzzzz2", name: "Our own EHR", providerName: "Our own EHR", providerType: "custom", fhirVersion: "R4" },
  ...{ baseUrl: "https://ehr.example/r4", clientId: "clinic", clientAuth: "client_secret", grant: "client_credentials" },
  ...{ isAuthorized: false, hasClientSecret: true, hasPrivateKey: false, scopes: "system/*.read", access: "Read Only" },
  ...{ resourceCount: 1, redirectUri: null, authUrl: null, tokenUrl: null, certificateData: null },
  ...{ isActive: true, description: null, connectionStatus: "unknown", ownerTenantId: "01hzzzzzzzzzzzzzzzzzzzzzz3" },
  ...{ ownerTenantName: "Riverside Family Clinic", createdAt: "2026-01-01T00:00:00.000Z", version: 3 },
};
const old: FhirProvider = { ...kept, id: "01hzzzzzzzzzzzzzzzzzzzzzz4", name: "Old records", fhirVersion: "STU3", isActive: false };
/** One of its own as the tab lists it. */
const listed = ({
  id,
  name,
  providerType,
  fhirVersion,
  clientAuth,
  baseUrl,
  isActive,
  connectionStatus,
  version,
}: FhirProvider): TenantFhirProvider => ({
  ...{ id, providerName: name, providerType, fhirVersion, baseUrl, isActive, connectionStatus, version },
  ...{ authMethod: clientAuth === "client_secret" ? "oauth2" : "certificate", isOwn: true, isDefault: false, operations: [] },
});

type Clinic = { platforms?: TenantFhirProvider[]; own?: FhirProvider[]; mayAdd?: boolean; before?: (api: FakeApi) => void };

/** The tab of a clinic that uses the platform's record systems and keeps its own; what it saves is in its list. */
const openTab = async ({ platforms = [sandbox], own = [], mayAdd = true, before }: Clinic = {}, query = "") => {
  const state = { own, platforms };
  const opened = await asTenant(`/tenant?tab=fhir${query}`, {
    before: (api) => {
      const settings = demo("tenant_admin", tenant.tenantSettings);
      api.on(tenant.tenantSettings, () => ({ ...settings, policies: { ...settings.policies, ownFhirProviders: mayAdd } }));
      api.on(listTenantFhirProviders, () => [...state.platforms, ...state.own.map(listed)]);
      api.on(listOwnFhirProviders, () => state.own);
      before?.(api);
    },
  });
  return { ...opened, state };
};
const lakeside = () => openTab({ own: [old] });
const newcomer = (before?: (api: FakeApi) => void) => openTab({ platforms: [], mayAdd: false, ...(before && { before }) });

const panel = () => region("FHIR Integration");
const operations = () => region("Available Operations");
const field = (label: string) => labeled(label, dialog());
const write = (label: string, value: string) => fill(label, value, dialog());
const noDialog = () => isGone("dialog");
const alert = (part: HTMLElement = dialog()) => within(part).getByRole("alert");
const unavailable = () => refusal(503, { error: "The database could not be reached." });

const showsOnCard = (id: string, name: string, term: string, value: string) =>
  proves(id, async ({ sees }) => {
    await lakeside();
    sees(textOf(article(name)));
    expect(described(term, article(name))).toBe(value);
  });

describe("what the FHIR tab shows", () => {
  proves("D1.2-088", async ({ sees, quoted }) => {
    await lakeside();
    const title = screen.getByRole("heading", { level: 2, name: quoted[0] });
    sees(textOf(title));
    expect(panel().contains(title)).toBe(true);
  });
  proves("D1.2-089", async ({ sees }) => {
    const { user } = await lakeside();
    sees(textOf(button("Add Provider", panel())));
    await user.click(button("Add Provider", panel()));
    await reads(dialog, /^Add FHIR Provider/);
    expect(field("Provider name")).toBeTruthy();
  });
  proves("D1.2-090", async () => {
    await lakeside();
    expect(within(panel()).getAllByRole("article")).toHaveLength(2);
    expect(textOf(article("Sandbox EHR"))).toMatch(/^Sandbox EHR Active Type Custom /);
    expect(described("Type", article("Old records"))).toBe("Custom");
  });
  proves("D1.2-091", async ({ sees }) => {
    await lakeside();
    sees(textOf(article("Sandbox EHR")));
    expect(described("FHIR version", article("Sandbox EHR"))).toBe("R4");
    expect(described("FHIR version", article("Old records"))).toBe("STU3");
    expect([versionName(""), versionName(undefined)]).toEqual(["R4", "R4"]);
  });
  showsOnCard("D1.2-092", "Old records", "Authentication", "OAuth 2.0");
  showsOnCard("D1.2-093", "Sandbox EHR", "Authentication", "Certificate");
  showsOnCard("D1.2-094", "Sandbox EHR", "Base URL", sandbox.baseUrl);
  proves("D1.2-095", async ({ sees }) => {
    await lakeside();
    for (const [name, state] of [
      ["Sandbox EHR", "Active"],
      ["Old records", "Inactive"],
    ] as const) {
      const badge = within(article(name)).getByText(state);
      sees(textOf(badge));
      expect(textOf(badge)).toBe(state);
    }
  });
  proves("D1.2-096", async ({ sees }) => {
    const { user } = await lakeside();
    for (const [name, title] of [
      ["Configure", /^Configure Sandbox EHR/],
      ["Test", /^Test FHIR Connection/],
    ] as const) {
      const opener = button(`${name} Sandbox EHR`);
      sees(textOf(opener));
      await user.click(opener);
      await reads(dialog, title);
      await user.click(button("Close", dialog()));
      await noDialog();
    }
    expect(panel()).toBeTruthy();
  });
  proves("D1.2-097", async ({ sees, quoted }) => {
    await newcomer();
    sees(textOf(panel()));
    expect(within(panel()).getByText(quoted[0]!)).toBeTruthy();
    expect(within(panel()).queryByRole("article")).toBeNull();
    expect(textOf(operations())).toContain("No operations available");
  });
  proves("D1.2-098", async ({ sees, quoted }) => {
    const { user } = await newcomer();
    const opener = button(quoted[0]!, panel());
    sees(textOf(opener));
    await user.click(opener);
    await reads(dialog, /^Request a provider/);
    expect(document.activeElement).toBe(field("Message"));
  });
  proves("D1.2-099", async () => {
    await openTab({ platforms: [sandbox, { ...sandbox, id: old.id, isActive: false, operations: ["sendSMS"] }] });
    const items = within(screen.getByRole("list", { name: "Available operations" }))
      .getAllByRole("listitem")
      .map(textOf);
    const titles = demo("tenant_admin", tools.listTools).filter(({ name }) => sandbox.operations.includes(name));
    expect(items).toHaveLength(sandbox.operations.length);
    for (const { title, effect } of titles)
      expect(items.some((item) => item.startsWith(title) && item.endsWith(effect === "write" ? "Writes" : "Reads"))).toBe(true);
    expect(items.find((item) => item.startsWith("Schedule appointments"))).toMatch(/scheduleAppointment/);
  });
  proves("D1.2-100", async () => {
    const { user } = await lakeside();
    const notice = region("HIPAA, encryption and audit");
    expect(textOf(notice)).toMatch(/HIPAA: .*Encryption: records travel over TLS, except to Sandbox EHR.*Audit: every access/);
    await user.click(link("Open the audit log", notice));
    await eventually(() => expect(location.search).toContain("tab=audit"));
    await settled();
  });

  test("says what did not load, and loads it when asked again", async () => {
    const { user } = await openTab({
      before: (api) => {
        api.once(listTenantFhirProviders, unavailable);
        api.once(tools.listTools, unavailable);
      },
    });
    await reads(alert(panel()), /Failed to load FHIR providers The database could not be reached/);
    await reads(region(/HIPAA/), "Audit");
    await user.click(button("Retry", panel()));
    await reads(() => article("Sandbox EHR"), "Custom");
    await reads(operations, "Failed to load operations");
    await user.click(button("Retry", operations()));
    await reads(operations, "Schedule appointments");
    expect(within(screen.getByRole("main")).queryByRole("alert")).toBeNull();
  });

  test("tells what an address says of a sign-in that failed, which the address then forgets", async () => {
    const { user } = await openTab({}, `&ehr=denied&fhirProvider=${kept.id}`);
    const main = screen.getByRole("main");
    await reads(alert(main), "denied access");
    expect(location.search).toBe("?tab=fhir");
    await user.click(button("Dismiss", main));
    expect(within(main).queryByRole("alert")).toBeNull();
  });
});

describe("the connection test", () => {
  const steps: ConnectionTestResult["details"] = (["address", "discovery", "token", "capability", "patient"] as const).map((step) => ({
    ...{ step, ok: true, ms: 12, message: "As it should be." },
  }));
  const passed: ConnectionTestResult = {
    ...{ success: true, message: "FHIR provider is working correctly.", error: null, toolsNotAllowed: [], details: steps },
    patientData: { id: "patient-1001", name: "Ada Nguyen", birthDate: "1980-02-03", gender: "female" },
  };
  const notFound: ConnectionTestResult = {
    ...{
      success: false,
      message: "The server has no patient with this ID.",
      patientData: null,
      error: "patient_not_found",
      toolsNotAllowed: [],
    },
    details: [...steps.slice(0, 4), { step: "patient", ok: false, ms: 12, code: "patient_not_found", message: "Not found." }],
  };
  const openTest = async () => {
    const opened = await openTab({ before: (api) => api.on(testTenantFhirProvider, () => passed) });
    await opened.user.click(button("Test Sandbox EHR"));
    await reads(dialog, "Test FHIR Connection");
    const run = async (patientId: string) => {
      write("Patient ID", patientId);
      await opened.user.dblClick(button("Test Connection", dialog()));
    };
    return { ...opened, run };
  };
  const result = () => within(dialog()).getByRole("region", { name: "Test result" });

  test("reads a patient step by step, and shows the birth date only to who asks for it", async () => {
    const { api, user, state, run } = await openTest();
    expect(field("Patient ID").value).toBe("example");
    state.platforms = [{ ...sandbox, connectionStatus: "healthy" }];
    await run("patient-1001");
    await reads(result, /SUCCESS FHIR provider is working correctly/);
    await reads(toast, "Connection Test Successful");
    expect(api.received(testTenantFhirProvider).map(({ params, body }) => [params.id, body.patientId])).toEqual([
      [sandbox.id, "patient-1001"],
    ]);
    const taken = within(within(result()).getByRole("list", { name: "Steps of the test" }))
      .getAllByRole("listitem")
      .map(textOf);
    expect(taken).toEqual(
      ["Reach the server", "Find the token endpoint", "Get a token", "Check the FHIR version", "Read the patient"].map(
        (step) => `${step} 12 ms Passed As it should be.`,
      ),
    );
    expect(described("Name", result())).toBe("Ada Nguyen");
    expect(textOf(dialog())).not.toContain("1980-02-03");
    await user.click(button("Show birth date", result()));
    expect(described("Birth date", result())).toContain("1980-02-03");
    await user.click(button("Close", dialog()));
    await eventually(() => expect(described("Connection", article("Sandbox EHR"))).toBe("Healthy"));
    expect(location.href).not.toContain("patient-1001");
  });

  test("says which step failed and why, and forgets it as soon as the next begins", async () => {
    const { api, user, run } = await openTest();
    api.on(testTenantFhirProvider, () => notFound);
    await run("unheard-of");
    await reads(result, /FAILED The server has no patient with this ID\..*Read the patient 12 ms Failed.*Error Details.*patient_not_found/);
    await reads(toast, "Connection Test Failed");
    await run("  ");
    await reads(dialog, "Patient ID is required");
    expect(within(dialog()).queryByRole("region", { name: "Test result" })).toBeNull();
    await user.selectOptions(field("Provider"), "");
    await user.click(button("Test Connection", dialog()));
    await reads(dialog, "Provider is required");
    await reads(toast, "Please select a provider.");
    expect(api.received(testTenantFhirProvider)).toHaveLength(1);
  });

  test("keeps what was typed when it cannot be run", async () => {
    const { api, user, run } = await openTest();
    api.once(testTenantFhirProvider, unavailable);
    await run("patient-1001");
    await reads(() => alert(), "The database could not be reached");
    await reads(toast, "Test Error");
    expect(field("Patient ID").value).toBe("patient-1001");
    await user.click(button("Test Connection", dialog()));
    await reads(result, "SUCCESS");
  });

  test("names the operations that the saved scopes do not allow", async () => {
    const { api, run } = await openTest();
    api.on(testTenantFhirProvider, () => ({ ...passed, toolsNotAllowed: ["scheduleAppointment"] }));
    await run("patient-1001");
    await reads(result, /Some operations will not work here .*Schedule appointments\./);
    expect(textOf(result())).toContain("SUCCESS");
  });
});

describe("a tenant without record systems of its own", () => {
  test("asks the platform for one, once, and keeps its words when that fails", async () => {
    const { api, user } = await newcomer((arranged) => {
      arranged.on(requestFhirProvider, () => ({ received: true as const }));
      arranged.once(requestFhirProvider, unavailable);
    });
    await user.click(button("Add Provider", panel()));
    await dialogOpened();
    await user.click(button("Send request", dialog()));
    await reads(dialog, "Is required");
    write("Message", "We use another EHR.");
    await user.click(button("Send request", dialog()));
    await reads(() => alert(), "could not be reached");
    await user.click(button("Close", dialog()));
    await reads(() => screen.getByRole("alertdialog"), "Discard changes?");
    await user.click(button("Keep editing"));
    expect(field("Message").value).toBe("We use another EHR.");
    await user.dblClick(button("Send request", dialog()));
    await reads(toast, "Request sent");
    await noDialog();
    expect(api.received(requestFhirProvider).map(({ body }) => body)).toEqual(Array(2).fill({ message: "We use another EHR." }));
  });

  test("sees all there is of the platform's, and changes none of it", async () => {
    const { user } = await lakeside();
    await user.click(button("Configure Sandbox EHR"));
    await reads(dialog, "The platform manages this record system, so only the platform can change it.");
    expect(dialog().querySelectorAll("input, select, textarea")).toHaveLength(0);
    expect([described("Base URL", dialog()), described("Status", dialog())]).toEqual([sandbox.baseUrl, "Active"]);
    await user.click(button("Ask for a change", dialog()));
    await eventually(() => expect(field("Message").value).toContain("Sandbox EHR"));
  });
});

describe("a tenant's own record system", () => {
  const part = (name: string) => tab(new RegExp(`^${name}`), dialog());
  const isOpen = (name: string) => part(name).getAttribute("aria-selected");
  const openPart = async (user: UserEvent, name: string) => {
    await user.click(part(name));
    await eventually(() => expect(isOpen(name)).toBe("true"));
  };
  const save = () => button(/^(Add Provider|Save Changes)$/, dialog());
  const configure = async () => {
    const opened = await openTab({ own: [kept] });
    await opened.user.click(button("Configure Our own EHR"));
    await reads(dialog, /^Configure Our own EHR/);
    return opened;
  };

  test("is added by a form of four parts that says what is missing where, and loses nothing", async () => {
    const certificate = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----";
    const { api, user, state } = await openTab({ platforms: [] });
    api.on(createOwnFhirProvider, ({ body }) => {
      if (body.certificateData !== certificate)
        return refusal(400, { code: "invalid", fields: { certificateData: "Must be an X.509 certificate in PEM form" } });
      const { clientSecret: _, privateKey: __, ...rest } = body;
      const made: FhirProvider = { ...kept, ...(JSON.parse(JSON.stringify(rest)) as Partial<FhirProvider>), providerName: body.name };
      state.own = [made];
      return made;
    });
    await user.click(button("Add Your First Provider", panel()));
    await reads(dialog, "Add FHIR Provider");
    const parts = ["Basic Info", "OAuth Config", "Security", "Advanced"];
    expect(within(dialog()).getAllByRole("tab").map(textOf)).toEqual(parts);
    await user.click(save());
    await reads(dialog, /Provider name is required.*Must be a valid URL/);
    expect(document.activeElement).toBe(field("Provider name"));
    write("Provider name", "County EHR");
    await user.selectOptions(field("Provider type"), "custom");
    write("Base URL", "https://county.example/r4");
    await user.click(save());
    await reads(dialog, /Client ID is required.*Client Secret is required/);
    expect([isOpen("OAuth Config"), document.activeElement]).toEqual(["true", field("Client ID")]);
    write("Client ID", "clinic-of-its-own");
    write("Client Secret", "a secret of the clinic");
    write("Scopes", "system/*.read");
    await openPart(user, "Security");
    write("Certificate", "no certificate");
    await openPart(user, "Basic Info");
    await user.click(save());
    await reads(dialog, "Must be an X.509 certificate in PEM form");
    await reads(toast, "Error");
    expect(isOpen("Security")).toBe("true");
    write("Certificate", certificate);
    await user.dblClick(save());
    await reads(toast, "FHIR provider created successfully");
    await reads(() => article("County EHR"), /OAuth 2\.0.*Managed by Your organization/);
    expect(api.received(createOwnFhirProvider)).toHaveLength(2);
    expect(api.received(createOwnFhirProvider)[1]?.body).toMatchObject({
      ...{ name: "County EHR", providerType: "custom", baseUrl: "https://county.example/r4", clientId: "clinic-of-its-own" },
      ...{ clientAuth: "client_secret", clientSecret: "a secret of the clinic", scopes: "system/*.read", certificateData: certificate },
    });
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain("a secret of the clinic");
  });

  test("is changed without its secret, which is never shown and stays, until it is removed", async () => {
    const { api, user, state } = await configure();
    api.on(updateOwnFhirProvider, ({ body: { name } }) => {
      const made = { ...kept, name, providerName: name, version: kept.version + 1 };
      state.own = [made];
      return made;
    });
    expect(field("Provider type").getAttribute("readonly")).not.toBeNull();
    write("Provider name", "Renamed EHR");
    await openPart(user, "OAuth Config");
    expect(field("Client Secret").value).toBe("");
    await reads(dialog, "A client secret is stored. Leave the field empty to keep it.");
    await user.click(save());
    await reads(toast, "FHIR provider updated successfully");
    const [sent] = api.received(updateOwnFhirProvider);
    expect([sent?.params.id, sent?.ifMatch, sent?.body.name]).toEqual([kept.id, kept.version, "Renamed EHR"]);
    expect([sent?.body.clientSecret, sent?.body.removeClientSecret]).toEqual([undefined, undefined]);

    await eventually(() => expect(article("Renamed EHR")).toBeTruthy());
    await user.click(button("Configure Renamed EHR"));
    await openPart(user, "OAuth Config");
    await user.click(button("Remove client secret", dialog()));
    await user.click(save());
    await reads(dialog, "Client Secret is required");
    await user.click(button("Keep client secret", dialog()));
    await user.click(save());
    await noDialog();
    expect(api.received(updateOwnFhirProvider).map(({ body }) => body.removeClientSecret)).toEqual([undefined, undefined]);
  });

  test("tells who saves second what the first has changed, and keeps what they typed", async () => {
    const { api, user, state } = await configure();
    api.on(updateOwnFhirProvider, ({ ifMatch }) => {
      const [now] = state.own as [FhirProvider];
      return ifMatch === now.version ? now : refusal(409, { code: "stale_version", error: "It was changed in the meantime." });
    });
    await openPart(user, "Advanced");
    write("Description", "Mine");
    state.own = [{ ...kept, description: "Theirs", version: kept.version + 1 }];
    await user.click(save());
    await reads(() => alert(), "They changed: description");
    expect(field("Description").value).toBe("Mine");
    await user.click(button("Load their version", dialog()));
    await eventually(() => expect(field("Description").value).toBe("Theirs"));
    write("Description", "Both");
    await user.click(save());
    await reads(toast, "updated successfully");
    const sent = api.received(updateOwnFhirProvider).map(({ ifMatch, body }) => [ifMatch, body.description]);
    expect(sent).toEqual([
      [kept.version, "Mine"],
      [kept.version + 1, "Both"],
    ]);
  });

  test("that a person has to sign in at is led to its sign-in page, if that has an address of the web", async () => {
    const assign = vi.spyOn(window.location, "assign").mockReturnValue();
    const { api, user } = await openTab({ own: [{ ...kept, grant: "authorization_code" }] });
    const card = article("Our own EHR");
    expect(textOf(card)).toContain("This record system is not authorized yet. Authorize it to use it.");
    api.on(authorizeOwnFhirProvider, () => ({ url: "https://ehr.example/authorize?state=1" }));
    await user.click(button("Authorize Our own EHR", card));
    await eventually(() => expect(assign.mock.calls).toEqual([["https://ehr.example/authorize?state=1"]]));
    expect(api.received(authorizeOwnFhirProvider).map(({ params }) => params.id)).toEqual([kept.id]);
    api.on(authorizeOwnFhirProvider, () => ({ url: "javascript:alert(1)" }));
    await user.click(button("Authorize Our own EHR", card));
    await reads(toast, "The sign-in page of Our own EHR has no address that can be opened.");
    expect(assign).toHaveBeenCalledTimes(1);
  });

  test("that has let the platform in can be authorized again", async () => {
    await openTab({ own: [{ ...kept, grant: "authorization_code", isAuthorized: true }] }, "&ehr=connected");
    await reads(screen.getByRole("main"), "The record system is authorized.");
    expect(button("Authorize again Our own EHR")).toBeTruthy();
    expect(textOf(article("Our own EHR"))).not.toContain("has let the platform in");
  });

  test("that was closed half filled in is asked about first", async () => {
    const { user } = await openTab();
    await user.click(button("Add Provider", panel()));
    await reads(dialog, "Add FHIR Provider");
    write("Provider name", "Half a provider");
    await user.click(button("Close", dialog()));
    await reads(() => screen.getByRole("alertdialog"), "Discard changes?");
    await user.click(button("Discard"));
    await noDialog();
    await user.click(button("Add Provider", panel()));
    await reads(dialog, "Add FHIR Provider");
    expect(field("Provider name").value).toBe("");
  });
});
