import { randomUUID } from "node:crypto";
import { AppError } from "@vitaline/core";
import { listLeads } from "@vitaline/leads";
import { create, keys, remove, update, type CallRow, type OptOutRow, type OutgoingRow, shards, type TenantRow } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import { platformStore } from "@vitaline/store/platform.ts";
import { listTasks } from "@vitaline/tasks";
import type { Appointment, Communication } from "fhir/r4.js";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { recoverWrite, runTool, tryTool, type ToolContext } from "../../index.ts";
import { outputOf, startTools, type Tools } from "../../test/tools.fixture.ts";

let t: Tools;
beforeAll(async () => {
  process.env["MAIL_FROM"] = "Vitaline <no-reply@vitaline.example>";
  process.env["SMS_ORIGINATION"] = "arn:aws:sms-voice:us-east-1:000000000000:pool/pool-test";
  t = await startTools();
}, 60_000);
afterAll(async () => {
  await t.close();
  delete process.env["MAIL_FROM"];
  delete process.env["SMS_ORIGINATION"];
});

const always = { start: "00:00", end: "23:59", timezone: "America/New_York" };
const preferences = { defaultMethod: "sms", emailEnabled: true, smsEnabled: true, phoneEnabled: true, businessHours: always } as const;
const settings = { category: "configuration_change", action: "tenant.update", resourceType: "Tenant" } as const;
beforeEach(() =>
  t.context(0).store.commit([update<TenantRow>(keys.tenantConfig(), { set: { contactPreferences: preferences } })], settings),
);

const hourMs = 3_600_000;
type Call = Awaited<ReturnType<typeof testCall>>;

/** As `startTestCall` begins one. */
async function testCall({ isTest = true as const } = {}) {
  const callId = `test-${randomUUID()}`;
  const callKey = keys.callKeyOf("vapi", callId);
  const startedAt = new Date().toISOString();
  const row = {
    ...{ callKey, platform: "vapi", platformCallId: callId, rank: 1, status: "in_progress", startedAt, forwarded: false },
    ...{ isTest, expiresAt: 4e9, gsi1pk: keys.tenantPartitions.calls(t.context(0).tenantId), gsi1sk: `${startedAt}#${callKey}` },
  } satisfies CallRow;
  const begun = { category: "api_call", action: "testCall.start", resourceType: "Call" } as const;
  await t
    .context(0)
    .store.commit(
      [create(keys.callState(callKey), { level: 0, tries: 0, isTest, expiresAt: 4e9 }), create(keys.call(callKey), row)],
      begun,
    );
  const request = (name: string, args: unknown = {}) => ({ ...t.phone(0).call(name, args), callId, callKey });
  return {
    callKey,
    request,
    use: (name: string, args: unknown = {}, laterMs = 0) => runTool(t.context(0, { laterMs }), request(name, args)),
    last: async () => (await t.audits(0, callKey)).toSorted((a, b) => (a.id < b.id ? -1 : 1)).at(-1),
  };
}

async function verified(index: number): Promise<Call> {
  await t.verified(0, index);
  const call = await testCall();
  expect(await call.use("verifyPatientIdentity", t.claimOf(index))).toMatchObject({ ok: true });
  return call;
}

const waiting = async () => {
  const store = platformStore(t.platform.ctx);
  const pages = await Promise.all(shards.map((shard) => store.query<OutgoingRow>(partitions.outgoing(shard))));
  return pages.flatMap(({ rows }) => rows);
};
/** What a call leaves for staff and patients. */
const leavings = async (callKey: string) => {
  const [tasks, leads, outgoing] = await Promise.all([
    listTasks(t.context(0), { limit: 200 }),
    listLeads(t.context(0), { limit: 200 }),
    waiting(),
  ]);
  return [
    ...tasks.rows.filter(({ callId }) => callId === callKey).map(({ kind }) => kind),
    ...leads.rows.filter(({ callId }) => callId === callKey).map(({ reason }) => `lead ${reason}`),
    ...outgoing.filter((row) => "callKey" in row && row.callKey === callKey).map(({ kind }) => kind),
  ];
};
const sent = () => t.platform.aws.aws.sms.texts().length + t.platform.aws.aws.ses.mails().length;
const stranger = (lastName: string) => ({ firstName: "Zuleika", lastName, dateOfBirth: "March 4 1985", phoneNumber: "617 555 0199" });

describe("a test call", () => {
  it("answers an emergency as any call, and puts none on the list of work", async () => {
    const call = await testCall();
    expect((await call.use("getOfficeInfo", { topic: "I have crushing chest pain" })).speech).toContain("911");
    expect(await leavings(call.callKey)).toEqual([]);
    expect(await call.last()).toMatchObject({ code: "emergency", detail: { testCall: true } });
    expect((await call.last())?.detail).not.toHaveProperty("taskId");
  });

  it("says that a callback was noted, and leaves no lead", async () => {
    const call = await testCall();
    const args = { reason: "billing", outcome: "callback", callerName: "Test Person", callbackNumber: "617 555 0142" };
    expect(await call.use("logRoutingEvent", args)).toMatchObject({ ok: true, output: { noted: true } });
    expect(await leavings(call.callKey)).toEqual([]);
    expect((await call.last())?.detail).not.toHaveProperty("leadId");
  });

  it("registers a person in the record system, and gives staff nothing to complete", async () => {
    const call = await testCall();
    expect(await call.use("createPatientFhir", stranger("Testperson"))).toMatchObject({ ok: true, output: { result: "received" } });
    expect(await leavings(call.callKey)).toEqual([]);
  });

  it("marks its message in the record system as a test, and leaves no task for it", async () => {
    const call = await verified(0);
    expect(await call.use("sendCommunicationFhir", { category: "refill_request", message: "words of a test" })).toMatchObject({ ok: true });
    const made = await (await t.ehr(0)).search<Communication>("Communication", { subject: `Patient/${t.patients[0]!.id}` });
    const text = made.map(({ payload }) => payload?.[0]?.contentString ?? "").find((one) => one.includes("words of a test"));
    expect(text).toMatch(/^Refill request, made in a test call; no patient has called\.\n/);
    expect(await leavings(call.callKey)).toEqual([]);
  });

  it.each([
    ["sendSMS", always, "sent"],
    ["sendEmail", always, "sent"],
    ["sendSMS", { ...always, start: "03:00", end: "03:01" }, "queued"],
  ])("answers %s as any call, sends nothing, lists nothing and counts toward no limit", async (tool, businessHours, result) => {
    const contactPreferences = { ...preferences, businessHours };
    await t.context(0).store.commit([update<TenantRow>(keys.tenantConfig(), { set: { contactPreferences } })], settings);
    const [call, before] = [await verified(0), sent()];
    const later = Date.UTC(new Date().getUTCFullYear() + 1, 0, 5, 16) - Date.now();
    await call.use("verifyPatientIdentity", t.claimOf(0), later);
    expect(await call.use(tool, { purpose: "callback" }, later)).toMatchObject({ ok: true, output: { result } });
    expect(sent()).toBe(before);
    expect(await leavings(call.callKey)).toEqual([]);
    expect(JSON.stringify(await t.audits(0, call.callKey))).not.toContain("messageId");
  });

  it("sends no one-time code", async () => {
    const [call, before] = [await verified(0), sent()];
    expect(await call.use("verifyPatientIdentity", { sendCode: "sms" })).toMatchObject({ ok: true, output: { codeSentTo: {} } });
    expect(sent()).toBe(before);
    expect(JSON.stringify(await t.audits(0, call.callKey))).not.toContain("messageId");
  });

  it("changes no patient's choice about messages", async () => {
    const call = await verified(1);
    const key = keys.optOut(`+1${t.patients[1]!.phone.replaceAll(/\D/g, "").slice(-10)}`);
    expect(await call.use("sendSMS", { action: "opt_out" })).toMatchObject({ ok: true, output: { result: "stopped" } });
    expect(await t.context(0).store.get<OptOutRow>(key)).toBeUndefined();
    await (await t.verified(0, 1)).use("sendSMS", { action: "opt_out" });
    expect(await call.use("sendSMS", { action: "opt_in" })).toMatchObject({ ok: true, output: { result: "resumed" } });
    expect(await t.context(0).store.get<OptOutRow>(key)).toBeDefined();
    await t.context(0).store.writeUnaudited(remove(key));
  });

  it("is a test still when its state has ended and its page is open", async () => {
    const call = await testCall();
    const { store } = t.context(0);
    await store.writeUnaudited(remove(keys.callState(call.callKey)));
    const args = { reason: "billing", outcome: "callback", callerName: "Test Person", callbackNumber: "617 555 0142" };
    expect(await call.use("logRoutingEvent", args, 3 * hourMs)).toMatchObject({ ok: true });
    expect(await call.last()).toMatchObject({ detail: { testCall: true } });
    expect(await leavings(call.callKey)).toEqual([]);
  });

  it("is in no count of failed tools", async () => {
    const [call, before] = [await testCall(), t.lines.length];
    await call.use("getOfficeInfo", { topic: "hours" });
    expect(t.lines.slice(before).filter(({ event }) => event === "tool.answered")).toEqual([]);
    await t.phone(0).use("getOfficeInfo", { topic: "hours" });
    expect(t.lines.slice(before).filter(({ event }) => event === "tool.answered")).toHaveLength(1);
  });
});

describe("a run of the tool console", () => {
  const consoleSession = (which: 0 | 1 = 0) => {
    const sessionId = randomUUID();
    const ctx = t.context(which);
    const admin: ToolContext = { ...ctx, actor: { kind: "user", id: `admin-${sessionId}`, role: "tenant_admin", tenantId: ctx.tenantId } };
    const callKey = keys.callKeyOf("test", `${admin.actor.id}/${sessionId}`);
    return {
      callKey,
      try: (name: string, args: object = {}) =>
        tryTool(admin, { name, arguments: args as Record<string, unknown>, sessionId, confirm: true }),
      audits: () => t.audits(which, callKey),
    };
  };
  const counts = async (which: 0 | 1) => {
    const [tasks, leads] = await Promise.all([listTasks(t.context(which), { limit: 200 }), listLeads(t.context(which), { limit: 200 })]);
    return { tasks: tasks.rows.length, leads: leads.rows.length, sent: sent(), waiting: (await waiting()).length };
  };

  it.each([0, 1] as const)("leaves no task, lead or message, whichever tenant tries it: %d", async (which) => {
    const [session, before] = [consoleSession(which), await counts(which)];
    const patient = which === 0 ? t.claimOf(0) : undefined;
    const lead = { reason: "billing", outcome: "callback", callerName: "Test Person", callbackNumber: "617 555 0142" };
    expect(await session.try("logRoutingEvent", lead)).toMatchObject({ ok: true, output: { noted: true } });
    expect(await session.try("logRoutingEvent", { reason: "emergency", outcome: "transferred" })).toMatchObject({ ok: true });
    await session.try("getOfficeInfo", { topic: "I have crushing chest pain" });
    if (patient) {
      expect(await session.try("verifyPatientIdentity", patient)).toMatchObject({ ok: true });
      expect(await session.try("verifyPatientIdentity", { sendCode: "sms" })).toMatchObject({ ok: true });
      expect(await session.try("sendSMS", { purpose: "callback" })).toMatchObject({ ok: true });
      expect(await session.try("sendCommunicationFhir", { category: "refill_request", message: "words of the console" })).toMatchObject({
        ok: true,
      });
    }
    expect(await counts(which)).toEqual(before);
    expect(await leavings(session.callKey)).toEqual([]);
    for (const { detail } of await session.audits()) expect(detail).toMatchObject({ test: true, testCall: true });
  });

  it("writes to the record system, marked as a test", async () => {
    const session = consoleSession();
    await session.try("verifyPatientIdentity", t.claimOf(0));
    await session.try("sendCommunicationFhir", { category: "refill_request", message: "marked words of the console" });
    const made = await (await t.ehr(0)).search<Communication>("Communication", { subject: `Patient/${t.patients[0]!.id}` });
    const text = made.map(({ payload }) => payload?.[0]?.contentString ?? "").find((one) => one.includes("marked words of the console"));
    expect(text).toMatch(/^Refill request, made in a test call; no patient has called\.\n/);
  });
});

describe("a write of a test call whose outcome is unknown", () => {
  async function lostBooking(index: number, isPlain: boolean) {
    const call = await verified(index);
    const { appointments } = outputOf(await call.use("scheduleAppointment", { action: "list" }));
    const busy = new Set(appointments.map(({ start }) => start.slice(0, 10)));
    const { slots } = outputOf(await call.use("scheduleAppointment", { action: "find" }));
    const { slotId } = slots.find(({ start }) => !busy.has(start.slice(0, 10)))!;
    const request = call.request("scheduleAppointment", { action: "book", slotId });
    const ctx = t.context(0);
    let lost = 0;
    const commit: ToolContext["store"]["commit"] = async (...args) => {
      if (lost++ === 0 || (isPlain && args[0].length > 0)) throw new AppError("unavailable", "injected");
      return ctx.store.commit(...args);
    };
    expect(await runTool({ ...ctx, store: { ...ctx.store, commit } }, request)).toMatchObject({ code: "ehr_unknown_outcome" });
    return { ...call, slotId, again: () => runTool(t.context(0), request), key: await t.requestKey(0, request) };
  }

  it.each([
    ["sealed", false],
    ["plain", true],
  ])("is found by the retry job as that of a test: %s, no task, and marked in the audit", async (_how, isPlain) => {
    const call = await lostBooking(isPlain ? 3 : 2, isPlain);
    expect(await leavings(call.callKey)).toEqual([]);
    expect(await recoverWrite(t.context(0), call.key)).toBe("done");
    expect(await leavings(call.callKey)).toEqual([]);
    const settled = (await t.audits(0, call.callKey)).filter(({ action }) => action === "tool.settle");
    expect(settled).toMatchObject([{ success: true, detail: { testCall: true } }]);
    expect(settled[0]?.detail).not.toHaveProperty("taskId");
    expect(await call.again()).toMatchObject({ ok: true, output: { result: "booked" } });
    const made = await t.appointments(0, t.patients[isPlain ? 3 : 2]!.id);
    const bySlot = ({ slot }: Appointment) => slot?.some(({ reference }) => reference === `Slot/${call.slotId}`);
    expect(made.find(bySlot)?.comment).toMatch(/^Made in a test call; no patient has called\./);
  });

  it("is answered when asked again before that, without a task to close", async () => {
    const call = await lostBooking(4, false);
    expect(await call.again()).toMatchObject({ ok: true, output: { result: "booked" } });
    expect(await recoverWrite(t.context(0), call.key)).toBe("done");
    expect(await leavings(call.callKey)).toEqual([]);
  });
});
