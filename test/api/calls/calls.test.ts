import { afterAll, beforeAll, expect, test } from "vitest";
import { phone, tableOf, tenantAt } from "./main-job.ts";
import type { Asking, Json } from "../../kit/api.ts";
import { sharedPlatform, type TestPlatform } from "../../kit/platform.ts";

let it: TestPlatform;
let one: string;
let two: string;
const unknownId = "0".repeat(26);

beforeAll(async () => {
  it = await sharedPlatform({ voices: true, calls: true });
  const signIn = ({ email, password }: { email: string; password: string }) => it.tokenOf(email, password);
  [one, two] = await Promise.all([signIn(tenantAt(it, 0).admin), signIn(tenantAt(it, 1).admin)]);
  const businessHours = { start: "00:00", end: "23:59" };
  await it.api("PUT", "/api/tenant/contact-preferences", { token: one, body: { businessHours } });
  await phone(it, 0, "book");
  await phone(it, 0, "transfer", 1);
  await phone(it, 1, "wrong-person", 2);
  await it.platform.cloud.drained();
});
afterAll(() => it.close());

const get = async (token: string, path: string): Promise<Json> => {
  const { status, json, text } = await it.api("GET", path, { token });
  expect([path, status, text]).toEqual([path, 200, expect.any(String)]);
  return json;
};
const refusal = async (method: string, path: string, asking: Asking) => {
  const { status, json } = await it.api(method, path, asking);
  return [status, json.code];
};
const acts = async (tenantIndex: number): Promise<string[]> =>
  [...(await tableOf(it)).values()]
    .filter(({ pk }) => String(pk).startsWith(`TENANT#${tenantAt(it, tenantIndex).id}#AUDIT#`))
    .map(({ action }) => String(action));
const asked = "/api/tenant";

test("the list of calls has filters and Link pages, and shows no other tenant's calls", async () => {
  const all = await get(one, `${asked}/calls`);
  expect(all.length).toBeGreaterThanOrEqual(2);
  expect(await get(one, `${asked}/calls?outcome=transferred&forwarded=true`)).toMatchObject([{ resolved: false, needsFollowUp: false }]);
  expect(await get(one, `${asked}/calls?q=${all[0].id.slice(0, 12)}&to=2020-01-01`)).toEqual([]);
  const completed = all.filter(({ status }: Json) => status === "completed");
  const first = await it.api("GET", `${asked}/calls?limit=1&status=completed`, { token: one });
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
  expect(await get(one, next)).toMatchObject([{ id: completed[1].id }]);
  expect(first.headers.get("cache-control")).toBe("no-store");
  expect(await refusal("GET", next, { token: two })).toEqual([400, "invalid_request"]);
  expect((await get(two, `${asked}/calls`)).map(({ id }: Json) => id)).not.toContain(all[0].id);
  for (const bad of ["status=done", "from=yesterday", "officeId=x", "forwarded=yes", "from=2026-02-01&to=2026-01-01", "q=%00"])
    expect(await refusal("GET", `${asked}/calls?${bad}`, { token: one }), bad).toEqual([400, "invalid_request"]);
});

test("the filtered calls are exported as CSV, which is audited", async () => {
  const { csv, rows, complete } = await get(one, `${asked}/calls/export?outcome=transferred`);
  expect([rows, complete, csv.split("\r\n")[1]]).toEqual([1, true, expect.stringContaining(",transferred,")]);
  expect(await acts(0)).toContain("call.export");
});

test("a call's detail has its transcript and tool timeline, is audited, and is visible to its own tenant alone", async () => {
  const [{ id }] = await get(one, `${asked}/calls?outcome=resolved`);
  const before = (await acts(0)).filter((action) => action === "call.read").length;
  const { json, headers } = await it.api("GET", `${asked}/calls/${id}`, { token: one });
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("etag")).toBe('"1"');
  expect(json).toMatchObject({ id, status: "completed", transcript: { text: expect.any(String) }, summary: expect.any(String) });
  expect(json.toolRuns.map(({ toolName, status }: Json) => [toolName, status])).toContainEqual(["verifyPatientIdentity", "succeeded"]);
  expect((await acts(0)).filter((action) => action === "call.read").length).toBe(before + 1);
  for (const path of [id, "0".repeat(40), "none", `${id}/follow-up`])
    expect(
      await refusal(path.endsWith("up") ? "PUT" : "GET", `${asked}/calls/${path}`, {
        token: two,
        ...(path.endsWith("up") && { body: { done: true } }),
      }),
    ).toEqual([404, "not_found"]);
  expect(await acts(1)).not.toContain("call.read");
});

test("a follow-up is set once per version, and a stale update gets a conflict", async () => {
  const [{ id }] = await get(one, `${asked}/calls?outcome=transferred`);
  const put = (body: object, version?: number) =>
    it.api("PUT", `${asked}/calls/${id}/follow-up`, { token: one, body, headers: version ? { "if-match": `"${version}"` } : {} });
  expect((await put({ done: true, note: "Spoke with them" }, 1)).json).toMatchObject({ version: 2, needsFollowUp: false });
  const stale = await put({ done: false }, 1);
  expect([stale.status, stale.json.code]).toEqual([409, "stale_version"]);
  expect((await get(one, `${asked}/calls/${id}`)).followUp).toMatchObject({ note: "Spoke with them" });
  expect((await put({ done: false })).json.version).toBe(3);
  for (const body of [{}, { done: "yes" }, { done: true, note: "x".repeat(501) }, { done: true, who: "me" }])
    expect((await put(body)).status).toBe(400);
});

test("the log of tool runs lists each run of the tenant's calls without arguments and results", async () => {
  const runs = await get(one, `${asked}/tool-calls`);
  expect(runs.length).toBeGreaterThan(3);
  expect(Object.keys(runs[0]).toSorted()).toEqual(["callId", "code", "createdAt", "id", "ms", "requestId", "status", "toolName"]);
  const callIds = (await get(one, `${asked}/calls`)).map(({ id }: Json) => id);
  expect(runs.every(({ callId }: Json) => callIds.includes(callId))).toBe(true);
  const { toolRuns } = await get(one, `${asked}/calls/${runs[0].callId}`);
  expect(toolRuns).toContainEqual(runs[0]);
});

test("a started call is in progress, and an ended one is not", async () => {
  const call = { id: `live-${Date.now()}`, type: "inboundPhoneCall" };
  const say = (message: object) =>
    it.api("POST", "/api/vapi/server", { key: tenantAt(it, 1).apiKey, body: { message: { ...message, call } } });
  await say({ type: "status-update", status: "in-progress" });
  await it.platform.cloud.drained();
  expect(await get(two, `${asked}/calls/in-progress`)).toMatchObject([{ platform: "vapi", status: "in_progress" }]);
  expect(await get(one, `${asked}/calls/in-progress`)).toEqual([]);
  await say({ type: "status-update", status: "ended", endedReason: "customer-did-not-answer" });
  await it.platform.cloud.drained();
  expect(await get(two, `${asked}/calls/in-progress`)).toEqual([]);
  expect(await get(two, `${asked}/calls?needsFollowUp=true&q=did-not-answer`)).toMatchObject([{ status: "no_answer" }]);
});

test("charts, savings and usage contain the tenant's own calls only", async () => {
  const { totalCalls, revenueEvents, costSavings } = await get(one, `${asked}/dashboard/metrics`);
  const days = await get(one, `${asked}/dashboard/charts?range=30days`);
  const sum = (name: string) => days.reduce((total: number, day: Json) => total + day[name], 0);
  expect([days.length, sum("calls"), sum("forwarded"), sum("revenueEvents")]).toEqual([30, totalCalls, 1, revenueEvents]);
  expect(await get(one, `${asked}/dashboard/savings`)).toMatchObject({ ...costSavings, monthlySavings: costSavings.hoursAutomated * 25 });
  expect(await get(one, `${asked}/usage`)).toMatchObject({ month: new Date().toISOString().slice(0, 7), overageRate: 0.18 });
  expect(await get(one, `${asked}/usage?month=2020-01`)).toMatchObject({ calls: 0, minutes: 0, month: "2020-01" });
  for (const bad of ["usage?month=2026-13", "dashboard/charts?range=all", "dashboard/metrics?officeId=1"])
    expect(await refusal("GET", `${asked}/${bad}`, { token: one })).toEqual([400, "invalid_request"]);
});

test("an office's numbers are visible to its own tenant; another tenant's office is not found", async () => {
  const own = tenantAt(it, 0).offices[0]?.id;
  const theirs = tenantAt(it, 1).offices[0]?.id;
  for (const path of [
    "dashboard/metrics",
    "dashboard/recent-calls",
    "dashboard/tool-usage",
    "dashboard/charts",
    "calls",
    "calls/in-progress",
  ]) {
    await get(one, `${asked}/${path}?officeId=${own}`);
    for (const office of [theirs, unknownId])
      expect(await refusal("GET", `${asked}/${path}?officeId=${office}`, { token: one }), path).toEqual([404, "not_found"]);
  }
});

test("a lead is stored, listed without a name, read with it by its own tenant, and handled", async () => {
  const contact = { name: "Jo Walk-in", phone: "555 0177", email: "", note: null };
  const made = await it.api("POST", `${asked}/leads`, { token: one, body: { reason: "new_patient", contact } });
  expect([made.status, made.json]).toMatchObject([201, { reason: "new_patient", callId: null, handledAt: null, version: 1 }]);
  const path = `${asked}/leads/${made.json.id}`;
  const listed = await it.api("GET", `${asked}/leads?handled=false`, { token: one });
  expect(listed.json).toEqual([made.json]);
  expect(listed.text).not.toContain("Jo Walk-in");
  expect(await get(one, path)).toMatchObject({ contact: { name: "Jo Walk-in", phone: "555 0177", email: null, note: null } });
  expect(await get(two, `${asked}/leads`)).toEqual([]);
  expect(await refusal("GET", path, { token: two })).toEqual([404, "not_found"]);
  expect(await refusal("PUT", path, { token: two, body: { handled: true } })).toEqual([404, "not_found"]);
  expect((await it.api("PUT", path, { token: one, body: { handled: true }, headers: { "if-match": '"1"' } })).json.version).toBe(2);
  expect(await refusal("PUT", path, { token: one, body: { handled: true }, headers: { "if-match": '"1"' } })).toEqual([
    409,
    "stale_version",
  ]);
  expect(await acts(0)).toEqual(expect.arrayContaining(["lead.create", "lead.read", "lead.handle"]));
  const theirOffice = tenantAt(it, 1).offices[0]?.id;
  expect(await refusal("POST", `${asked}/leads`, { token: one, body: { reason: "other", contact, officeId: theirOffice } })).toEqual([
    404,
    "not_found",
  ]);
  for (const body of [
    {},
    { reason: "gossip", contact },
    { reason: "other", contact: { name: "Jo" } },
    { reason: "other", contact, extra: 1 },
  ])
    expect((await it.api("POST", `${asked}/leads`, { token: one, body })).status).toBe(400);
});

test("a tool run in the console follows the same rules, is audited, and is not counted or listed", async () => {
  const tools = await get(one, `${asked}/tools`);
  expect(tools.map(({ name }: Json) => name)).toEqual(expect.arrayContaining(["verifyPatientIdentity", "scheduleAppointment"]));
  const numbers = async () => [
    await get(one, `${asked}/dashboard/metrics?range=all`),
    await get(one, `${asked}/dashboard/tool-usage?range=all`),
    await get(one, `${asked}/calls`),
    await get(one, `${asked}/tool-calls`),
  ];
  const before = await numbers();
  const sessionId = "console";
  const run = (name: string, args: object, more: object = {}, token = one) =>
    it.api("POST", `${asked}/tools/${name}`, { token, body: { arguments: args, sessionId, ...more } });
  const [, , , patient] = it.demo.patients;
  expect((await run("getPatientInfo", {})).json).toMatchObject({ ok: false, code: "identity_required" });
  const claim = { firstName: patient?.given, lastName: patient?.family, dateOfBirth: patient?.birthDate, phoneNumber: patient?.phone };
  expect((await run("verifyPatientIdentity", claim)).json).toMatchObject({ ok: true, output: { verified: true }, sessionId });
  const info = await run("getPatientInfo", {});
  expect(info.json).toMatchObject({ ok: true, speech: expect.stringContaining(patient?.family ?? "?") });
  expect(info.headers.get("cache-control")).toBe("no-store");
  expect((await run("getPatientInfo", {}, {}, two)).json).toMatchObject({ ok: false, code: "identity_required" });
  const { slotId } = (await run("scheduleAppointment", { action: "find" })).json.output.slots[0];
  const unconfirmed = await run("scheduleAppointment", { action: "book", slotId });
  expect([unconfirmed.status, unconfirmed.json.code]).toEqual([422, "confirmation_required"]);
  expect((await run("scheduleAppointment", { action: "book", slotId }, { confirm: true })).json).toMatchObject({ ok: true });
  expect((await run("noTool", {})).status).toBe(404);
  expect((await run("getPatientInfo", {}, { platform: "vapi" })).status).toBe(400);
  await it.platform.cloud.drained();
  expect(await numbers()).toEqual(before);
  const tests = [...(await tableOf(it)).values()].filter(
    (row) => (row["detail"] as Json)?.test === true && String(row["pk"]).includes("#AUDIT#"),
  );
  expect(tests.map(({ action }) => action)).toContain("tool.scheduleAppointment");
  expect([...(await tableOf(it)).keys()].filter((key) => key.includes("#INBOX"))).toEqual([]);
});

test("each read costs the session's check and one round trip, or two for tool runs", async () => {
  const [{ id }] = await get(one, `${asked}/calls`);
  for (const [path, operations] of [
    ["calls", ["Query"]],
    ["calls?needsFollowUp=true&q=x", ["Query"]],
    ["calls/in-progress", ["Query"]],
    // The log tells which runs there are: a Query for each category.
    ["tool-calls?limit=1", ["BatchGetItem", "Query", "Query"]],
    ["leads", ["Query"]],
    ["usage", ["GetItem"]],
    ["dashboard/charts", ["Query"]],
    ["dashboard/savings", ["Query"]],
    [`calls/${id}`, ["GetItem", "PutItem", "Query"]],
  ] as const) {
    await it.platform.cloud.drained();
    const since = it.platform.usage().at(-1)?.id ?? 0;
    await get(one, `${asked}/${path}`);
    const used = it.platform.usage(since).filter(({ principalArn }) => principalArn.includes("tenant"));
    expect(used.map(({ operation }) => operation).toSorted(), path).toEqual(["BatchGetItem", "BatchGetItem", ...operations].toSorted());
  }
});
