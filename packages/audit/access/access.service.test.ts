import { setTimeout } from "node:timers/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DeleteCommand, DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { AccessEntry, AccessReportDetail, NewPlatformAccessReport } from "@vitaline/contract";
import { newId, utcDate, type Actor } from "@vitaline/core";
import { readCall } from "@vitaline/calls";
import { auditCategories, type AuditRow, keys, put, update } from "@vitaline/store";
import { createTenant } from "@vitaline/tenants";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { textsOfPdf } from "../report/pdf.fixture.ts";
import { archiveRows, platformAccessScope, readAccessReport, runAccessReport, startAccessReport, tenantAccessScope } from "../index.ts";
import { allWays, type Call, ehr, newCall, staff, type Way } from "./access.fixture.ts";
import type { AccessScope } from "./scope.ts";

let it: TestAws;
let ways: Readonly<Record<string, Way>>;
let [one, two] = ["", ""];
const root: Actor = { kind: "user", id: "root1", role: "system_admin" };
beforeAll(async () => {
  it = await startTestAws();
  process.env["EXPORT_FUNCTION"] = "vitaline-test-events-export";
  process.env["ARCHIVE_BUCKET"] = "vitaline-test-archive";
  ways = await allWays();
});
afterAll(async () => {
  for (const name of ["EXPORT_FUNCTION", "ARCHIVE_BUCKET"]) delete process.env[name];
  await it.close();
});
beforeEach(async () => {
  const made = await Promise.all(
    ["Clinic One", "Clinic Two"].map((name) =>
      createTenant(it.platform(root), { name, contactEmail: `office@${newId()}.example`, organizationType: "clinic" }),
    ),
  );
  [one, two] = made.map(({ id }) => id) as [string, string];
});

const today = () => utcDate(new Date());
const days = () => ({ start: today(), end: today(), timeZone: "UTC" });
const ofTenant = (tenantId: string): AccessScope => tenantAccessScope(it.inTenant(tenantId, staff(tenantId)));
/** Requested at a later millisecond than every row of the test: a report ends where it was requested. */
const request = async (tenantId: string, scope: AccessScope, asked: object) => {
  await setTimeout(2);
  return startAccessReport(it.inTenant(tenantId, staff(tenantId)), scope, asked as never);
};

/** Runs a report to its end. `stops`: after how many pages each invocation ends. */
const finish = async (
  scope: AccessScope,
  tenantId: string | undefined,
  reportId: string,
  stops: () => number = () => Infinity,
): Promise<number> => {
  const system = it.platform({ kind: "system", id: "export" });
  let job: { reportId: string; tenantId?: string | undefined; tries: number } | undefined = { reportId, tenantId, tries: 1 };
  let invocations = 0;
  while (job) {
    const current = job;
    job = undefined;
    let left = stops();
    invocations += 1;
    await runAccessReport(system, scope, current, {
      hasTime: () => --left > 0,
      proceed: async (next) => void (job = next),
    });
  }
  return invocations;
};
const pages = async (
  scope: AccessScope,
  tenantId: string,
  reportId: string,
): Promise<{ entries: AccessEntry[]; last: AccessReportDetail }> => {
  const entries: AccessEntry[] = [];
  for (let page = 1; ; page++) {
    const last = await readAccessReport(it.inTenant(tenantId, staff(tenantId)), scope, reportId, { page });
    entries.push(...last.entries);
    if (last.nextPage === null) return { entries, last };
  }
};
type Asked = Omit<NewPlatformAccessReport, "start" | "end" | "timeZone" | "tenantId">;
const reportOf = async (tenantId: string, asked: Asked, stops?: () => number): Promise<AccessEntry[]> => {
  const scope = ofTenant(tenantId);
  const { id } = await request(tenantId, scope, { ...asked, ...days() });
  await finish(scope, tenantId, id, stops);
  return (await pages(scope, tenantId, id)).entries;
};
const verify = async (tenantId: string, { callKey, verified }: Call): Promise<void> => {
  for (const patient of verified)
    await it.inTenant(tenantId, { kind: "api_key", id: "key", tenantId }).store.commit([], {
      category: "patient_access",
      action: "tool.verifyPatientIdentity",
      resourceType: "Patient",
      resourceId: patient,
      callKey,
      detail: { tool: "verifyPatientIdentity", fhirProviderId: ehr },
    });
};

test("each way to read or change a patient's data, before or after the caller is verified, is in the report of that patient and in no other", async () => {
  const names = Object.keys(ways);
  const act = fc.record({ way: fc.constantFrom(...names), call: fc.nat(7), tenant: fc.boolean() });
  const everyWay = fc.constant(names.map((way, at) => ({ way, call: at % 2 === 0 ? 0 : 2, tenant: true })));
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(everyWay, fc.array(act, { minLength: 1, maxLength: 25 })),
      fc.nat(4),
      fc.boolean(),
      async (acts, stop, late) => {
        const made = await Promise.all(
          ["P", "Q"].map((name) =>
            createTenant(it.platform(root), { name, contactEmail: `o@${newId()}.example`, organizationType: "clinic" }),
          ),
        );
        const tenants = made.map(({ id }) => id);
        const verified = [["anna"], ["bob"], ["anna", "bob"], []];
        const calls = await Promise.all(tenants.map((id) => Promise.all(verified.map((patients) => newCall(it, id, patients)))));
        const verifyAll = () => Promise.all(calls.map((its, at) => Promise.all(its.map((call) => verify(tenants[at] as string, call)))));
        if (!late) await verifyAll();
        const expected = new Map<string, Set<string>>();
        for (const { way, call, tenant } of acts) {
          const at = tenant ? 0 : 1;
          const tenantId = tenants[at] as string;
          const ctx = it.inTenant(tenantId, staff(tenantId));
          const patients = await ways[way]!({ calls: calls[at]! }, { ctx, call: calls[at]![call % 4]! });
          for (const patient of patients) {
            const of = `${tenantId}|${patient}`;
            expected.set(of, (expected.get(of) ?? new Set()).add(ctx.requestId));
          }
        }
        if (late) await verifyAll();
        const isOfTest = ({ action, actorKind }: AccessEntry) =>
          (action === "tool.verifyPatientIdentity" && actorKind === "api_key") || action.startsWith("accessReport.");
        for (const tenantId of tenants)
          for (const patientId of ["anna", "bob"]) {
            const stops = () => (stop === 0 ? Infinity : stop + 1);
            const entries = await reportOf(tenantId, { kind: "patient", patientId, fhirProviderId: ehr } as Asked, stops);
            const found = entries.filter((entry) => !isOfTest(entry)).map(({ requestId }) => requestId);
            expect(new Set(found)).toEqual(expected.get(`${tenantId}|${patientId}`) ?? new Set());
            expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
            expect(new Set(entries.flatMap((entry) => [entry.tenantId, ...entry.patientIds]))).toEqual(new Set([tenantId, patientId]));
          }
      },
    ),
    { numRuns: 20, examples: [[names.map((way) => ({ way, call: 0, tenant: true })), 2, true]] },
  );
}, 120_000);

test("an invocation that ends early is continued: the report is the same, in as many invocations as it takes, and only one continues it", async () => {
  const call = await newCall(it, one, ["anna"]);
  await verify(one, call);
  const { store } = it.inTenant(one, staff(one));
  for (let at = 0; at < 210; at++)
    await store.commit([], {
      category: "patient_access",
      action: "chart.read",
      resourceType: "Patient",
      resourceId: "anna",
      detail: { at },
    });
  const asked = { kind: "patient", patientId: "anna" } as Asked;
  const scope = ofTenant(one);
  const whole = await reportOf(one, asked);
  const { id } = await request(one, scope, { ...asked, ...days() });
  // Lambda may start the same job twice
  const invocations = await Promise.all([finish(scope, one, id, () => 1), finish(scope, one, id, () => 1)]);
  expect(Math.max(...invocations)).toBeGreaterThan(3);
  const { entries } = await pages(scope, one, id);
  const acts = (all: AccessEntry[]) => all.filter(({ action }) => !action.startsWith("accessReport.")).map((entry) => entry.id);
  expect(acts(entries)).toEqual(acts(whole));
  expect(acts(entries)).toHaveLength(211);
}, 60_000);

test("a report reads the archive where the table has lost rows, each once, and where a period is older than the table", async () => {
  const call = await newCall(it, one, ["anna"]);
  await verify(one, call);
  await readCall(it.inTenant(one, staff(one)), call.callKey);
  const { store } = it.inTenant(one);
  const system = it.platform({ kind: "system", id: "archive" });
  const read = async (): Promise<AuditRow[]> =>
    (
      await Promise.all(
        auditCategories.map((category) => store.query<AuditRow>(keys.tenantPartitions.audit(one, today().slice(0, 7), category))),
      )
    ).flatMap(({ rows }) => rows);
  const rows = await read();
  const old: AuditRow = {
    ...(rows.find(({ action }) => action === "call.read") as AuditRow),
    id: newId(Date.UTC(2016, 3)),
    at: "2016-04-01T00:00:00.000Z",
  };
  await archiveRows(
    system,
    "lane",
    [old, ...rows].map((row, at) => ({ position: String(at).padStart(40, "0"), tenantId: one, row })),
  );
  const lost = rows.find(({ action }) => action === "call.read") as AuditRow;
  await DynamoDBDocumentClient.from(new DynamoDBClient({})).send(
    new DeleteCommand({
      TableName: process.env["TABLE_NAME"],
      Key: { pk: keys.tenantPartitions.audit(one, today().slice(0, 7), lost.category), sk: lost.id },
    }),
  );
  const asked = { kind: "patient", patientId: "anna" } as Asked;
  const ids = async (): Promise<string[]> =>
    (await reportOf(one, asked)).filter(({ action }) => !action.startsWith("accessReport")).map(({ id }) => id);
  const present = rows.filter(({ resourceId, id }) => resourceId === "anna" && id !== lost.id).map(({ id }) => id);
  expect(await ids()).toEqual(present);
  await system.platform
    .inTenant(one)
    .writeUnaudited(update(keys.tenantChain(), { set: { verifiedRows: 9, intactRows: 8 } }, { exists: true }));
  expect((await ids()).toSorted()).toEqual([...present, lost.id].toSorted());
  const ofAll = platformAccessScope(it.platform(root));
  const userId = staff(one).id;
  await setTimeout(2);
  const wide = await startAccessReport(it.platform(root), ofAll, { kind: "user", userId, ...days() } as never);
  await finish(ofAll, undefined, wide.id);
  const { entries } = await readAccessReport(it.platform(root), ofAll, wide.id, { page: 1 });
  expect(entries.map(({ id }) => id)).toContain(lost.id);
  await system.platform.inTenant(one).writeUnaudited(update(keys.tenantChain(), { set: { intactRows: 9 } }, { exists: true }));
  const scope = ofTenant(one);
  const { id } = await request(one, scope, { ...asked, start: "2016-01-01", end: "2016-12-31", timeZone: "UTC" });
  await finish(scope, one, id);
  expect((await pages(scope, one, id)).entries.map((entry) => entry.id)).toEqual([old.id]);
}, 60_000);

test("the report of a user has everything that they did in the tenant, with the patients of the calls that they read, and the acts of no other user", async () => {
  const call = await newCall(it, one, ["anna", "bob"]);
  await readCall(it.inTenant(one, staff(one)), call.callKey);
  await readCall(it.inTenant(one, { kind: "user", id: "other", role: "tenant_admin", tenantId: one }), call.callKey);
  await it.inTenant(two, staff(one)).store.commit([], { category: "data_query", action: "audit.read", resourceType: "AuditLog" });
  await verify(one, call);
  const userId = `nurse-of-${one}`;
  const entries = await reportOf(one, { kind: "user", userId } as Asked, () => 2);
  expect(
    entries
      .filter(({ action }) => action !== "accessReport.request")
      .map(({ action, tenantId, patientIds }) => [action, tenantId, patientIds]),
  ).toEqual([["call.read", one, ["anna", "bob"]]]);
  expect(new Set(entries.map(({ actorId }) => actorId))).toEqual(new Set([userId]));
});

test("a report, each page and each file is audited as an access to the patient, and belongs to its tenant alone", async () => {
  const call = await newCall(it, one, ["anna"]);
  await verify(one, call);
  await it
    .inTenant(two)
    .store.commit([], { category: "patient_access", action: "tool.getPatientInfo", resourceType: "Patient", resourceId: "anna" });
  const scope = ofTenant(one);
  const asked = { kind: "patient", patientId: "anna", ...days() };
  const { id } = await request(one, scope, asked);
  await finish(scope, one, id);
  await readAccessReport(it.inTenant(one, staff(one)), scope, id, { page: 1 });
  await readAccessReport(it.inTenant(one, staff(one)), scope, id, { page: 1, download: "pdf" });
  await expect(readAccessReport(it.inTenant(two, staff(two)), ofTenant(two), id, { page: 1 })).rejects.toMatchObject({ code: "not_found" });
  await expect(readAccessReport(it.platform(root), platformAccessScope(it.platform(root)), id, { page: 1 })).rejects.toMatchObject({
    code: "not_found",
  });
  const next = await reportOf(one, { kind: "patient", patientId: "anna" } as Asked);
  expect(next.map(({ action }) => action)).toEqual([
    "tool.verifyPatientIdentity",
    "accessReport.request",
    "accessReport.read",
    "accessReport.download",
  ]);
  expect(new Set(next.map(({ tenantId }) => tenantId))).toEqual(new Set([one]));
});

test("the files have names and ids, of people, agents, calls and organization", async () => {
  const system = it.platform({ kind: "system", id: "seed" });
  const user = { id: newId(), email: "ana@clinic.example", firstName: "Ana", lastName: "Nurse", role: "tenant_admin", tenantId: one };
  await system.platform.commit([put(keys.userDirectory(user.id), user as never)], {
    category: "configuration_change",
    action: "user.create",
    resourceType: "User",
  });
  const call = await newCall(it, one, ["anna"]);
  await verify(one, call);
  await readCall(it.inTenant(one, { kind: "user", id: user.id, role: "tenant_admin", tenantId: one }), call.callKey);
  const scope = ofTenant(one);
  const { id } = await request(one, scope, { kind: "patient", patientId: "anna", ...days() });
  await finish(scope, one, id);
  const fileOf = async (download: "csv" | "pdf" | "json"): Promise<Buffer> => {
    const { url } = await readAccessReport(it.inTenant(one, staff(one)), scope, id, { page: 1, download });
    return Buffer.from(await (await fetch(url ?? "")).arrayBuffer());
  };
  const csv = (await fileOf("csv")).toString();
  const pdf = textsOfPdf(await fileOf("pdf")).join(" ");
  for (const text of ["Ana Nurse", user.id, "Front desk", "Clinic One", "API key of Clinic One", "anna"])
    for (const file of [csv, pdf]) expect(file).toContain(text);
  expect(csv).toContain(call.callKey);
  const entries = JSON.parse((await fileOf("json")).toString()) as AccessEntry[];
  expect(entries.slice(0, 2).map(({ action }) => action)).toEqual(["tool.verifyPatientIdentity", "call.read"]);
});
