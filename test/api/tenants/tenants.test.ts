import { afterAll, beforeAll, expect, test } from "vitest";
import { newApiKey } from "../../../packages/api-keys/authenticate.ts";
import { proves } from "../../requirements/proves.ts";
import { tableOf, tenantAt } from "../calls/main-job.ts";
import type { Answer, Asking, Json } from "../../kit/api.ts";
import { details } from "../../kit/api-test.ts";
import { sharedPlatform, type TestPlatform } from "../../kit/platform.ts";

let it: TestPlatform;
let root: string;
let one: string;
let two: string;
const unknownId = "0".repeat(26);

beforeAll(async () => {
  it = await sharedPlatform({ voices: true, calls: true });
  root = await it.tokenOf(it.demo.systemAdmin.email, it.demo.systemAdmin.password);
  [one, two] = (await Promise.all(
    [0, 1].map((index) => it.tokenOf(tenantAt(it, index).admin.email, tenantAt(it, index).admin.password)),
  )) as [string, string];
});
afterAll(() => it.close());

const asRoot = <T = Json>(method: string, path: string, asking: Asking = {}): Promise<Answer<T>> =>
  it.api(method, path, { token: root, ...asking });
const statusOf = async (answer: Promise<Answer<unknown>>) => (await answer).status;
const newTenant = async (change: object = {}): Promise<Json> => {
  const { status, json } = await asRoot("POST", "/api/admin/tenants", { body: details(change) });
  expect(status).toBe(201);
  return json;
};
let counter = 0;
const office = (change: object = {}) => ({
  name: `Office ${++counter}`,
  address: "2 Side St",
  phone: "555 0101",
  email: "o@desk.example",
  isActive: true,
  ...change,
});
const addressOf = ({ id }: { id: string }) => `/api/admin/tenants/${id}`;
const callReport = { message: { type: "status-update", status: "in-progress", call: { id: "tenants-test" } } };
const platformPaths = ["tool-call", "server", "call-summary"].map((path) => `/api/vapi/${path}`);
const platformAnswers = (key: string) =>
  Promise.all(platformPaths.map((path) => statusOf(it.api("POST", path, { key, body: callReport }))));
const accepted = async (key: string) => (await statusOf(it.api("POST", "/api/vapi/server", { key, body: callReport }))) === 200;

const usual = {
  defaultMethod: "email",
  emailEnabled: true,
  smsEnabled: true,
  phoneEnabled: true,
  businessHours: { start: "09:00", end: "17:00", timezone: "America/New_York" },
};

test("an update keeps the fields that it does not name: the other policy, the time format of the hours and of an office", async () => {
  const made = await newTenant();
  const put = async (change: object) => (await asRoot("PUT", addressOf(made), { body: { ...details(), isActive: true, ...change } })).json;
  await put({ policies: { requireTotp: true }, timeZone: "America/Denver" });
  expect((await put({ policies: { ownFhirProviders: true } })).policies).toMatchObject({ requireTotp: true, ownFhirProviders: true });
  const { json } = await asRoot("PUT", `${addressOf(made)}/contact-preferences`, { body: { smsEnabled: false } });
  expect(json).toMatchObject({ timeZone: "America/Denver", contactPreferences: { businessHours: { timezone: "America/Denver" } } });
  const opened = await asRoot("POST", `${addressOf(made)}/offices`, {
    body: { name: "Clock", businessHours: { start: "10:00", end: "14:00" } },
  });
  expect(opened.json.businessHours).toEqual({ start: "10:00", end: "14:00", timezone: "America/Denver" });
  expect(await statusOf(asRoot("POST", `${addressOf(made)}/offices`, { body: { name: "clock\u00a0" } }))).toBe(409);
});

test("C06: a system administrator sets how long callers' data is kept, its tenant reads it, and a transcript never outlives its call", async () => {
  const made = await newTenant();
  const put = (retention: object) => asRoot("PUT", addressOf(made), { body: { ...details(), isActive: true, policies: { retention } } });
  expect((await put({ leads: 90 })).json.policies.retention).toEqual({ calls: 2557, transcripts: 365, leads: 90, messages: 90 });
  const refused = await put({ calls: 180 });
  expect(refused.status).toBe(400);
  expect(refused.json.fields).toEqual({ "policies.retention.transcripts": "Must not be longer than the call itself is kept" });
  expect((await put({ calls: 180, transcripts: 30 })).json.policies.retention).toMatchObject({ calls: 180, transcripts: 30, leads: 90 });
  expect((await asRoot("GET", addressOf(made))).json.policies.retention).toMatchObject({ calls: 180, transcripts: 30, leads: 90 });
});

test("a tenant's details are read without its key on request, unaudited, and only so by a viewing administrator", async () => {
  const { id, name } = tenantAt(it, 0);
  const { apiKey } = (await asRoot("GET", addressOf({ id }))).json;
  const viewing = (await asRoot("POST", `/api/admin/tenants/${id}/view-as`)).json.token as string;
  const ask = (query: string, token: string) => it.api("GET", `/api/tenant/info${query}`, { token });
  const reveals = async () =>
    (await it.api("GET", "/api/tenant/dashboard/audit-logs?search=apiKey.reveal&limit=100", { token: one })).text.split('"apiKey.reveal"')
      .length;
  const before = await reveals();
  for (const token of [one, viewing]) {
    const { status, json, headers } = await ask("?withKey=false", token);
    expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(json).toMatchObject({ tenantId: id, organizationName: name, apiKey: null });
    expect((await ask("?withKey=maybe", token)).status).toBe(400);
  }
  for (const query of ["", "?withKey=true", "?withKey=", "?withKey=false&withKey=true"])
    expect((await ask(query, viewing)).status).not.toBe(200);
  expect((await ask("?withKey=false", two)).json).toMatchObject({ tenantId: tenantAt(it, 1).id, apiKey: null });
  expect(await reveals()).toBe(before);
  expect((await ask("?withKey=true", one)).json.apiKey).toBe(apiKey);
  expect(await reveals()).toBe(before + 1);
});

test("the console reads a tenant without its key, unaudited, with its month's minutes", async () => {
  const made = await newTenant();
  const reveals = async () =>
    [...(await tableOf(it)).values()].filter(({ pk, action }) => String(pk).includes(`#${made.id}#AUDIT#`) && action === "apiKey.reveal")
      .length;
  const { status, json, text } = await asRoot("GET", `${addressOf(made)}?withKey=false`);
  expect([status, json.apiKey, json.name, text.includes("vtl_live_")]).toEqual([200, null, made.name, false]);
  expect(await reveals()).toBe(0);
  expect((await asRoot("GET", addressOf(made))).json.apiKey).toBe(made.apiKey);
  expect(await reveals()).toBe(1);

  expect((await asRoot("GET", `${addressOf(made)}/usage`)).json).toMatchObject({
    calls: 0,
    minutes: 0,
    planName: null,
    overageMinutes: null,
  });
  const plan = { name: "Growth", monthlyPrice: 499, bundledMinutes: 2500 };
  await asRoot("PUT", addressOf(made), { body: { ...details({ name: made.name }), isActive: true, plan } });
  expect((await asRoot("GET", `${addressOf(made)}/usage`)).json).toMatchObject({
    planName: "Growth",
    bundledMinutes: 2500,
    overageMinutes: 0,
  });
  expect((await it.api("GET", `${addressOf(made)}/usage`, { token: one })).status).toBe(403);
  expect((await asRoot("GET", `/api/admin/tenants/${unknownId}/usage`)).status).toBe(404);
});

proves("D2.2-004", async () => {
  const { status, json, headers } = await it.api("GET", "/.well-known/jwks.json");
  expect([status, headers.get("cache-control")]).toEqual([200, "public, max-age=3600"]);
  expect(json.keys[0]).toMatchObject({ kid: expect.any(String), alg: "RS256", kty: "RSA" });
});

test("the list of tenants has pages, and an altered link is refused", async () => {
  const seen: string[] = [];
  for (let path: string | undefined = "/api/admin/tenants?limit=2"; path;) {
    const { status, json, headers }: Answer<Json> = await asRoot("GET", path);
    expect([status, json.length <= 2]).toEqual([200, true]);
    seen.push(...json.map(({ id }: Json) => id));
    path = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
    if (path && seen.length === 2) expect(await statusOf(asRoot("GET", path.replace(/cursor=..../, "cursor=AAAA")))).toBe(400);
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toEqual((await asRoot("GET", "/api/admin/tenants")).json.map(({ id }: Json) => id));
});

test("an update with an older version of a tenant or an office gets a conflict and changes nothing", async () => {
  const made = await newTenant();
  const { json: branch } = await asRoot("POST", `${addressOf(made)}/offices`, { body: office() });
  for (const [path, body] of [
    [addressOf(made), { ...details(), isActive: true }],
    [`${addressOf(made)}/contact-preferences`, { ...usual, smsEnabled: false }],
    [`${addressOf(made)}/offices/${branch.id}`, office()],
  ] as const) {
    const { headers } = await asRoot("GET", path.endsWith("preferences") ? addressOf(made) : path);
    const etag = headers.get("etag") ?? "";
    expect((await asRoot("PUT", path, { body, headers: { "if-match": etag } })).status).toBe(200);
    const stale = await asRoot("PUT", path, {
      body: { ...body, ...("name" in body && { name: "Late" }), ...("smsEnabled" in body && { emailEnabled: true, smsEnabled: true }) },
      headers: { "if-match": etag },
    });
    expect([stale.status, stale.json.code]).toEqual([409, "stale_version"]);
  }
  expect((await asRoot("GET", addressOf(made))).json.contactPreferences.smsEnabled).toBe(false);
});

test("of offices created or renamed to one name at once one succeeds, and 409 names the field", async () => {
  const answers = await Promise.all(
    ["Twin", "TWIN", "twin"].map((name) => it.api("POST", "/api/tenant/offices", { token: one, body: office({ name }) })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  const refused = answers.find(({ status }) => status === 409)?.json;
  expect(refused).toMatchObject({
    error: "An office with this name already exists",
    code: "duplicate",
    fields: { name: "An office with this name already exists" },
  });
  const others = await Promise.all(
    [0, 1].map(async () => (await it.api("POST", "/api/tenant/offices", { token: one, body: office() })).json),
  );
  const renames = await Promise.all(
    others.map(({ id }) => it.api("PUT", `/api/tenant/offices/${id}`, { token: one, body: office({ name: "Renamed twin" }) })),
  );
  expect(renames.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await it.api("POST", "/api/tenant/offices", { token: two, body: office({ name: "Twin" }) })).status).toBe(201);
});

test("a tenant's own office has its features as data: set, inherited again with null, and shown as effective", async () => {
  const breaks = [{ start: "12:00", end: "12:30" }];
  const businessHours = {
    start: "10:00",
    end: "14:00",
    timezone: "America/Los_Angeles",
    breaks,
    days: { friday: { start: "10:00", end: "16:00", breaks } },
  };
  const features = {
    staffCount: 12,
    businessHours,
    staffRouting: [{ label: "Desk", phone: "555 7", reasons: ["billing"] }],
    messageTemplates: { followUp: "Thanks" },
  };
  const made = await it.api("POST", "/api/tenant/offices", { token: one, body: office(features) });
  expect(made).toMatchObject({ status: 201, json: { ...features, messageTemplates: { followUp: "Thanks", appointmentReminder: null } } });
  const path = `/api/tenant/offices/${made.json.id}`;
  expect((await it.api("GET", path, { token: one })).json).toMatchObject({
    effective: { businessHours, messageTemplates: { followUp: "Thanks" } },
    fhirEnabled: true,
  });
  const { name, address, phone, email } = made.json;
  const inherited = await it.api("PUT", path, {
    token: one,
    body: { name, address, phone, email, businessHours: null, staffRouting: null, messageTemplates: null },
  });
  expect(inherited).toMatchObject({ status: 200, json: { businessHours: null, staffRouting: [], staffCount: 12, version: 2 } });
  expect((await it.api("GET", path, { token: one })).json).toMatchObject({ effective: { businessHours: { start: "09:00" } } });
});

test("a tenant sets its savings rate and its patients' texts; its plan is read-only", async () => {
  const put = (body: object) => it.api("PUT", "/api/tenant/settings", { token: one, body });
  expect(await put({ hourlyWage: 28.5, averageVisitValue: 140, messageTemplates: { followUp: "Bye" } })).toMatchObject({
    status: 200,
    json: { hourlyWage: 28.5, averageVisitValue: 140, messageTemplates: { followUp: "Bye", appointmentConfirmation: null }, plan: null },
  });
  const { json, headers } = await it.api("GET", "/api/tenant/settings", { token: one });
  expect(json).toMatchObject({ hourlyWage: 28.5, contactPreferences: { defaultMethod: "email" } });
  expect(headers.get("etag")).toBe(`"${json.version}"`);
  expect(await put({ averageVisitValue: null })).toMatchObject({ json: { hourlyWage: 28.5, averageVisitValue: null } });
  for (const wrong of [
    { hourlyWage: -1 },
    { hourlyWage: 1.005 },
    { hourlyWage: 1e-200 },
    { plan: { name: "x", monthlyPrice: 0, bundledMinutes: 1 } },
  ])
    expect((await put(wrong)).status).toBe(400);
  expect((await it.api("GET", "/api/tenant/settings", { token: two })).json.hourlyWage).toBeNull();
  const saved = await it.api("PUT", "/api/tenant/contact-preferences", { token: one, body: { ...usual, smsEnabled: false } });
  expect(saved).toMatchObject({ status: 200, json: { contactPreferences: { smsEnabled: false }, hourlyWage: 28.5 } });
});

test("another tenant's id, an unknown id and a malformed id get the same 404", async () => {
  const [mine, theirs] = [tenantAt(it, 0).offices[0]?.id, tenantAt(it, 1).offices[0]?.id];
  const answers = await Promise.all([
    ...[theirs, unknownId, "x"].flatMap((id) => [
      it.api("GET", `/api/tenant/offices/${id}`, { token: one }),
      it.api("PUT", `/api/tenant/offices/${id}`, { token: one, body: office() }),
    ]),
    asRoot("PUT", `${addressOf(tenantAt(it, 1))}/offices/${mine}`, { body: office() }),
    asRoot("GET", `${addressOf({ id: unknownId })}/offices`),
    asRoot("GET", addressOf({ id: unknownId })),
    asRoot("PUT", addressOf({ id: unknownId }), { body: { ...details(), isActive: true } }),
    asRoot("POST", `${addressOf({ id: unknownId })}/regenerate-api-key`, { body: {} }),
    asRoot("GET", `${addressOf({ id: unknownId })}/api-keys`),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
  expect(new Set(answers.map(({ json }) => `${json.error} ${json.code}`)).size).toBe(1);
  expect((await it.api("GET", `/api/tenant/offices/${mine}`, { token: one })).json.name).toBe(tenantAt(it, 0).offices[0]?.name);
});

test("keys are listed without their text, with their last use; a former one is revoked at once, by either console", async () => {
  const made = await newTenant();
  const rotate = async () =>
    (await asRoot("POST", `${addressOf(made)}/regenerate-api-key`, { body: { overlapSeconds: 3600 } })).json.apiKey as string;
  const fresh = await rotate();
  expect([await accepted(made.apiKey), await accepted(fresh)]).toEqual([true, true]);
  const { json, text } = await asRoot("GET", `${addressOf(made)}/api-keys`);
  expect(json).toMatchObject([
    { status: "active", last4: fresh.slice(-4), lastUsedAt: expect.any(String), notAfter: null },
    { status: "retiring", last4: made.apiKey.slice(-4), lastUsedAt: expect.any(String), notAfter: expect.any(String) },
  ]);
  expect(text).not.toContain("vtl_live_");
  const [current, former] = json.map(({ id }: Json) => `${addressOf(made)}/api-keys/${id}/revoke`);
  expect((await asRoot("POST", current)).status).toBe(422);
  expect((await asRoot("POST", former)).json.status).toBe("revoked");
  expect(await platformAnswers(made.apiKey)).toEqual([401, 401, 401]);

  const mine = await it.api("POST", "/api/tenant/regenerate-api-key", { token: one, body: { overlapSeconds: 3600 } });
  const [, old] = (await it.api("GET", "/api/tenant/api-keys", { token: one })).json;
  expect(await statusOf(it.api("POST", `/api/tenant/api-keys/${old.id}/revoke`, { token: two }))).toBe(404);
  expect((await it.api("POST", `/api/tenant/api-keys/${old.id}/revoke`, { token: one })).status).toBe(200);
  expect([await accepted(tenantAt(it, 0).apiKey), await accepted(mine.json.apiKey)]).toEqual([false, true]);
});

test("signing keys are listed with their states, and only a previous one may be retired", async () => {
  const kids = async () => (await it.api("GET", "/.well-known/jwks.json")).json.keys.map(({ kid }: Json) => kid);
  const made = await asRoot("POST", "/api/admin/platform/jwk/generate", { body: { algorithm: "RS256" } });
  const { json, text } = await asRoot("GET", "/api/admin/platform/keys");
  // Other files may have made as many as there can be on this platform.
  if (made.status === 201) expect(json[0]).toMatchObject({ ...made.json, alg: "RS256", state: "pending", lastSignedAt: null });
  else expect([made.status, made.json.code, json.length]).toEqual([422, "not_doable", 4]);
  expect(json.filter(({ state }: Json) => state === "active")).toMatchObject([{ alg: "RS256", lastSignedAt: expect.any(String) }]);
  expect(text).not.toContain("arn:");
  expect(await kids()).toEqual(expect.arrayContaining(json.map(({ kid }: Json) => kid)));
  for (const { kid } of json) expect((await asRoot("POST", `/api/admin/platform/keys/${kid}/retire`)).status).toBe(422);
  expect(await statusOf(asRoot("POST", "/api/admin/platform/keys/no-such-key-0123456789/retire"))).toBe(404);
  expect(await statusOf(it.api("GET", "/api/admin/platform/keys", { token: one }))).toBe(403);
});

test("a tenant's new name is in the next list of users", async () => {
  const { id, admin } = tenantAt(it, 1);
  const { json } = await asRoot("GET", addressOf({ id }));
  const { name, organizationType, contactEmail, isActive } = json;
  const rename = (to: string) =>
    asRoot("PUT", addressOf({ id }), { body: { ...details(), name: to, organizationType, contactEmail, isActive } });
  const shown = async () => (await asRoot("GET", "/api/admin/users")).json.find(({ email }: Json) => email === admin.email).tenantName;
  expect(await shown()).toBe(name);
  expect((await rename("Renamed for its users")).status).toBe(200);
  expect(await shown()).toBe("Renamed for its users");
  await rename(name);
  expect(await shown()).toBe(name);
});

test("an inactive tenant's key is refused at every address and its users are signed out at once; reactivated, both work again", async () => {
  const tenant = tenantAt(it, 1);
  const { apiKey } = (await it.api("GET", "/api/tenant/info", { token: two })).json;
  const { json } = await asRoot("GET", addressOf(tenant));
  const { name, organizationType, contactEmail, contactPhone, address, description } = json;
  const switchTo = (isActive: boolean) =>
    asRoot("PUT", addressOf(tenant), { body: { name, organizationType, contactEmail, contactPhone, address, description, isActive } });
  expect(await accepted(apiKey)).toBe(true);
  expect((await switchTo(false)).json.isActive).toBe(false);
  const told = await Promise.all(platformPaths.map((path) => it.api("POST", path, { key: apiKey, body: callReport })));
  for (const { status, json: problem } of told)
    expect([status, problem.code, problem.error]).toEqual([403, "tenant_inactive", expect.stringContaining("organization is inactive")]);
  for (const key of [`${apiKey.slice(0, -1)}${apiKey.endsWith("0") ? "1" : "0"}`, newApiKey()])
    expect(await platformAnswers(key)).toEqual([401, 401, 401]);
  expect(await statusOf(it.api("GET", "/api/tenant/info", { token: two }))).toBe(401);
  expect(await statusOf(it.api("POST", "/api/auth/login", { body: { email: tenant.admin.email, password: tenant.admin.password } }))).toBe(
    401,
  );
  expect(await statusOf(it.api("GET", "/api/tenant/info", { token: one }))).toBe(200);
  const regenerated = (await asRoot("POST", `${addressOf(tenant)}/regenerate-api-key`, { body: { overlapSeconds: 60 } })).json.apiKey;
  expect(await platformAnswers(regenerated)).toEqual([403, 403, 403]);

  expect((await switchTo(true)).json.isActive).toBe(true);
  expect([await accepted(apiKey), await accepted(regenerated)]).toEqual([true, true]);
  expect(await statusOf(it.api("GET", "/api/tenant/info", { token: two }))).toBe(401);
  two = await it.tokenOf(tenant.admin.email, tenant.admin.password);
  expect((await it.api("GET", "/api/tenant/info", { token: two })).json.isActive).toBe(true);
});
