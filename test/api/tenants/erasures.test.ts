import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import type { Json } from "../../kit/api.ts";
import { openApiTest, type Ask, type ApiTest, type DemoTenant } from "../../kit/api-test.ts";
import { openLine } from "../../kit/line.ts";
import { openTable } from "../../kit/store/table.ts";
import { afterAll, beforeAll, expect, test } from "vitest";

let apiTest: ApiTest;
let second: Ask;
beforeAll(async () => {
  apiTest = await openApiTest();
  const { email, password } = await apiTest.it.newUser();
  const token = await apiTest.it.tokenOf(email, password);
  second = (method, address, body, more = {}) =>
    apiTest.it.api(method, address, { token, ...(body === undefined ? {} : { body }), ...more });
});
afterAll(() => apiTest.close());

const words = "I was told to stop my blood thinner";
const conversation = async (
  tenant: DemoTenant,
  patientAt: number,
): Promise<{ callId: string; patientId: string; fhirProviderId: string }> => {
  const patient = apiTest.it.demo.patients[patientAt]!;
  const line = openLine(apiTest.it.api, tenant.apiKey, patient);
  const verified = await line.verify();
  expect(verified, verified.text).toMatchObject({ ok: true });
  const read = await line.useTool("getPatientInfo", {});
  expect(read, read.text).toMatchObject({ ok: true });
  const told = await apiTest.it.api("POST", "/api/vapi/server", {
    key: tenant.apiKey,
    body: {
      message: {
        type: "end-of-call-report",
        call: { id: line.callId },
        endedReason: "customer-ended-call",
        durationSeconds: 61,
        artifact: { transcript: words },
        analysis: { summary: words, successEvaluation: "true" },
      },
    },
  });
  expect(told.status).toBe(200);
  await apiTest.it.platform.cloud.drained();
  return { callId: line.callKey, patientId: patient.id, fhirProviderId: tenant.fhirProviderId };
};

const settled = async (id: string, status: string): Promise<Json> => {
  await apiTest.it.platform.cloud.drained();
  await expect.poll(async () => (await apiTest.root.ask("GET", `/api/admin/erasures/${id}`)).json.status, { timeout: 20_000 }).toBe(status);
  await apiTest.it.platform.cloud.drained();
  return (await apiTest.root.ask("GET", `/api/admin/erasures/${id}`)).json;
};
const auditsOf = async (tenantId: string): Promise<unknown[]> => {
  const table = openTable(apiTest.it.dataDir);
  const rows = await table.rows(`TENANT#${tenantId}#AUDIT#`);
  table.close();
  return rows.map(({ action }) => action);
};
const verify = async (): Promise<string> => {
  const cli = path.resolve(import.meta.dirname, "../../../functions/audit/verify-cli.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [cli], { env: { ...process.env, VITALINE_DATA: apiTest.it.dataDir } });
  return stdout;
};

test("C06: an erasure requested by one administrator and approved by another deletes a patient's words at one clinic, and the audit's check accepts it", async () => {
  const [one, two] = [await apiTest.it.newTenant(), await apiTest.it.newTenant()];
  const [first, again, other] = [await conversation(one, 0), await conversation(one, 0), await conversation(one, 1)];
  const elsewhere = await conversation(two, 0);
  const totals = async (tenant: DemoTenant): Promise<Json> => {
    const token = await apiTest.it.tokenOf(tenant.admin.email, tenant.admin.password);
    return (await apiTest.it.api("GET", "/api/tenant/dashboard/metrics?timeRange=all", { token })).json;
  };
  const before = await totals(one);

  const { patientId, fhirProviderId } = first;
  const asked = await apiTest.root.ask("POST", `/api/admin/tenants/${one.id}/erasures`, {
    ...{ kind: "patient", patientId, fhirProviderId, reason: "patient_request" },
  });
  expect(asked).toMatchObject({ status: 202, json: { status: "waiting", kind: "patient", requestedBy: apiTest.root.id } });
  const { id } = asked.json;
  expect((await apiTest.root.ask("GET", `/api/admin/erasures/${id}?withCopy=true`)).json).toMatchObject({ copy: null, copyUrls: null });
  expect(JSON.stringify((await apiTest.root.ask("GET", "/api/admin/erasures")).json)).not.toContain(patientId);

  expect(await apiTest.root.ask("POST", `/api/admin/erasures/${id}/approve`)).toMatchObject({ status: 422, json: { code: "not_doable" } });
  expect((await apiTest.one.ask("POST", `/api/admin/erasures/${id}/approve`)).status).toBe(403);
  expect((await second("GET", `/api/admin/erasures/${id}?withSubject=true`)).json).toMatchObject({ patientId });
  expect((await second("POST", `/api/admin/erasures/${id}/approve`)).status).toBe(200);
  const done = await settled(id, "done");
  expect(done.erased).toMatchObject({ calls: 2, files: 2 });
  expect(done.certificate.jws.split(".")).toHaveLength(3);
  expect(done.copy.lines).toBeGreaterThan(5);
  const { copyUrls } = (await apiTest.root.ask("GET", `/api/admin/erasures/${id}?withCopy=true`)).json;
  const copy = await (await fetch(copyUrls[0])).text();
  expect(copy).toContain(words);
  expect(copy.trim().split("\n")).toHaveLength(done.copy.lines);

  const token = await apiTest.it.tokenOf(one.admin.email, one.admin.password);
  const call = (callId: string) => apiTest.it.api("GET", `/api/tenant/calls/${callId}`, { token });
  expect([(await call(first.callId)).status, (await call(again.callId)).status, (await call(other.callId)).status]).toEqual([
    404, 404, 200,
  ]);
  const listed = (await apiTest.it.api("GET", "/api/tenant/calls", { token })).json as { id: string }[];
  expect(listed.map((row) => row.id)).toEqual([other.callId]);
  expect(await totals(one)).toEqual(before);
  const foreign = await apiTest.it.tokenOf(two.admin.email, two.admin.password);
  expect((await apiTest.it.api("GET", `/api/tenant/calls/${elsewhere.callId}`, { token: foreign })).json.summary).toBe(words);
  expect(await verify()).toMatch(/^erasures +\d+ +\d+ +intact$/m);
});

test("A05: an erasure by medical record number and birth date finds and deletes approved proxies, of its own clinic alone", async () => {
  const [one, two] = [await apiTest.it.newTenant(), await apiTest.it.newTenant()];
  const { patientId, fhirProviderId } = await conversation(one, 3);
  const people = {
    ...{ name: "Nora Sample", phone: "617 555 0181", patientFirstName: "Robin", patientLastName: "Sample" },
    ...{ patientBirthDate: "2017-03-04", medicalRecordNumber: "MRN 4-711" },
  };
  const validUntil = new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10);
  const approved = async (tenant: DemoTenant, medicalRecordNumber: string) => {
    const token = await apiTest.it.tokenOf(tenant.admin.email, tenant.admin.password);
    const body = { people: { ...people, medicalRecordNumber }, relationship: "parent", scope: "all", validUntil };
    expect((await apiTest.it.api("POST", "/api/tenant/proxies", { token, body })).status).toBe(201);
    return async () => ((await apiTest.it.api("GET", "/api/tenant/proxies", { token })).json as unknown[]).length;
  };
  const [left, others] = [await approved(one, people.medicalRecordNumber), await approved(two, people.medicalRecordNumber)];
  await approved(one, "4712");
  const asked = await apiTest.root.ask("POST", `/api/admin/tenants/${one.id}/erasures`, {
    ...{ kind: "patient", patientId, fhirProviderId, reason: "patient_request" },
    ...{ medicalRecordNumber: "mrn4711", birthDate: people.patientBirthDate },
  });
  expect(asked.status).toBe(202);
  expect((await second("POST", `/api/admin/erasures/${asked.json.id}/approve`)).status).toBe(200);
  await settled(asked.json.id, "done");
  expect([await left(), await others()]).toEqual([1, 1]);
});

test("C06: all data of a clinic's call is gone from the table and the bucket", async () => {
  const one = await apiTest.it.newTenant();
  const { callId } = await conversation(one, 2);
  const asked = await apiTest.root.ask("POST", `/api/admin/tenants/${one.id}/erasures`, {
    kind: "call",
    callId,
    reason: "recorded_in_error",
  });
  await second("POST", `/api/admin/erasures/${asked.json.id}/approve`);
  await settled(asked.json.id, "done");
  const table = openTable(apiTest.it.dataDir);
  const left = await table.rows(`TENANT#${one.id}#CALL#${callId}`);
  table.close();
  expect(left.map(({ sk }) => sk)).toEqual(["CALL"]);
  expect(Object.keys(left[0] ?? {}).toSorted()).toEqual(
    [
      ...["callKey", "day", "endSeenAt", "cutShort", "durationSeconds", "erasedAt", "erasureId", "hasSignals", "expiresAt", "forwarded"],
      ...["gsi1pk", "gsi1sk", "helped", "keptFrom"],
      ...["pk", "platform", "rank", "sk", "startedAt", "status", "success", "version"],
    ].toSorted(),
  );
  const audits = await auditsOf(one.id);
  for (const verb of ["request", "writeCopy", "approve", "begin", "erase", "done"]) expect(audits).toContain(`erasure.${verb}`);
});

test("C06: a request is refused at its field when it names another tenant's resource", async () => {
  const [one, two] = apiTest.tenants;
  const request = (body: object) => apiTest.root.ask("POST", `/api/admin/tenants/${one.id}/erasures`, body);
  const reason = "other";
  expect(await request({ kind: "call", callId: "0".repeat(40), reason })).toMatchObject({
    status: 400,
    json: { fields: { callId: expect.any(String) } },
  });
  expect(await request({ kind: "patient", fhirProviderId: "0".repeat(26), patientId: "x", reason })).toMatchObject({ status: 400 });
  expect(await request({ kind: "tenant", confirmName: two.name, reason })).toMatchObject({
    status: 400,
    json: { fields: { confirmName: expect.any(String) } },
  });
  expect(await request({ kind: "tenant", confirmName: one.name, reason })).toMatchObject({ status: 422 });
});
