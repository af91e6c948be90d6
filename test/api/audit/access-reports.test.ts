import type { AccessReport, AccessReportDetail, FoundPatient, ListedAccessReport } from "@vitaline/contract";
import { utcDate } from "@vitaline/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tenantAt } from "../calls/main-job.ts";
import type { Asking } from "../../kit/api.ts";
import { openLine } from "../../kit/line.ts";
import { sharedPlatform, type TestPlatform } from "../../kit/platform.ts";

/** Of this file alone, since other files lock or erase theirs. */
const ownPatient = 4;

let it: TestPlatform;
let root: Asking;
let one: Asking;
let two: Asking;
beforeAll(async () => {
  it = await sharedPlatform({ voices: true, calls: true });
  const session = async ({ email, password }: { email: string; password: string }) => ({ token: await it.tokenOf(email, password) });
  root = await session(it.demo.systemAdmin);
  one = await session(tenantAt(it, 0).admin);
  two = await session(tenantAt(it, 1).admin);
});
afterAll(() => it.close());

const tenantPath = "/api/tenant/audit/access-reports";
const adminPath = "/api/admin/audit/access-reports";
const days = () => ({ start: utcDate(Date.now() - 86_400_000), end: utcDate(new Date()), timeZone: "UTC" });
const report = async (asking: Asking, body: object, path = tenantPath): Promise<AccessReportDetail> => {
  const asked = await it.api<AccessReport>("POST", path, { ...asking, body: { ...body, ...days() } });
  if (asked.status !== 202) throw new Error(`${path}: ${asked.status} ${asked.text}`);
  await it.platform.cloud.drained();
  const { json } = await it.api<AccessReportDetail>("GET", `${path}/${asked.json.id}`, asking);
  if (json.state !== "ready") throw new Error(`The report is ${json.state}`);
  return json;
};
const patient = () => it.demo.patients[ownPatient]!;
const callWith = async (tenant: number): Promise<string> => {
  const line = openLine(it.api, tenantAt(it, tenant).apiKey, patient());
  const { given, family, birthDate, phone } = patient();
  const claim = { firstName: given, lastName: family, dateOfBirth: birthDate, phoneNumber: phone };
  expect(await line.useTool("verifyPatientIdentity", claim)).toMatchObject({ ok: true });
  expect(await line.useTool("getPatientInfo", {})).toMatchObject({ ok: true });
  await it.platform.cloud.drained();
  return line.callKey;
};

test("a person who read a call and one who looked the chart up are in the patient's report, with the agent, for their own clinic alone", async () => {
  const callKey = await callWith(0);
  await callWith(1);
  const { family, birthDate, mrn } = patient();
  const found = await it.api<FoundPatient[]>("POST", "/api/tenant/patients/search", { ...one, body: { medicalRecordNumber: mrn } });
  expect(found.json.map(({ patientId }) => patientId)).toContain(patient().id);
  const byName = await it.api<FoundPatient[]>("POST", "/api/tenant/patients/search", { ...two, body: { familyName: family, birthDate } });
  expect(byName.json).toContainEqual(expect.objectContaining({ patientId: patient().id, birthDate }));
  expect((await it.api("GET", `/api/tenant/calls/${callKey}`, one)).status).toBe(200);

  const { entries, ...rest } = await report(one, { kind: "patient", patientId: patient().id });
  expect(rest).toMatchObject({ kind: "patient", patientId: patient().id, tenantId: tenantAt(it, 0).id });
  const told = entries.map(({ action, actorKind, callId }) => [action, actorKind, callId]);
  expect(told).toEqual(
    expect.arrayContaining([
      ["tool.verifyPatientIdentity", "api_key", callKey],
      ["tool.getPatientInfo", "api_key", callKey],
      ["patient.search", "user", null],
      ["call.read", "user", callKey],
    ]),
  );
  expect(entries.find(({ action }) => action === "call.read")).toMatchObject({
    actorName: expect.any(String),
    change: false,
    what: expect.stringMatching(/transcript/),
  });
  expect(new Set(entries.map(({ tenantId }) => tenantId))).toEqual(new Set([tenantAt(it, 0).id]));

  const [reader] = entries.filter(({ action }) => action === "call.read");
  const person = await report(one, { kind: "user", userId: reader!.actorId });
  expect(person.entries.filter(({ action }) => action === "call.read")).toContainEqual(
    expect.objectContaining({ callId: callKey, patientIds: [patient().id] }),
  );
  const log = await it.api("GET", `/api/tenant/dashboard/audit-logs?resource=${callKey}&timeRange=24hours`, one);
  expect(log.json.map(({ action }: { action: string }) => action)).toEqual(expect.arrayContaining(["call.read", "tool.getPatientInfo"]));
});

test("the platform's report of a clinic's patient is in that clinic's log; it needs the clinic, and is no tenant's", async () => {
  await callWith(1);
  const tenantId = tenantAt(it, 1).id;
  const asked = { kind: "patient", patientId: patient().id };
  expect((await it.api("POST", adminPath, { ...root, body: { ...asked, ...days() } })).status).toBe(400);
  expect((await it.api("POST", adminPath, { ...root, body: { ...asked, ...days(), tenantId: "0".repeat(26) } })).status).toBe(404);
  const { id, entries } = await report(root, { ...asked, tenantId }, adminPath);
  expect(entries.map(({ action }) => action)).toContain("tool.getPatientInfo");
  expect(new Set(entries.map((entry) => entry.tenantId))).toEqual(new Set([tenantId]));
  for (const asking of [one, two]) expect((await it.api("GET", `${tenantPath}/${id}`, asking)).status).toBe(404);
  const own = await report(two, asked);
  expect(own.entries.map(({ action }) => action)).toContain("accessReport.request");
});

test("the files are downloaded by a link, and no address names the patient", async () => {
  const { id } = await report(one, { kind: "patient", patientId: patient().id });
  for (const download of ["csv", "pdf", "json"]) {
    const { json } = await it.api<AccessReportDetail>("GET", `${tenantPath}/${id}?download=${download}`, one);
    expect(json.url).not.toContain(patient().id);
    expect((await fetch(json.url ?? "")).status).toBe(200);
  }
});

test("a report is listed for its own clinic alone, with who asked, and people are chosen by name", async () => {
  const { admin } = tenantAt(it, 0);
  const people = await it.api("GET", "/api/tenant/audit/people", one);
  const me = people.json.find(({ email }: { email: string }) => email === admin.email);
  const { id } = await report(one, { kind: "user", userId: me.id });
  const { json } = await it.api<ListedAccessReport[]>("GET", tenantPath, one);
  const listed = json.find((report) => report.id === id);
  expect(listed).toMatchObject({ state: "ready", userId: me.id, userName: me.name, requestedBy: me.id, requestedByName: me.name });
  for (const [path, asking] of [
    [tenantPath, two],
    [adminPath, root],
  ] as const)
    expect((await it.api<ListedAccessReport[]>("GET", path, asking)).json.map((other) => other.id)).not.toContain(id);
});

test("a search without a name or number, and days that end before they begin, name the field", async () => {
  const search = async (body: object) => (await it.api("POST", "/api/tenant/patients/search", { ...one, body })).json.fields;
  expect(Object.keys(await search({}))).toEqual(["familyName"]);
  expect(Object.keys(await search({ familyName: "Ruiz" }))).toEqual(["birthDate"]);
  const refused = await it.api("POST", tenantPath, {
    ...one,
    body: { kind: "patient", patientId: "p", start: "2026-02-01", end: "2026-01-01", timeZone: "UTC" },
  });
  expect(Object.keys(refused.json.fields)).toEqual(["start"]);
});
