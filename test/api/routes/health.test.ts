import type { PlatformHealth, SystemHealth } from "@vitaline/contract";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { AwsOptions } from "../../../packages/local-cloud/aws/index.ts";
import { ownPlatform, type TestPlatform } from "../../kit/platform.ts";

let it: TestPlatform;
let tokens: string[];
let hook: AwsOptions["fault"];
let beforeFirstProbe: Awaited<ReturnType<typeof tenantSees>>;
let probed: Awaited<ReturnType<typeof tenantSees>>;
beforeAll(async () => {
  it = await ownPlatform({ voices: true, calls: true, fault: (call) => hook?.(call) });
  tokens = await Promise.all(it.demo.tenants.slice(0, 2).map(({ admin }) => it.tokenOf(admin.email, admin.password)));
  beforeFirstProbe = await tenantSees();
  await probe();
  probed = await tenantSees();
});
beforeEach(() => (hook = undefined));
afterAll(() => it.close());

const probe = () => it.platform.cloud.runScheduled("events-health");
const tenantSees = (at = 0) => it.api<SystemHealth>("GET", "/api/tenant/dashboard/system-health", { token: tokens[at] });
const consoleSees = async () => {
  const token = await it.tokenOf(it.demo.systemAdmin.email, it.demo.systemAdmin.password);
  return it.api<PlatformHealth>("GET", "/api/admin/system-health", { token });
};

test("D1.9-020 before the first probe health is unknown and its numbers are null: the fallback constants are the screen's", () => {
  const { status, json } = beforeFirstProbe;
  expect(status).toBe(200);
  expect(json).toMatchObject({ overallStatus: "unknown", uptime: null, uptimeSince: null, apiResponseTime: null, lastUpdated: null });
});

test("D1.3-012 D1.7-016 after a probe a tenant sees the health of the platform and of its own record system", () => {
  const { json } = probed;
  expect(Object.keys(json)).toEqual([
    "overallStatus",
    "uptime",
    "uptimeSince",
    "apiResponseTime",
    "voiceAgentStatus",
    "fhirConnectivity",
    "databaseStatus",
    "lastUpdated",
    "services",
  ]);
  expect(json).toMatchObject({
    overallStatus: "healthy",
    uptime: 100,
    fhirConnectivity: "healthy",
    databaseStatus: "healthy",
    voiceAgentStatus: "healthy",
  });
  expect(json.apiResponseTime).toBe(json.services.find(({ name }) => name === "API")!.responseTime);
  expect(json.apiResponseTime).toBeGreaterThan(0);
  for (const { name, status, responseTime } of json.services)
    expect([name, status, typeof responseTime]).toEqual([expect.any(String), "healthy", "number"]);
});

test("the console shows the same components and counts all connections", async () => {
  const { json } = await consoleSees();
  expect(json.services.map(({ name }) => name)).toEqual(["API", "Database", "File storage", "Encryption"]);
  expect(json.fhirProviders.healthy).toBeGreaterThan(0);
  expect((await it.api("GET", "/api/admin/system-health", { token: tokens[0] })).status).toBe(403);
  expect((await it.api("GET", "/api/tenant/dashboard/system-health")).status).toBe(401);
});

test("the console has the daily history of the platform's components, and of each connection by its id", async () => {
  const token = await it.tokenOf(it.demo.systemAdmin.email, it.demo.systemAdmin.password);
  const { json: all } = await it.api<PlatformHealth>("GET", "/api/admin/system-health", { token });
  expect(all.history.length).toBeGreaterThan(0);
  for (const { date, probes, successful, averageMs } of all.history)
    expect([date, successful <= probes, typeof averageMs]).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d$/), true, "number"]);
  const { json: fhir } = await it.api<{ providers: { id: string; status: string }[] }>("GET", "/api/admin/fhir/health-status", { token });
  const { id } = fhir.providers.find(({ status }) => status === "healthy")!;
  const { status, json } = await it.api<PlatformHealth>("GET", `/api/admin/system-health?connection=${id}`, { token });
  expect([status, json.history.at(-1)!.successful]).toEqual([200, expect.any(Number)]);
  expect(json.history.at(-1)!.successful).toBeGreaterThan(0);
  expect((await it.api("GET", "/api/admin/system-health?connection=x", { token })).status).toBe(400);
});

test("an EHR outage is an error of its own tenants' connection alone", async () => {
  const address = `${it.platform.sandbox.origin}/faults`;
  const { uptime } = (await tenantSees()).json;
  await fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body: '{"kind":"down"}' });
  try {
    await probe();
  } finally {
    await fetch(address, { method: "DELETE" });
  }
  const { json } = await tenantSees();
  expect(json).toMatchObject({ overallStatus: "warning", fhirConnectivity: "error", databaseStatus: "healthy" });
  expect(json.uptime).toBeGreaterThanOrEqual(uptime!);
  expect((await it.api("GET", "/api/public/health")).json).toMatchObject({ status: "ok" });
  await probe();
  expect((await tenantSees()).json.fhirConnectivity).toBe("healthy");
});

test("a component outage is an error for every tenant, degraded for the public, and lowers the uptime", async () => {
  hook = ({ service }) => (service === "s3" ? { status: 503, code: "SlowDown", message: "later" } : undefined);
  await probe();
  hook = undefined;
  for (const at of [0, 1]) {
    const { json } = await tenantSees(at);
    expect(json.overallStatus).toBe("error");
    expect(json.uptime).toBeLessThan(100);
  }
  expect((await it.api("GET", "/api/public/health")).json).toMatchObject({ status: "degraded" });
  await probe();
  expect((await tenantSees()).json.overallStatus).toBe("healthy");
});

test("reading health does not keep a session alive, and no probe uses the network after its end", async () => {
  await it.platform.cloud.drained();
  const before = it.platform.usage().at(-1)!.id;
  await tenantSees();
  const asked = it.platform.usage(before).filter(({ principalArn }) => principalArn.includes("tenant"));
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter(({ writeUnits }) => writeUnits > 0)).toEqual([]);
  expect(it.platform.cloud.lambda.violations).toEqual([]);
});

test("a tenant's request for a record system is stored and logged at once, and is not counted against visitors' messages", async () => {
  const path = "/api/tenant/fhir-providers/request";
  const ask = (at: number) => it.api("POST", path, { token: tokens[at], body: { message: "Please add our record system" } });
  for (let count = 0; count < 5; count++) expect((await ask(0)).status).toBeLessThan(300);
  expect((await ask(0)).status).toBe(429);
  expect((await ask(1)).status).toBeLessThan(300);
  const form = { firstName: "Ann", lastName: "Lee", email: "ann@example.com", message: "hello" };
  expect((await it.api("POST", "/api/contact", { body: form })).status).toBeLessThan(300);
  const { text } = await it.api("GET", "/api/tenant/dashboard/audit-logs", { token: tokens[0] });
  expect(text.match(/fhirProvider\.request/g)?.length).toBe(5);
});

test("a request to the operators is answered in the console, and its tenant alone sees the answer", async () => {
  const body = { kind: "plan", message: "More minutes, please" };
  const asked = await it.api("POST", "/api/tenant/requests", { token: tokens[1], body });
  expect(asked.status).toBe(201);
  const system = await it.tokenOf(it.demo.systemAdmin.email, it.demo.systemAdmin.password);
  const listed = await it.api("GET", "/api/admin/requests", { token: system });
  const { id, tenantId } = (listed.json as { id: string; tenantId: string }[]).find((one) => one.id === (asked.json as { id: string }).id)!;
  const answer = (ifMatch: number) =>
    it.api("PUT", `/api/admin/tenants/${tenantId}/requests/${id}`, {
      token: system,
      headers: { "if-match": `"${ifMatch}"` },
      body: { status: "done", note: "You have 500 more." },
    });
  expect((await answer(1)).status).toBe(200);
  expect((await answer(1)).status).toBe(409);
  const seen = async (at: number) => JSON.stringify((await it.api("GET", "/api/tenant/requests", { token: tokens[at] })).json);
  expect(await seen(1)).toContain("You have 500 more.");
  expect(await seen(0)).not.toContain("You have 500 more.");
});
