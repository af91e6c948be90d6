import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { auditsIn, readRows } from "../../kit/store/table.ts";
import type { Asking, Json } from "../../kit/api.ts";
import { sharedPlatform, type TestPlatform } from "../../kit/platform.ts";

let it: TestPlatform;
let admin: Asking;
let office: Record<"tenantId" | "officeId" | "ownProviderId" | "providerId" | "voiceProviderId" | "assignment", string>;
let agentId: string;
let offices = 0;

beforeAll(async () => {
  it = await sharedPlatform({ voices: true, calls: true });
  admin = { token: await it.tokenOf(it.demo.systemAdmin.email, it.demo.systemAdmin.password) };
});
beforeEach(async () => {
  const [tenant] = it.demo.tenants;
  if (!tenant) throw new Error("A tenant is needed");
  agentId = `assistant-of-office-${++offices}`;
  const made = async (path: string, body: object): Promise<string> => (await must("POST", path, body)).id;
  const { baseUrl, tokenUrl } = it.demo.ehr.r4;
  const sandbox = { providerType: "custom", baseUrl, tokenUrl, clientId: "vitaline-demo", scopes: it.platform.sandbox.client.scopes };
  const at = `/api/admin/tenants/${tenant.id}`;
  const contact = { address: "2 Side St", phone: "+1 617 555 0101", email: "office@desk.example" };
  const officeId = await made(`${at}/offices`, { name: `Office with features ${offices}`, ...contact });
  const ownProviderId = await made("/api/admin/fhir/providers", { name: `Of office ${offices} alone`, ...sandbox });
  await must("PUT", `${at}/offices/${officeId}/fhir-provider`, { fhirProviderId: ownProviderId });
  const voice = { providerType: "vapi", providerName: `Vapi ${offices}`, config: { apiKey: "a-vapi-key-of-the-tenant" } };
  const voiceProviderId = await made(`${at}/voice-providers`, voice);
  const agent = { voiceProviderId, externalAgentId: agentId, agentName: "Front desk" };
  const assignment = `/api/admin/offices/${officeId}/voice-agents/${await made(`/api/admin/offices/${officeId}/voice-agents`, agent)}`;
  const providerId = tenant.fhirProviderId ?? "";
  office = { tenantId: tenant.id, officeId, ownProviderId, providerId, voiceProviderId, assignment };
});
afterAll(() => it.close());

async function must(method: string, path: string, body?: object): Promise<Json> {
  const { status, json, text } = await it.api(method, path, { ...admin, ...(body ? { body } : {}) });
  if (status >= 300) throw new Error(`${path} answered ${status} ${text}`);
  return json;
}

let calls = 0;
async function identify(tenantAt: number, assistantId?: string) {
  const tenant = it.demo.tenants[tenantAt];
  const [patient] = it.demo.patients;
  const callId = `office-features-${calls++}`;
  const args = { firstName: patient?.given, lastName: patient?.family, dateOfBirth: patient?.birthDate, phoneNumber: patient?.phone };
  const toolCallList = [{ id: `${callId}-tool`, type: "function", function: { name: "verifyPatientIdentity", arguments: args } }];
  const call = { id: callId, ...(assistantId ? { assistantId } : {}) };
  const asking = { key: tenant?.apiKey };
  const asked = await it.api("POST", "/api/vapi/tool-call", { ...asking, body: { message: { type: "tool-calls", call, toolCallList } } });
  expect(asked.json.results[0].result).toMatch(/verified/);
  await it.api("POST", "/api/vapi/server", {
    ...asking,
    body: { message: { type: "end-of-call-report", call, endedReason: "customer-ended-call", durationSeconds: 30 } },
  });
  const requestId = asked.headers.get("x-request-id");
  return auditsIn(await readRows(it.dataDir)).find((row) => row.requestId === requestId)?.detail;
}

test("a call of the office's agent reads the office's own record system; any other call the tenant's", async () => {
  const { officeId, ownProviderId, providerId } = office;
  expect(await identify(0, agentId)).toMatchObject({ officeId, fhirProviderId: ownProviderId });
  expect(await identify(0, "an-unassigned-agent")).not.toHaveProperty("officeId");
  expect(await identify(0)).toMatchObject({ fhirProviderId: providerId });
  expect(await identify(1, agentId)).not.toHaveProperty("officeId");
});

test("the office's numbers count its own calls only", async () => {
  await identify(0, agentId);
  await identify(0);
  await identify(1, agentId);
  await it.platform.cloud.drained();
  const [one, two] = await Promise.all(
    it.demo.tenants.slice(0, 2).map(async ({ admin: { email, password } }) => ({ token: await it.tokenOf(email, password) })),
  );
  const path = `/api/tenant/dashboard/metrics?officeId=${office.officeId}`;
  expect((await it.api("GET", path, one)).json).toMatchObject({ totalCalls: 1, successfulCalls: 1 });
  expect((await it.api("GET", `/api/tenant/calls?officeId=${office.officeId}`, one)).json).toHaveLength(1);
  expect((await it.api("GET", path, two)).status).toBe(404);
});

test("an agent with an inactive assignment, voice provider or office is reported as not in service at once", async () => {
  const [tenant] = it.demo.tenants;
  const at = `/api/admin/tenants/${office.tenantId}`;
  const place = `${at}/offices/${office.officeId}`;
  const voice = `${at}/voice-providers/${office.voiceProviderId}`;
  const { name, address, phone, email } = await must("GET", place);
  const switches: [string, (isActive: boolean) => object][] = [
    [office.assignment, (isActive) => ({ isActive })],
    [voice, (isActive) => ({ isActive })],
    [place, (isActive) => ({ name, address, phone, email, isActive })],
  ];
  const ask = async () => {
    const call = { id: `office-features-${calls++}`, assistantId: agentId };
    const toolCallList = [{ id: call.id, type: "function", function: { name: "scheduleAppointment", arguments: { action: "find" } } }];
    const body = { message: { type: "tool-calls", call, toolCallList } };
    return (await it.api("POST", "/api/vapi/tool-call", { key: tenant?.apiKey, body })).json.results[0];
  };
  for (const [path, change] of switches) {
    expect(await ask()).toHaveProperty("result");
    await must("PUT", path, change(false));
    expect(await ask()).toMatchObject({ error: expect.stringContaining("not in service") as string });
    await must("PUT", path, change(true));
  }
  expect(await identify(0, agentId)).toMatchObject({ officeId: office.officeId });
});

test("a call is transferred to the staff on duty at the agent's office; without staff on duty the caller hears so", async () => {
  const [tenant] = it.demo.tenants;
  const place = `/api/admin/tenants/${office.tenantId}/offices/${office.officeId}`;
  const { name, address, phone, email } = await must("GET", place);
  const days = { monday: null, tuesday: null, wednesday: null, thursday: null, friday: null, saturday: null, sunday: null };
  const always = { start: "00:00", end: "23:59", timezone: "UTC" };
  const ask = async () => {
    const message = { type: "transfer-destination-request", call: { id: `office-features-${calls++}`, assistantId: agentId } };
    return (await it.api("POST", "/api/vapi/server", { key: tenant?.apiKey, body: { message } })).json;
  };
  const staffed = (hours: object) =>
    must("PUT", place, {
      ...{ name, address, phone, email, businessHours: always },
      staffRouting: [{ label: "Front desk", phone: "(617) 555-0145", hours }],
    });
  await staffed(always);
  expect(await ask()).toMatchObject({ destination: { type: "number", number: "+16175550145" } });
  await staffed({ ...always, days });
  expect(await ask()).toEqual({ error: expect.stringMatching(/^No one can take your call right now/) as string });
});
