import { screen, within } from "@testing-library/react";
import { fhirProviders, type TenantAssignments } from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { demo } from "../../kit/screen/demo-answers.ts";
import { page, refusal, type FakeApi } from "../../kit/screen/fake-api.ts";
import { keepEhrs, oldRecords, sandboxEhr } from "../../kit/screen/platform-ehr.ts";
import {
  asSystem,
  button,
  dialog,
  dialogOpened,
  fill,
  isGone,
  labeled,
  reads,
  region,
  saysWhenRefused,
  saysWhileLoading,
  textOf,
  toast,
  type Screen,
} from "../../kit/screen/visit.tsx";
import { proves } from "../../requirements/proves.ts";

const address = "/admin?tab=fhir";
const { listFhirAssignments, assignFhirProvider, assignOfficeFhirProvider } = fhirProviders;
const [riverside] = demo("system_admin", listFhirAssignments) as [TenantAssignments];
const unassigned: TenantAssignments = { ...riverside, defaultFhirProvider: null };
const stale = () => refusal(409, { error: "This has been changed in the meantime.", code: "stale_version" });

/** One organization's assignments behind the API, with the platform's record systems. */
const openTab = async (before: (api: FakeApi) => void = () => {}) => {
  const kept = { row: structuredClone(unassigned) };
  const opened = await asSystem(address, {
    before: (api) => {
      const { listed } = keepEhrs(api);
      const named = (id: string | null) => {
        const found = listed.find((one) => one.id === id);
        return found ? { id: found.id, name: found.name } : null;
      };
      api.on(listFhirAssignments, () => [kept.row]);
      api.on(assignFhirProvider, ({ body, ifMatch }) => {
        if (ifMatch !== kept.row.version) return stale();
        kept.row = { ...kept.row, defaultFhirProvider: named(body.fhirProviderId), version: kept.row.version + 1 };
        return { ...body, version: kept.row.version };
      });
      api.on(assignOfficeFhirProvider, ({ params, body, ifMatch }) => {
        const office = kept.row.offices.find(({ id }) => id === params.officeId);
        if (!office || ifMatch !== office.version) return stale();
        Object.assign(office, { fhirProvider: named(body.fhirProviderId), version: office.version + 1 });
        return { ...body, version: office.version };
      });
      before(api);
    },
  });
  return { ...opened, kept };
};
const panel = (): HTMLElement => region("Provider Assignments");
const ofClinic = (): HTMLElement => within(panel()).getByRole("list", { name: `FHIR providers of ${riverside.name}` });
const openChange = async ({ user }: Pick<Screen, "user">, whose: string): Promise<void> => {
  await user.click(button(`Change the FHIR provider of ${whose}`));
  await dialogOpened();
};
const choose = async (opened: Pick<Screen, "user">, whose: string, label: string, isAsked = false): Promise<void> => {
  await openChange(opened, whose);
  await opened.user.selectOptions(labeled("FHIR provider"), label);
  await opened.user.click(button("Save Changes", dialog()));
  if (isAsked) await opened.user.click(await screen.findByRole("button", { name: "Remove it" }));
  await isGone("dialog");
};

describe("provider assignments", () => {
  proves("D2.2-043", async () => {
    await asSystem(address);
    const rows = [...within(panel()).getByRole("list", { name: "Provider assignments" }).children].map(textOf);
    expect(rows).toEqual([
      expect.stringMatching(/^Riverside Family Clinic Clinic /),
      expect.stringMatching(/^Lakeside Pediatrics Private practice /),
    ]);
  });
  proves("D2.2-044", async ({ sees, quoted }) => {
    const opened = await openTab();
    sees(textOf(ofClinic()));
    expect(textOf(ofClinic())).toContain(`Tenant default ${quoted[0]}`);
    await choose(opened, riverside.name, "Sandbox EHR");
    await reads(ofClinic, /Tenant default Sandbox EHR/);
    await choose(opened, riverside.name, "Not configured", true);
    await reads(ofClinic, /Tenant default Not configured/);
    expect(opened.api.received(assignFhirProvider)).toMatchObject([
      { params: { tenantId: riverside.tenantId }, body: { fhirProviderId: sandboxEhr.id }, ifMatch: riverside.version },
      { body: { fhirProviderId: null }, ifMatch: riverside.version + 1 },
    ]);
  });
  proves("D2.2-045", async ({ sees, quoted }) => {
    const opened = await openTab();
    const [office] = riverside.offices;
    const whose = `${office?.name}, ${riverside.name}`;
    sees(textOf(ofClinic()));
    expect(textOf(ofClinic())).toContain(`${office?.name} ${quoted[0]}`);
    await choose(opened, whose, "Sandbox EHR, STU3");
    await reads(ofClinic, `${office?.name} Sandbox EHR, STU3`);
    await choose(opened, whose, "Inherits default (Not configured)", true);
    await reads(ofClinic, `${office?.name} Inherits default`);
    const params = { tenantId: riverside.tenantId, officeId: office?.id };
    expect(opened.api.received(assignOfficeFhirProvider)).toMatchObject([
      { params, ifMatch: office?.version },
      { params, body: { fhirProviderId: null } },
    ]);
  });
  proves("D2.2-046", async ({ sees, quoted }) => {
    const text = await saysWhileLoading(address, listFhirAssignments, "Provider Assignments");
    sees(text);
    expect(text).toBe(quoted[0]);
  });
  proves("D2.2-047", async ({ sees, quoted }) => {
    await openTab((api) => api.on(listFhirAssignments, () => []));
    sees(textOf(panel()));
    expect(textOf(panel())).toContain(quoted[0]);
  });

  test("that someone else has changed meanwhile are told, and the choice stays", async () => {
    const opened = await openTab();
    await openChange(opened, riverside.name);
    await opened.user.selectOptions(labeled("FHIR provider"), "Sandbox EHR");
    opened.kept.row = { ...opened.kept.row, defaultFhirProvider: { id: oldRecords.id, name: oldRecords.name }, version: 7 };
    await opened.user.click(button("Save Changes", dialog()));
    await reads(() => within(dialog()).getByRole("alert"), `Another user has changed ${riverside.name}`);
    await reads(dialog, /Current: Old records/);
    expect(labeled<HTMLSelectElement>("FHIR provider").value).toBe(sandboxEhr.id);
    await opened.user.click(button("Save Changes", dialog()));
    await reads(ofClinic, /Tenant default Sandbox EHR/);
    await reads(toast, `The FHIR provider of ${riverside.name} has been changed.`);
    expect(opened.api.received(assignFhirProvider).map(({ ifMatch }) => ifMatch)).toEqual([riverside.version, 7]);
  });

  test("U03: are not removed before the loss for calls was confirmed", async () => {
    const opened = await openTab();
    opened.kept.row = { ...opened.kept.row, defaultFhirProvider: { id: oldRecords.id, name: oldRecords.name } };
    await opened.user.click(button("Refresh"));
    await reads(ofClinic, /Tenant default Old records/);
    await openChange(opened, riverside.name);
    await opened.user.selectOptions(labeled("FHIR provider"), "Not configured");
    await opened.user.click(button("Save Changes", dialog()));
    const question = await screen.findByRole("alertdialog", { name: "Leave them without a record system?" });
    expect(textOf(question)).toContain("voice agents there cannot look up patients or book appointments");
    for (const { name } of riverside.offices) expect(textOf(question)).toContain(name);
    expect(opened.api.received(assignFhirProvider)).toEqual([]);
    await opened.user.click(button("Cancel", question));
    expect(opened.api.received(assignFhirProvider)).toEqual([]);
    await opened.user.click(button("Save Changes", dialog()));
    await opened.user.click(await screen.findByRole("button", { name: "Remove it" }));
    await reads(ofClinic, /Tenant default Not configured/);
    expect(opened.api.received(assignFhirProvider)).toHaveLength(1);
  });

  test("stay as they are when one cancels", async () => {
    const opened = await openTab();
    await openChange(opened, riverside.name);
    await opened.user.click(button("Cancel", dialog()));
    await isGone("dialog");
    expect(textOf(ofClinic())).toContain("Tenant default Not configured");
    expect(opened.api.received(assignFhirProvider)).toEqual([]);
  });

  test("say when the rest of those that are searched did not load", async () => {
    await openTab((api) =>
      api.on(listFhirAssignments, ({ query }) =>
        query.cursor === undefined ? page([unassigned], "further") : refusal(503, { error: "The database could not be reached." }),
      ),
    );
    fill("Search organizations", "not one of them");
    await reads(() => within(panel()).getByRole("alert"), /The database could not be reached/);
    expect(textOf(panel())).toContain("None of the organizations that have loaded has this text in its name.");
    expect(textOf(panel())).not.toContain("Searching more organizations");
  });

  test("say what did not load, and load when asked again", async () => {
    expect(await saysWhenRefused(address, listFhirAssignments, "Provider Assignments")).toContain("Failed to load provider assignments");
  });
});
