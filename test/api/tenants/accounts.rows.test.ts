import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect } from "vitest";
import type { Json } from "../../kit/api.ts";
import { isId, isInstant, unknownId, openApiTest, statusesOn, type ApiTest } from "../../kit/api-test.ts";
import { proves } from "../../requirements/proves.ts";

let apiTest: ApiTest;
beforeAll(async () => {
  apiTest = await openApiTest();
});
afterAll(() => apiTest?.close());

const password = "three words apart 7";
const person = (change: object = {}) => ({
  email: `${randomUUID()}@people.example`,
  password,
  role: "tenant_admin",
  firstName: "Nora",
  lastName: "Nowak",
  tenantId: apiTest.tenants[0].id,
  ...change,
});
const add = (body: object) => apiTest.root.ask("POST", "/api/admin/users", body);
const listed = async (id: string): Promise<Json> =>
  (await apiTest.root.ask("GET", "/api/admin/users")).json.find((user: Json) => user.id === id);
const login = (body: object) => apiTest.asAnonymous("POST", "/api/auth/login", body);
const wrongPassword = "not this password 9";

proves("D1.3-001", async () => {
  const { email, password: right } = apiTest.one;
  const good = await login({ email, password: right });
  expect(good).toMatchObject({
    status: 200,
    json: { user: { id: apiTest.one.id, email, role: "tenant_admin" }, token: expect.any(String) },
  });
  const bad = await login({ email, password: wrongPassword });
  expect(bad).toMatchObject({ status: 401, json: { error: expect.stringMatching(/\w+ \w+/) } });
  for (const field of ["user", "token"]) expect(bad.json).not.toHaveProperty(field);
});

proves("D1.7-005", async () => {
  const { email, password: right } = apiTest.two;
  const { status, json, headers } = await login({ email, password: right });
  expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(json.user).toMatchObject({ id: apiTest.two.id, email, tenantId: apiTest.tenants[1].id, tenantName: apiTest.tenants[1].name });
  const me = await apiTest.asAnonymous("GET", "/api/auth/me", undefined, { token: json.token });
  expect(me).toMatchObject({ status: 200, json: { id: apiTest.two.id } });
  const refused = await Promise.all([login({ email, password: wrongPassword }), login({ email: "no@people.example", password: right })]);
  expect(refused.map(({ status: code }) => code)).toEqual([401, 401]);
  expect(new Set(refused.map(({ json: { error } }) => error)).size).toBe(1);
  expect(refused[0]?.json.error).toEqual(expect.stringMatching(/./));
});

proves("D1.5-001", async () => {
  for (const body of [{ password }, { email: "", password }, { email: "  ", password }, { email: null, password }])
    expect(await login(body)).toMatchObject({ status: 400, json: { fields: { email: "Email is required" } } });
});
proves("D1.5-002", async () => {
  const { email } = apiTest.one;
  for (const body of [{ email }, { email, password: "" }, { email, password: null }])
    expect(await login(body)).toMatchObject({ status: 400, json: { fields: { password: "Password is required" } } });
});

proves("D1.3-002", async () => {
  const tenantAdmin = await apiTest.newAdmin(apiTest.tenants[0].id, { firstName: "Mira", lastName: "Moss" });
  const { status, json } = await tenantAdmin.ask("GET", "/api/auth/me");
  expect(status).toBe(200);
  expect(json).toMatchObject({ role: "tenant_admin", firstName: "Mira", lastName: "Moss", email: tenantAdmin.email });
  const admin = (await apiTest.root.ask("GET", "/api/auth/me")).json;
  expect(admin).toMatchObject({
    role: "system_admin",
    email: apiTest.root.email,
    firstName: expect.any(String),
    lastName: expect.any(String),
  });
});

proves("D1.7-006", async () => {
  const mine = await apiTest.one.ask("GET", "/api/auth/me");
  expect(mine).toMatchObject({
    status: 200,
    json: { id: apiTest.one.id, email: apiTest.one.email, role: "tenant_admin", tenantId: apiTest.tenants[0].id, isActive: true },
  });
  expect(mine.text).not.toContain(apiTest.one.token);
  expect((await apiTest.two.ask("GET", "/api/auth/me")).json.id).toBe(apiTest.two.id);
  expect((await apiTest.asAnonymous("GET", "/api/auth/me")).status).toBe(401);
});

proves("D1.7-007", async () => {
  const { email, password: right } = apiTest.one;
  const [leaving, staying] = await Promise.all([1, 2].map(async () => (await login({ email, password: right })).json.token));
  const asked = (token: string) =>
    Promise.all(["/api/auth/me", "/api/tenant/info"].map(async (path) => (await apiTest.it.api("GET", path, { token })).status));
  expect(await asked(leaving)).toEqual([200, 200]);
  expect((await apiTest.it.api("POST", "/api/auth/logout", { token: leaving })).status).toBe(204);
  expect(await asked(leaving)).toEqual([401, 401]);
  expect(await asked(staying)).toEqual([200, 200]);
});

proves("D1.3-003", async () => {
  const tenantAdmin = person();
  const made = await add(tenantAdmin);
  const { password: first, ...shown } = tenantAdmin;
  expect(made).toMatchObject({ status: 201, json: { ...shown, id: isId } });
  expect(made.text).not.toContain(first);
  expect(await login({ email: tenantAdmin.email, password: first })).toMatchObject({ status: 200, json: { user: shown } });
  const { tenantId: _none, ...admin } = person({ role: "system_admin" });
  expect(await add(admin)).toMatchObject({ status: 201, json: { role: "system_admin", tenantId: null, email: admin.email } });
  expect((await add(person({ role: "nurse" }))).status).toBe(400);
});

proves("D2.3-001", async () => {
  const [tenant] = apiTest.tenants;
  const { password: first, ...shown } = person();
  const { json: made } = await add({ ...shown, password: first });
  expect(made).toMatchObject({ ...shown, id: isId, tenantName: tenant.name, isActive: true, lastLogin: null, createdAt: isInstant });
  expect(await listed(made.id)).toEqual(made);
  await login({ email: shown.email, password: first });
  expect(await listed(made.id)).toMatchObject({ ...shown, tenantName: tenant.name, lastLogin: isInstant });
  expect(await listed(apiTest.root.id)).toMatchObject({ role: "system_admin", tenantId: null, tenantName: null, isActive: true });
  expect(await listed(made.id)).not.toHaveProperty("password");
});

proves("D2.7-002", async () => {
  const made = (await add(person({ tenantId: apiTest.tenants[1].id }))).json;
  const { status, json, text } = await apiTest.root.ask("GET", "/api/admin/users");
  expect(status).toBe(200);
  expect(json.map(({ id }: Json) => id)).toEqual(expect.arrayContaining([apiTest.root.id, apiTest.one.id, apiTest.two.id, made.id]));
  expect(json.find(({ id }: Json) => id === made.id)).toMatchObject({ tenantName: apiTest.tenants[1].name });
  expect(text).not.toContain(password);
  expect((await apiTest.one.ask("GET", "/api/admin/users")).status).toBe(403);
  expect((await apiTest.asAnonymous("GET", "/api/admin/users")).status).toBe(401);
});

proves("D2.7-003", async () => {
  const { password: first, ...shown } = person({ firstName: "Bodo", lastName: "Body" });
  const made = await add({ ...shown, password: first });
  expect(made).toMatchObject({ status: 201, json: shown });
  expect(await listed(made.json.id)).toMatchObject(shown);
  expect((await login({ email: shown.email, password: first })).status).toBe(200);
  expect((await apiTest.root.ask("POST", "/api/admin/users")).status).toBe(400);
  expect(await add({ ...shown, password: first })).toMatchObject({ status: 409 });
  expect((await apiTest.one.ask("POST", "/api/admin/users", person())).status).toBe(403);
});

proves("D2.5-001", async ({ quoted, sees }) => {
  const [sentence] = quoted;
  const { email: _email, ...noEmail } = person();
  const { password: _password, ...noPassword } = person();
  for (const body of [noEmail, noPassword, person({ email: "" }), person({ password: "" }), person({ email: "", password: "" })]) {
    const { status, json } = await add(body);
    expect([body, status, json.error]).toEqual([body, 400, sentence]);
    sees(json.error);
  }
});

proves("D2.5-002", async ({ quoted, sees }) => {
  const [sentence] = quoted;
  const { tenantId: _tenant, ...without } = person();
  for (const body of [without, person({ tenantId: "" }), person({ tenantId: null }), person({ tenantId: unknownId })]) {
    const { status, json } = await add(body);
    expect([status, json.error, json.fields.tenantId]).toEqual([400, sentence, sentence]);
    sees(json.error);
  }
});

proves("D2.5-003", async () => {
  const made = await add(person({ role: "system_admin" }));
  expect(made).toMatchObject({ status: 201, json: { role: "system_admin", tenantId: null, tenantName: null } });
  expect(await listed(made.json.id)).toMatchObject({ tenantId: null, tenantName: null });
  const { firstName, lastName, id } = (await add(person())).json;
  const raised = await apiTest.root.ask("PUT", `/api/admin/users/${id}`, { firstName, lastName, role: "system_admin" });
  expect(raised).toMatchObject({ status: 200, json: { role: "system_admin", tenantId: null, tenantName: null } });
  expect(await listed(id)).toMatchObject({ role: "system_admin", tenantId: null });
});

proves("D1.1-008", async () => {
  await apiTest.it.platform.cloud.drained();
  const before = (await apiTest.root.ask("GET", "/api/dashboard/metrics")).json;
  const tenant = await apiTest.newTenant({ name: "Run by the platform" });
  const made = await add(person({ tenantId: tenant.id }));
  expect(made).toMatchObject({ status: 201, json: { tenantName: "Run by the platform" } });
  await apiTest.it.platform.cloud.drained();
  const after = (await apiTest.root.ask("GET", "/api/dashboard/metrics")).json;
  expect([after.totalTenants - before.totalTenants, after.totalUsers - before.totalUsers]).toEqual([1, 1]);
  for (const [path, body] of [
    ["/api/admin/tenants", { name: "Not mine", contactEmail: "a@b.example" }],
    ["/api/admin/users", person()],
  ] as const) {
    expect((await apiTest.one.ask("POST", path, body)).status).toBe(403);
    expect((await apiTest.asAnonymous("POST", path, body)).status).toBe(401);
  }
});

proves("D1.1-009", async () => {
  const [mine, theirs] = apiTest.tenants;
  for (const tenantId of [[mine.id, theirs.id], null, ""]) expect((await add(person({ tenantId }))).status).toBe(400);
  const made = await add(person({ tenantId: mine.id }));
  expect(made.json.tenantId).toBe(mine.id);
  const info = await apiTest.one.ask("GET", `/api/tenant/info?tenantId=${theirs.id}`, undefined, { headers: { "x-tenant-id": theirs.id } });
  expect(info).toMatchObject({ status: 200, json: { tenantId: mine.id, organizationName: mine.name } });
  expect(await apiTest.one.ask("GET", "/api/tenant/dashboard/metrics")).toMatchObject({
    status: 200,
    json: { totalCalls: expect.any(Number) },
  });
  expect((await apiTest.root.ask("GET", "/api/tenant/dashboard/metrics")).status).toBe(403);
});

const ownPages = [
  "/api/tenant/dashboard/metrics",
  "/api/tenant/dashboard/recent-calls",
  "/api/tenant/dashboard/tool-usage",
  "/api/tenant/dashboard/audit-logs",
  "/api/tenant/dashboard/offices",
  "/api/tenant/dashboard/fhir-providers",
  "/api/tenant/info",
  "/api/tenant/dashboard/system-health",
];
proves("D1.6-003", async () => {
  await apiTest.it.platform.cloud.drained();
  const [tenant] = apiTest.tenants;
  const person1 = await apiTest.newAdmin(tenant.id);
  const answers = await Promise.all(ownPages.map((path) => person1.ask("GET", path)));
  expect(answers.map(({ status }) => status)).toEqual(ownPages.map(() => 200));
  const [metrics, calls, tools, audit, offices, fhir, info, health] = answers.map(({ json }) => json);
  expect(metrics.totalCalls).toBeGreaterThan(0);
  expect(calls[0]).toMatchObject({ id: expect.any(String), status: expect.any(String) });
  expect(tools[0]).toMatchObject({ toolName: expect.any(String), count: expect.any(Number) });
  expect(audit[0]).toMatchObject({ actionType: expect.any(String) });
  expect(offices.map(({ id }: Json) => id).toSorted()).toEqual(tenant.offices.map(({ id }) => id).toSorted());
  expect(fhir).toMatchObject([{ id: tenant.fhirProviderId }]);
  expect(info.apiKey).toBe(tenant.apiKey);
  expect(health.services.length).toBeGreaterThan(0);
  expect((await person1.ask("POST", "/api/auth/logout")).status).toBe(204);
  expect((await person1.ask("GET", ownPages[0] ?? "")).status).toBe(401);
});

proves("D1.6-009", async () => {
  await apiTest.it.platform.cloud.drained();
  const [mine, theirs] = apiTest.tenants;
  const idsOn = async (path: string, { ask }: ApiTest["one"]) => (await ask("GET", path)).json.map(({ id }: Json) => id) as string[];
  for (const path of ["recent-calls", "audit-logs", "offices"].map((page) => `/api/tenant/dashboard/${page}`)) {
    const [ofOne, ofTwo] = [await idsOn(path, apiTest.one), await idsOn(path, apiTest.two)];
    expect([path, ofOne.length > 0, ofTwo.length > 0]).toEqual([path, true, true]);
    expect(ofOne.filter((id) => ofTwo.includes(id))).toEqual([]);
    const asked = await apiTest.one.ask("GET", `${path}?tenantId=${theirs.id}`, undefined, { headers: { "x-tenant-id": theirs.id } });
    expect(asked.text).not.toMatch(new RegExp(ofTwo.join("|")));
  }
  const keys = [await apiTest.one.ask("GET", "/api/tenant/info"), await apiTest.two.ask("GET", "/api/tenant/info")];
  expect(keys.map(({ json }) => json.apiKey)).toEqual([mine.apiKey, theirs.apiKey]);
  const office = theirs.offices[0]?.id;
  for (const path of [
    `/api/tenant/offices/${office}`,
    `/api/tenant/dashboard/metrics?officeId=${office}`,
    `/api/tenant/dashboard/recent-calls?officeId=${office}`,
  ])
    expect([path, (await apiTest.one.ask("GET", path)).status]).toEqual([path, 404]);
  for (const stranger of [apiTest.asAnonymous, apiTest.root.ask])
    expect(await statusesOn("tenant_admin", stranger)).toEqual([stranger === apiTest.asAnonymous ? 401 : 403]);
});
