import { newId, type Actor } from "@vitaline/core";
import { create, expiresAfter, keys, type CallRow, type UserDirectoryRow } from "@vitaline/store";
import { createTenant } from "@vitaline/tenants";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import type { ExportScope } from "./export-scope.ts";
import { platformExportScope, startAccessReport, startExport, tenantAccessScope, tenantAuditLogs, tenantExportScope } from "../index.ts";
import type { ReportRow } from "../report/report-row.ts";

let it: TestAws;
let one: string;
let two: string;
const root: Actor = { kind: "user", id: "root1", role: "system_admin" };
const callKey = "cafe77".padEnd(40, "0");

beforeAll(async () => {
  it = await startTestAws();
  const made = await Promise.all(
    ["One", "Two"].map((name) => createTenant(it.platform(), { name, organizationType: "clinic", contactEmail: "x@y.example" })),
  );
  [one, two] = made.map(({ id }) => id) as [string, string];
  for (const tenantId of [one, two]) await actIn(tenantId);
});
afterAll(() => it.close());

const actIn = async (tenantId: string): Promise<void> => {
  const { store } = it.inTenant(tenantId, { kind: "api_key", id: "k1", tenantId });
  const at = new Date().toISOString();
  const act = { action: "tool.getPatientInfo", resourceType: "Patient", resourceId: "patient-77", callKey } as const;
  await store.commit([], { ...act, category: "patient_access", detail: { tool: "getPatientInfo" } });
  await store.commit([], { category: "data_query", action: "call.read", resourceType: "Call", resourceId: callKey });
  await store.commit([], { category: "data_query", action: "lead.read", resourceType: "Lead", resourceId: "lead-77" });
  const call: CallRow = {
    callKey,
    platform: "vapi",
    platformCallId: newId(),
    rank: 1,
    status: "completed",
    startedAt: at,
    forwarded: false,
    gsi1pk: keys.tenantPartitions.calls(tenantId),
    gsi1sk: at,
    expiresAt: expiresAfter(at, 30),
  };
  await store.writeUnaudited(create(keys.call(callKey), call));
};
const report = async (desk: ExportScope, more: { tenantId?: string; search?: string } = {}): Promise<ReportRow[]> => {
  const { exportId } = await startExport(it.platform(root), desk, { format: "json", timeZone: "UTC", actionType: "all", ...more });
  const { file = "" } = (await desk.find(exportId)) ?? {};
  const stored = await it.aws.s3.get(process.env["FILES_BUCKET"] ?? "", file);
  return JSON.parse((stored?.body ?? Buffer.alloc(0)).toString()) as ReportRow[];
};
const actions = ["tool.getPatientInfo", "call.read", "lead.read", "call.conversation"];

test("a report of all tenants has every action, and no ids of patients or calls and no details about them", async () => {
  const rows = await report(platformExportScope(it.platform(root)));
  for (const tenantId of [one, two]) {
    const told = rows.filter((row) => row.tenantId === tenantId);
    expect(told.map(({ action }) => action)).toEqual(expect.arrayContaining(actions));
    expect(told.find(({ action }) => action === "tenant.create")).toMatchObject({ resourceId: tenantId });
  }
  expect(JSON.stringify(rows)).not.toMatch(/patient-77|cafe77|lead-77/);
});

test("a search in a report of all tenants does not find a patient by an id that the report omits", async () => {
  for (const search of ["patient-77", "cafe77", "lead-77"])
    expect(await report(platformExportScope(it.platform(root)), { search })).toEqual([]);
  expect((await report(platformExportScope(it.platform(root)), { search: "getPatientInfo" })).map(({ action }) => action)).toEqual([
    "tool.getPatientInfo",
    "tool.getPatientInfo",
  ]);
});

test("a report of one tenant has the ids of patients and calls, for tenant and platform administrators", async () => {
  for (const rows of [
    await report(tenantExportScope(it.inTenant(one))),
    await report(platformExportScope(it.platform(root)), { tenantId: one }),
  ]) {
    // Other tests read other things of the tenant.
    const reads = rows.map(({ action, resourceId }) => [action, resourceId]);
    expect(reads).toEqual(
      expect.arrayContaining(["patient-77", callKey, "lead-77", callKey].map((resourceId, at) => [actions[at], resourceId])),
    );
    expect(new Set(rows.map(({ tenantId }) => tenantId))).toEqual(new Set([one]));
    expect(new Set(rows.map(({ tenantName }) => tenantName))).toEqual(new Set(["One"]));
    expect(rows.find(({ action }) => action === "tool.getPatientInfo")).toMatchObject({ actorName: "API key of One" });
  }
});

test("one user asks for at most sixty reports and exports an hour, colleagues and other organizations still get theirs", async () => {
  const now = new Date("2046-03-02T10:20:00Z");
  const person = (which: string, name: string) => {
    const ctx = it.inTenant(which, { kind: "user", id: name, role: "tenant_admin", tenantId: which });
    return { ...ctx, clock: () => now };
  };
  const ask = (ctx: ReturnType<typeof person>) =>
    startExport(ctx, tenantExportScope(ctx), {
      format: "json",
      timeZone: "UTC",
      actionType: "all",
      start: "2046-03-01",
      end: "2046-03-02",
    });
  const auditor = person(one, newId());
  const outcomes = await Promise.allSettled(Array.from({ length: 62 }, () => ask(auditor)));
  expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(2);
  const refusal = { code: "too_many_requests", retryAfterSeconds: 40 * 60 };
  const about = { kind: "user", userId: newId(), start: "2046-03-01", end: "2046-03-02", timeZone: "UTC" } as const;
  await expect(startAccessReport(auditor, tenantAccessScope(auditor), about)).rejects.toMatchObject(refusal);
  await ask(person(one, newId()));
  await ask(person(two, auditor.actor.id));
});

test("a file has the events that a search for a person's name shows on the screen", async () => {
  const id = newId();
  const nora: UserDirectoryRow = {
    ...{ id, firstName: "Nora", lastName: "Nurse", email: "nora@clinic.example", role: "tenant_admin", tenantId: one, isActive: true },
    createdAt: "2026-01-01T00:00:00.000Z",
  };
  const { store } = it.inTenant(one, { kind: "user", id, role: "tenant_admin", tenantId: one });
  await store.commit([create(keys.tenantUser(id), nora)], {
    category: "configuration_change",
    action: "user.create",
    resourceType: "User",
  });
  await store.commit([], { category: "patient_access", action: "lead.read", resourceType: "Lead", resourceId: "lead-78" });
  const ctx = it.inTenant(one);
  const search = "Nora Nurse";
  const shown = await tenantAuditLogs(ctx, { actionType: "patient_access", timeRange: "7days", search });
  expect(shown.rows.map(({ action, actorName }) => [action, actorName])).toEqual([["lead.read", search]]);
  const rows = await report(tenantExportScope(ctx), { search });
  expect(rows.map(({ action, actorName }) => [action, actorName]).toSorted()).toEqual([
    ["lead.read", search],
    ["user.create", search],
  ]);
});
