import { randomUUID } from "node:crypto";
import { allRoutes, ForeignBody } from "@vitaline/contract";
import { afterAll, beforeAll, expect } from "vitest";
import type { Json } from "../../kit/api.ts";
import {
  details,
  isId,
  nextOf,
  openApiTest,
  routesOf,
  someRoutesOf,
  statusesOn,
  withHeader,
  type Ask,
  type ApiTest,
} from "../../kit/api-test.ts";
import { proves } from "../../requirements/proves.ts";

let apiTest: ApiTest;
let asKey: Ask;
beforeAll(async () => {
  apiTest = await openApiTest();
  asKey = (method, path, body) => apiTest.it.api(method, path, { key: apiTest.tenants[0].apiKey, ...(body === undefined ? {} : { body }) });
});
afterAll(() => apiTest?.close());

const asRootOnly = async (method: string, path: string, body?: object): Promise<Json> => {
  for (const [ask, refusal] of [
    [apiTest.one.ask, 403],
    [asKey, 401],
    [apiTest.asAnonymous, 401],
  ] as const)
    expect([method, path, (await ask(method, path, body)).status]).toEqual([method, path, refusal]);
  const { status, json, text } = await apiTest.root.ask(method, path, body);
  expect([method, path, status, text]).toEqual([method, path, expect.toBeOneOf([200, 201, 202]), expect.any(String)]);
  return json;
};
const newUser = (change: object) => ({
  email: `${randomUUID()}@people.example`,
  password: "three words apart 7",
  firstName: "Una",
  lastName: "User",
  ...change,
});
const office = (change: object = {}) => ({
  name: `Office ${randomUUID().slice(0, 8)}`,
  address: null,
  phone: null,
  email: null,
  isActive: true,
  ...change,
});
const vapiProvider = {
  providerType: "vapi",
  providerName: "Phone desk",
  config: { apiKey: "platform-key-1234", settings: {} },
  isDefault: false,
  isActive: true,
};
const agent = (voiceProviderId: string) => ({
  voiceProviderId,
  externalAgentId: `agent-${randomUUID()}`,
  agentName: "Reception",
  agentData: {},
  isActive: true,
});
const sandboxProvider = (change: object = {}) => {
  const { client, r4 } = apiTest.it.platform.sandbox;
  return { name: "Sandbox", providerType: "custom", ...r4, clientId: client.id, scopes: client.scopes, ...change };
};

proves("D2.1-001", async () => {
  const made = await apiTest.newTenant();
  const at = `/api/admin/tenants/${made.id}`;
  expect(await asRootOnly("PUT", at, details({ name: "Managed", isActive: true }))).toMatchObject({ name: "Managed" });
  const branch = await asRootOnly("POST", `${at}/offices`, office({ name: "Branch" }));
  const rotated = await asRootOnly("POST", `${at}/regenerate-api-key`, {});
  await asRootOnly("PUT", `${at}/contact-preferences`, { defaultMethod: "sms" });
  const provider = await asRootOnly("POST", `${at}/voice-providers`, vapiProvider);
  const assigned = await asRootOnly("POST", `${at}/voice-agents`, agent(provider.id));
  expect(await asRootOnly("GET", at)).toMatchObject({
    name: "Managed",
    apiKey: rotated.apiKey,
    contactPreferences: { defaultMethod: "sms" },
  });
  expect(await asRootOnly("GET", `${at}/offices`)).toMatchObject([{ id: branch.id, name: "Branch" }]);
  expect(await asRootOnly("GET", `${at}/voice-providers`)).toMatchObject([{ id: provider.id }]);
  expect(await asRootOnly("GET", `${at}/voice-agents`)).toMatchObject([{ id: assigned.id }]);
});

/** Other files may have made as many as there can be on this platform; test/api/ehr/connections.rows.test.ts has one of its own. */
const makesPlatformKey = async (): Promise<void> => {
  const path = "/api/admin/platform/jwk/generate";
  const before: Json[] = await asRootOnly("GET", "/api/admin/platform/keys");
  if (before.length < 4) {
    const { kid } = await asRootOnly("POST", path, { algorithm: "RS256" });
    expect((await asRootOnly("GET", "/api/admin/platform/keys")).map((key: Json) => key.kid)).toContain(kid);
  } else expect((await apiTest.root.ask("POST", path, { algorithm: "RS256" })).json).toMatchObject({ code: "not_doable" });
};

proves("D2.1-002", async () => {
  const user = newUser({ role: "system_admin" });
  const made = await asRootOnly("POST", "/api/admin/users", user);
  expect(await asRootOnly("PUT", `/api/admin/users/${made.id}`, { firstName: "Ada", lastName: "User" })).toMatchObject({
    firstName: "Ada",
  });
  expect((await asRootOnly("GET", "/api/admin/users")).map(({ id }: Json) => id)).toContain(made.id);
  const provider = await asRootOnly("POST", "/api/admin/fhir/providers", sandboxProvider());
  expect((await asRootOnly("GET", "/api/admin/fhir/providers")).map(({ id }: Json) => id)).toContain(provider.id);
  expect(await asRootOnly("GET", "/api/admin/fhir/health-status")).toMatchObject({ providers: expect.any(Array) });
  await makesPlatformKey();
  await asRootOnly("GET", "/api/dashboard/audit-logs?limit=20");
  await asRootOnly("GET", "/api/admin/compliance-metrics");
  await asRootOnly("GET", "/api/admin/user-activity?limit=20");
  expect(await asRootOnly("POST", "/api/admin/audit/export", { format: "csv" })).toMatchObject({ format: "csv" });
});

proves("D2.6-002", async () => {
  const organisation = await asRootOnly("POST", "/api/admin/tenants", details());
  const at = `/api/admin/tenants/${organisation.id}`;
  for (const change of [{ role: "system_admin" }, { role: "tenant_admin", tenantId: organisation.id }])
    expect(await asRootOnly("POST", "/api/admin/users", newUser(change))).toMatchObject({ id: isId, ...change });
  await asRootOnly("POST", `${at}/offices`, office());
  expect(await asRootOnly("PUT", at, details({ description: "Edited", isActive: true }))).toMatchObject({ description: "Edited" });
  expect(await asRootOnly("POST", `${at}/regenerate-api-key`, {})).toMatchObject({ apiKey: expect.stringMatching(/^vtl_live_/) });
  const voice = await asRootOnly("POST", `${at}/voice-providers`, vapiProvider);
  expect(await asRootOnly("PUT", `${at}/voice-providers/${voice.id}`, { providerName: "Renamed desk" })).toMatchObject({
    providerName: "Renamed desk",
  });
  const assigned = await asRootOnly("POST", `${at}/voice-agents`, agent(voice.id));
  expect(await asRootOnly("PUT", `${at}/voice-agents/${assigned.id}`, { isActive: false })).toMatchObject({ isActive: false });
  const fhir = await asRootOnly("POST", "/api/admin/fhir/providers", sandboxProvider());
  expect(await asRootOnly("PUT", `/api/admin/fhir/providers/${fhir.id}`, sandboxProvider({ name: "Renamed" }))).toMatchObject({
    name: "Renamed",
  });
  await makesPlatformKey();
  const patientId = apiTest.it.demo.patients[0]?.id;
  expect(await asRootOnly("POST", `/api/admin/fhir/providers/${fhir.id}/test`, { patientId })).toMatchObject({ success: true });
});

proves("D2.1-004", async () => {
  for (const role of ["system_admin", "tenant_admin"])
    expect((await apiTest.root.ask("POST", "/api/admin/users", newUser({ role, tenantId: apiTest.tenants[0].id }))).status).toBe(201);
  for (const role of ["admin", "user", "", null])
    expect((await apiTest.root.ask("POST", "/api/admin/users", newUser({ role, tenantId: apiTest.tenants[0].id }))).status).toBe(400);
  expect(await statusesOn("system_admin", apiTest.one.ask)).toEqual([403]);
  expect(await statusesOn("system_admin", apiTest.root.ask)).not.toEqual(expect.arrayContaining([403]));
});

proves("D2.6-001", async () => {
  for (const [ask, refusal] of [
    [apiTest.one.ask, 403],
    [apiTest.two.ask, 403],
    [asKey, 401],
    [apiTest.asAnonymous, 401],
  ] as const)
    expect(await statusesOn("system_admin", ask)).toEqual([refusal]);
  for (const { route, path } of someRoutesOf("system_admin"))
    expect([path, (await apiTest.root.ask(route.method, path, route.body ? {} : undefined)).status]).not.toEqual([
      path,
      expect.toBeOneOf([401, 403]),
    ]);
});

proves("D2.6-003", async () => {
  const [tenant] = apiTest.tenants;
  const shown = (await apiTest.root.ask("GET", "/api/admin/users")).json.find(({ id }: Json) => id === apiTest.one.id);
  expect(shown).toMatchObject({ role: "tenant_admin", tenantId: tenant.id, tenantName: tenant.name });
  for (const { route, path } of someRoutesOf("system_admin")) {
    const { status, json } = await apiTest.one.ask(route.method, path, route.body ? {} : undefined);
    expect([path, status, json.code]).toEqual([path, 403, "forbidden"]);
  }
});

proves("D2.7-001", async ({ quoted, sees }) => {
  const [template = ""] = quoted;
  const { token } = apiTest.root;
  const reads = routesOf("system_admin").filter(({ route }) => route.method === "GET" && !route.path.includes("{"));
  expect(reads.length).toBeGreaterThan(10);
  for (const { path } of reads) {
    const { status, sent } = await withHeader(apiTest.it.origin, path, template.replace("{token}", token));
    expect([path, status]).toEqual([path, 200]);
    sees(sent.replace(token, "{token}"));
    for (const line of [
      `X-Auth-Token: ${token}`,
      `Authorization: ${token}`,
      `Authorization: Bearer ${token}x`,
      `Cookie: auth_token=${token}`,
    ])
      expect([path, line, (await withHeader(apiTest.it.origin, path, line)).status]).toEqual([path, line, 401]);
    expect([path, (await apiTest.asAnonymous("GET", `${path}?token=${token}`)).status]).toEqual([path, 401]);
  }
});

proves("D2.4-001", async () => {
  const made = await apiTest.newTenant();
  const at = `/api/admin/tenants/${made.id}`;
  const post = async (path: string, body: object): Promise<Json> => (await apiTest.root.ask("POST", path, body)).json;
  const branch = await post(`${at}/offices`, office());
  const voice = await post(`${at}/voice-providers`, vapiProvider);
  const assigned = await post(`${at}/voice-agents`, agent(voice.id));
  const fhir = await post("/api/admin/fhir/providers", sandboxProvider());
  expect([made, branch, voice, assigned, fhir].map(({ isActive }) => isActive)).toEqual([true, true, true, true, true]);
  const listedIn = async (path: string, id: string) => (await apiTest.root.ask("GET", path)).json.find((row: Json) => row.id === id);
  for (const isActive of [false, true])
    for (const [id, list, path, body] of [
      [made.id, "/api/admin/tenants", at, details({ isActive })],
      [branch.id, `${at}/offices`, `${at}/offices/${branch.id}`, { name: branch.name, isActive }],
      [voice.id, `${at}/voice-providers`, `${at}/voice-providers/${voice.id}`, { isActive }],
      [assigned.id, `${at}/voice-agents`, `${at}/voice-agents/${assigned.id}`, { isActive }],
      [fhir.id, "/api/admin/fhir/providers", `/api/admin/fhir/providers/${fhir.id}`, sandboxProvider({ isActive })],
    ] as const) {
      expect([path, await apiTest.root.ask("PUT", path, body)]).toMatchObject([path, { status: 200, json: { isActive } }]);
      expect([list, await listedIn(list, id)]).toMatchObject([list, { isActive }]);
    }
});

proves("D2.5-030", async () => {
  const wrong = ["[]", '"text"', "7", "null", '{"surprise":{"at":1}}', '{"half":'];
  // Signed routes check the signature first: functions/voice/hooks.service.test.ts
  const asked = allRoutes().flatMap(({ route, operation }) =>
    route.body && route.auth !== "signature" ? [{ operation, route: { ...route, auth: route.auth } }] : [],
  );
  expect(asked.length).toBeGreaterThan(30);
  const [tenant] = apiTest.tenants;
  const real: Record<string, string> = {
    tenantId: tenant.id,
    officeId: tenant.offices[0]?.id ?? "",
    userId: apiTest.one.id,
    callId: "0".repeat(40),
    name: "getPatientInfo",
  };
  for (const [turn, { route, operation }] of asked.entries()) {
    const ask = {
      public: apiTest.asAnonymous,
      user: apiTest.one.ask,
      tenant_admin: apiTest.one.ask,
      system_admin: apiTest.root.ask,
      key: asKey,
    }[route.auth];
    const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => real[name] ?? tenant.fhirProviderId);
    // A voice platform's body is any object; an unreadable one gets a sentence as its answer
    const refused = route.body === ForeignBody ? wrong.filter((each) => !each.startsWith('{"surprise"')) : wrong;
    // Two at each route: test/api/routes/every-route.test.ts sends it many more
    for (const body of [turn, turn + 1].map((at) => refused[at % refused.length])) {
      const { status, json } = await ask(route.method, path, body);
      // MCP has its own error format
      expect([operation, body, status, json.error.message ?? json.error]).toEqual([operation, body, 400, expect.stringMatching(/\w/)]);
    }
  }
});

proves("D2.9-018", async () => {
  for (const list of [
    "/api/admin/users",
    "/api/admin/tenants",
    "/api/admin/voice-providers",
    "/api/admin/audit-logs",
    "/api/admin/fhir/assignments",
  ])
    for (const limit of ["0", "201", "-1", "many"])
      expect([list, limit, (await apiTest.root.ask("GET", `${list}?limit=${limit}`)).status]).toEqual([list, limit, 400]);
  const whole = (await apiTest.root.ask("GET", "/api/admin/users")).json.map(({ id }: Json) => id);
  const paged: string[] = [];
  for (let path: string | undefined = "/api/admin/users?limit=2"; path;) {
    const page = await apiTest.root.ask("GET", path);
    expect(page.json.length).toBeLessThanOrEqual(2);
    paged.push(...page.json.map(({ id }: Json) => id));
    path = nextOf(page);
  }
  expect(paged).toEqual(whole);
  const oversized = await apiTest.root.ask("POST", "/api/admin/tenants", details({ description: "x".repeat(2 ** 20) }));
  expect(oversized).toMatchObject({ status: 413, json: { code: "payload_too_large" } });
  expect((await apiTest.root.ask("POST", "/api/admin/tenants", details({ name: "x".repeat(201) }))).status).toBe(400);
});
