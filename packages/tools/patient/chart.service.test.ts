import type { Appointment, FhirResource, Patient } from "fhir/r4.js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { runTool, type ToolContext } from "../index.ts";
import { sentences } from "../test/sentences.fixture.ts";
import { startTools, type Tools } from "../test/tools.fixture.ts";

let t: Tools;
beforeAll(async () => void (t = await startTools()), 60_000);
afterAll(() => t.close());
afterEach(() => t.heal());

const invalid = { ok: false, code: "ehr_invalid", speech: sentences.ehr_invalid };
type Reading = (type: string, id: string, read: (id: string) => Promise<FhirResource>) => Promise<FhirResource>;

/** An EHR with its own answers to reads; `written` collects the changed ids. */
const reading = (ctx: ToolContext, answer: Reading, written: (string | undefined)[] = []): ToolContext => ({
  ...ctx,
  openEhr: async (...args) => {
    const ehr = await ctx.openEhr(...args);
    return {
      ...ehr,
      read: async (type, id, options) => (await answer(type, id, (other) => ehr.read(type, other, options))) as never,
      change: async (before, after, options) => {
        written.push(before.id, after.id);
        return ehr.change(before, after, options);
      },
    };
  },
});
const chart = async (which: 0 | 1, id: string) => (await t.ehr(which)).read<Patient>("Patient", id);

describe("the verified patient's chart", () => {
  it("is never another patient's that the record system answers with: nothing is told, changed or sent", async () => {
    for (const which of [0, 1] as const) {
      const caller = await t.verified(which, 0, 2);
      const other = t.patients[1]!.id;
      const before = await chart(which, other);
      const written: string[] = [];
      const confused = () => reading(t.context(which), (type, id, read) => read(type === "Patient" ? other : id), written);
      for (const [name, args] of [
        ["getPatientInfo", {}],
        ["updatePatientFhir", { phoneNumber: "617 555 0142" }],
        ["sendSMS", { purpose: "follow_up" }],
        ["verifyPatientIdentity", { sendCode: "sms" }],
        ["sendCommunicationFhir", { message: "Hello" }],
        ["scheduleAppointment", { action: "list" }],
        ["getMedicationHistoryFhir", {}],
      ] as const)
        expect(await runTool(confused(), caller.call(name, args)), name).toEqual(invalid);
      expect(written).toEqual([]);
      expect(await chart(which, other)).toEqual(before);
    }
  });

  it("may come under another id of the same person, and is read and changed as the one that was verified", async () => {
    const caller = await t.verified(0, 2, 2);
    const written: (string | undefined)[] = [];
    const renaming = () =>
      reading(t.context(0), async (type, id, read) => ({ ...(await read(id)), ...(type === "Patient" ? { id: "own-1" } : {}) }), written);
    expect(await runTool(renaming(), caller.call("getPatientInfo", {}))).toMatchObject({ ok: true });
    expect(await runTool(renaming(), caller.call("updatePatientFhir", { phoneNumber: "617 555 0143" }))).toMatchObject({ ok: true });
    expect(written).toEqual([caller.patientId, caller.patientId]);
    expect(JSON.stringify((await caller.state())?.identityHash)).not.toMatch(new RegExp(t.patients[2]!.family, "i"));
  });

  it("has no appointment under another id that is not the patient's", async () => {
    const [caller, other] = [await t.verified(0, 3), await t.verified(0, 4)];
    const [slotId] = await t.unusedSlots(0, 1);
    const booked = await other.use("scheduleAppointment", { action: "book", slotId });
    const { appointmentId } = (booked.output as { appointment: { appointmentId: string } }).appointment;
    const confused = reading(t.context(0), (type, id, read) => read(type === "Appointment" ? appointmentId : id));
    const answer = await runTool(confused, caller.call("scheduleAppointment", { action: "cancel", appointmentId: "mine" }));
    expect(answer).toEqual(invalid);
    expect((await (await t.ehr(0)).read<Appointment>("Appointment", appointmentId)).status).toBe("booked");
  });
});

describe("the same words without an id of the tool call", () => {
  const say = (which: 0 | 1, caller: ReturnType<Tools["phone"]>, name: string, args: object, laterMs = 0) =>
    runTool(t.context(which, { laterMs }), { ...caller.call(name, args), toolCallId: undefined });

  it("restore a value that was changed in between, and are no change if it still stands", async () => {
    const caller = await t.verified(0, 5, 2);
    const tool = "updatePatientFhir";
    const phones = ["+16175550151", "+16175550152", "+16175550151"];
    for (const phoneNumber of phones) expect(await say(0, caller, tool, { phoneNumber })).toMatchObject({ ok: true });
    expect((await chart(0, caller.patientId)).telecom?.[0]).toMatchObject({ value: phones[2] });
    const { meta } = await chart(0, caller.patientId);
    expect(await say(0, caller, tool, { phoneNumber: phones[2] })).toMatchObject({ ok: true });
    expect((await chart(0, caller.patientId)).meta).toEqual(meta);
  });

  it("are one message to staff at once, and another one minutes later", async () => {
    const caller = await t.verified(1, 0);
    const sent = async () =>
      (await (await t.ehr(1)).search("Communication", { subject: `Patient/${caller.patientId}` })).filter((one) =>
        JSON.stringify(one).includes("Again and again"),
      );
    const tell = (laterMs = 0) => say(1, caller, "sendCommunicationFhir", { message: "Again and again" }, laterMs);
    expect([await tell(), await tell(), (await sent()).length]).toMatchObject([{ ok: true }, { ok: true }, 1]);
    expect([await tell(120_000), await tell(130_000), (await sent()).length]).toMatchObject([{ ok: true }, { ok: true }, 2]);
  });

  it("are a message of their own also when the record system was away at first", async () => {
    const caller = await t.verified(1, 1);
    const tell = (laterMs: number) => say(1, caller, "sendCommunicationFhir", { message: "Away and back" }, laterMs);
    await tell(0);
    await t.fault(1, { kind: "503", match: { method: "POST" } });
    expect(await tell(120_000)).toMatchObject({ ok: false });
    await t.heal();
    expect(await tell(130_000)).toMatchObject({ ok: true });
    const all = await (await t.ehr(1)).search("Communication", { subject: `Patient/${caller.patientId}` });
    expect(all.filter((one) => JSON.stringify(one).includes("Away and back"))).toHaveLength(2);
  });

  it("look up the staff on duty again when they come later", async () => {
    const caller = t.phone(0);
    const ask = (laterMs: number) => say(0, caller, "logRoutingEvent", { reason: "billing" }, laterMs);
    await ask(0);
    await ask(10_000);
    await ask(200_000);
    expect(await t.audits(0, caller.callKey)).toHaveLength(2);
  });
});
