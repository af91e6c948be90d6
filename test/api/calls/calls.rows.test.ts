import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect } from "vitest";
import { openLine, type Line } from "../../kit/line.ts";
import type { Json } from "../../kit/api.ts";
import { isInstant, openApiTest, withHeader, type ApiTest, type Person } from "../../kit/api-test.ts";
import { proves } from "../../requirements/proves.ts";

let apiTest: ApiTest;
let busy: { id: string; apiKey: string; admin: Person };
let idle: typeof busy;
const bookedSeconds = 7200;
const forwardedSeconds = 60;

beforeAll(async () => {
  apiTest = await openApiTest();
  [busy, idle] = [await clinic(), await clinic()];
  await makeCalls();
  await apiTest.it.platform.cloud.drained();
});
afterAll(() => apiTest?.close());

async function clinic(): Promise<typeof busy> {
  const { id, apiKey } = await apiTest.newTenant();
  const { fhirProviderId } = apiTest.tenants[0];
  expect((await apiTest.root.ask("PUT", `/api/admin/tenants/${id}/fhir-provider`, { fhirProviderId })).status).toBe(200);
  return { id, apiKey, admin: await apiTest.newAdmin(id) };
}
const dial = (apiKey: string, patient = 0): Line => openLine(apiTest.it.api, apiKey, apiTest.it.demo.patients[patient]!);
const ending = (seconds: number, more: object = {}) => {
  const endedMs = Date.now();
  return { startedAt: new Date(endedMs - seconds * 1000).toISOString(), endedAt: new Date(endedMs).toISOString(), ...more };
};
const toDesk = { type: "number", number: "+14155550123" };

async function makeCalls(): Promise<void> {
  const booking = dial(busy.apiKey);
  expect((await booking.useTool("getPatientInfo", {})).ok).toBe(false);
  expect(await booking.verify()).toMatchObject({ ok: true });
  const slots = (await booking.find()).found?.slots ?? [];
  expect(await booking.book(slots[0]?.slotId ?? "")).toMatchObject({ ok: true });
  await booking.end(ending(bookedSeconds));
  const forwarded = dial(busy.apiKey, 1);
  await forwarded.tell({ type: "status-update", status: "forwarding", destination: toDesk });
  await forwarded.end(ending(forwardedSeconds, { endedReason: "assistant-forwarded-call" }));
  await dial(busy.apiKey, 2).tell({ type: "status-update", status: "ended", endedReason: "customer-did-not-answer" });
}
const read = async (path: string, { admin }: typeof busy = busy): Promise<Json> => {
  const { status, json, text } = await admin.ask("GET", path);
  expect([path, status, text]).toEqual([path, 200, expect.any(String)]);
  return json;
};
const refusedElsewhere = async (path: string) => {
  expect((await apiTest.asAnonymous("GET", path)).status).toBe(401);
  expect((await apiTest.root.ask("GET", path)).status).toBe(403);
  expect((await apiTest.it.api("GET", path, { key: busy.apiKey })).status).toBe(401);
};
const metrics = "/api/tenant/dashboard/metrics";
const recent = "/api/tenant/dashboard/recent-calls";
const usage = "/api/tenant/dashboard/tool-usage";
const savings = "/api/tenant/dashboard/savings";

const busyMetrics = {
  totalCalls: 3,
  successfulCalls: 2,
  resolutionRate: expect.closeTo(100 / 3, 6),
  averageDuration: (bookedSeconds + forwardedSeconds) / 2,
  revenueEvents: 1,
  costSavings: { hoursAutomated: bookedSeconds / 3600, staffEquivalent: expect.closeTo(2 / 160, 9) },
};
proves("D1.3-006", async () => expect(await read(metrics)).toMatchObject(busyMetrics));
proves("D1.7-010", async () => {
  expect(await read(metrics)).toMatchObject(busyMetrics);
  expect(await read(metrics, idle)).toMatchObject({
    ...{ totalCalls: 0, successfulCalls: 0, resolutionRate: 0, averageDuration: 0, revenueEvents: 0 },
    costSavings: { hoursAutomated: 0, staffEquivalent: 0 },
  });
  await refusedElsewhere(metrics);
});

const busyCalls = [
  { status: "no_answer", duration: null, toolsUsed: [], resolved: false },
  { status: "completed", duration: forwardedSeconds, toolsUsed: [], resolved: false },
  {
    ...{ status: "completed", duration: bookedSeconds, resolved: true },
    toolsUsed: ["getPatientInfo", "scheduleAppointment", "verifyPatientIdentity"],
  },
].map((call) => ({ ...call, id: expect.any(String), createdAt: isInstant }));
proves("D1.3-007", async () => expect(await read(recent)).toMatchObject(busyCalls));
proves("D1.7-011", async () => {
  const calls = await read(recent);
  expect(calls).toMatchObject(busyCalls);
  expect(calls.map(({ createdAt }: Json) => createdAt)).toEqual(
    calls
      .map(({ createdAt }: Json) => createdAt)
      .toSorted()
      .toReversed(),
  );
  expect(await read(recent, idle)).toEqual([]);
  await refusedElsewhere(recent);
});

const busyTools = [
  { toolName: "getPatientInfo", count: 1, successRate: 0 },
  { toolName: "scheduleAppointment", count: 2, successRate: 100 },
  { toolName: "verifyPatientIdentity", count: 1, successRate: 100 },
];
const byName = (tools: Json[]): Json[] => tools.toSorted((a, b) => (a.toolName < b.toolName ? -1 : 1));
proves("D1.3-008", async () => expect(byName(await read(usage))).toEqual(busyTools));
proves("D1.7-012", async () => {
  const tools = await read(usage);
  expect(byName(tools)).toEqual(busyTools);
  expect(tools[0].toolName).toBe("scheduleAppointment");
  expect(await read(usage, idle)).toEqual([]);
  await refusedElsewhere(usage);
});

proves("D1.9-023", async () => {
  expect(await read(savings)).toMatchObject({ hourlyWage: 25, isWageAssumed: true });
  const own = await clinic();
  expect((await own.admin.ask("PUT", "/api/tenant/settings", { hourlyWage: 30 })).status).toBe(200);
  expect(await read(savings, own)).toMatchObject({ hourlyWage: 30, isWageAssumed: false });
});
proves("D1.9-024", async () => {
  const { hoursAutomated, monthlySavings } = await read(savings);
  expect(hoursAutomated).toBe(bookedSeconds / 3600);
  expect(monthlySavings).toBe((bookedSeconds / 3600) * 25);
});
proves("D1.9-025", async () => {
  const { monthlySavings, annualProjection } = await read(savings);
  expect(monthlySavings).toBe(50);
  expect(annualProjection).toBe(50 * 12);
});
proves("D1.9-026", async () => {
  expect((await read(savings)).savingsPerCall).toBeCloseTo(50 / 3, 9);
  expect((await read(savings, idle)).savingsPerCall).toBe(0);
});
proves("D1.9-027", async () => {
  const { monthlySavings, breakdown } = await read(savings);
  expect(monthlySavings).toBe(50);
  expect(breakdown).toEqual({ callHandling: 50 * 0.6, dataRetrieval: 50 * 0.25, administrative: 50 * 0.15 });
});

const vapi = (address: string, body: object, key: string | undefined = idle.apiKey) =>
  apiTest.it.api("POST", `/api/vapi/${address}`, { body, ...(key && { key }) });
const noKey = async (address: string) => {
  for (const key of ["", "vtl_live_nonsense", apiTest.root.token])
    expect((await vapi(address, { message: { type: "hang" } }, key)).status).toBe(401);
};
const callsAt = async (at: typeof busy): Promise<Json[]> => {
  await apiTest.it.platform.cloud.drained();
  return read(recent, at);
};
proves("D1.7-017", async () => {
  const at = await clinic();
  const { given, family, birthDate, phone } = apiTest.it.demo.patients[3]!;
  const call = { id: randomUUID(), type: "inboundPhoneCall" };
  const ask = async (...tools: [name: string, args: object][]) => {
    const toolCallList = tools.map(([name, args], index) => ({ id: `t${index}`, type: "function", function: { name, arguments: args } }));
    const { status, json } = await vapi("tool-call", { message: { type: "tool-calls", call, toolCallList } }, at.apiKey);
    expect(status).toBe(200);
    return json.results as Json[];
  };
  const claim = { firstName: given, lastName: family, dateOfBirth: birthDate, phoneNumber: phone };
  expect(await ask(["getPatientInfo", {}])).toMatchObject([
    { toolCallId: "t0", name: "getPatientInfo", error: expect.stringMatching(/\w/) },
  ]);
  expect(await ask(["verifyPatientIdentity", claim], ["getPatientInfo", {}])).toMatchObject([
    { toolCallId: "t0", name: "verifyPatientIdentity", result: expect.stringMatching(/\w/) },
    { toolCallId: "t1", name: "getPatientInfo", result: expect.stringContaining(family) },
  ]);
  await noKey("tool-call");
});
proves("D1.7-018", async () => {
  const at = await clinic();
  const [flat, report] = [randomUUID(), randomUUID()];
  const short = await vapi(
    "call-summary",
    { callId: flat, summary: "A refill was asked for.", resolved: true, durationSeconds: 90 },
    at.apiKey,
  );
  expect([short.status, short.json]).toEqual([200, { received: true }]);
  const message = {
    type: "end-of-call-report",
    call: { id: report },
    ...ending(60),
    analysis: { summary: "Put off.", successEvaluation: "false" },
  };
  expect((await vapi("call-summary", { message }, at.apiKey)).json).toEqual({ received: true });
  const calls = await callsAt(at);
  expect(calls.map(({ duration, status, resolved }) => [duration, status, resolved]).toSorted()).toEqual([
    [60, "completed", false],
    [90, "completed", true],
  ]);
  const texts = await Promise.all(calls.map(async ({ id }) => (await read(`/api/tenant/calls/${id}`, at)).summary));
  expect(texts.toSorted()).toEqual(["A refill was asked for.", "Put off."]);
  expect((await vapi("call-summary", { callId: flat }, at.apiKey)).status).toBe(400);
  await noKey("call-summary");
});
proves("D1.7-019", async () => {
  const at = await clinic();
  const call = { id: randomUUID(), type: "inboundPhoneCall" };
  const say = async (message: object) => (await vapi("server", { message: { call, ...message } }, at.apiKey)).status;
  expect(await say({ type: "status-update", status: "in-progress" })).toBe(200);
  expect(await callsAt(at)).toMatchObject([{ status: "in_progress" }]);
  expect(await say({ type: "end-of-call-report", endedReason: "customer-ended-call", ...ending(30) })).toBe(200);
  expect(await callsAt(at)).toMatchObject([{ status: "completed", duration: 30 }]);
  expect(await say({ type: "speech-update" })).toBe(200);
  await noKey("server");
});
proves("D1.7-020", async () => {
  await apiTest.it.platform.cloud.drained();
  const path = "/api/dashboard/metrics";
  const before = (await apiTest.root.ask("GET", path)).json;
  const at = await clinic();
  await dial(at.apiKey, 4).end(ending(45));
  await apiTest.it.platform.cloud.drained();
  const after = (await apiTest.root.ask("GET", path)).json;
  const grown = (name: string) => after[name] - before[name];
  expect(["totalTenants", "activeTenants", "totalUsers", "totalCalls", "successfulCalls", "revenueEvents"].map(grown)).toEqual([
    1, 1, 1, 1, 1, 0,
  ]);
  expect((await apiTest.one.ask("GET", path)).status).toBe(403);
  expect((await apiTest.asAnonymous("GET", path)).status).toBe(401);
});
proves("D1.7-021", async ({ quoted, sees }) => {
  const [scheme = ""] = quoted;
  const at = await clinic();
  const path = "/api/vapi/tool-call";
  const body = {
    message: {
      type: "tool-calls",
      call: { id: randomUUID() },
      toolCallList: [{ id: "t", type: "function", function: { name: "getPatientInfo", arguments: {} } }],
    },
  };
  const answered = await withHeader(apiTest.it.origin, path, `${scheme} ${at.apiKey}`, body);
  expect(answered.status).toBe(200);
  sees(answered.sent);
  for (const line of [`${scheme} ${at.admin.token}`, `${scheme} ${at.apiKey}0`, `Authorization: ${at.apiKey}`, `Cookie: key=${at.apiKey}`])
    expect([line, (await withHeader(apiTest.it.origin, path, line, body)).status]).toEqual([line, 401]);
  await apiTest.it.platform.cloud.drained();
  expect(await read(usage, at)).toEqual([{ toolName: "getPatientInfo", count: 1, successRate: 0 }]);
});
