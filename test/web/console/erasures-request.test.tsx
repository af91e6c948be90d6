import { screen, within } from "@testing-library/react";
import { erasures, fhirProviders, tenants, type ErasureDetail, type FhirProvider, type TenantDetail } from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { demo } from "../../kit/screen/demo-answers.ts";
import { emptyLogs, erasure, idOf, keepErasures, lakeside, riverside } from "../../kit/screen/erasures.ts";
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
  settled,
  textOf,
  toast,
  type Screen,
} from "../../kit/screen/visit.tsx";

const callId = "0f".repeat(20);
const question = () => screen.getByRole("alertdialog");
/** Of several that stand in front of each other, the one whose title begins so. */
const opened = (title: string): HTMLElement => {
  const found = [...document.querySelectorAll<HTMLElement>("dialog[open]:not([role])")].find((one) => textOf(one).startsWith(title));
  if (!found) throw new Error(`No open dialog begins with ${title}`);
  return found;
};
const form = () => opened("Erase data");
const optionsOf = (label: string): string[] => [...labeled<HTMLSelectElement>(label, form()).options].map(textOf);
const submit = ({ user }: Screen): Promise<void> => user.click(button("Request erasure", form()));
const confirm = async ({ user }: Screen): Promise<void> => {
  await eventually(() => void question());
  await user.click(button("Request erasure", question()));
};

const detailOf = (id: string, change: Partial<TenantDetail> = {}): TenantDetail => ({
  ...demo("system_admin", tenants.getTenant, { tenantId: id }),
  apiKey: null,
  ...change,
});

const openForm = async (arrange: (api: FakeApi) => void = () => {}, begun: readonly ErasureDetail[] = []): Promise<Screen> => {
  const screenOf = await asSystem("/admin?tab=audit", {
    before: (api) => {
      emptyLogs(api);
      keepErasures(api, begun);
      arrange(api);
    },
  });
  await screenOf.user.click(button("Erase data…", region("Erasures")));
  await dialogOpened();
  return screenOf;
};
/** Fills in what each kind needs besides its own fields. */
const choose = async (kind: string, { id }: { id: string }, reason = "other"): Promise<void> => {
  fill("What to erase", kind, form());
  fill("Organization", id, form());
  fill("Reason", reason, form());
  await settled();
};

describe("the request for an erasure of a call", () => {
  test("C06: says what is missing or wrong at its field, and sends nothing", async () => {
    const opening = await openForm();
    await submit(opening);
    await reads(form, /Choose an organization.*Call ID is required.*Choose a reason/);
    await hasFocus(() => labeled("Organization", form()));
    await choose("call", riverside);
    fill("Call ID", "not a call", form());
    await submit(opening);
    await reads(form, "Must be the id of a call");
    await hasFocus(() => labeled("Call ID", form()));
    expect(form().querySelectorAll("[aria-invalid=true]")).toHaveLength(1);
    expect(opening.api.received(erasures.requestErasure)).toEqual([]);
  });

  test("C06: tells before it is sent what is destroyed, what stays, when it starts and that it is for good; then it opens", async () => {
    const opening = await openForm();
    await choose("call", riverside, "recorded_in_error");
    fill("Call ID", ` ${callId.toUpperCase()} `, form());
    expect(textOf(form())).toMatch(
      /The erasure starts after 1 day, or as soon as a second administrator approves it\. .*A copy of the data is written first and can be downloaded for 7 days/,
    );
    await submit(opening);
    await reads(
      question,
      /Erase one call\?.*Destroyed at Riverside Family Clinic:.*What stays: The audit log.*starts automatically after 1 day.*undone/,
    );
    expect(opening.api.received(erasures.requestErasure)).toEqual([]);
    await opening.user.dblClick(button("Request erasure", question()));
    await reads(() => opened("Erasure of one call"), "or as soon as a second administrator approves it.");
    expect(opening.api.received(erasures.requestErasure).map(({ params, body }) => [params, body])).toEqual([
      [{ tenantId: riverside.id }, { kind: "call", callId, reason: "recorded_in_error" }],
    ]);
    await reads(toast, /Erasure requested/);
    await reads(() => region("Erasures"), /One call Riverside Family Clinic Waiting You/);
    await opening.user.keyboard("{Escape}");
    await isGone("dialog");
    await hasFocus(() => button("Erase data…", region("Erasures")));
  });

  test("C06: that is thought better of is not sent, and asks before what was typed is lost", async () => {
    const opening = await openForm();
    await choose("call", riverside);
    fill("Call ID", callId, form());
    await submit(opening);
    await opening.user.click(button("Cancel", question()));
    await isGone("alertdialog");
    expect(labeled("Call ID", form()).value).toBe(callId);
    await opening.user.click(button("Cancel", form()));
    await isGone("dialog");
    expect(opening.api.received(erasures.requestErasure)).toEqual([]);
    await opening.user.click(button("Erase data…", region("Erasures")));
    await dialogOpened();
    expect(labeled("Call ID", form()).value).toBe("");
    fill("Call ID", "typed", form());
    await opening.user.keyboard("{Escape}");
    await reads(question, "Discard changes?");
  });

  test("C06: that is refused says why at the field that is named, or above the form, and keeps what was typed", async () => {
    const opening = await openForm();
    const refusals = [
      refusal(422, { error: "Check the form.", code: "invalid_request", fields: { callId: "There is no such call." } }),
      refusal(404, { error: "There is no such organization.", code: "not_found" }),
      refusal(409, { error: "This call is already being erased.", code: "conflict" }),
    ];
    for (const reply of refusals) opening.api.once(erasures.requestErasure, () => reply);
    await choose("call", riverside);
    fill("Call ID", callId, form());
    await submit(opening);
    await confirm(opening);
    await reads(form, "There is no such call.");
    await isGone("alertdialog");
    expect(labeled("Call ID", form()).getAttribute("aria-invalid")).toBe("true");
    for (const said of ["There is no such organization.", "This call is already being erased."]) {
      await submit(opening);
      await eventually(() => void question());
      await confirm(opening);
      await reads(() => within(form()).queryByRole("alert"), said);
    }
    expect(labeled("Call ID", form()).value).toBe(callId);
  });

  test("C06: whose answer is lost reads the list again, as it may be there all the same", async () => {
    const opening = await openForm();
    opening.api.once(erasures.requestErasure, () => refusal(503, { error: "The database could not be reached." }));
    await choose("call", riverside);
    fill("Call ID", callId, form());
    await submit(opening);
    await confirm(opening);
    await reads(() => within(form()).queryByRole("alert"), "The database could not be reached.");
    await eventually(() => expect(opening.api.received(erasures.listErasures).length).toBe(2));
  });
});

describe("the request for an erasure of a patient's data", () => {
  const [shared] = demo("system_admin", fhirProviders.listFhirProviders) as [FhirProvider];
  const ofRiverside = { ...shared, id: idOf(70), name: "Riverside's own", ownerTenantId: riverside.id, ownerTenantName: riverside.name };
  const ofLakeside = { ...shared, id: idOf(71), name: "Lakeside's own", ownerTenantId: lakeside.id, ownerTenantName: lakeside.name };
  const arrange = (api: FakeApi): void => api.on(fhirProviders.listFhirProviders, () => [shared, ofRiverside, ofLakeside]);

  test("C06: names one of the record systems that the organization may use, and the patient's id there", async () => {
    const opening = await openForm(arrange);
    fill("What to erase", "patient", form());
    expect(optionsOf("Record system")).toEqual(["Choose an organization first"]);
    await choose("patient", riverside, "patient_request");
    expect(optionsOf("Record system")).toEqual(["Choose a record system", shared.name, "Riverside's own"]);
    fill("Record system", ofRiverside.id, form());
    await choose("patient", lakeside, "patient_request");
    expect(optionsOf("Record system")).toEqual(["Choose a record system", shared.name, "Lakeside's own"]);
    await submit(opening);
    await reads(form, /Choose a record system.*Patient ID is required/);
    await hasFocus(() => labeled("Record system", form()));
    fill("Record system", ofLakeside.id, form());
    fill("Patient ID", " pat-77 ", form());
    await submit(opening);
    await reads(question, /Erase a patient's data\?.*The patient's calls.*What stays:.*The record system: nothing in it is changed/);
    await confirm(opening);
    await reads(() => opened("Erasure of a patient's data"), "Lakeside's own");
    expect(opening.api.received(erasures.requestErasure).map(({ params, body }) => [params.tenantId, body])).toEqual([
      [lakeside.id, { kind: "patient", fhirProviderId: ofLakeside.id, patientId: "pat-77", reason: "patient_request" }],
    ]);
  });

  test("C06: may name the chart, by which approvals to speak for the patient are found, with number and birth date or neither", async () => {
    const opening = await openForm(arrange);
    await choose("patient", riverside, "patient_request");
    fill("Record system", ofRiverside.id, form());
    fill("Patient ID", "pat-77", form());
    for (const [filled, value, empty, message] of [
      ["Medical record number", " MRN 17 ", "Date of birth", "Type the date of birth too"],
      ["Date of birth", "2017-03-04", "Medical record number", "Type the medical record number too"],
    ] as const) {
      fill(empty, "", form());
      fill(filled, value, form());
      await submit(opening);
      await reads(form, message);
    }
    expect(opening.api.received(erasures.requestErasure)).toEqual([]);
    fill("Medical record number", " MRN 17 ", form());
    await submit(opening);
    await confirm(opening);
    await reads(() => opened("Erasure of a patient's data"), "Riverside's own");
    expect(opening.api.received(erasures.requestErasure).map(({ body }) => body)).toEqual([
      {
        ...{ kind: "patient", fhirProviderId: ofRiverside.id, patientId: "pat-77", reason: "patient_request" },
        ...{ medicalRecordNumber: "MRN 17", birthDate: "2017-03-04" },
      },
    ]);
  });

  test("C06: can be filled in also where the record systems come only at the second try", async () => {
    const opening = await openForm((api) => {
      arrange(api);
      api.once(fhirProviders.listFhirProviders, () => refusal(503, { error: "The database could not be reached." }));
    });
    await choose("patient", riverside);
    await reads(() => within(form()).queryByRole("alert"), "Failed to fetch providers");
    await opening.user.click(button("Retry", form()));
    await eventually(() => expect(optionsOf("Record system")).toHaveLength(3));
  });
});

describe("the request for an erasure of a whole organization", () => {
  const inactive =
    (change: Partial<TenantDetail> = {}) =>
    (api: FakeApi): void =>
      api.on(tenants.getTenant, ({ params }) => detailOf(params.tenantId, { isActive: false, ...change }));

  test("C06: is not sent while the organization is active, and leads to it", async () => {
    const opening = await openForm();
    await choose("tenant", riverside);
    expect(textOf(form())).toMatch(/Deactivate the organization first Riverside Family Clinic is active\./);
    const send = button("Request erasure", form());
    expect(send.hasAttribute("disabled")).toBe(true);
    expect(textOf(document.getElementById(send.getAttribute("aria-describedby") ?? "")!)).toContain("Deactivate the organization first");
    await opening.user.click(button("Open organization", form()));
    await reads(() => opened(riverside.name), "Status Active");
    expect(new URLSearchParams(location.search).get("tenant")).toBe(riverside.id);
  });

  test("C06: takes the name typed again, and is told to wait for 30 days or a second administrator", async () => {
    const opening = await openForm(inactive());
    await choose("tenant", riverside, "contract_ended");
    expect(textOf(form())).toContain("The erasure starts after 30 days");
    expect(opening.api.received(tenants.getTenant).map(({ query }) => query.withKey)).toEqual([false]);
    await submit(opening);
    await reads(form, "Type the organization's name");
    fill("Organization name", "Riverside", form());
    opening.api.once(erasures.requestErasure, () =>
      refusal(422, { error: "Check the form.", code: "invalid_request", fields: { confirmName: "Is not the organization's name" } }),
    );
    await submit(opening);
    await confirm(opening);
    await reads(form, "Is not the organization's name");
    fill("Organization name", riverside.name, form());
    await submit(opening);
    await reads(question, /Erase a whole organization\?.*All calls.*Its people's accounts, offices and keys.*after 30 days/);
    await confirm(opening);
    await reads(() => opened("Erasure of a whole organization"), riverside.name);
    expect(opening.api.received(erasures.requestErasure).at(-1)?.body).toEqual({
      kind: "tenant",
      confirmName: riverside.name,
      reason: "contract_ended",
    });
  });

  test("C06: of what was activated meanwhile is refused, and then says that it has to be deactivated", async () => {
    const opening = await openForm(inactive());
    await choose("tenant", riverside);
    fill("Organization name", riverside.name, form());
    opening.api.on(tenants.getTenant, () => detailOf(riverside.id));
    opening.api.once(erasures.requestErasure, () => refusal(409, { error: "The organization is active.", code: "conflict" }));
    await submit(opening);
    await confirm(opening);
    await reads(form, /The organization is active\..*Deactivate the organization first/);
    expect(button("Request erasure", form()).hasAttribute("disabled")).toBe(true);
  });
});

describe("an organization's dialog", () => {
  const open = async (begun: readonly ErasureDetail[], arrange: (api: FakeApi) => void = () => {}): Promise<Screen> => {
    const screenOf = await asSystem(`/admin?tab=tenants&tenant=${riverside.id}`, {
      before: (api) => {
        keepErasures(api, begun);
        arrange(api);
      },
    });
    await dialogOpened();
    return screenOf;
  };
  const section = () => within(opened(riverside.name)).getByRole("region", { name: "Erase data" });

  test("C06: shows the organization's own erasures that are not over, and opens one in front of it", async () => {
    const { api, user } = await open([
      erasure(1, { kind: "tenant", callId: null }),
      erasure(2, { status: "done" }),
      erasure(3, { tenantId: lakeside.id, tenantName: lakeside.name }),
    ]);
    expect(api.received(erasures.listErasures).map(({ query }) => query.tenantId)).toEqual([riverside.id]);
    const items = within(section()).getAllByRole("listitem").map(textOf);
    expect(items).toEqual([expect.stringMatching(/^Whole organization Requested .* Waiting Open/)]);
    await user.click(button(/^Open erasure/, section()));
    await reads(() => opened("Erasure of a whole organization"), "Olga Other");
    await user.click(button("Cancel erasure", opened("Erasure of")));
    await user.click(button("Cancel erasure", question()));
    await eventually(() => expect(within(section()).queryAllByRole("listitem")).toEqual([]));
  });

  test("C06: leads to the form for this organization, and back to the button", async () => {
    const { user } = await open([]);
    expect(within(section()).queryByRole("list")).toBeNull();
    await user.click(button("Erase data…", section()));
    await eventually(() => expect(labeled<HTMLSelectElement>("Organization", form()).value).toBe(riverside.id));
    await user.click(button("Cancel", form()));
    await eventually(() => expect(screen.getAllByRole("dialog")).toHaveLength(1));
    await hasFocus(() => button("Erase data…", section()));
    await settled();
  });

  test("C06: is what the form for the whole organization leads back to while it is active", async () => {
    const { user } = await open([]);
    await user.click(button("Erase data…", section()));
    await eventually(() => void form());
    fill("What to erase", "tenant", form());
    await reads(form, "Deactivate the organization first");
    await user.click(button("Open organization", form()));
    await eventually(() => expect(screen.getAllByRole("dialog")).toHaveLength(1));
    expect(textOf(dialog())).toContain(riverside.name);
    await settled();
  });

  test("C06: says when its erasures do not load, with the rest of it in its place", async () => {
    const { user } = await open([erasure(1)], (api) => api.once(erasures.listErasures, () => refusal(503)));
    expect(textOf(within(section()).getByRole("alert"))).toContain("Failed to fetch erasures");
    await user.click(button("Retry", section()));
    await reads(section, "One call");
  });
});
