import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { newId } from "@vitaline/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Answer, Json } from "../../kit/api.ts";
import { openTable } from "../../kit/store/table.ts";
import { isId, isInstant, openApiTest, type Ask, type ApiTest } from "../../kit/api-test.ts";
import { proves } from "../../requirements/proves.ts";

let apiTest: ApiTest;
beforeAll(async () => {
  apiTest = await openApiTest({ own: true });
});
afterAll(() => apiTest?.close());

const logs = "/api/tenant/dashboard/audit-logs";
const board = "/api/dashboard/audit-logs";
const compliance = "/api/admin/compliance-metrics";
const activity = "/api/admin/user-activity";
const drained = () => apiTest.it.platform.cloud.drained();
const read = async (ask: Ask, address: string): Promise<Json> => {
  const { status, json, text } = await ask("GET", address);
  expect([address, status, text]).toEqual([address, 200, expect.any(String)]);
  return json;
};
const actions = (rows: Json[]): string[] => rows.map(({ action }) => action);
const signIn = (email: string, password: string) => apiTest.asAnonymous("POST", "/api/auth/login", { email, password });
const wrongPassword = "not this password 9";
const count = expect.toSatisfy((number) => Number.isInteger(number) && number >= 0);
const asRootOnly = async (address: string) => {
  expect((await apiTest.one.ask("GET", address)).status).toBe(403);
  expect((await apiTest.asAnonymous("GET", address)).status).toBe(401);
};

async function writtenAgo(tenantId: string, days: number, action: string): Promise<void> {
  const madeMs = Date.now() - days * 86_400_000;
  const at = new Date(madeMs).toISOString();
  const id = newId(madeMs);
  const table = openTable(apiTest.it.dataDir);
  const place = { pk: `TENANT#${tenantId}#AUDIT#${at.slice(0, 7)}#api_call`, sk: id };
  const who = { actorKind: "user", actorId: "someone", clientAddress: "198.51.100.1", requestId: "r" };
  const expiresAt = Math.floor(Date.now() / 1000) + 400 * 86_400;
  await table.put({ ...place, ...who, id, at, tenantId, category: "api_call", action, resourceType: "Old", success: true, expiresAt });
  table.close();
}

proves("D1.3-011", async () => {
  const { id: tenantId } = await apiTest.newTenant();
  const admin = await apiTest.newAdmin(tenantId);
  await admin.ask("POST", "/api/tenant/offices", { name: "Audited" });
  await admin.ask("GET", "/api/admin/users");
  const rows = await read(admin.ask, logs);
  expect(rows.find(({ action }: Json) => action === "office.create")).toMatchObject({
    ...{ id: expect.any(String), createdAt: isInstant, actorId: admin.id, actionType: "configuration_change" },
    ...{ resourceType: "Office", ipAddress: expect.stringMatching(/^[\da-f.:]+$/i), success: true },
  });
  expect(rows.find(({ action }: Json) => action === "access.refuse")).toMatchObject({
    actorId: admin.id,
    actionType: "api_call",
    success: false,
  });
});

proves("D1.7-015", async () => {
  const { id: tenantId } = await apiTest.newTenant();
  const admin = await apiTest.newAdmin(tenantId);
  await admin.ask("POST", "/api/tenant/offices", { name: "Sought" });
  await admin.ask("GET", "/api/admin/users");
  await writtenAgo(tenantId, 20, "old.act");
  const asked = async (query: string): Promise<string[]> => actions(await read(admin.ask, `${logs}?${query}`));
  expect(await asked("search=office.create&actionType=all&timeRange=30days")).toEqual(["office.create"]);
  expect(await asked("search=office.create&actionType=api_call&timeRange=30days")).toEqual([]);
  expect(await asked("actionType=api_call&timeRange=90days")).toEqual(expect.arrayContaining(["access.refuse", "old.act"]));
  expect(await asked("actionType=api_call&timeRange=24hours")).not.toContain("old.act");
  for (const actionType of ["patient_access", "data_query", "api_call", "configuration_change"])
    for (const row of await read(admin.ask, `${logs}?actionType=${actionType}`)) expect(row.actionType).toBe(actionType);
  for (const wrong of ["actionType=login", "timeRange=1year"]) expect((await admin.ask("GET", `${logs}?${wrong}`)).status).toBe(400);
  expect(JSON.stringify(await read(apiTest.two.ask, `${logs}?timeRange=90days&limit=100`))).not.toContain(admin.id);
  expect((await apiTest.root.ask("GET", logs)).status).toBe(403);
});

proves("D1.9-022", async () => {
  const { id } = await apiTest.newTenant();
  const { ask } = await apiTest.newAdmin(id);
  await writtenAgo(id, 6.9, "old.within");
  await writtenAgo(id, 7.1, "old.beyond");
  expect(actions(await read(ask, `${logs}?search=old.`))).toEqual(["old.within"]);
  expect(actions(await read(ask, `${logs}?search=old.&timeRange=7days`))).toEqual(["old.within"]);
  expect(actions(await read(ask, `${logs}?search=old.&timeRange=30days`))).toEqual(["old.within", "old.beyond"]);
});

proves("D1.9-021", async () => {
  expect(await read(apiTest.one.ask, "/api/tenant/dashboard/audit-status")).toMatchObject({ retentionYears: 7 });
  const table = openTable(apiTest.it.dataDir);
  const kept = (await table.rows()).filter(({ pk, resourceType }) => pk.includes("#AUDIT#") && resourceType !== "Old");
  table.close();
  expect(kept.length).toBeGreaterThan(10);
  for (const { at, expiresAt } of kept) expect((Number(expiresAt) - Date.parse(String(at)) / 1000) / (365.25 * 86_400)).toBeCloseTo(7, 2);
});

proves("D2.3-020", async () => {
  const answer = await read(apiTest.root.ask, board);
  expect(answer).toMatchObject({ todayCount: count, weekCount: count, securityEvents: count, failedAttempts: count });
  expect(answer.logs.length).toBeGreaterThan(0);
  for (const log of answer.logs)
    expect(log).toMatchObject({
      ...{ id: expect.any(String), action: expect.stringMatching(/^\w+\.\w+$/), description: expect.stringMatching(/\w/) },
      ...{ level: expect.stringMatching(/^(INFO|WARN|ERROR)$/), timestamp: isInstant },
    });
});

proves("D2.7-031", async () => {
  await drained();
  const before = await read(apiTest.root.ask, `${board}?limit=20`);
  expect((await signIn(apiTest.one.email, wrongPassword)).status).toBe(401);
  await apiTest.one.ask("POST", "/api/tenant/offices", { name: "On the board" });
  await drained();
  const after = await read(apiTest.root.ask, `${board}?limit=20`);
  expect(after.logs.length).toBeLessThanOrEqual(20);
  expect(actions(after.logs).slice(0, 2)).toEqual(["office.create", "session.login"]);
  expect(after.logs[1]).toMatchObject({
    level: "ERROR",
    description: "An unauthenticated client tried to sign in and failed: invalid credentials.",
  });
  const grown = (name: string) => after[name] - before[name];
  expect(["todayCount", "weekCount", "securityEvents", "failedAttempts"].map(grown)).toEqual([2, 2, 1, 1]);
  await asRootOnly(`${board}?limit=20`);
});

proves("D2.9-002", async () => {
  for (let time = 0; time < 25; time++) await apiTest.one.ask("GET", "/api/admin/users");
  await drained();
  for (const address of [board, `${board}?limit=20`]) expect((await read(apiTest.root.ask, address)).logs).toHaveLength(20);
  for (const address of [activity, `${activity}?limit=20`]) expect((await read(apiTest.root.ask, address)).recentActions).toHaveLength(20);
  expect((await read(apiTest.root.ask, `${activity}?limit=2`)).recentActions).toHaveLength(2);
});

const run = (command: string) => {
  const cli = path.resolve(import.meta.dirname, "../../..", command);
  return promisify(execFile)(process.execPath, [cli], { env: { ...process.env, VITALINE_DATA: apiTest.it.dataDir } });
};
const verify = async () => {
  const told = await run("functions/audit/verify-cli.ts");
  await drained();
  return told;
};
const percentages = ["auditScore", "dataIntegrity", "accessControl"] as const;
proves("D2.3-021", async () => {
  await drained();
  const before = await read(apiTest.root.ask, compliance);
  for (const name of percentages) expect(before).toHaveProperty(name);
  await verify();
  const after = await read(apiTest.root.ask, compliance);
  expect(after).toMatchObject({ dataIntegrity: 100, accessControl: expect.any(Number) });
  expect(after.auditScore).toBeGreaterThan(90);
});

proves("D2.7-032", async () => {
  await drained();
  await verify();
  const before = await read(apiTest.root.ask, compliance);
  for (const name of percentages) expect([name, before[name] >= 0 && before[name] <= 100]).toEqual([name, true]);
  for (let time = 0; time < 5; time++) expect((await apiTest.two.ask("GET", "/api/admin/users")).status).toBe(403);
  await drained();
  const after = await read(apiTest.root.ask, compliance);
  expect(after.accessControl).toBeLessThan(before.accessControl);
  expect(after.checks.map(({ id }: Json) => id)).toContain("administrators-second-factor");
  expect(after.checks).toContainEqual(expect.objectContaining({ id: "events-processed", ok: true }));
  await asRootOnly(compliance);
});

const signInsOf = ({ activeUsers, loginCount, failedLogins }: Json) => [activeUsers, loginCount, failedLogins];
proves("D2.3-022", async () => {
  await drained();
  const answer = await read(apiTest.root.ask, activity);
  expect(answer).toMatchObject({ activeUsers: count, loginCount: count, failedLogins: count });
  expect(answer.activeUsers).toBeGreaterThanOrEqual(3);
  expect(answer.loginCount).toBeGreaterThanOrEqual(answer.activeUsers);
});

proves("D2.7-033", async () => {
  await drained();
  const [activeUsers, loginCount, failedLogins] = signInsOf(await read(apiTest.root.ask, `${activity}?limit=20`));
  const { email, password } = apiTest.two;
  for (const tried of [password, password, wrongPassword]) await signIn(email, tried);
  await drained();
  const after = await read(apiTest.root.ask, `${activity}?limit=20`);
  expect(signInsOf(after)).toEqual([activeUsers, loginCount + 2, failedLogins + 1]);
  expect(after.recentActions.length).toBeLessThanOrEqual(20);
  expect(after.recentActions[0]).toMatchObject({
    ...{ action: "session.login", description: "A user signed in." },
    actorName: expect.stringMatching(/\w+ \w+/),
  });
  await asRootOnly(`${activity}?limit=20`);
});

const today = () => new Date().toISOString().slice(0, 10);
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const exportAudit = (body: object, ask: Ask = apiTest.root.ask, whose = "admin") => ask("POST", `/api/${whose}/audit/export`, body);
const fileOf = async ({ json: { exportId } }: Answer<Json>, ask: Ask = apiTest.root.ask, whose = "admin"): Promise<string> => {
  const found = async (): Promise<Json> => (await ask("GET", `/api/${whose}/audit/exports/${exportId}`)).json;
  await expect.poll(found, { timeout: 30_000 }).toMatchObject({ exportId, state: "ready" });
  return (await fetch((await found()).url)).text();
};
proves("D2.3-023", async () => {
  const form = { start: daysAgo(3), end: today(), format: "json" };
  const asked = await exportAudit(form);
  expect(asked).toMatchObject({ status: 202, json: { ...form, exportId: isId } });
  const rows: Json[] = JSON.parse(await fileOf(asked));
  expect(rows.length).toBeGreaterThan(0);
  for (const { time } of rows) expect([time >= form.start, time.slice(0, 10) <= form.end]).toEqual([true, true]);
  const yesterday = await exportAudit({ ...form, end: daysAgo(1) });
  expect(actions(JSON.parse(await fileOf(yesterday)))).not.toContain("session.login");
});

proves("D2.9-016", async () => {
  const files = await Promise.all(["csv", "pdf", "json"].map(async (format) => fileOf(await exportAudit({ format }))));
  const [csv = "", pdf = "", json = ""] = files;
  expect(csv.split("\r\n")[0]).toMatch(/^Time.*,.*Action/);
  expect(csv).toContain("session.login");
  expect(pdf).toMatch(/^%PDF-1\.\d/);
  expect(actions(JSON.parse(json))).toContain("session.login");
  for (const format of ["xlsx", "CSV", "", undefined])
    expect(await exportAudit({ format })).toMatchObject({ status: 400, json: { fields: { format: expect.any(String) } } });
});

proves("D2.7-038", async () => {
  const [tenant, other] = apiTest.tenants;
  await apiTest.one.ask("POST", "/api/tenant/offices", { name: "In the report" });
  const asked = await exportAudit({ format: "json" });
  expect(asked.status).toBe(202);
  const rows: Json[] = JSON.parse(await fileOf(asked));
  expect(rows).toContainEqual(expect.objectContaining({ action: "office.create", tenantId: tenant.id, actorId: apiTest.one.id }));
  expect(rows.map(({ tenantId }) => tenantId)).toEqual(expect.arrayContaining([tenant.id, other.id, ""]));
  const own = await exportAudit({ format: "json" }, apiTest.two.ask, "tenant");
  const ofOther: Json[] = JSON.parse(await fileOf(own, apiTest.two.ask, "tenant"));
  expect(new Set(ofOther.map(({ tenantId }) => tenantId))).toEqual(new Set([other.id]));
  expect((await exportAudit({ format: "json" }, apiTest.one.ask)).status).toBe(403);
  expect((await exportAudit({ format: "json" }, apiTest.asAnonymous)).status).toBe(401);
  expect((await apiTest.one.ask("GET", `/api/tenant/audit/exports/${own.json.exportId}`)).status).toBe(404);
});

proves("D2.5-029", async () => {
  for (const [start, end, field] of [
    [today(), daysAgo(1), "start"],
    [daysAgo(-2), daysAgo(-2), "start"],
    [today(), daysAgo(-2), "end"],
    [daysAgo(370), today(), "start"],
    ["yesterday", today(), "start"],
    [today(), "2026-02-30", "end"],
  ] as const)
    for (const [ask, whose] of [
      [apiTest.root.ask, "admin"],
      [apiTest.one.ask, "tenant"],
    ] as const) {
      const { status, json } = await exportAudit({ start, end, format: "csv" }, ask, whose);
      expect([start, end, status, json.fields]).toEqual([start, end, 400, { [field]: expect.stringMatching(/\w/) }]);
    }
  expect((await exportAudit({ start: today(), end: today(), format: "csv" })).status).toBe(202);
});

const healthPath = "/api/tenant/dashboard/system-health";
const isState = expect.stringMatching(/^(healthy|warning|error|unknown)$/);
proves("D1.3-012", async () => {
  await apiTest.it.platform.cloud.runScheduled("health");
  const health = await read(apiTest.one.ask, healthPath);
  expect(health).toMatchObject({
    ...{ overallStatus: "healthy", uptime: 100, databaseStatus: "healthy", fhirConnectivity: "healthy", voiceAgentStatus: isState },
    ...{ apiResponseTime: expect.any(Number), lastUpdated: isInstant },
  });
  expect(health.services.length).toBeGreaterThan(1);
  for (const service of health.services)
    expect(service).toEqual({ name: expect.stringMatching(/\w/), status: isState, responseTime: expect.any(Number) });
  expect(health.services.map(({ name }: Json) => name)).toContain("Sandbox EHR");
});

proves("D1.7-016", async () => {
  await apiTest.it.platform.cloud.runScheduled("health");
  const first = await read(apiTest.two.ask, healthPath);
  await apiTest.it.platform.cloud.runScheduled("health");
  const second = await read(apiTest.two.ask, healthPath);
  expect(Date.parse(second.lastUpdated)).toBeGreaterThan(Date.parse(first.lastUpdated));
  const { id } = await apiTest.newTenant();
  const bare = await read((await apiTest.newAdmin(id)).ask, healthPath);
  expect([bare.fhirConnectivity, bare.services.map(({ name }: Json) => name).includes("Sandbox EHR")]).toEqual(["unknown", false]);
  expect((await apiTest.asAnonymous("GET", healthPath)).status).toBe(401);
  expect((await apiTest.root.ask("GET", healthPath)).status).toBe(403);
});

const visitor = (change: object = {}) => ({
  firstName: "Vera",
  lastName: "Visitor",
  email: "vera@visit.example",
  message: "How much is it?",
  ...change,
});
const send = (change: object = {}) => apiTest.asAnonymous("POST", "/api/contact", visitor(change));
const received = () => read(apiTest.root.ask, "/api/admin/contact-messages");
proves("D1.2-046", async () => {
  const form = { phone: "555 0177", company: "Visit & Co", industry: "dental", message: "Please call me." };
  expect(await send(form)).toMatchObject({ status: 201, json: { received: true } });
  expect((await received())[0]).toMatchObject({ ...visitor(form), at: isInstant });
  await asRootOnly("/api/admin/contact-messages");
});
proves("D1.5-004", async () => {
  const before = await received();
  for (const field of ["firstName", "lastName", "email", "message"])
    for (const value of [undefined, "", "  ", null]) {
      const { status, json } = await send({ [field]: value });
      expect([field, value, status, Object.keys(json.fields)]).toEqual([field, value, 400, [field]]);
    }
  expect(await received()).toEqual(before);
});
proves("D1.5-005", async () => {
  for (const [phone, company] of [
    [undefined, undefined],
    ["", ""],
  ]) {
    expect((await send({ phone, company })).status).toBe(201);
    expect((await received())[0]).toMatchObject({ ...visitor(), phone: null, company: null });
  }
});

test("A06: redriving and re-archiving add nothing to a whole archive, and leave it whole", async () => {
  await drained();
  expect((await run("functions/audit/redrive-cli.ts")).stdout).toBe("0 batches redriven, 0 rows archived. Run npm run audit:verify.\n");
  expect((await run("functions/audit/rearchive-cli.ts")).stdout).toBe("0 rows archived. Run npm run audit:verify.\n");
  expect((await verify()).stdout).toContain("All rows are intact.");
});

test("A06: the hourly verification reads archive and table with its own rights, and the tenant sees its time and result", async () => {
  await drained();
  const status = "/api/tenant/dashboard/audit-status";
  const before = new Date().toISOString();
  await apiTest.it.platform.cloud.runScheduled("events-verify");
  const after = await read(apiTest.one.ask, status);
  expect(after).toMatchObject({ intact: true });
  expect(after.lastVerifiedAt >= before).toBe(true);
});
