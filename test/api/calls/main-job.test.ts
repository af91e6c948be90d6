import { afterAll, beforeAll, expect, test } from "vitest";
import { mainJobFailures, metricsOf, phone, tableOf, tenantAt } from "./main-job.ts";
import { sharedPlatform, type TestPlatform } from "../../kit/platform.ts";

let it: TestPlatform;
beforeAll(async () => {
  it = await sharedPlatform({ voices: true, calls: true });
});
afterAll(() => it.close());

test("a call books an appointment at the EHR and on its own tenant's dashboard, and a replay changes nothing", async () => {
  expect(await mainJobFailures(it)).toEqual([]);
});

test("every scenario has the outcome that a patient expects, with a sentence for each step", async () => {
  for (const scenario of ["book", "reschedule", "cancel", "transfer", "wrong-person"] as const) {
    const { exchanges } = await phone(it, 0, scenario, 2);
    expect(
      exchanges.every(({ status }) => status === 200),
      scenario,
    ).toBe(true);
  }
});

test("with the EHR off the call ends in a spoken apology and counts as no revenue", async () => {
  const before = await metricsOf(it, 0);
  const faults = `${it.platform.sandbox.origin}/faults`;
  await fetch(faults, { method: "POST", headers: { "content-type": "application/json" }, body: '{"kind":"down"}' });
  try {
    const { moments, changes } = await phone(it, 0, "book", 3);
    expect(changes).toEqual([]);
    expect(JSON.stringify(moments)).toMatch(/sorry/i);
  } finally {
    await fetch(faults, { method: "DELETE" });
  }
  const after = await metricsOf(it, 0);
  expect(after.totalCalls).toBe(before.totalCalls + 1);
  expect(after.revenueEvents).toBe(before.revenueEvents);
});

const unitsOf = (usage: ReturnType<TestPlatform["platform"]["usage"]>, principal: string) =>
  usage.filter(({ principalArn }) => principalArn.includes(principal));
const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);

test("each request stays within its budget of capacity units and round trips", async () => {
  const tenant = tenantAt(it, 0);
  const callId = `budget-${Date.now()}`;
  const [patient] = it.demo.patients;
  const toolCall = (name: string, args: object) =>
    it.api("POST", "/api/vapi/tool-call", {
      key: tenant.apiKey,
      body: {
        message: {
          type: "tool-calls",
          call: { id: callId },
          toolCallList: [{ id: `id-${name}-${JSON.stringify(args).length}`, type: "function", function: { name, arguments: args } }],
        },
      },
    });
  const spent = async (ask: () => Promise<unknown>, principal = "voice") => {
    await it.platform.cloud.drained();
    const since = it.platform.usage().at(-1)?.id ?? 0;
    await ask();
    return unitsOf(it.platform.usage(since), principal);
  };
  const writes = (usage: Awaited<ReturnType<typeof spent>>) => sum(usage.map(({ writeUnits }) => writeUnits));
  const reads = (usage: Awaited<ReturnType<typeof spent>>) => usage.filter(({ readUnits }) => readUnits > 0).length;

  // Ends the circuit's counts of failures from the test with the EHR off; while requests fail, counting them takes a write a second
  const systemAdmin = await it.tokenOf(it.demo.systemAdmin.email, it.demo.systemAdmin.password);
  const checked = await it.api("POST", `/api/admin/fhir/providers/${tenant.fhirProviderId}/check`, { token: systemAdmin });
  expect(checked.json).toMatchObject({ status: "healthy" });
  // A busy tenant's runs are shared by a write now and then, which is none of the request's own
  const { json: details } = await it.api<{ name: string }>("GET", `/api/admin/tenants/${tenant.id}`, { token: systemAdmin });
  const { name, contactEmail, organizationType, isActive } = details as Record<string, unknown>;
  const policies = { toolRunsPerMinute: 100_000 };
  const raised = await it.api("PUT", `/api/admin/tenants/${tenant.id}`, {
    token: systemAdmin,
    body: { name, contactEmail, organizationType, isActive, policies },
  });
  expect(raised.status).toBe(200);
  // Once a minute a request also records when its key was used; this is that request
  await it.api("POST", "/api/vapi/server", { key: tenant.apiKey, body: { message: { type: "hang", call: { id: callId } } } });
  const verify = await spent(() =>
    toolCall("verifyPatientIdentity", {
      firstName: patient?.given,
      lastName: patient?.family,
      dateOfBirth: patient?.birthDate,
      phoneNumber: patient?.phone,
    }),
  );
  // Verification attempts are counted by name, number and caller, and removed after a success
  expect(writes(verify)).toBeLessThanOrEqual(8);
  await toolCall("getPatientInfo", {});
  const info = await spent(() => toolCall("getPatientInfo", { again: 1 }));
  expect(writes(info)).toBeLessThanOrEqual(2);
  // The key; then, in parallel, tenant and call, and the EHR's rows
  expect(reads(info)).toBe(3);
  const find = await toolCall("scheduleAppointment", { action: "find" });
  // The patient may have an appointment at the first slot
  const offers = find.json.results[0].metadata.slots as { slotId: string }[];
  const books = [];
  for (const { slotId } of offers) {
    let result = "";
    const book = await spent(async () => {
      const answer = await toolCall("scheduleAppointment", { action: "book", slotId });
      result = answer.json.results[0].metadata.result;
    });
    if (result === "booked") books.push(writes(book));
  }
  expect(books).not.toEqual([]);
  for (const book of books) expect(book).toBeLessThanOrEqual(5);

  const { email, password } = tenant.admin;
  const login = await spent(() => it.tokenOf(email, password), "auth");
  expect(writes(login)).toBeLessThanOrEqual(10);
  const token = await it.tokenOf(email, password);
  for (const path of ["metrics", "metrics?range=all", "recent-calls", "tool-usage"]) {
    let inProgress = 0;
    const usage = await spent(async () => {
      const { json } = await it.api("GET", `/api/tenant/dashboard/${path}`, { token });
      if (path === "recent-calls") inProgress = (json as { status: string }[]).filter(({ status }) => status === "in_progress").length;
    }, "tenant");
    // The session check, of the user and at once of the tenant in its session; then one read, and one of each call in progress
    const reads = [expect.stringMatching(/^(Query|GetItem)$/), ...Array.from({ length: inProgress }, () => "Query")];
    expect(
      usage.map(({ operation }) => operation),
      path,
    ).toEqual(["BatchGetItem", "BatchGetItem", ...reads]);
    expect(writes(usage)).toBe(0);
  }
});

test("every action of a person or an agent is in the audit log of its tenant", async () => {
  const actions = new Set(
    [...(await tableOf(it)).values()].filter((row) => String(row["pk"]).includes("#AUDIT#")).map((row) => row["action"]),
  );
  for (const action of [
    "tenant.create",
    "user.create",
    "office.create",
    "fhirProvider.create",
    "fhirProvider.assign",
    "platformKey.generate",
    "session.login",
    "tool.verifyPatientIdentity",
    "tool.getPatientInfo",
    "tool.scheduleAppointment",
  ])
    expect(actions, action).toContain(action);
});
