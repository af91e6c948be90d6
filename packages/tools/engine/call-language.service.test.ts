import { randomUUID } from "node:crypto";
import type { Language } from "@vitaline/contract";
import { create, keys, type OfficeRow, remove, update, type TenantRow } from "@vitaline/store";
import { listTasks, readTask } from "@vitaline/tasks";
import type { Appointment, Patient } from "fhir/r4.js";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { languageOfCall, runTool, sendReminder, type Reminder } from "../index.ts";
import { outputOf, startTools, type Tools, type Which } from "../test/tools.fixture.ts";

let t: Tools;
const configured = { category: "configuration_change", action: "tenant.update", resourceType: "Tenant" } as const;
beforeAll(async () => {
  process.env["SMS_ORIGINATION"] = "arn:aws:sms-voice:us-east-1:000000000000:pool/pool-test";
  t = await startTools();
  const set: Partial<TenantRow> = { contactPhone: "617-555-0100" };
  for (const which of [0, 1] as const) await t.context(which).store.commit([update<TenantRow>(keys.tenantConfig(), { set })], configured);
}, 60_000);
afterAll(async () => {
  await t.close();
  delete process.env["SMS_ORIGINATION"];
});

const interpreterRequired = "http://hl7.org/fhir/StructureDefinition/patient-interpreterRequired";

/** What the chart says of the patient's language from now on. */
async function speaks(which: Which, index: number, code: string | undefined, needsInterpreter?: boolean): Promise<void> {
  const client = await t.ehr(which);
  const { communication: _spoken, extension: _extension, ...rest } = await client.read<Patient>("Patient", t.patients[index]!.id);
  await client.update<Patient>({
    ...rest,
    ...(code ? { communication: [{ language: { coding: [{ code }] }, preferred: true }] } : {}),
    ...(needsInterpreter === undefined ? {} : { extension: [{ url: interpreterRequired, valueBoolean: needsInterpreter }] }),
  });
}

const lastText = () => t.platform.aws.aws.sms.texts().at(-1)?.text ?? "";
const inSpanish = /^Gracias por llamar a /;
const inEnglish = /^Thank you for calling /;
type Caller = Awaited<ReturnType<Tools["verified"]>>;

/** The text that a caller gets who asks for one. */
async function textFor(
  which: Which,
  caller: Caller,
  more: { language?: string; platform?: Language; officeId?: string } = {},
): Promise<string> {
  const { language, platform, officeId } = more;
  const args = { purpose: "general", ...(language ? { language } : {}) };
  const call = { ...caller.call("sendSMS", args), ...(platform ? { language: platform } : {}), ...(officeId ? { officeId } : {}) };
  expect(await runTool(t.context(which), call)).toMatchObject({ ok: true });
  return lastText();
}

describe("texts of a call", () => {
  it("are in the language of the patient's chart, which is read with the chart alone", async () => {
    await speaks(0, 0, "es");
    await speaks(1, 0, undefined);
    const caller = await t.verified(0, 0);
    const { requests } = await t.ehrRequests(() => textFor(0, caller));
    expect(requests).toEqual(["read Patient"]);
    expect(lastText()).toMatch(inSpanish);
    expect(await textFor(1, await t.verified(1, 0))).toMatch(inEnglish);
  });

  it("are in the language that the agent names before the chart's, and in the chart's before the platform's", async () => {
    await speaks(0, 1, "es-MX");
    const caller = await t.verified(0, 1);
    expect(await textFor(0, caller, { platform: "en" })).toMatch(inSpanish);
    expect(await textFor(0, caller, { language: "English" })).toMatch(inEnglish);
    await speaks(1, 1, "vi");
    expect(await textFor(1, await t.verified(1, 1), { platform: "es" })).toMatch(inSpanish);
  });

  it("are in the office's language where nothing else is known", async () => {
    const office: OfficeRow = { id: randomUUID(), name: "Norte", isActive: true, language: "es", createdAt: new Date().toISOString() };
    await t.context(0).store.commit([create(keys.office(office.id), office)], configured);
    await speaks(0, 2, undefined);
    const caller = await t.verified(0, 2);
    expect(await textFor(0, caller, { officeId: office.id })).toMatch(inSpanish);
    expect(await textFor(0, caller)).toMatch(inEnglish);
    await t.context(0).store.commit([remove(keys.office(office.id))], configured);
  });

  it("are in the tenant's language where the office has none of its own, of its own tenant alone", async () => {
    const row = (language?: Language): OfficeRow => ({
      ...{ id: randomUUID(), name: "Sur", isActive: true, createdAt: new Date().toISOString() },
      ...(language ? { language } : {}),
    });
    const [plain, english, foreign] = [row(), row("en"), row()];
    const inSpanishUsually = update<TenantRow>(keys.tenantConfig(), { set: { language: "es" } });
    await t.context(0).store.commit([...[plain, english].map((one) => create(keys.office(one.id), one)), inSpanishUsually], configured);
    await t.context(1).store.commit([create(keys.office(foreign.id), foreign)], configured);
    for (const which of [0, 1] as const) await speaks(which, 2, undefined);
    const [caller, other] = [await t.verified(0, 2), await t.verified(1, 2)];
    expect(await textFor(0, caller, { officeId: plain.id })).toMatch(inSpanish);
    expect(await textFor(0, caller, { officeId: english.id })).toMatch(inEnglish);
    expect(await textFor(1, other, { officeId: foreign.id })).toMatch(inEnglish);
    expect((await t.phone(0).use("getPatientInfo")).speech).toMatch(/^Antes necesito verificar/);
    expect((await t.phone(1).use("getPatientInfo")).speech).toMatch(/^Before I can do that/);
    const asBefore = update<TenantRow>(keys.tenantConfig(), { remove: ["language"] });
    await t.context(0).store.commit([...[plain, english].map(({ id }) => remove(keys.office(id))), asBefore], configured);
    await t.context(1).store.commit([remove(keys.office(foreign.id))], configured);
  });
});

describe("what a caller hears", () => {
  const spanish = /[áéíóúñ¿¡]|\b(?:su|le|por favor|gracias)\b/i;
  const heard = async (which: Which, call: ReturnType<Caller["call"]>, more: Parameters<Tools["context"]>[1] = {}) =>
    (await runTool(t.context(which, more), call)).speech;

  it("is in the language that the agent names or the platform is set to, also where the tool is refused or does not exist", async () => {
    const [caller, other, unnamed] = [t.phone(0), t.phone(1), t.phone(0)];
    for (const [name, args] of [
      ["getPatientInfo", {}],
      ["scheduleAppointment", { action: "fly" }],
      ["noSuchTool", {}],
    ] as const) {
      expect(await heard(0, caller.call(name, { ...args, language: "es" }))).toMatch(spanish);
      expect(await heard(1, { ...other.call(name, args), language: "es" })).toMatch(spanish);
      expect(await heard(1, { ...t.phone(1).call(name, { ...args, language: "en" }), language: "es" })).not.toMatch(spanish);
      expect(await heard(0, unnamed.call(name, args))).not.toMatch(spanish);
    }
  });

  it("is in the verified patient's language where neither tells", async () => {
    await speaks(0, 5, "es");
    await speaks(1, 5, "en");
    const [caller, other] = [await t.verified(0, 5), await t.verified(1, 5)];
    expect(await heard(0, caller.call("getPatientInfo", {}))).toMatch(spanish);
    expect(await heard(1, other.call("getPatientInfo", {}))).not.toMatch(spanish);
    expect(await heard(0, { ...caller.call("getPatientInfo", {}), language: "en" })).not.toMatch(spanish);
  });
});

it("a line that no tool says is in the language that a tool would answer in now", async () => {
  await speaks(0, 4, "es");
  await speaks(1, 4, "en");
  const [caller, other] = [await t.verified(0, 4), await t.verified(1, 4)];
  const line = (which: Which, one: Caller, args: object = {}) => languageOfCall(t.context(which), one.call("", args));
  expect([await line(0, caller), await line(1, other), await line(1, other, { language: "es" })]).toEqual(["es", "en", "es"]);
  await caller.use("getPatientInfo", { language: "en" });
  expect(await line(0, caller)).toBe("en");
});

describe("the language that the agent names", () => {
  const claim = (index: number) => t.claimOf(index);

  it("is remembered by the identity check, without a write more", async () => {
    for (const which of [0, 1] as const) await speaks(which, 3, undefined);
    const [plain, named] = [t.phone(0), t.phone(1)];
    const before = await t.cost(() => plain.use("verifyPatientIdentity", claim(3)));
    const after = await t.cost(() => named.use("verifyPatientIdentity", { ...claim(3), language: "es-US" }));
    expect(after.answer).toMatchObject({ ok: true });
    expect([after.writes, after.requests.length]).toEqual([before.writes, before.requests.length]);
    expect([(await plain.state())?.language, (await named.state())?.language]).toEqual([undefined, "es"]);
    expect(await textFor(1, { ...named, patientId: t.patients[3]!.id })).toMatch(inSpanish);
  });

  it("holds until another is named, which costs one write unit, and an unknown one changes nothing", async () => {
    await speaks(0, 4, undefined);
    const caller = await t.verified(0, 4);
    const use = (args: object) => t.cost(() => caller.use("getPatientInfo", args));
    const { writes } = await use({});
    expect((await use({ language: "es" })).writes).toBe(writes + 1);
    expect((await use({ language: "es" })).writes).toBe(writes);
    expect((await use({ language: "vi" })).writes).toBe(writes);
    expect(await textFor(0, caller)).toMatch(inSpanish);
    expect(await textFor(0, caller, { language: "en" })).toMatch(inEnglish);
    expect(await caller.state()).toMatchObject({ language: "en", level: 1, patientId: caller.patientId });
  });

  it("holds from the first tool of the call on, before anyone is verified, for one write unit in the whole call", async () => {
    await speaks(0, 3, undefined);
    const [caller, plain, other] = [t.phone(0), t.phone(0), t.phone(1)];
    const cost = (phone: typeof caller, name: string, args: object) => t.cost(() => phone.use(name, args));
    const unnamed = await cost(plain, "getOfficeInfo", { topic: "hours" });
    expect(unnamed.writes).toBe(1);
    const named = await cost(caller, "getOfficeInfo", { topic: "hours", language: "es" });
    expect([named.writes, (await caller.state())?.language, await plain.state()]).toEqual([2, "es", undefined]);
    for (const args of [{ topic: "hours" }, { topic: "address", language: "es" }]) {
      const { answer, writes } = await cost(caller, "getOfficeInfo", args);
      expect(answer.speech).toMatch(/\b(?:Hoy|Ahora|Abrimos|Estamos|Nuestr[oa]|No tengo)\b/);
      expect(writes).toBe(1);
    }
    expect((await caller.use("getPatientInfo")).speech).toMatch(/^Antes necesito verificar/);
    expect((await other.use("getPatientInfo")).speech).toMatch(/^Before I can do that/);
    const [first, later] = [await cost(plain, "verifyPatientIdentity", claim(3)), await cost(caller, "verifyPatientIdentity", claim(3))];
    expect([later.answer.ok, later.writes]).toEqual([true, first.writes]);
    expect(later.answer.speech).toMatch(/^Gracias/);
    expect(await caller.state()).toMatchObject({ language: "es", level: 1 });
  });

  it("holds also from a tool on that was refused or asked for more, and not after the call has ended", async () => {
    const [refused, asked, ended] = [t.phone(0), t.phone(1), t.phone(1)];
    await refused.use("getPatientInfo", { language: "es" });
    await asked.use("scheduleAppointment", { action: "fly", language: "es" });
    await ended.hangUp();
    await ended.use("getPatientInfo", { language: "es" });
    expect([(await refused.state())?.language, (await asked.state())?.language, (await ended.state())?.language]).toEqual([
      "es",
      "es",
      undefined,
    ]);
  });

  it("holds from an identity check on, however it ended", async () => {
    const [child, adult] = [{ ...claim(3), dateOfBirth: "2020-02-03" }, claim(3)];
    const checks: object[] = [
      { callingFor: "child" },
      { ...adult, callingFor: "other" },
      { ...child, callingFor: "self" },
      { ...adult, zipCode: "00000" },
      { code: "123456" },
      { zipCode: "10001" },
    ];
    for (const check of checks) {
      const phone = t.phone(0);
      expect((await phone.use("verifyPatientIdentity", { ...check, language: "es" })).ok).toBe(false);
      expect((await phone.state())?.language, JSON.stringify(check)).toBe("es");
    }
    const timedOut = t.phone(1);
    await t.fault(1, { kind: "503" });
    await timedOut.use("verifyPatientIdentity", { ...adult, language: "es" }, { deadlineMs: 3000 });
    await t.heal();
    expect((await timedOut.state())?.language).toBe("es");
  });

  it("does not make a repeated request a new one", async () => {
    await speaks(1, 4, undefined);
    const caller = await t.verified(1, 4);
    const [slotId] = await t.unusedSlots(1, 1);
    const toolCallId = randomUUID();
    const first = await caller.use("scheduleAppointment", { action: "book", slotId }, { toolCallId });
    const again = await caller.use("scheduleAppointment", { action: "book", slotId, language: "es" }, { toolCallId });
    expect(again.output).toEqual(first.output);
    expect(await t.appointments(1, caller.patientId)).toContainEqual(
      expect.objectContaining({ id: outputOf(first).appointment.appointmentId }),
    );
  });

  it("is the reminder's, which is otherwise in the language of the chart", async () => {
    await speaks(0, 5, "en");
    const caller = await t.verified(0, 5);
    const [slotId] = await t.unusedSlots(0, 1);
    await caller.use("scheduleAppointment", { action: "book", slotId, language: "es" });
    const { detail = {} } = (await t.audits(0, caller.callKey)).find((row) => row.detail?.["booked"]) ?? {};
    expect(detail).toMatchObject({ language: "es" });
    const row = (id: string, language?: Language): Reminder => ({
      ...{ kind: "reminder", tenantId: t.platform.clinics[0].tenantId, id, dueAt: "", planned: true, expiresAt: 4e9 },
      ...{ providerId: String(detail["fhirProviderId"]), appointmentId: String(detail["appointmentId"]), start: String(detail["start"]) },
      ...(language ? { language } : {}),
    });
    const preferences = { defaultMethod: "sms", emailEnabled: false, smsEnabled: true, phoneEnabled: true } as const;
    const businessHours = { start: "00:00", end: "23:59", timezone: "America/New_York" };
    const set: Partial<TenantRow> = { contactPreferences: { ...preferences, businessHours } };
    await t.context(0).store.commit([update<TenantRow>(keys.tenantConfig(), { set })], configured);
    const dayBefore = t.context(0, { laterMs: Date.parse(String(detail["start"])) - 24 * 3_600_000 - Date.now() });
    await sendReminder(dayBefore, row("named", "es"));
    expect(lastText()).toMatch(/^Le recordamos su cita en /);
    await sendReminder(dayBefore, row("not-named"));
    expect(lastText()).toMatch(/^A reminder of your appointment at /);
  });
});

describe("an interpreter", () => {
  const book = async (which: Which, index: number, offered?: (caller: Caller) => Promise<string>) => {
    const caller = await t.verified(which, index);
    const slotId = offered ? await offered(caller) : (await t.unusedSlots(which, 1))[0];
    const { answer, requests } = await t.ehrRequests(() => caller.use("scheduleAppointment", { action: "book", slotId }));
    expect(answer).toMatchObject({ ok: true });
    const { appointmentId } = outputOf(answer).appointment;
    const { comment } = await (await t.ehr(which)).read<Appointment>("Appointment", appointmentId);
    return { caller, appointmentId, comment, requests };
  };
  /** A time that the server offers, on a day without another visit of the patient. */
  const offeredTime = async (caller: Caller): Promise<string> => {
    const { appointments } = outputOf(await caller.use("scheduleAppointment", { action: "list" }));
    const busy = new Set(appointments.map(({ start }) => start.slice(0, 10)));
    for (let days = 3; days < 30; days++) {
      const date = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
      const { slots } = outputOf(await caller.use("scheduleAppointment", { action: "find", date }));
      const free = slots.find(({ start }) => !busy.has(start.slice(0, 10)));
      if (free) return free.slotId;
    }
    throw new Error("The server offers no time");
  };
  const tasksOf = async (which: Which, callKey: string) => {
    const { rows } = await listTasks(t.context(which), { limit: 200 });
    return Promise.all(rows.filter(({ callId }) => callId === callKey).map(({ id }) => readTask(t.context(which), id)));
  };

  it("that the patient needs is noted on the booking, without a request more, and on the tasks of the call", async () => {
    await speaks(0, 0, "vi");
    await speaks(1, 0, "es");
    const [needed, other] = [await book(0, 0), await book(1, 0)];
    expect([needed.comment, other.comment]).toEqual(["Interpreter: Vietnamese", undefined]);
    expect(needed.requests).toEqual(other.requests);
    for (const { caller } of [needed, other])
      await caller.use("sendCommunicationFhir", { category: "billing_question", message: "A question about my bill" });
    expect((await tasksOf(0, needed.caller.callKey)).map(({ about }) => about.interpreter)).toEqual(["Vietnamese"]);
    expect((await tasksOf(1, other.caller.callKey)).map(({ about }) => about.interpreter)).toEqual([undefined]);
  });

  it("is noted for a patient who speaks Spanish if the chart asks for one, and forgotten with the next patient of the call", async () => {
    await speaks(1, 1, "es", true);
    await speaks(1, 2, undefined);
    const { caller, comment } = await book(1, 1);
    expect(comment).toBe("Interpreter: Spanish");
    expect(await caller.state()).toMatchObject({ interpreter: "Spanish", patientLanguage: "es" });
    expect(await caller.use("verifyPatientIdentity", t.claimOf(2))).toMatchObject({ ok: true });
    const state = await caller.state();
    expect([state?.patientId, state?.interpreter, state?.patientLanguage]).toEqual([t.patients[2]!.id, undefined, undefined]);
  });

  it("is noted by Epic's booking, and is a task for staff where the server takes no note", async () => {
    await speaks(0, 3, "vi");
    onTestFinished(async () => void (await t.connect(0, { personality: "plain", version: "R4" })));
    await t.connect(0, { personality: "epic-like", version: "R4" });
    expect((await book(0, 3, offeredTime)).comment).toBe("Interpreter: Vietnamese");
    await t.connect(0, { personality: "cerner-like", version: "R4" });
    const { caller, appointmentId, comment } = await book(0, 3, offeredTime);
    expect(comment).toBeUndefined();
    expect(await tasksOf(0, caller.callKey)).toMatchObject([
      { kind: "interpreter", about: { action: "book", appointmentId, interpreter: "Vietnamese", patientId: caller.patientId } },
    ]);
  });
});
