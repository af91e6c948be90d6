import { contract } from "@vitaline/contract";
import { afterAll, beforeAll, expect } from "vitest";
import { selfSigned } from "../../kit/certificate.ts";
import type { Json } from "../../kit/api.ts";
import { readRows } from "../../kit/store/table.ts";
import { isInstant, unknownId, openApiTest, withHeader, type ApiTest } from "../../kit/api-test.ts";
import { proves } from "../../requirements/proves.ts";
import { startSecretEhr, type SecretEhr } from "../../kit/secret-ehr.ts";

let apiTest: ApiTest;
let ehr: SecretEhr;
beforeAll(async () => {
  apiTest = await openApiTest({ own: true });
  ehr = await startSecretEhr(apiTest.it.reachable);
});
afterAll(async () => {
  await apiTest?.close();
  await ehr?.close();
});

const list = "/api/admin/fhir/providers";
const jwks = "/.well-known/jwks.json";
const add = async (change: object = {}): Promise<Json> => {
  const { client, r4 } = apiTest.it.platform.sandbox;
  const body = { name: "Sandbox again", providerType: "custom", ...r4, clientId: client.id, scopes: client.scopes, ...change };
  const { status, json, text } = await apiTest.root.ask("POST", list, body);
  expect([status, text]).toEqual([201, expect.any(String)]);
  return json;
};
const withSecret = (change: object = {}) => add({ ...ehr.r4, clientId: "our-client", clientSecret: "a-secret-4444", ...change });
const tried = (id: string, patientId: unknown) => apiTest.root.ask("POST", `${list}/${id}/test`, { patientId });
const health = async (): Promise<Json[]> => (await apiTest.root.ask("GET", "/api/admin/fhir/health-status")).json.providers;
const patientAtEhr = async () => {
  const { id, given, family, birthDate } = apiTest.it.demo.patients[0]!;
  const { gender } = (await (await fetch(`${apiTest.it.demo.ehr.r4.baseUrl}/Patient/${id}`)).json()) as { gender: string };
  return { id, name: expect.stringMatching(new RegExp(`${given}.* ${family}`)), birthDate, gender };
};

proves("D2.3-018", async () => {
  const { id } = await add();
  const patient = await patientAtEhr();
  const good = await tried(id, patient.id);
  expect([good.status, good.headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(good.json).toEqual({
    success: true,
    message: "Connection Test Successful: FHIR provider is working correctly.",
    error: null,
    details: expect.any(Array),
    patientData: patient,
    toolsNotAllowed: [],
  });
  const bad = (await tried(id, "unknown-patient")).json;
  expect(bad).toEqual({
    success: false,
    message: expect.stringMatching(/\w/),
    error: expect.stringMatching(/\w/),
    details: expect.any(Array),
    patientData: null,
    toolsNotAllowed: [],
  });
  expect(bad.details.at(-1)).toMatchObject({ step: "patient", ok: false });
});

proves("D2.7-027", async () => {
  const [works, broken] = [await add(), await withSecret({ baseUrl: `${ehr.origin}/nowhere` })];
  const patient = await patientAtEhr();
  expect((await tried(works.id, patient.id)).json).toMatchObject({ success: true, patientData: patient, error: null });
  expect((await tried(broken.id, patient.id)).json).toMatchObject({ success: false, patientData: null, error: expect.any(String) });
  const narrow = await add({ scopes: "system/Patient.rs" });
  const { success, toolsNotAllowed } = (await tried(narrow.id, patient.id)).json;
  expect([success, toolsNotAllowed.includes("scheduleAppointment"), toolsNotAllowed.includes("getPatientInfo")]).toEqual([
    true,
    true,
    false,
  ]);
  const secretly = await withSecret();
  expect((await tried(secretly.id, "p1")).json.patientData).toEqual({
    id: "p1",
    name: "Sam Secret",
    birthDate: "1980-02-03",
    gender: "male",
  });
  expect((await tried(unknownId, patient.id)).status).toBe(404);
  expect((await apiTest.one.ask("POST", `${list}/${works.id}/test`, { patientId: patient.id })).status).toBe(403);
});

proves("D2.5-026", async ({ quoted, sees }) => {
  const { id } = await add();
  for (const patientId of ["", "  ", null, undefined]) {
    const { status, json } = await tried(id, patientId);
    expect([patientId, status, json.error, json.fields]).toEqual([patientId, 400, quoted[0], { patientId: quoted[0] }]);
    sees(json.error);
  }
});

proves("D2.3-019", async () => {
  const notAfter = new Date("2031-05-06T07:08:09.000Z");
  const { certificate, privateKey } = selfSigned("ehr.example", { notAfter });
  const never = await add({ name: "Never checked" });
  const well = await withSecret({ name: "Well", certificateData: certificate, privateKey });
  const ill = await withSecret({ name: "Ill", baseUrl: `${ehr.origin}/nowhere` });
  for (const { id } of [well, ill]) await apiTest.root.ask("POST", `${list}/${id}/check`);
  const found = await health();
  const of = (id: string) => found.find((row) => row.id === id);
  const { baseUrl } = apiTest.it.platform.sandbox.r4;
  expect(of(never.id)).toEqual({
    id: never.id,
    name: "Never checked",
    endpoint: baseUrl,
    status: "unknown",
    lastChecked: null,
    certificateExpiry: null,
    history: [],
  });
  expect(of(well.id)).toMatchObject({
    ...{ id: well.id, name: "Well", endpoint: ehr.r4.baseUrl, status: "healthy", lastChecked: isInstant },
    certificateExpiry: notAfter.toISOString(),
  });
  expect(of(ill.id)).toMatchObject({ name: "Ill", endpoint: `${ehr.origin}/nowhere`, status: "unhealthy", lastChecked: isInstant });
});

proves("D2.7-028", async () => {
  const { id } = await withSecret({ name: "Watched" });
  const status = async () => (await health()).find((row) => row.id === id)?.status;
  const answer = await apiTest.root.ask("GET", "/api/admin/fhir/health-status");
  expect([answer.status, Object.keys(answer.json)]).toEqual([200, ["providers"]]);
  expect(answer.json.providers.map((row: Json) => row.id).toSorted()).toEqual(
    (await apiTest.root.ask("GET", list)).json.map((row: Json) => row.id).toSorted(),
  );
  expect(await status()).toBe("unknown");
  expect(contract.fhir.fhirHealthStatus.activity).toBe(false);
  await apiTest.it.platform.cloud.runScheduled("health");
  expect(await status()).toBe("healthy");
  expect((await apiTest.one.ask("GET", "/api/admin/fhir/health-status")).status).toBe(403);
});

const connected = async () => {
  const tenant = await apiTest.newTenant();
  const office = (await apiTest.root.ask("POST", `/api/admin/tenants/${tenant.id}/offices`, { name: "Branch" })).json;
  const [own, branch, foreign] = [
    await add({ name: "Ours" }),
    await withSecret({ name: "Branch's", fhirVersion: "STU3" }),
    await add({ name: "Not ours" }),
  ];
  await apiTest.root.ask("PUT", `/api/admin/tenants/${tenant.id}/fhir-provider`, { fhirProviderId: own.id });
  await apiTest.root.ask("PUT", `/api/admin/tenants/${tenant.id}/offices/${office.id}/fhir-provider`, { fhirProviderId: branch.id });
  return { own, branch, foreign, admin: await apiTest.newAdmin(tenant.id) };
};
const dashboard = "/api/tenant/dashboard/fhir-providers";
proves("D1.3-010", async () => {
  const { own, branch, admin } = await connected();
  const { status, json } = await admin.ask("GET", dashboard);
  expect(status).toBe(200);
  expect(json).toMatchObject([
    {
      ...{ id: own.id, providerName: "Ours", providerType: "custom", fhirVersion: "R4", authMethod: "certificate" },
      ...{ baseUrl: apiTest.it.platform.sandbox.r4.baseUrl, isActive: true },
    },
    {
      ...{ id: branch.id, providerName: "Branch's", providerType: "custom", fhirVersion: "STU3", authMethod: "oauth2" },
      ...{ baseUrl: ehr.r4.baseUrl, isActive: true },
    },
  ]);
});
proves("D1.7-014", async () => {
  const { own, branch, foreign, admin } = await connected();
  const ids = (await admin.ask("GET", dashboard)).json.map((row: Json) => row.id);
  expect(ids).toEqual([own.id, branch.id]);
  expect(ids).not.toContain(foreign.id);
  expect((await apiTest.two.ask("GET", dashboard)).json.map((row: Json) => row.id)).toEqual([apiTest.tenants[1].fhirProviderId]);
  expect((await apiTest.root.ask("GET", dashboard)).status).toBe(403);
});

proves("D2.4-008", async ({ sees }) => {
  for (const [scopes, access] of [
    ["patient/*.read user/*.read", "Read Only"],
    ["system/Patient.read", "Read Only"],
    ["system/Patient.read system/Appointment.write", "Read/Write"],
    ["user/*.write", "Read/Write"],
  ] as const) {
    const { id } = await add({ scopes });
    const shown = (await apiTest.root.ask("GET", list)).json.find((row: Json) => row.id === id);
    expect([scopes, shown.access]).toEqual([scopes, access]);
    sees(shown.access);
    sees(shown.scopes);
  }
});
proves("D2.4-009", async () => {
  for (const [scopes, count] of [
    ["system/Patient.read", 1],
    ["system/Patient.read user/Patient.write", 1],
    ["system/Patient.read system/Slot.read patient/Appointment.write", 3],
    ["patient/*.read user/*.read", 1],
  ] as const) {
    const { id } = await add({ scopes });
    expect((await apiTest.root.ask("GET", list)).json.find((row: Json) => row.id === id)).toMatchObject({ scopes, resourceCount: count });
  }
});

const keySet = async (): Promise<Json[]> => (await apiTest.asAnonymous("GET", jwks)).json.keys;
const generate = (body: unknown) => apiTest.root.ask("POST", "/api/admin/platform/jwk/generate", body);
proves("D2.2-004", async () => {
  const { status, json, headers } = await apiTest.asAnonymous("GET", jwks);
  expect([status, headers.get("content-type")]).toEqual([200, expect.stringContaining("json")]);
  expect(json.keys.length).toBeGreaterThan(0);
  // The EHR accepts only signatures by the private key of this set
  const { id } = await add();
  expect((await tried(id, apiTest.it.demo.patients[0]?.id)).json.success).toBe(true);
});
proves("D2.6-006", async () => {
  const open = await apiTest.asAnonymous("GET", jwks);
  expect([open.status, open.headers.get("www-authenticate")]).toEqual([200, null]);
  expect((await withHeader(apiTest.it.origin, jwks, "Authorization: Bearer nonsense")).status).toBe(200);
});
proves("D2.3-017", async () => {
  const { json } = await apiTest.asAnonymous("GET", jwks);
  expect(Object.keys(json)).toEqual(["keys"]);
  for (const key of json.keys) {
    expect(key).toMatchObject({ kid: expect.stringMatching(/^[\w-]{9,}$/), alg: expect.stringMatching(/^RS\d{3}$/), kty: "RSA" });
    for (const secret of ["d", "p", "q", "dp", "dq", "qi"]) expect(key).not.toHaveProperty(secret);
  }
});
proves("D2.7-029", async () => {
  const keys = await keySet();
  for (const key of keys) expect(key).toMatchObject({ kid: expect.any(String), alg: expect.any(String), kty: "RSA" });
  expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length);
  expect(keys[0]?.alg).toBe("RS256");
});
proves("D2.7-030", async () => {
  const before = (await keySet()).map(({ kid }) => kid);
  const { status, json } = await generate({ algorithm: "RS256" });
  expect([status, before.includes(json.kid)]).toEqual([201, false]);
  const after = (await keySet()).map(({ kid }) => kid);
  expect(after).toEqual(expect.arrayContaining([...before, json.kid]));
  expect((await apiTest.one.ask("POST", "/api/admin/platform/jwk/generate", { algorithm: "RS256" })).status).toBe(403);
  expect((await apiTest.asAnonymous("POST", "/api/admin/platform/jwk/generate", { algorithm: "RS256" })).status).toBe(401);
  expect(JSON.stringify(await readRows(apiTest.it.dataDir))).not.toContain("PRIVATE KEY");
});
proves("D2.9-007", async () => {
  for (const algorithm of ["RS384", "ES256", "rs256", "", undefined])
    expect(await generate({ algorithm })).toMatchObject({ status: 400, json: { fields: { algorithm: expect.stringContaining("RS256") } } });
  const { json } = await generate({ algorithm: "RS256" });
  expect((await keySet()).find(({ kid }) => kid === json.kid)?.alg).toBe("RS256");
  const shown = (await apiTest.root.ask("GET", "/api/admin/platform/keys")).json;
  expect(shown.find(({ kid }: Json) => kid === json.kid)).toMatchObject({ alg: "RS256", kid: expect.stringMatching(/^.{8}.+$/) });
});
