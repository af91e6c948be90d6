import { within } from "@testing-library/react";
import { fhirProviders, type ConnectionTestResult, type FhirProvider } from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { refusal, type FakeApi } from "../../kit/screen/fake-api.ts";
import { keepEhrs, oldRecords, sandboxEhr } from "../../kit/screen/platform-ehr.ts";
import {
  asSystem,
  button,
  dialog,
  dialogOpened,
  eventually,
  fill,
  isGone,
  labeled,
  reads,
  region,
  textOf,
  toast,
  type Screen,
} from "../../kit/screen/visit.tsx";
import { proves } from "../../requirements/proves.ts";

const { testFhirProvider, checkFhirProvider, listFhirProviders } = fhirProviders;
const unreachable = "The database could not be reached.";
const birthDate = "1980-02-01";
const success: ConnectionTestResult = {
  success: true,
  message: "The patient was read.",
  patientData: { id: "patient-1", name: "Ada Brook", birthDate, gender: "female" },
  error: null,
  details: [{ step: "address", ok: true, ms: 12, message: "The server answers." }],
  toolsNotAllowed: [],
};
const noPatient = "The server has no patient with this ID.";
const failure: ConnectionTestResult = {
  ...success,
  success: false,
  message: noPatient,
  patientData: null,
  error: "patient_not_found",
  details: [...success.details, { step: "patient", ok: false, ms: 7, code: "patient_not_found", message: noPatient }],
};

const openTest = async (before: (api: FakeApi) => void = () => {}, listed?: FhirProvider[]): Promise<Screen> => {
  const opened = await asSystem("/admin?tab=fhir", {
    before: (api) => {
      keepEhrs(api, listed);
      api.on(testFhirProvider, ({ body }) => (body.patientId === "patient-1" ? success : failure));
      before(api);
    },
  });
  await opened.user.click(button("Test Connections"));
  await dialogOpened();
  return opened;
};
const run = async ({ user }: Screen, patientId: string): Promise<void> => {
  await user.selectOptions(labeled("Provider"), "Sandbox EHR");
  fill("Patient ID", patientId);
  await user.click(button("Test Connection", dialog()));
};
const result = (): HTMLElement => region("Test result");

describe("the connection test", () => {
  proves("D2.2-113", async ({ sees, quoted }) => {
    await openTest();
    const title = within(dialog()).getByRole("heading", { level: 2 });
    sees(textOf(title));
    expect(textOf(title)).toBe(quoted[0]);
  });
  proves("D2.2-114", async () => {
    await openTest();
    expect(labeled("Patient ID").value).toBe("example");
    const choices = [...labeled<HTMLSelectElement>("Provider").options].map(textOf);
    expect(choices.slice(0, 2)).toEqual(["Please choose", "Sandbox EHR"]);
    expect(choices).toContain("Old records");
  });
  proves("D2.4-003", async () => {
    const opened = await openTest();
    expect(within(dialog()).queryByRole("region", { name: "Test result" })).toBeNull();
    const testing = opened.api.hold(testFhirProvider);
    await run(opened, "patient-1");
    await reads(dialog, /Testing Connection\.\.\./);
    testing.release();
    await reads(result, /^SUCCESS The patient was read\./);
    await run(opened, "unknown");
    await reads(result, /^FAILED The server has no patient/);
    expect(opened.api.received(testFhirProvider)).toMatchObject([
      { params: { id: sandboxEhr.id }, body: { patientId: "patient-1" } },
      { params: { id: sandboxEhr.id }, body: { patientId: "unknown" } },
    ]);
  });
  proves("D2.4-004", async ({ sees, quoted }) => {
    const opened = await openTest();
    const testing = opened.api.hold(testFhirProvider);
    await run(opened, "unknown");
    await eventually(() => expect(button(quoted[0] ?? "", dialog())).toBeTruthy());
    sees(textOf(button(quoted[0] ?? "", dialog())));
    testing.release();
    await eventually(() => expect(button("Test Connection", dialog())).toBeTruthy());
  });
  proves("D2.4-005", async ({ sees }) => {
    const opened = await openTest();
    for (const [patientId, word] of [
      ["patient-1", "SUCCESS"],
      ["unknown", "FAILED"],
    ] as const) {
      await run(opened, patientId);
      await reads(result, new RegExp(`^${word} `));
      sees(textOf(result()));
    }
  });
  proves("D2.4-006", async () => {
    const opened = await openTest();
    await run(opened, "unknown");
    await reads(result, /FAILED/);
    fill("Patient ID", " ");
    await opened.user.click(button("Test Connection", dialog()));
    await reads(dialog, /Patient ID is required/);
    expect(within(dialog()).queryByRole("region", { name: "Test result" })).toBeNull();
    expect(opened.api.received(testFhirProvider).length).toBe(1);
  });
  proves("D2.5-027", async ({ sees, quoted }) => {
    const { user, api } = await openTest();
    await user.click(button("Test Connection", dialog()));
    await reads(dialog, quoted[0] ?? "");
    sees(textOf(dialog()));
    expect(labeled("Provider").getAttribute("aria-invalid")).toBe("true");
    expect(api.received(testFhirProvider)).toEqual([]);
  });
  proves("D2.5-028", async ({ sees, quoted }) => {
    const { user } = await openTest();
    await user.click(button("Test Connection", dialog()));
    await reads(toast, quoted[0] ?? "");
    sees(textOf(toast()));
  });
  proves("D2.8-022", async ({ sees, quoted }) => {
    const opened = await openTest((api) => api.once(testFhirProvider, () => refusal(503, { error: unreachable })));
    await run(opened, "unknown");
    await reads(toast, `${quoted[0]} ${unreachable}`);
    sees(textOf(toast()));
    await reads(() => within(dialog()).getByRole("alert"), unreachable);
  });
  proves("D2.8-023", async ({ sees }) => {
    await run(await openTest(), "unknown");
    await reads(toast, `Connection Test Failed ${noPatient}`);
    sees(textOf(toast()));
  });
  proves("D2.8-024", async ({ sees, quoted }) => {
    await run(await openTest(), "unknown");
    await reads(result, /FAILED/);
    const block = within(result()).getByRole("region", { name: quoted[0] });
    expect(JSON.parse(block.textContent)).toEqual({ error: "patient_not_found", details: failure.details });
    sees(textOf(result()));
  });
  proves("D2.8-040", async ({ sees }) => {
    const opened = await openTest();
    await run(opened, "patient-1");
    await reads(toast, /Connection Test Successful/);
    sees(textOf(toast()));
    expect(textOf(dialog())).not.toContain(birthDate);
    await opened.user.click(button("Show birth date"));
    await reads(dialog, birthDate);
    await opened.user.click(button("Hide birth date"));
    expect(textOf(dialog())).not.toContain(birthDate);
  });
  proves("D2.8-006", async ({ sees, quoted }) => {
    const { user } = await openTest((api) => api.once(listFhirProviders, () => refusal(503, { error: unreachable })));
    const alert = within(dialog()).getByRole("alert");
    expect(textOf(alert)).toContain(`${quoted[0]} ${unreachable}`);
    sees(textOf(alert));
    await user.click(button("Retry", alert));
    await reads(dialog, /Patient ID/);
  });
  test("names the operations that the saved scopes do not allow", async () => {
    const opened = await openTest((api) => api.on(testFhirProvider, () => ({ ...success, toolsNotAllowed: ["bookAppointment"] })));
    await run(opened, "patient-1");
    await reads(result, /Some operations will not work here .*lack permissions for: book appointment\./i);
    expect(textOf(result())).toMatch(/^SUCCESS /);
  });
});

describe("the test of all connections", () => {
  test("says of each enabled one what came of it, and counts them", async () => {
    const listed = [sandboxEhr, { ...sandboxEhr, id: "01m83bhjxq0yqcghpepc8p0220", name: "Other EHR" }, oldRecords];
    const { user, api } = await openTest((fake) => fake.once(checkFhirProvider, () => refusal(503, { error: unreachable })), listed);
    await user.click(button("Test all"));
    await reads(dialog, "2 of 2 tested");
    const items = within(within(dialog()).getByRole("list", { name: "Tested connections" })).getAllByRole("listitem");
    expect(items.map(textOf)).toEqual([`Sandbox EHR ${unreachable} Unknown`, "Other EHR Healthy"]);
    expect(api.received(checkFhirProvider).map(({ params }) => params.id)).toEqual([listed[0]?.id, listed[1]?.id]);
  });
  test("ends with its dialog: those not asked yet are not asked any more", async () => {
    const listed = Array.from({ length: 9 }, (_, at) => ({ ...sandboxEhr, id: `01m83bhjxq0yqcghpepc8p022${at}`, name: `EHR ${at}` }));
    const { user, api } = await openTest(undefined, listed);
    const checks = api.hold(checkFhirProvider);
    const asked = () => api.received(checkFhirProvider).length;
    await user.click(button("Test all"));
    await eventually(() => expect(asked()).toBe(4));
    await user.keyboard("{Escape}");
    await isGone("dialog");
    const before = api.received(listFhirProviders).length;
    checks.release();
    await eventually(() => expect(api.received(listFhirProviders).length).toBeGreaterThan(before));
    expect(asked()).toBe(4);
  });
});
