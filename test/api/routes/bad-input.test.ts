import { afterAll, beforeAll, expect, test } from "vitest";
import { newApiKey } from "../../../packages/api-keys/authenticate.ts";
import { metricsOf, tableOf, tenantAt } from "../calls/main-job.ts";
import type { Asking } from "../../kit/api.ts";
import { sharedPlatform, type TestPlatform } from "../../kit/platform.ts";

let it: TestPlatform;
let key: string;
beforeAll(async () => {
  it = await sharedPlatform({ voices: true, calls: true });
  key = tenantAt(it, 0).apiKey;
});
afterAll(() => it.close());

const toolCallPath = "/api/vapi/tool-call";
const serverPath = "/api/vapi/server";
const summaryPath = "/api/vapi/call-summary";
let calls = 0;
const newCall = () => `bad-input-${calls++}`;
type ToolCall = { id: string; name: string; args: unknown };
const message = (callId: string, ...asked: ToolCall[]) => ({
  message: {
    type: "tool-calls",
    call: { id: callId },
    toolCallList: asked.map(({ id, name, args }) => ({ id, type: "function", function: { name, arguments: args } })),
  },
});
const post = (path: string, asking: Asking) => it.api("POST", path, { key, ...asking });
const ask = (callId: string, ...asked: ToolCall[]) => post(toolCallPath, { body: message(callId, ...asked) });
const claim = () => {
  const [patient] = it.demo.patients;
  return { firstName: patient?.given, lastName: patient?.family, dateOfBirth: patient?.birthDate, phoneNumber: patient?.phone };
};
const auditRows = async () => [...(await tableOf(it)).keys()].filter((address) => address.includes("#AUDIT#")).length;

test("a wrong, missing, malformed or revoked key gets the same 401, and a malformed one reads nothing", async () => {
  const two = tenantAt(it, 1);
  const token = await it.tokenOf(two.admin.email, two.admin.password);
  const rotated = await it.api("POST", "/api/tenant/regenerate-api-key", { token, body: {} });
  expect(rotated.status).toBe(200);
  const since = it.platform.usage().at(-1)?.id ?? 0;
  const malformed = [
    await it.api("POST", toolCallPath, { body: message("x") }),
    await post(toolCallPath, { key: "nonsense", body: message("x") }),
    await post(toolCallPath, { key: `${key}x`, body: message("x") }),
  ];
  expect(it.platform.usage(since).filter(({ principalArn }) => principalArn.includes("voice"))).toEqual([]);
  const others = [
    await post(toolCallPath, { key: newApiKey(), body: message("x") }),
    await post(toolCallPath, { key: two.apiKey, body: message("x") }),
  ];
  const answers = [...malformed, ...others];
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  expect(new Set(answers.map(({ json }) => `${json.code}: ${json.error}`))).toEqual(
    new Set(["unauthenticated: The API key is missing or not valid."]),
  );
  two.apiKey = rotated.json.apiKey as string;
});

test("a body that is not JSON, too large or of another type is refused with its own code", async () => {
  expect(await post(toolCallPath, { body: '{"message":' })).toMatchObject({
    status: 400,
    json: { code: "invalid_json", error: "The body is not valid JSON.", requestId: expect.any(String) as string },
  });
  expect(
    await post(toolCallPath, { body: JSON.stringify({ message: { type: "tool-calls", padding: "x".repeat(5.75 * 1024 * 1024) } }) }),
  ).toMatchObject({ status: 413, json: { code: "payload_too_large" } });
  expect(await post(toolCallPath, { body: "a=b", headers: { "content-type": "application/x-www-form-urlencoded" } })).toMatchObject({
    status: 415,
    json: { code: "unsupported_media_type" },
  });
  expect(await post(toolCallPath, { body: [] })).toMatchObject({ status: 400, json: { code: "invalid_request" } });
});

test("an unknown message type gets 200 and changes nothing", async () => {
  const before = await metricsOf(it, 0);
  expect(await post(serverPath, { body: { message: { type: "a-type-of-tomorrow", call: { id: newCall() } } } })).toMatchObject({
    status: 200,
    json: {},
  });
  expect(await metricsOf(it, 0)).toEqual(before);
});

test("arguments may be an object, text or broken: each gets one speakable line under its id", async () => {
  const object = await ask(newCall(), { id: "a", name: "verifyPatientIdentity", args: claim() });
  const asText = await ask(newCall(), { id: "b", name: "verifyPatientIdentity", args: JSON.stringify(claim()) });
  for (const [answer, id] of [
    [object, "a"],
    [asText, "b"],
  ] as const)
    expect(answer).toMatchObject({
      status: 200,
      json: { results: [{ toolCallId: id, name: "verifyPatientIdentity", result: expect.stringMatching(/verified/) as string }] },
    });
  for (const broken of ["{", "[1]", "null", 7, null, []]) {
    const answer = await ask(newCall(), { id: "c", name: "verifyPatientIdentity", args: broken });
    expect(answer, JSON.stringify(broken)).toMatchObject({
      status: 200,
      json: { results: [{ toolCallId: "c", error: expect.stringMatching(/^[^\n]+$/) as string }] },
    });
  }
});

test("an unknown tool gets a spoken answer and no audit event", async () => {
  const before = await auditRows();
  expect(await ask(newCall(), { id: "u", name: "dropAllTables", args: {} })).toMatchObject({
    status: 200,
    json: { results: [{ toolCallId: "u", error: "That isn't something I can help with on this call." }] },
  });
  expect(await auditRows()).toBe(before);
});

test("two tools in one request are both answered, in the order asked", async () => {
  const answer = await ask(
    newCall(),
    { id: "1", name: "verifyPatientIdentity", args: claim() },
    { id: "2", name: "getPatientInfo", args: {} },
  );
  expect(answer.json.results.map(({ toolCallId }: { toolCallId: string }) => toolCallId)).toEqual(["1", "2"]);
  expect(answer.json.results[1]).toMatchObject({ name: "getPatientInfo", result: expect.any(String) as string });
});

test("a repeated tool call id gets its first answer and books once", async () => {
  const callId = newCall();
  await ask(callId, { id: "v", name: "verifyPatientIdentity", args: claim() });
  const found = await ask(callId, { id: "f", name: "scheduleAppointment", args: { action: "find" } });
  const booking = {
    id: "b",
    name: "scheduleAppointment",
    args: { action: "book", slotId: found.json.results[0].metadata.slots[0].slotId as string },
  };
  const [first, ...again] = [await ask(callId, booking), await ask(callId, booking), await ask(callId, booking)];
  expect(first?.json.results[0].result).toMatch(/booked/);
  for (const answer of again) expect(answer.json).toEqual(first?.json);
});

const startedAt = new Date(Date.now() - 3_600_000).toISOString();
const endedAt = new Date(Date.parse(startedAt) + 90_000).toISOString();
const report = (callId: string, more: object = {}) => ({
  message: {
    type: "end-of-call-report",
    call: { id: callId },
    endedReason: "customer-ended-call",
    startedAt,
    endedAt,
    ...more,
  },
});
const status = (callId: string, value: string) => ({ message: { type: "status-update", status: value, call: { id: callId } } });

test("reordered or repeated reports count a call once, and a late status does not undo its end", async () => {
  const before = await metricsOf(it, 0);
  const callId = newCall();
  for (const body of [
    report(callId),
    status(callId, "in-progress"),
    report(callId),
    status(callId, "ringing"),
    status(callId, "ended"),
    report(callId),
  ])
    expect((await post(serverPath, { body })).status).toBe(200);
  const after = await metricsOf(it, 0);
  expect(after.totalCalls).toBe(before.totalCalls + 1);
  expect(after.successfulCalls).toBe(before.successfulCalls + 1);
});

test("a report for an unannounced call creates its record; the flat form adds a summary", async () => {
  const before = await metricsOf(it, 0);
  const callId = newCall();
  expect(await post(summaryPath, { body: report(callId) })).toMatchObject({ status: 200, json: { received: true } });
  expect(
    await post(summaryPath, {
      body: { callId, summary: "Asked about opening hours.", outcome: "answered", resolved: true, durationSeconds: 90 },
    }),
  ).toMatchObject({ status: 200, json: { received: true } });
  expect((await metricsOf(it, 0)).totalCalls).toBe(before.totalCalls + 1);
  const { admin } = tenantAt(it, 0);
  const recent = await it.api("GET", "/api/tenant/dashboard/recent-calls", { token: await it.tokenOf(admin.email, admin.password) });
  expect(recent.json).toContainEqual(
    expect.objectContaining({ createdAt: startedAt, duration: 90, status: "completed", outcome: "answered" }),
  );
});

test("a flat summary with wrong fields is a 400 that names them", async () => {
  expect(await post(summaryPath, { body: { summary: "no call" } })).toMatchObject({ status: 400, json: { code: "invalid_request" } });
  expect(await post(summaryPath, { body: { callId: "x", summary: "y", durationSeconds: -1 } })).toMatchObject({
    status: 400,
    json: { code: "invalid_request" },
  });
});

test("wrong fields of our own forms are named one by one, and unknown fields are refused", async () => {
  const { email, password } = it.demo.systemAdmin;
  const token = await it.tokenOf(email, password);
  const create = (body: object) => it.api("POST", "/api/admin/users", { token, body });
  const user = {
    email: "new@clinic.example",
    password: "correct horse battery staple",
    firstName: "N",
    lastName: "U",
    role: "system_admin",
  };
  expect(await create({ ...user, email: "not an address" })).toMatchObject({
    status: 400,
    json: { fields: { email: "Must be a valid email address" } },
  });
  expect(await create({ ...user, password: "short" })).toMatchObject({
    status: 400,
    json: { fields: { password: "Must be at least 12 characters" } },
  });
  expect(await create({ ...user, role: "tenant_admin" })).toMatchObject({
    status: 400,
    json: { fields: { tenantId: "Please select a tenant for tenant admin users" } },
  });
  expect(await create({ ...user, isRoot: true })).toMatchObject({
    status: 400,
    json: { fields: { isRoot: expect.any(String) as string } },
  });
  expect((await create(user)).status).toBe(201);
  expect(await create(user)).toMatchObject({
    status: 409,
    json: { code: "duplicate", fields: { email: "A user with this email already exists" } },
  });
});
