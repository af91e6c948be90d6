import type { Page } from "playwright-core";
import { open, reads } from "../../kit/browser/site.ts";
import { asTenant, type Look } from "../../kit/browser/axe.ts";

const logs = "**/api/tenant/dashboard/audit-logs*";
const problem = { error: "The database could not be reached.", code: "unavailable", requestId: "0123456789abcdef" };
const panelOf = (page: Page) => page.getByRole("region", { name: "Audit & Compliance" });
const openAudit = (page: Page, query = "") => open(page, `/tenant?tab=audit${query}`);

const exported = {
  ...{ exportId: "01hzzzzzzzzzzzzzzzzzzzzzz9", format: "csv", start: "2026-05-01", end: "2026-05-08", timeZone: "UTC", tenantId: null },
  ...{ requestedBy: "01hzzzzzzzzzzzzzzzzzzzzzz8", requestedAt: "2026-05-08T09:00:00.000Z", expiresAt: "2026-05-15T09:00:00.000Z" },
};

const accessId = "01hzzzzzzzzzzzzzzzzzzzzzz7";
const entry = {
  ...{
    at: "2026-05-08T09:00:00.000Z",
    actorKind: "user",
    actorId: "01hzzzzzzzzzzzzzzzzzzzzzz8",
    actorName: "Rita Rivers",
    agentName: null,
  },
  ...{ action: "call.read", act: "Read a call", what: "Call: transcript, summary, phone numbers, tool runs", change: false },
  ...{ resourceType: "Call", resourceId: "c".repeat(40), callId: "c".repeat(40), callStartedAt: "2026-05-07T15:04:00.000Z" },
  ...{ patientIds: ["pat-7"], success: true, code: null, requestId: "q", tenantId: null, tenantName: null, ipAddress: "203.0.113.7" },
};
const accessReport = {
  ...{
    id: accessId,
    state: "ready",
    kind: "patient",
    start: "2024-05-08",
    end: "2026-05-08",
    timeZone: "America/New_York",
    tenantId: "01hzzzzzzzzzzzzzzzzzzzzzz6",
  },
  ...{ requestedAt: "2026-05-08T09:00:00.000Z", examined: 48_120, found: 3, progress: 1, expiresAt: "2026-05-15T09:00:00.000Z" },
  ...{ patientId: "pat-7", fhirProviderId: null, userId: null, userName: null, nextPage: null, url: null },
  entries: [
    { ...entry, id: "1" },
    {
      ...{
        ...entry,
        id: "2",
        actorKind: "api_key",
        actorName: "API key of Riverside Family Clinic",
        agentName: "Front desk",
        change: true,
      },
      ...{ action: "tool.updatePatientFhir", act: "Ran the tool updatePatientFhir", what: "Chart: contact details" },
    },
    { ...entry, id: "3", success: false, code: "ehr_unavailable", callId: null, callStartedAt: null, act: "Tried to search a patient" },
  ],
};
const { entries: _entries, ...summary } = accessReport;
const listed = {
  ...summary,
  requestedBy: "01hzzzzzzzzzzzzzzzzzzzzzz8",
  requestedByName: "Rita Rivers",
  tenantName: "Riverside Family Clinic",
};
const person = { kind: "user", patientId: null, userId: "01hzzzzzzzzzzzzzzzzzzzzzz5", userName: "Nora Nurse" };
const listedReports = [
  listed,
  { ...listed, ...person, id: "01hzzzzzzzzzzzzzzzzzzzzzz4", state: "running", progress: 0.4 },
  { ...listed, ...person, id: "01hzzzzzzzzzzzzzzzzzzzzzz3", state: "failed" },
];
const panelOfReport = (page: Page) => page.getByRole("region", { name: "Access Report" });

export const auditLooks: Look[] = [
  {
    name: "a report of accesses",
    as: asTenant,
    arrange: async (page) => {
      await page.route("**/api/tenant/audit/access-reports", (route) => route.fulfill({ json: listedReports }));
      await page.route("**/api/tenant/audit/access-reports/*", (route) => route.fulfill({ json: accessReport }));
      await openAudit(page, `&report=${accessId}`);
      await panelOfReport(page).getByText("Find the patient in the record system").click();
      await reads(panelOfReport(page), /Front desk/);
      await panelOfReport(page).scrollIntoViewIfNeeded();
    },
  },
  {
    name: "a report of accesses that is being written",
    as: asTenant,
    arrange: async (page) => {
      const json = { ...accessReport, state: "running", progress: 0.4, entries: [], patientId: null };
      await page.route("**/api/tenant/audit/access-reports/*", (route) => route.fulfill({ json }));
      await openAudit(page, `&report=${accessId}`);
      await reads(panelOfReport(page), /events read/);
    },
  },
  {
    name: "an event of the audit log",
    as: asTenant,
    arrange: async (page) => {
      await openAudit(page);
      await panelOf(page)
        .getByRole("button", { name: /details$/ })
        .first()
        .click();
      await reads(page.getByRole("dialog"), /Request ID/);
    },
  },
  {
    name: "an export of the audit log",
    as: asTenant,
    arrange: async (page) => {
      await openAudit(page, "&range=30days&actionType=data_query&search=audit");
      await page.getByRole("button", { name: "Export Logs" }).click();
      await reads(page.getByRole("dialog"), /whole days/);
    },
  },
  {
    name: "earlier exports of every state",
    as: asTenant,
    arrange: async (page) => {
      const list = [
        { ...exported, state: "running", rows: null, bytes: null },
        { ...exported, exportId: "01hzzzzzzzzzzzzzzzzzzzzzz7", state: "ready", rows: 1204, bytes: 482_113 },
        { ...exported, exportId: "01hzzzzzzzzzzzzzzzzzzzzzz6", format: "pdf", state: "failed", rows: null, bytes: null },
      ];
      await page.route("**/api/tenant/audit/exports", (route) => route.fulfill({ json: list }));
      await page.route("**/api/tenant/audit/exports/*", (route) => route.fulfill({ json: list[0] }));
      await openAudit(page);
      await reads(page.getByRole("region", { name: "Earlier exports" }), /Being written[^]*Ready[^]*Failed/);
    },
  },
  {
    name: "an audit log without a match",
    as: asTenant,
    arrange: async (page) => {
      await openAudit(page, "&search=nothing-is-called-so");
      await reads(panelOf(page), /No audit logs found/);
    },
  },
  {
    name: "an audit that is not intact, and a log that does not load",
    as: asTenant,
    refused: ["503 GET /api/tenant/dashboard/audit-logs"],
    arrange: async (page) => {
      const status = { retentionYears: 7, archivedRows: 120, archivedAt: "2026-05-08T09:00:00.000Z" };
      await page.route("**/api/tenant/dashboard/audit-status", (route) =>
        route.fulfill({ json: { ...status, lastVerifiedAt: "2026-05-08T10:00:00.000Z", intact: false } }),
      );
      await page.route(logs, (route) => route.fulfill({ status: 503, json: problem }));
      await openAudit(page);
      await reads(panelOf(page), /not every archived event is intact[^]*Failed to load audit logs/);
    },
  },
];
