import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect } from "vitest";
import type { Json } from "../../kit/api.ts";
import { details, isId, isInstant, unknownId, openApiTest, type Ask, type ApiTest } from "../../kit/api-test.ts";
import { readRows } from "../../kit/store/table.ts";
import { proves } from "../../requirements/proves.ts";

let apiTest: ApiTest;
beforeAll(async () => {
  apiTest = await openApiTest();
});
afterAll(() => apiTest?.close());

const isKey = expect.stringMatching(/^vtl_live_\w{20,}$/);
const office = (change: object = {}) => ({
  name: `Office ${randomUUID().slice(0, 8)}`,
  address: "2 Side St",
  phone: "555 0101",
  email: "o@desk.example",
  isActive: true,
  ...change,
});
const at = ({ id }: { id: string }) => `/api/admin/tenants/${id}`;
const made = async (path: string, body: object, ask: Ask = apiTest.root.ask): Promise<Json> => {
  const { status, json, text } = await ask("POST", path, body);
  expect([path, status, text]).toEqual([path, 201, expect.any(String)]);
  return json;
};
const read = async (path: string, ask: Ask = apiTest.root.ask): Promise<Json> => {
  const { status, json, text } = await ask("GET", path);
  expect([path, status, text]).toEqual([path, 200, expect.any(String)]);
  return json;
};
const takes = (key: string) =>
  Promise.all(
    ["tool-call", "server", "call-summary"].map(async (address) => {
      const message = { type: "status-update", status: "in-progress", call: { id: "key-test" } };
      return (await apiTest.it.api("POST", `/api/vapi/${address}`, { key, body: { message } })).status;
    }),
  );
const usual = {
  defaultMethod: "email",
  emailEnabled: true,
  smsEnabled: true,
  phoneEnabled: true,
  businessHours: { start: "09:00", end: "17:00", timezone: "America/New_York" },
};
const savePreferences = (tenant: { id: string }, body: object) => apiTest.root.ask("PUT", `${at(tenant)}/contact-preferences`, body);
const tenantKinds = ["hospital", "clinic", "private_practice", "urgent_care", "specialty_center", "telehealth"];

proves("D1.1-002", async () => {
  for (const organizationType of tenantKinds) {
    const { id } = await apiTest.newTenant({ organizationType });
    expect(await read(at({ id }))).toMatchObject({ organizationType });
  }
  const { status, json } = await apiTest.root.ask("POST", "/api/admin/tenants", details({ organizationType: "spa" }));
  expect([status, Object.keys(json.fields)]).toEqual([400, ["organizationType"]]);
});

proves("D2.3-003", async () => {
  const tenant = await apiTest.newTenant();
  for (const organizationType of tenantKinds)
    expect(await apiTest.root.ask("PUT", at(tenant), details({ organizationType, isActive: true }))).toMatchObject({
      status: 200,
      json: { organizationType },
    });
  for (const organizationType of ["Hospital", "specialty_centre", "", 1])
    expect((await apiTest.root.ask("POST", "/api/admin/tenants", details({ organizationType }))).status).toBe(400);
});

proves("D2.3-002", async () => {
  const body = details({ organizationType: "telehealth" });
  const { id, apiKey } = await apiTest.newTenant(body);
  const shown = await read(at({ id }));
  expect(shown).toMatchObject({ ...body, id, isActive: true, createdAt: isInstant, apiKey });
  const { fhirProviderId } = apiTest.tenants[0];
  expect((await apiTest.root.ask("PUT", `${at({ id })}/fhir-provider`, { fhirProviderId })).status).toBe(200);
  const ofTenant = (await read("/api/admin/fhir/assignments")).find((row: Json) => row.tenantId === id);
  expect(ofTenant).toMatchObject({ defaultFhirProvider: { name: "Sandbox EHR" } });
  expect(await read(at({ id }))).toMatchObject({ defaultFhirProvider: { id: fhirProviderId, name: "Sandbox EHR" } });
});

proves("D2.7-004", async () => {
  const [first, second] = [await apiTest.newTenant(), await apiTest.newTenant({ organizationType: "hospital" })];
  const list = await read("/api/admin/tenants");
  for (const { apiKey: _key, ...tenant } of [first, second]) expect(list).toContainEqual(tenant);
  expect(list.find(({ id }: Json) => id === second.id)).toMatchObject({ id: isId, name: second.name, organizationType: "hospital" });
  expect(JSON.stringify(list)).not.toContain("vtl_live_");
  expect((await apiTest.one.ask("GET", "/api/admin/tenants")).status).toBe(403);
});

proves("D2.7-005", async () => {
  const body = details({ organizationType: "private_practice" });
  const { status, json, headers } = await apiTest.root.ask("POST", "/api/admin/tenants", body);
  expect([status, headers.get("cache-control")]).toEqual([201, "no-store"]);
  expect(json).toMatchObject({ ...body, id: isId, isActive: true, createdAt: isInstant, apiKey: isKey });
  expect(await read(at(json))).toMatchObject(body);
  expect(await takes(json.apiKey)).toEqual([200, 200, 200]);
  expect((await apiTest.root.ask("POST", "/api/admin/tenants")).status).toBe(400);
});

proves("D2.7-006", async () => {
  const body = details();
  const tenant = await apiTest.newTenant(body);
  const { status, json, headers } = await apiTest.root.ask("GET", at(tenant));
  expect([status, headers.get("cache-control"), headers.get("etag")]).toEqual([200, "no-store", '"1"']);
  expect(json).toMatchObject({ ...tenant, ...body, contactPreferences: usual, defaultFhirProvider: null });
  const audited = await readRows(apiTest.it.dataDir, `TENANT#${tenant.id}#AUDIT#`);
  expect(audited.filter(({ action }) => action === "apiKey.reveal")).toMatchObject([{ actorKind: "user" }]);
  for (const id of [unknownId, "x"]) expect((await apiTest.root.ask("GET", at({ id }))).status).toBe(404);
  expect((await apiTest.one.ask("GET", at(apiTest.tenants[0]))).status).toBe(403);
});

proves("D2.7-007", async () => {
  const [tenant, other] = [await apiTest.newTenant(), await apiTest.newTenant()];
  const body = details({
    name: "Renamed",
    organizationType: "urgent_care",
    contactEmail: "new@desk.example",
    contactPhone: "555 0199",
    address: "9 New St",
    description: "Moved",
    isActive: false,
  });
  expect(await apiTest.root.ask("PUT", at(tenant), body)).toMatchObject({ status: 200, json: body });
  expect(await read(at(tenant))).toMatchObject({ ...body, createdAt: tenant.createdAt });
  const cleared = await apiTest.root.ask("PUT", at(tenant), { ...body, contactPhone: "", address: null });
  expect(cleared.json).toMatchObject({ contactPhone: null, address: null, description: "Moved", version: 3 });
  expect(cleared.json).not.toHaveProperty("apiKey");
  expect(await takes(tenant.apiKey)).toEqual([403, 403, 403]);
  expect(await apiTest.root.ask("PUT", at(tenant), { ...body, isActive: true })).toMatchObject({ json: { isActive: true } });
  expect(await takes(tenant.apiKey)).toEqual([200, 200, 200]);
  expect(await read(at(other))).toMatchObject({ name: other.name, isActive: true });
});

proves("D2.7-008", async () => {
  const tenant = await apiTest.newTenant();
  const { status, json, headers } = await apiTest.root.ask("POST", `${at(tenant)}/regenerate-api-key`);
  expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(json).toEqual({ apiKey: isKey });
  expect(json.apiKey).not.toBe(tenant.apiKey);
  expect((await read(at(tenant))).apiKey).toBe(json.apiKey);
});

proves("D2.4-014", async () => {
  const [tenant, other] = [await apiTest.newTenant(), await apiTest.newTenant()];
  expect(await takes(tenant.apiKey)).toEqual([200, 200, 200]);
  const { apiKey } = (await apiTest.root.ask("POST", `${at(tenant)}/regenerate-api-key`, {})).json;
  expect(await takes(tenant.apiKey)).toEqual([401, 401, 401]);
  expect(await takes(apiKey)).toEqual([200, 200, 200]);
  expect(await takes(other.apiKey)).toEqual([200, 200, 200]);
});

proves("D1.7-009", async () => {
  const tenant = await apiTest.newTenant();
  const admin = await apiTest.newAdmin(tenant.id);
  const { status, json } = await admin.ask("POST", "/api/tenant/regenerate-api-key", {});
  expect([status, json]).toEqual([200, { apiKey: isKey }]);
  expect(json.apiKey).not.toBe(tenant.apiKey);
  expect([await takes(tenant.apiKey), await takes(json.apiKey)]).toEqual([
    [401, 401, 401],
    [200, 200, 200],
  ]);
  expect((await read("/api/tenant/info", admin.ask)).apiKey).toBe(json.apiKey);
});

const isInfo = async () => {
  const tenant = await apiTest.newTenant({ name: "Seen from inside" });
  const admin = await apiTest.newAdmin(tenant.id);
  const { status, json, headers } = await admin.ask("GET", "/api/tenant/info");
  expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(json).toMatchObject({ apiKey: tenant.apiKey, isActive: true, organizationName: "Seen from inside", createdAt: tenant.createdAt });
  return admin;
};
proves("D1.3-005", async () => void (await isInfo()));
proves("D1.7-008", async () => {
  await isInfo();
  expect((await read("/api/tenant/info", apiTest.two.ask)).organizationName).toBe(apiTest.tenants[1].name);
  for (const [ask, refusal] of [
    [apiTest.root.ask, 403],
    [apiTest.asAnonymous, 401],
  ] as const)
    expect((await ask("GET", "/api/tenant/info")).status).toBe(refusal);
});

proves("D1.3-013", async () => {
  const tenant = await apiTest.newTenant();
  expect((await read(at(tenant))).contactPreferences).toEqual(usual);
  expect((await read("/api/tenant/settings", (await apiTest.newAdmin(tenant.id)).ask)).contactPreferences).toEqual(usual);
});

proves("D2.3-004", async () => {
  const tenant = await apiTest.newTenant();
  expect((await savePreferences(tenant, {})).json.contactPreferences).toEqual(usual);
  for (const defaultMethod of ["email", "sms", "phone"])
    expect((await savePreferences(tenant, { defaultMethod })).json.contactPreferences).toEqual({ ...usual, defaultMethod });
  const other = {
    defaultMethod: "phone",
    emailEnabled: false,
    smsEnabled: false,
    phoneEnabled: true,
    businessHours: { start: "08:30", end: "16:00", timezone: "America/Chicago" },
  };
  expect((await savePreferences(tenant, other)).json.contactPreferences).toEqual(other);
  expect((await read(at(tenant))).contactPreferences).toEqual(other);
  for (const wrong of [{ emailEnabled: "yes" }, { businessHours: { start: "9" } }, { businessHours: { start: "17:00", end: "09:00" } }])
    expect((await savePreferences(tenant, wrong)).status).toBe(400);
  expect(await savePreferences(tenant, { ...other, phoneEnabled: false })).toMatchObject({
    status: 400,
    json: { fields: { defaultMethod: "Must be a method that is enabled" } },
  });
});

proves("D2.9-015", async () => {
  const tenant = await apiTest.newTenant();
  for (const defaultMethod of ["email", "sms", "phone"]) {
    expect((await savePreferences(tenant, { defaultMethod })).status).toBe(200);
    expect((await read(at(tenant))).contactPreferences.defaultMethod).toBe(defaultMethod);
  }
  for (const defaultMethod of ["fax", "Email", "", null]) expect((await savePreferences(tenant, { defaultMethod })).status).toBe(400);
});

proves("D2.3-005", async () => {
  const tenant = await apiTest.newTenant();
  for (const timezone of ["America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles"]) {
    const { json } = await savePreferences(tenant, { businessHours: { timezone } });
    expect(json.contactPreferences.businessHours).toEqual({ start: "09:00", end: "17:00", timezone });
  }
  for (const timezone of ["Mars/Olympus", "", 5]) expect((await savePreferences(tenant, { businessHours: { timezone } })).status).toBe(400);
});

proves("D2.7-037", async () => {
  const [tenant, other] = [await apiTest.newTenant(), await apiTest.newTenant()];
  const preferences = {
    ...usual,
    defaultMethod: "sms",
    phoneEnabled: false,
    businessHours: { start: "07:00", end: "15:00", timezone: "America/Denver" },
  };
  expect(await savePreferences(tenant, preferences)).toMatchObject({ status: 200, json: { contactPreferences: preferences } });
  expect((await read(at(tenant))).contactPreferences).toEqual(preferences);
  expect((await read(at(other))).contactPreferences).toEqual(usual);
  const admin = await apiTest.newAdmin(tenant.id);
  expect((await read("/api/tenant/settings", admin.ask)).contactPreferences).toEqual(preferences);
  expect((await admin.ask("PUT", `${at(tenant)}/contact-preferences`, usual)).status).toBe(403);
  expect(await admin.ask("PUT", "/api/tenant/contact-preferences", usual)).toMatchObject({
    status: 200,
    json: { contactPreferences: usual },
  });
});

proves("D2.3-006", async () => {
  const tenant = await apiTest.newTenant();
  const bare = await made(`${at(tenant)}/offices`, { name: "Bare" });
  expect(bare).toMatchObject({ id: isId, name: "Bare", address: null, phone: null, email: null, isActive: true });
  const body = office({ isActive: false });
  const whole = await made(`${at(tenant)}/offices`, body);
  expect(whole).toMatchObject({ ...body, id: isId });
  const { fhirProviderId } = apiTest.tenants[0];
  expect((await apiTest.root.ask("PUT", `${at(tenant)}/offices/${bare.id}/fhir-provider`, { fhirProviderId })).status).toBe(200);
  const assignments = (await read("/api/admin/fhir/assignments")).find((row: Json) => row.tenantId === tenant.id);
  expect(assignments.offices).toMatchObject([
    { id: bare.id, name: "Bare", fhirProvider: { id: fhirProviderId, name: "Sandbox EHR" } },
    { id: whole.id, name: body.name, isActive: false, fhirProvider: null },
  ]);
});

proves("D2.7-009", async () => {
  const tenant = await apiTest.newTenant();
  expect(await read(`${at(tenant)}/offices`)).toEqual([]);
  const offices = [await made(`${at(tenant)}/offices`, office()), await made(`${at(tenant)}/offices`, office())];
  expect(await read(`${at(tenant)}/offices`)).toEqual(offices);
  expect((await read(`${at(apiTest.tenants[0])}/offices`)).map(({ id }: Json) => id)).not.toContain(offices[0]?.id);
  expect((await apiTest.root.ask("GET", `${at({ id: unknownId })}/offices`)).status).toBe(404);
});

proves("D2.7-010", async () => {
  const tenant = await apiTest.newTenant();
  const body = office({ isActive: false });
  const created = await made(`${at(tenant)}/offices`, body);
  expect(created).toMatchObject(body);
  expect(await read(`${at(tenant)}/offices`)).toMatchObject([{ ...body, id: created.id }]);
  for (const wrong of [{ isActive: "yes" }, { name: 5 }, { surprise: 1 }])
    expect((await apiTest.root.ask("POST", `${at(tenant)}/offices`, office(wrong))).status).toBe(400);
  expect((await apiTest.root.ask("POST", `${at({ id: unknownId })}/offices`, office())).status).toBe(404);
});

proves("D2.7-011", async () => {
  const [tenant, other] = [await apiTest.newTenant(), await apiTest.newTenant()];
  const { id, createdAt } = await made(`${at(tenant)}/offices`, office());
  const body = { name: "Moved", address: "9 New St", phone: "555 0190", email: "new@desk.example", isActive: false };
  expect(await apiTest.root.ask("PUT", `${at(tenant)}/offices/${id}`, body)).toMatchObject({
    status: 200,
    json: { ...body, id, createdAt },
  });
  expect(await read(`${at(tenant)}/offices`)).toMatchObject([{ ...body, id }]);
  expect((await apiTest.root.ask("PUT", `${at(other)}/offices/${id}`, body)).status).toBe(404);
});

const furnished = async () => {
  const tenant = await apiTest.newTenant();
  const { fhirProviderId } = apiTest.tenants[0];
  const businessHours = { start: "10:00", end: "14:00", timezone: "America/Denver" };
  const branch = await made(`${at(tenant)}/offices`, office({ staffCount: 12, businessHours }));
  await apiTest.root.ask("PUT", `${at(tenant)}/offices/${branch.id}/fhir-provider`, { fhirProviderId });
  const provider = await made(`${at(tenant)}/voice-providers`, {
    providerType: "vapi",
    providerName: "Desk",
    config: { apiKey: "a-platform-key" },
  });
  const agents = ["a", "b", "c"].map((name) => ({
    voiceProviderId: provider.id,
    externalAgentId: name,
    agentName: name,
    isActive: name !== "c",
  }));
  for (const agent of agents) await made(`/api/admin/offices/${branch.id}/voice-agents`, agent);
  const plain = await made(`${at(tenant)}/offices`, office({ phone: null, isActive: false }));
  return { admin: await apiTest.newAdmin(tenant.id), branch, plain, businessHours };
};
proves("D1.3-009", async () => {
  const { admin, branch, plain, businessHours } = await furnished();
  const [card, other] = await read("/api/tenant/dashboard/offices", admin.ask);
  const { id, name, address, phone } = branch;
  expect(card).toMatchObject({
    ...{ id, name, address, businessHours },
    isActive: true,
    phoneNumber: phone,
    staffCount: 12,
    voiceAgentCount: 2,
    fhirEnabled: true,
  });
  expect(other).toMatchObject({
    ...{ id: plain.id, name: plain.name, isActive: false, phoneNumber: null, staffCount: null },
    businessHours: usual.businessHours,
    voiceAgentCount: 0,
    fhirEnabled: false,
  });
});

proves("D1.7-013", async () => {
  const { admin, branch, plain } = await furnished();
  const list = await read("/api/tenant/dashboard/offices", admin.ask);
  expect(list.map(({ id }: Json) => id)).toEqual([branch.id, plain.id]);
  expect((await read("/api/tenant/dashboard/offices", apiTest.two.ask)).map(({ id }: Json) => id)).toEqual(
    apiTest.tenants[1].offices.map(({ id }) => id),
  );
  expect((await apiTest.root.ask("GET", "/api/tenant/dashboard/offices")).status).toBe(403);
});

proves("D2.5-004", async ({ quoted, sees }) => {
  const { name: _name, ...nameless } = details();
  const { contactEmail: _email, ...without } = details();
  for (const body of [
    {},
    nameless,
    without,
    details({ name: "" }),
    details({ name: " " }),
    details({ contactEmail: "" }),
    details({ name: null }),
  ]) {
    const { status, json } = await apiTest.root.ask("POST", "/api/admin/tenants", body);
    expect([body, status, json.error]).toEqual([body, 400, quoted[0]]);
    sees(json.error);
  }
});

proves("D2.5-005", async ({ quoted, sees }) => {
  const { name: _name, ...nameless } = office();
  const mine = apiTest.tenants[0];
  for (const [method, path, ask] of [
    ["POST", `${at(mine)}/offices`, apiTest.root.ask],
    ["PUT", `${at(mine)}/offices/${mine.offices[0]?.id}`, apiTest.root.ask],
    ["POST", "/api/tenant/offices", apiTest.one.ask],
    ["PUT", `/api/tenant/offices/${mine.offices[0]?.id}`, apiTest.one.ask],
  ] as const)
    for (const body of [nameless, office({ name: "" }), office({ name: "  " }), office({ name: null })]) {
      const { status, json } = await ask(method, path, body);
      expect([method, path, status, json.error]).toEqual([method, path, 400, quoted[0]]);
      sees(json.error);
    }
});

proves("D2.5-006", async ({ quoted, sees }) => {
  const tenant = await apiTest.newTenant();
  for (const change of [{ name: "" }, { name: undefined }, { contactEmail: " " }, { contactEmail: null }]) {
    const { status, json } = await apiTest.root.ask("PUT", at(tenant), details({ isActive: true, ...change }));
    expect([change, status, json.error]).toEqual([change, 400, quoted[0]]);
    sees(json.error);
  }
  expect(await read(at(tenant))).toMatchObject({ name: tenant.name, contactEmail: tenant.contactEmail });
});
