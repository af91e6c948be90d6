import { screen, within } from "@testing-library/react";
import {
  type AccessEntry,
  type AccessReport,
  type AccessReportDetail,
  accessReports,
  type ListedAccessReport,
  patientSearch,
  platformAudit,
  team,
  tenantFhirProviders,
} from "@vitaline/contract";
import { expect, test, vi } from "vitest";
import { demo, demoUser, recordedAt } from "../../kit/screen/demo-answers.ts";
import { type FakeApi, page } from "../../kit/screen/fake-api.ts";
import { asSystem, asTenant, button, eventually, hasFocus, link, reads, region, settled, textOf } from "../../kit/screen/visit.tsx";

const reportId = "r".repeat(26);
const tenantId = "t".repeat(26);
const entry = (id: string, change: Partial<AccessEntry>): AccessEntry => ({
  ...{ id, at: recordedAt.toISOString(), actorKind: "user", actorId: "u".repeat(26), actorName: "Ana Nurse", agentName: null },
  ...{ action: "call.read", act: "Read a call", what: "Call: transcript", change: false, resourceType: "Call", resourceId: "c1" },
  ...{ callId: "c1", callStartedAt: null, patientIds: ["pat-7"], success: true, code: null, requestId: "q" },
  ...{ tenantId, tenantName: "Riverside Family Clinic", ipAddress: null },
  ...change,
});
const running: AccessReport = {
  ...{ id: reportId, state: "queued", kind: "patient", start: "2026-01-01", end: "2026-11-01", timeZone: "UTC", tenantId },
  ...{ requestedAt: recordedAt.toISOString(), examined: 0, found: 0, progress: 0, expiresAt: recordedAt.toISOString() },
};
const ready: AccessReportDetail = {
  ...{ id: reportId, state: "ready", kind: "patient", start: "2026-01-01", end: "2026-11-01", timeZone: "UTC", tenantId },
  ...{ requestedAt: recordedAt.toISOString(), examined: 5120, found: 3, progress: 1, expiresAt: recordedAt.toISOString() },
  ...{ patientId: "pat-7", fhirProviderId: null, userId: null, userName: null, nextPage: null, url: null },
  entries: [
    entry("1", {}),
    entry("2", {
      actorKind: "api_key",
      actorName: "API key of Riverside",
      agentName: "Front desk",
      action: "tool.updatePatientFhir",
      change: true,
      what: "Chart: contact details",
    }),
    entry("3", { success: false, code: "slot_taken" }),
  ],
};
const panel = () => region("Access Report");

/** Reports begin as "running" and are ready at the second look. */
const answers = (api: FakeApi): void => {
  let looks = 0;
  api.on(accessReports.requestAccessReport, () => running);
  api.on(accessReports.accessReport, (): AccessReportDetail => {
    looks += 1;
    return looks > 1 ? ready : { ...ready, state: "running", entries: [], patientId: null, progress: 0.4, found: 1 };
  });
};

test("a patient found in the record system is reported on: who, what and which call, and no address names the patient", async () => {
  const found = {
    patientId: "pat-7",
    fhirProviderId: "f".repeat(26),
    name: "Jo Park",
    birthDate: "1980-02-03",
    medicalRecordNumber: "M-9",
  };
  const asked: unknown[] = [];
  const { api, user } = await asTenant("/tenant?tab=audit", {
    before: (fake) => {
      answers(fake);
      fake.on(patientSearch.findPatients, ({ body }) => {
        asked.push(body);
        return [found];
      });
    },
  });
  await reads(document.body, /Who saw or changed a patient's data/);
  await user.click(within(panel()).getByText("Find the patient in the record system"));
  await user.type(within(panel()).getByLabelText(/Medical record number/), "M-9");
  await user.click(button("Find in the record system"));
  await user.click(await within(panel()).findByRole("button", { name: "Choose Jo Park" }));
  expect(asked).toEqual([{ medicalRecordNumber: "M-9" }]);
  expect(within(panel()).getByLabelText<HTMLInputElement>("Patient ID").value).toBe("pat-7");
  await user.click(button("Last 2 years"));
  const [first, last] = ["First day", "Last day"].map((name) => within(panel()).getByLabelText<HTMLInputElement>(name).value);
  expect(Number(last!.slice(0, 4)) - Number(first!.slice(0, 4))).toBe(2);
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 500 });
  await user.click(button("Create report"));
  await eventually(() => expect(textOf(panel())).toContain("Front desk"));
  expect(api.received(accessReports.requestAccessReport)).toMatchObject([{ body: { start: first, end: last } }]);
  vi.useRealTimers();
  expect(new URLSearchParams(location.search).get("report")).toBe(reportId);
  expect(location.href).not.toContain("pat-7");
  expect(textOf(panel())).toContain("Patient Jo Park (pat-7)");
  const rows = within(within(panel()).getByRole("table")).getAllByRole("row").slice(1).map(textOf);
  expect(rows[0]).toMatch(new RegExp(`, ${recordedAt.getUTCFullYear()}, .*Ana Nurse.*Call: transcript.*Read`));
  expect(rows[1]).toMatch(/Front desk.*Chart: contact details.*Changed/);
  expect(rows[2]).toMatch(/Not done Slot taken/);
  for (const format of ["CSV", "PDF", "JSON"]) expect(within(panel()).getByRole("button", { name: format })).toBeTruthy();
});

test("an auditor's report is first on the page, asks nothing that their access refuses, and keeps the record system of the patient found alone", async () => {
  const fhirProviderId = "f".repeat(26);
  const found = { patientId: "pat-7", fhirProviderId, name: "Jo Park", birthDate: "1980-02-03", medicalRecordNumber: "M-9" };
  const { api, user } = await asTenant("/tenant?tab=audit", {
    me: { access: "auditor" },
    before: (fake) => {
      fake.on(accessReports.requestAccessReport, () => running);
      fake.on(accessReports.accessReport, () => ({ ...ready, state: "failed" as const, entries: [] }));
      fake.on(patientSearch.findPatients, () => [found]);
    },
  });
  await user.click(await within(panel()).findByText("Find the patient in the record system"));
  expect(panel().compareDocumentPosition(region("Audit & Compliance"))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(within(panel()).queryByLabelText(/Record system/)).toBeNull();
  expect(api.received(tenantFhirProviders.listTenantFhirProviders)).toEqual([]);
  await user.type(within(panel()).getByLabelText(/Medical record number/), "M-9");
  await user.click(button("Find in the record system"));
  await user.click(await within(panel()).findByRole("button", { name: "Choose Jo Park" }));
  await user.click(button("Create report"));
  await eventually(() =>
    expect(api.received(accessReports.requestAccessReport)).toMatchObject([{ body: { patientId: "pat-7", fhirProviderId } }]),
  );
});

test("in the console a patient's report needs the organization, and a search over all organizations does not say that no one was there", async () => {
  const { user } = await asSystem("/admin?tab=audit&search=pat-7", {
    before: (api) => api.on(platformAudit.platformAuditLogs, () => page([])),
  });
  await reads(document.body, /This list has no IDs of patients and calls/);
  await user.type(within(panel()).getByLabelText("Patient ID"), "pat-7");
  await user.click(within(panel()).getByRole("button", { name: "Create report" }));
  await reads(panel(), /Choose the organization/);
  expect(within(panel()).getByLabelText("Organization").getAttribute("aria-invalid")).toBe("true");
});

test("an event's person is carried into a report on that person", async () => {
  const { user } = await asTenant("/tenant?tab=audit&range=30days");
  const [opener] = await screen.findAllByRole("button", { name: /, details$/ });
  await user.click(opener!);
  const report = screen.queryByRole("button", { name: "Report on this person" });
  if (!report) throw new Error("The first event is of no person");
  await user.click(report);
  await eventually(() => expect(within(panel()).getByLabelText<HTMLInputElement>("User ID").value).toMatch(/^[0-9a-z]{26}$/));
});

test("a person is chosen by name from the organization's users, and a person who left by their ID", async () => {
  const [me] = demo("tenant_admin", accessReports.listReportablePeople);
  const { api, user } = await asTenant("/tenant?tab=audit", { before: answers });
  await reads(document.body, /Who saw or changed a patient's data/);
  await user.selectOptions(within(panel()).getByLabelText("Report about"), "A person: what did they see and do?");
  await user.click(button("Create report", panel()));
  await reads(panel(), /Choose a person, or enter the user ID/);
  const person = () => within(panel()).getByLabelText("Person");
  await user.selectOptions(person(), await within(person()).findByRole("option", { name: new RegExp(me!.email) }));
  await user.click(button("Create report", panel()));
  await eventually(() =>
    expect(api.received(accessReports.requestAccessReport)).toMatchObject([{ body: { kind: "user", userId: me!.id } }]),
  );
  await user.selectOptions(person(), "Someone else, by user ID");
  const left = "u".repeat(26);
  await user.type(within(panel()).getByLabelText("User ID"), left);
  await user.click(button("Create report", panel()));
  await eventually(() => expect(api.received(accessReports.requestAccessReport).at(-1)).toMatchObject({ body: { userId: left } }));
});

test("an auditor chooses a person by name too, also one who may no longer sign in, without the list of the team", async () => {
  const former = { id: "f".repeat(26), name: "Ana Nurse", email: "ana@clinic.example", isActive: false };
  const { api, user } = await asTenant("/tenant?tab=audit", {
    me: { access: "auditor" },
    before: (fake) => {
      answers(fake);
      fake.on(accessReports.listReportablePeople, () => [...demo("tenant_admin", accessReports.listReportablePeople), former]);
    },
  });
  await reads(document.body, /Who saw or changed a patient's data/);
  await user.selectOptions(within(panel()).getByLabelText("Report about"), "A person: what did they see and do?");
  const option = await within(panel()).findByRole("option", { name: "Ana Nurse, ana@clinic.example (deactivated)" });
  await user.selectOptions(within(panel()).getByLabelText("Person"), option);
  await user.click(button("Create report", panel()));
  await eventually(() => expect(api.received(accessReports.requestAccessReport)).toMatchObject([{ body: { userId: former.id } }]));
  expect(api.received(team.listTeam)).toEqual([]);
});

const listed = (id: string, change: Partial<ListedAccessReport>): ListedAccessReport => ({
  ...{ ...running, id: id.repeat(26), state: "ready", found: 3, progress: 1, requestedBy: "c".repeat(26), requestedByName: "Ana Auditor" },
  ...{ patientId: "pat-7", userId: null, userName: null, tenantName: "Riverside Family Clinic" },
  ...change,
});
const earlier = () => within(panel()).getByRole("region", { name: "Earlier reports" });

test("the reports asked for are listed with who asked, and one is opened and closed from the list, without the patient in the address", async () => {
  const person = { kind: "user", patientId: null, userId: "u".repeat(26), userName: "Ana Nurse" } as const;
  const { user } = await asTenant("/tenant?tab=audit", {
    before: (api) => {
      api.on(accessReports.listAccessReports, () => [
        listed("r", { requestedBy: demoUser("tenant_admin").id }),
        listed("s", { ...person, state: "failed" }),
        listed("q", { ...person, state: "running", requestedByName: null }),
      ]);
      api.on(accessReports.accessReport, () => ready);
    },
  });
  await eventually(() => expect(within(earlier()).getAllByRole("row")).toHaveLength(4));
  const rows = within(earlier()).getAllByRole("row").slice(1).map(textOf);
  expect(rows[0]).toMatch(/You A patient pat-7 .* 3 Ready Open/);
  expect(rows[1]).toMatch(/Ana Auditor Ana Nurse u{26} .* N\/A Failed Request again/);
  expect(rows[2]).toMatch(/A former user Ana Nurse .* Being written Show progress/);
  await user.click(within(earlier()).getByRole("button", { name: /^Open the report on patient pat-7, Jan 1 to Nov 1, 2026$/ }));
  const report = await within(panel()).findByRole("region", { name: "Report" });
  await reads(() => report, /Patient pat-7.*3 entries/);
  expect(document.activeElement).toBe(report);
  expect([new URLSearchParams(location.search).get("report"), location.href.includes("pat-7")]).toEqual([reportId, false]);
  await user.click(within(earlier()).getByRole("button", { name: /^Close the report on patient pat-7/ }));
  await eventually(() => expect(within(panel()).queryByRole("region", { name: "Report" })).toBeNull());
});

test("a report in the address opens at once after a reload, and its row in the list says how it ended", async () => {
  await asTenant(`/tenant?tab=audit&report=${reportId}`, {
    before: (api) => {
      api.on(accessReports.listAccessReports, () => [listed("r", { state: "running", found: 0 })]);
      api.on(accessReports.accessReport, () => ready);
    },
  });
  await reads(panel, /Patient pat-7/);
  await eventually(() => expect(textOf(within(earlier()).getAllByRole("row")[1]!)).toMatch(/ 3 Ready/));
});

test("the row of a report that ended says so also while another is open, and the list is read again when one comes back", async () => {
  let rows = [listed("r", { state: "queued", found: 0 }), listed("s", { patientId: "pat-8" })];
  const { api, user } = await asTenant("/tenant?tab=audit", {
    before: (fake) => {
      fake.on(accessReports.listAccessReports, () => rows);
      fake.on(accessReports.accessReport, ({ params }) =>
        params.reportId === reportId ? ready : { ...ready, id: params.reportId, patientId: "pat-8" },
      );
    },
  });
  const states = () => within(earlier()).getAllByRole("row").slice(1).map(textOf);
  await user.click(await within(panel()).findByRole("button", { name: /^Show progress the report on patient pat-7/ }));
  await reads(panel, /Patient pat-7/);
  await user.click(button(/^Open the report on patient pat-8/, earlier()));
  await reads(panel, /Patient pat-8/);
  expect(states()).toEqual([expect.stringMatching(/ 3 Ready Open/), expect.stringMatching(/ 3 Ready Close/)]);
  expect(api.received(accessReports.listAccessReports)).toHaveLength(1);

  rows = [listed("t", { patientId: "pat-9" }), ...rows];
  await user.click(link("Settings"));
  await settled();
  await user.click(link("Dashboard"));
  await settled();
  await user.click(screen.getByRole("tab", { name: "Audit" }));
  await eventually(() => expect(states()[0]).toContain("pat-9"));
});

test("the focus stays at the list when a report is closed, from the report or from its row", async () => {
  const { user } = await asTenant(`/tenant?tab=audit&report=${"s".repeat(26)}`, {
    before: (api) => {
      api.on(accessReports.listAccessReports, () => [listed("r", {}), listed("s", { state: "failed", patientId: "pat-8" })]);
      api.on(accessReports.accessReport, ({ params: { reportId: id } }) =>
        id === reportId ? ready : { ...ready, id, state: "failed" as const, entries: [] },
      );
    },
  });
  await user.click(await within(panel()).findByRole("button", { name: /^Close the report on patient pat-8/ }));
  await eventually(() => expect(within(panel()).queryByRole("region", { name: "Report" })).toBeNull());
  await hasFocus(earlier);
  await user.click(button(/^Open the report on patient pat-7/, earlier()));
  await reads(panel, /Patient pat-7/);
  await user.click(button("Close this report"));
  await eventually(() => expect(within(panel()).queryByRole("region", { name: "Report" })).toBeNull());
  await hasFocus(() => button(/^Open the report on patient pat-7/, earlier()));
});

test("the console's list names the organization and no patient", async () => {
  await asSystem("/admin?tab=audit", {
    before: (api) => api.on(accessReports.listPlatformAccessReports, () => [listed("r", { patientId: null })]),
  });
  await eventually(() =>
    expect(textOf(within(earlier()).getAllByRole("row")[1]!)).toMatch(/Ana Auditor A patient Riverside Family Clinic/),
  );
});
