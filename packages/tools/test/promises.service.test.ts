import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { sendDeferred, type DeferredRow } from "@vitaline/messages";
import { keys, update, type TenantRow, shards } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import { listTasks, readTask } from "@vitaline/tasks";
import type { Patient } from "fhir/r4.js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { recoverWrite, runTool, type ToolContext } from "../index.ts";
import { outputOf, startTools, type Tools } from "./tools.fixture.ts";

let t: Tools;
beforeAll(async () => {
  process.env["MAIL_FROM"] = "Vitaline <no-reply@vitaline.example>";
  t = await startTools();
}, 60_000);
afterAll(async () => {
  await t.close();
  delete process.env["MAIL_FROM"];
});
afterEach(async () => {
  t.platform.aws.fault();
  await t.heal();
});

const tasksOf = async (callKey: string, which: 0 | 1 = 0) => {
  const { rows } = await listTasks(t.context(which), { limit: 200 });
  return Promise.all(rows.filter(({ callId }) => callId === callKey).map(({ id }) => readTask(t.context(which), id)));
};

const nameOf = async (patientId: string): Promise<string> => {
  const { name: [name] = [] } = await (await t.ehr(0)).read<Patient>("Patient", patientId);
  return [name?.given?.[0], name?.family].join(" ");
};

/** Words that promise an action of the clinic. */
const promise =
  /(?:will|'ll) (?:be in touch|be sent|confirm|review|look into|call you|go out|get back)|I've (?:passed (?:on|your)|asked for|noted|sent)|I'm checking it|has what you've told me/;
const asksBack = /sent as many messages/;

/** The EHR answers the next booking with an error page of a proxy. */
const losing = (ctx: ToolContext): ToolContext => ({
  ...ctx,
  openEhr: async (tenant, options) => {
    const ehr = await ctx.openEhr(tenant, options);
    const match = { method: "POST", path: "/r4/Appointment" };
    return {
      ...ehr,
      create: async (resource, options) => (await t.fault(0, { kind: "html", match, times: 1 }), ehr.create(resource, options)),
    };
  },
});

const stranger = (lastName: string) => ({
  firstName: "Wilhelmina",
  lastName,
  dateOfBirth: "March 4 1985",
  phoneNumber: "617 555 0144",
});
const categories = ["refill_request", "clinical_question", "appointment_request", "billing_question", "callback_request", "other"];

describe("D10: a sentence that promises something", () => {
  it("is one of those that are tried here", () => {
    const room = path.dirname(import.meta.dirname);
    const sources = readdirSync(room, { recursive: true, encoding: "utf8" }).filter(
      (file) => file.endsWith(".ts") && !/\.(test|fixture)\.ts$/.test(file),
    );
    const sentences = sources.flatMap((file) =>
      [...readFileSync(path.join(room, file), "utf8").matchAll(/["`]([A-Z][^"`\n]*)["`]/g)]
        .map(([, sentence = ""]) => sentence)
        .filter((sentence) => promise.test(sentence) && !asksBack.test(sentence))
        .map((sentence) => `${path.dirname(file)}: ${sentence}`),
    );
    expect(sentences.toSorted()).toMatchInlineSnapshot(`
      [
        "createPatientFhir: Thank you, the clinic has your details now, and the office will be in touch to complete the registration. What else can I do for you?",
        "logRoutingEvent: Thank you, I've noted your name and how to reach you for the office.",
        "logRoutingEvent: The office has what you've told me already, and that is as much as I can note in one call.",
        "messaging: All right, nothing more will be sent to \${place}.",
        "messaging: I've sent \${aMessage} to \${place}.",
        "messaging: I've sent that to \${place} already, so I won't send it twice. If nothing arrives, please call the office.",
        "messaging: The office is closed right now, so \${theMessage} to \${place} will go out \${when}.",
        "scheduleAppointment: I've asked for \${visit}; the clinic will confirm it.",
        "sendCommunicationFhir: I've passed on as many messages as I can in one call. \${office}",
        "sendCommunicationFhir: I've passed on that you'd like to be called back.",
        "sendCommunicationFhir: I've passed your appointment request to the office. They'll review it; nothing is booked yet.",
        "sendCommunicationFhir: I've passed your billing question to the office. They'll look into it.",
        "sendCommunicationFhir: I've passed your message to the care team. They'll review it.",
        "sendCommunicationFhir: I've passed your question to the care team. They'll review it.",
        "sendCommunicationFhir: I've passed your refill request to the care team. They'll review it during office hours; it isn't approved yet.",
        "speech: I couldn't confirm whether that went through. I'm checking it; please don't ask for it again before you have checked with the office.",
        "verifyPatientIdentity: I've sent a six-digit code to \${to.en}. Please read it to me when you have it.",
      ]
    `);
  });

  it("that a message goes out leaves it waiting in the transaction of its audit, and it goes out then", async () => {
    const closed = { start: "00:00", end: "00:00", timezone: "America/New_York", days: {} };
    const tenant = (await t.context(0).store.get<TenantRow>(keys.tenantConfig()))!;
    const now = new Date();
    const day = (ahead: number) =>
      new Date(now.getTime() + ahead * 86_400_000)
        .toLocaleDateString("en-US", { weekday: "long", timeZone: closed.timezone })
        .toLowerCase();
    const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    const never = Object.fromEntries(days.map((one) => [one, null]));
    const hours = { ...closed, days: { ...never, [day(1)]: { start: "09:00", end: "17:00" } } };
    const set = { contactPreferences: { ...tenant.contactPreferences!, businessHours: hours } } as Partial<TenantRow>;
    const changed = { category: "configuration_change", action: "tenant.update", resourceType: "Tenant" } as const;
    await t.context(0).store.commit([update<TenantRow>(keys.tenantConfig(), { set, remove: ["contactPhone"] })], changed);
    const caller = await t.verified(0, 4);
    const sent = () => t.platform.aws.aws.ses.mails().length;
    const before = sent();
    const failing = { status: 500, code: "InternalServerError", message: "injected" };
    t.platform.aws.fault(({ operation }) => (operation === "TransactWriteItems" ? failing : undefined));
    expect((await caller.use("sendEmail", { purpose: "callback" })).speech).not.toMatch(promise);
    t.platform.aws.fault();
    const answer = await caller.use("sendEmail", { purpose: "general" });
    expect(answer).toMatchObject({ output: { result: "queued" }, speech: expect.stringMatching(promise) });
    const { sendAt } = answer.output as { sendAt: string };
    expect(sent()).toBe(before);
    const later = t.context(0, { laterMs: Date.parse(sendAt) - Date.now() + 60_000 });
    const waiting = await Promise.all(shards.map((shard) => t.platform.ctx.platform.query<DeferredRow>(partitions.outgoing(shard))));
    const rows = waiting.flatMap((page) => page.rows).filter(({ callKey }) => callKey === caller.callKey);
    expect(rows).toHaveLength(1);
    expect(await sendDeferred(later, rows[0]!, async () => undefined)).toMatchObject({ over: true });
    expect(sent()).toBe(before + 1);
    const { contactPreferences, contactPhone } = tenant;
    const original = { contactPreferences: contactPreferences!, contactPhone: contactPhone! };
    await t.context(0).store.commit([update<TenantRow>(keys.tenantConfig(), { set: original })], changed);
  });

  it("that name and number were noted leaves a lead in the transaction of its audit, and none is promised without", async () => {
    const said = { reason: "billing", outcome: "callback", callerName: "Wanda Noted", callbackNumber: "617 555 0131" };
    const failing = { status: 500, code: "InternalServerError", message: "injected" };
    t.platform.aws.fault(({ operation }) => (operation === "TransactWriteItems" ? failing : undefined));
    const lost = t.phone(0);
    expect((await lost.use("logRoutingEvent", said)).speech).not.toMatch(/noted/);
    t.platform.aws.fault();
    const caller = t.phone(0);
    const before = await t.audits(0, caller.callKey);
    expect(await caller.use("logRoutingEvent", said)).toMatchObject({ ok: true, speech: expect.stringMatching(/I've noted/) });
    const [audit] = (await t.audits(0, caller.callKey)).filter(({ id }) => !before.some((one) => one.id === id));
    expect(audit).toMatchObject({ detail: { leadId: expect.any(String) } });
  });

  it("is not said where its task cannot be kept with the audit row", async () => {
    const failing = { status: 500, code: "InternalServerError", message: "injected" };
    const phone = t.phone(0);
    t.platform.aws.fault(({ operation }) => (operation === "TransactWriteItems" ? failing : undefined));
    const answer = await phone.use("createPatientFhir", stranger("Unkept"));
    t.platform.aws.fault();
    expect(answer.speech).not.toMatch(/the office will be in touch/);
    expect(await tasksOf(phone.callKey)).toEqual([]);
  });

  it("that the office will be in touch about a registration leaves one task with the sealed details", async () => {
    const phone = t.phone(0);
    const call = phone.call("createPatientFhir", stranger("Promised"));
    const answer = await runTool(t.context(0), call);
    expect(answer).toMatchObject({ ok: true, speech: expect.stringMatching(/the office will be in touch/) });
    expect(await runTool(t.context(0), call)).toEqual(answer);
    expect(await tasksOf(phone.callKey)).toMatchObject([
      {
        kind: "registration",
        closedAt: null,
        about: {
          tool: "createPatientFhir",
          action: "create",
          patientId: expect.any(String),
          name: "Wilhelmina Promised",
          dateOfBirth: "1985-03-04",
        },
      },
    ]);
    const { rows } = await t.context(0).store.query(`TENANT#${t.context(0).tenantId}#TASKS`);
    expect(JSON.stringify(rows)).not.toMatch(/Promised|1985|5550144/);
    expect(await tasksOf(phone.callKey, 1)).toEqual([]);
    const again = t.phone(0);
    expect((await again.use("createPatientFhir", stranger("Promised"))).speech).toBe(answer.speech);
    expect(await tasksOf(again.callKey)).toMatchObject([{ kind: "registration", about: { action: "find" } }]);
  });

  it.each(categories)("of a message of the kind %s leaves a task that names patient, kind and what was said", async (category) => {
    const caller = await t.verified(0, 0);
    const urgent = category === "clinical_question";
    const args = {
      ...{ category, message: "Please look at this" },
      ...(urgent ? { urgency: "urgent" } : {}),
      ...(category === "refill_request" ? { medicationName: "Lisinopril 10 mg" } : {}),
    };
    const call = caller.call("sendCommunicationFhir", args);
    const answer = await runTool(t.context(0), call);
    expect(answer).toMatchObject({ ok: true, speech: expect.stringMatching(promise) });
    await runTool(t.context(0), call);
    const tasks = await tasksOf(caller.callKey);
    const about = { action: category, patientId: caller.patientId, name: await nameOf(caller.patientId), said: "Please look at this" };
    expect(tasks).toMatchObject([{ kind: "message", about }]);
    const [task] = tasks;
    expect(task?.about.medication).toBe(category === "refill_request" ? "Lisinopril 10 mg" : undefined);
    expect(JSON.stringify(await t.context(0).store.get(keys.task(task!.id)))).not.toMatch(/look at this|Lisinopril/);
    expect(task?.about.urgent).toBe(urgent ? true : undefined);
    expect(Date.parse(task!.dueAt) - Date.parse(task!.createdAt)).toBe((urgent ? 1 : 24) * 3_600_000);
  });

  it("that an outcome is being checked leaves a task, which tells what the record system showed later", async () => {
    const caller = await t.verified(0, 1);
    const [slotId = ""] = await t.unusedSlots(0, 1);
    const call = caller.call("scheduleAppointment", { action: "book", slotId });
    expect(await runTool(losing(t.context(0)), call)).toMatchObject({
      code: "ehr_unknown_outcome",
      speech: expect.stringMatching(promise),
    });
    const unconfirmed = { kind: "unconfirmed_action", about: { tool: "scheduleAppointment", action: "book", patientId: caller.patientId } };
    expect(await tasksOf(caller.callKey)).toMatchObject([{ ...unconfirmed, finding: null, closedAt: null }]);
    expect(await recoverWrite(t.context(0, { laterMs: 61_000 }), await t.requestKey(0, call))).toBe("done");
    expect(await tasksOf(caller.callKey)).toMatchObject([{ ...unconfirmed, finding: "did_not_happen", closedAt: null }]);
  });

  it("that an outcome is being checked is kept by the answer itself when the caller asks again", async () => {
    const caller = await t.verified(0, 2);
    const [slotId = ""] = await t.unusedSlots(0, 1);
    const call = caller.call("scheduleAppointment", { action: "book", slotId });
    for (let count = 0; count < 2; count++)
      expect(await runTool(losing(t.context(0)), call)).toMatchObject({ code: "ehr_unknown_outcome" });
    expect(await tasksOf(caller.callKey)).toHaveLength(1);
    expect(await runTool(t.context(0), call)).toMatchObject({ ok: true, output: { result: "booked" } });
    expect(await tasksOf(caller.callKey)).toMatchObject([{ finding: "happened", closedAt: expect.any(String) }]);
  });

  it("that an outcome is being checked leaves its task also when no key answered at the time", async () => {
    const caller = await t.verified(0, 3);
    const [slotId = ""] = await t.unusedSlots(0, 1);
    const call = caller.call("scheduleAppointment", { action: "book", slotId });
    const failing = { status: 500, code: "InternalServerError", message: "injected" };
    t.platform.aws.fault(({ operation }) => (["TransactWriteItems", "GenerateDataKey"].includes(operation) ? failing : undefined));
    expect(await runTool(t.context(0), call)).toMatchObject({ code: "ehr_unknown_outcome" });
    t.platform.aws.fault();
    expect(await tasksOf(caller.callKey)).toEqual([]);
    expect(await recoverWrite(t.context(0), await t.requestKey(0, call))).toBe("done");
    expect(await tasksOf(caller.callKey)).toMatchObject([{ kind: "unconfirmed_action", finding: "happened" }]);
  });
});

describe("D10: at a server that takes proposals only", () => {
  beforeAll(async () => void (await t.connect(0, { personality: "cerner-like", version: "DSTU2" })));
  afterAll(async () => void (await t.connect(0, { personality: "plain", version: "R4" })));

  it("that the clinic will confirm a visit leaves a task with the appointment and its time", async () => {
    const caller = await t.verified(0, 2);
    const slots = outputOf(await caller.use("scheduleAppointment", { action: "find" })).slots;
    await t.unlock(0, slots);
    const answer = await caller.use("scheduleAppointment", { action: "book", slotId: slots[0]?.slotId });
    expect(answer).toMatchObject({ ok: true, speech: expect.stringMatching(/the clinic will confirm it/) });
    const { appointmentId, start } = outputOf(answer).appointment;
    const { patientId } = caller;
    expect(await tasksOf(caller.callKey)).toMatchObject([
      { kind: "visit_request", about: { action: "book", appointmentId, patientId, name: await nameOf(patientId) } },
    ]);
    expect(Date.parse(start)).toBeGreaterThan(0);
  });
});
