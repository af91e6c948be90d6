import { keys, update, type TenantRow } from "@vitaline/store";
import type { Appointment, Communication, CoverageEligibilityRequest, FhirResource, Patient } from "fhir/r4.js";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runTool, type ToolAnswer, type ToolCall, type ToolContext } from "../index.ts";
import { outputOf, startTools, type Tools, type Which } from "./tools.fixture.ts";

let t: Tools;
beforeAll(async () => {
  process.env["SMS_ORIGINATION"] = "+18335550100";
  process.env["MAIL_FROM"] ??= "Clinic <no-reply@vitaline.example>";
  t = await startTools();
}, 60_000);
afterAll(() => t.close());
beforeEach(() => t.heal());

const verify = "verifyPatientIdentity";

/** A call without tool call ids, on which several patients speak. */
function line(which: Which) {
  const phone = t.phone(which);
  const use = (name: string, args: object = {}): Promise<ToolAnswer> =>
    runTool(t.context(which), { ...phone.call(name, args), toolCallId: undefined });
  return {
    callKey: phone.callKey,
    use,
    state: phone.state,
    speaks: async (index: number): Promise<string> => {
      const claim = { ...t.claimOf(index), zipCode: t.patients[index]!.zip };
      expect(await use(verify, claim)).toMatchObject({ ok: true, output: { verified: true, level: 2 } });
      return t.patients[index]!.id;
    },
  };
}

describe("a second patient in a call without ids of its tool calls", () => {
  it("is spoken of alone, also when the first one is verified again, and then the first", async () => {
    const call = line(0);
    for (const index of [0, 1, 0, 1]) {
      const patientId = await call.speaks(index);
      expect(await call.state()).toMatchObject({ patientId, level: 2 });
      expect((await call.use("getPatientInfo")).speech).toContain(t.patients[index]!.given);
    }
  });

  it("is verified exactly by the details given since the call was bound to them", async () => {
    const call = line(0);
    const plain = t.claimOf(0);
    const both = { ...plain, zipCode: t.patients[0]!.zip };
    const levels: unknown[] = [];
    for (const claim of [plain, both, t.claimOf(1), plain, both]) {
      const { output } = await call.use(verify, claim);
      levels.push([(output as { level: number }).level, (await call.state())?.level]);
    }
    expect(levels).toEqual([1, 2, 1, 1, 2].map((level) => [level, level]));
  });

  it("does not get the first one's appointment: a time that is taken is taken, and no other is booked for them", async () => {
    const call = line(0);
    const [slotId = ""] = await t.unusedSlots(0, 1);
    const { start } = await t.slot(0, slotId);
    const first = await call.speaks(0);
    expect(await call.use("scheduleAppointment", { action: "book", slotId, start })).toMatchObject({ output: { result: "booked" } });
    const second = await call.speaks(1);
    const before = (await t.appointments(0, second)).length;
    expect(await call.use("scheduleAppointment", { action: "book", slotId, start })).toMatchObject({
      ok: false,
      code: "slot_taken",
      output: { result: "taken" },
    });
    expect(await t.appointments(0, second)).toHaveLength(before);
    expect((await t.appointments(0, first)).filter(({ slot }) => slot?.[0]?.reference === `Slot/${slotId}`)).toHaveLength(1);
  });

  it("gets an appointment of their own for the same words, and so does the first when asked for again", async () => {
    const call = line(0);
    const open = outputOf(await call.use("scheduleAppointment", { action: "find" })).slots;
    const start = open[0]!.start;
    const booked: string[] = [];
    for (const index of [2, 3]) {
      const patientId = await call.speaks(index);
      const answer = await call.use("scheduleAppointment", { action: "book", start });
      if (!answer.ok) expect(answer.code).toBe("slot_taken");
      else {
        const { appointmentId } = outputOf(answer).appointment;
        booked.push(appointmentId);
        expect((await t.appointments(0, patientId)).map(({ id }) => id)).toContain(appointmentId);
      }
    }
    expect(new Set(booked).size).toBe(booked.length);
    const first = await call.speaks(2);
    const again = outputOf(await call.use("scheduleAppointment", { action: "book", start })).appointment.appointmentId;
    expect([again, (await t.appointments(0, first)).some(({ id }) => id === again)]).toEqual([booked[0], true]);
  });

  it("cancels their own appointment with the words with which the first one cancelled theirs", async () => {
    const call = line(0);
    const slots = await t.unusedSlots(0, 2);
    for (const [at, index] of [4, 5].entries()) {
      const patientId = await call.speaks(index);
      for (const { id } of await t.appointments(0, patientId))
        await call.use("scheduleAppointment", { action: "cancel", appointmentId: id });
      await call.use("scheduleAppointment", { action: "book", slotId: slots[at] });
      const asked = await call.use("scheduleAppointment", { action: "cancel" });
      expect(asked).toMatchObject({ ok: false, output: { result: "confirm" } });
      expect(await call.use("scheduleAppointment", { action: "cancel" })).toEqual(asked);
      const { appointmentId } = outputOf(asked).appointment;
      expect(await call.use("scheduleAppointment", { action: "cancel", appointmentId })).toMatchObject({ output: { result: "cancelled" } });
      expect((await t.slot(0, slots[at]!)).status).toBe("free");
    }
  });

  it("has a message of their own sent to the care team", async () => {
    const call = line(1);
    const args = { category: "callback_request", message: "Please call me back about the same matter." };
    for (const index of [0, 1]) {
      const patientId = await call.speaks(index);
      const held = async () => (await (await t.ehr(1)).search<Communication>("Communication", { subject: `Patient/${patientId}` })).length;
      const before = await held();
      expect(await call.use("sendCommunicationFhir", args)).toMatchObject({ ok: true, output: { result: "sent" } });
      expect(await call.use("sendCommunicationFhir", args)).toMatchObject({ ok: true });
      expect(await held()).toBe(before + 1);
    }
  });

  it("has their own contact changed", async () => {
    const call = line(1);
    for (const index of [2, 3]) {
      const patientId = await call.speaks(index);
      expect(await call.use("updatePatientFhir", { email: "family@example.com" })).toMatchObject({ output: { result: "updated" } });
      const { telecom = [] } = await (await t.ehr(1)).read<Patient>("Patient", patientId);
      expect(telecom[0]).toMatchObject({ system: "email", value: "family@example.com" });
    }
  });

  it("is written to by text and by email at their own contact", async () => {
    const call = line(0);
    const { sms, ses } = t.platform.aws.aws;
    const ways = { defaultMethod: "sms", smsEnabled: true, emailEnabled: true, phoneEnabled: true } as const;
    const businessHours = { start: "00:00", end: "23:59", timezone: "UTC" };
    await t
      .context(0)
      .store.commit(
        [update<TenantRow>(keys.tenantConfig(), { set: { contactPreferences: { ...ways, businessHours }, contactPhone: "617-555-0100" } })],
        {
          category: "configuration_change",
          action: "tenant.update",
          resourceType: "Tenant",
        },
      );
    const from = [sms.texts().length, ses.mails().length];
    for (const index of [0, 1]) {
      await call.speaks(index);
      for (const tool of ["sendSMS", "sendEmail"])
        expect(await call.use(tool, { purpose: "follow_up" })).toMatchObject({ ok: true, output: { result: "sent" } });
    }
    const texts = sms.texts().slice(from[0]);
    const mails = ses.mails().slice(from[1]);
    expect([texts.length, mails.length]).toEqual([2, 2]);
    expect([new Set(texts.map(({ to }) => to)).size, new Set(mails.map(({ to }) => String(to))).size]).toEqual([2, 2]);
  });

  it("has their own insurance asked about", async () => {
    const call = line(0);
    for (const index of [0, 1]) {
      const patientId = await call.speaks(index);
      const asked = async () =>
        (await (await t.ehr(0)).search<CoverageEligibilityRequest>("CoverageEligibilityRequest", { patient: `Patient/${patientId}` }))
          .length;
      const before = await asked();
      expect(await call.use("verifyInsurance")).toMatchObject({ ok: true, output: { coverages: [{ insurerSays: "in_force" }] } });
      expect(await asked()).toBe(before + 1);
    }
  });

  it("keeps a request about no patient the same: one lead and one new patient per call, even if a caller is verified in between", async () => {
    const call = line(1);
    const lead = { reason: "billing", outcome: "callback", callerName: "Nora", callbackNumber: "617 555 0178" };
    const newcomer = { firstName: "Zoe", lastName: "Twicecome", dateOfBirth: "1985-03-04", phoneNumber: "617 555 0199" };
    const first = [await call.use("logRoutingEvent", lead), await call.use("createPatientFhir", newcomer)];
    await call.speaks(4);
    expect([await call.use("logRoutingEvent", lead), await call.use("createPatientFhir", newcomer)]).toEqual(first);
    const runs = await t.audits(1, call.callKey);
    expect(runs.filter(({ action }) => action === "tool.logRoutingEvent" || action === "tool.createPatientFhir")).toHaveLength(2);
  });
});

describe("what a record system finds or makes for another patient", () => {
  /** The EHR assigns every new resource to the other patient. */
  const mistaken = (call: ReturnType<typeof t.phone>, name: string, args: object, other: string) => {
    const swap = <T>(resource: T, own: string): T =>
      JSON.parse(JSON.stringify(resource).replaceAll(`Patient/${own}`, `Patient/${other}`)) as T;
    return (own: string) => creating(async (_, resource) => ({ ...swap(resource, own), id: "of-another-patient" }), call.call(name, args));
  };
  type Create = Awaited<ReturnType<ToolContext["openEhr"]>>["create"];
  const creating = (create: (real: Create, ...args: Parameters<Create>) => Promise<FhirResource>, call: ToolCall) => {
    const ctx = t.context(0);
    return runTool(
      {
        ...ctx,
        openEhr: async (...args) => {
          const ehr = await ctx.openEhr(...args);
          return { ...ehr, create: ((...sent: Parameters<Create>) => create(ehr.create, ...sent)) as Create };
        },
      },
      call,
    );
  };

  it("is no appointment, message or insurer's answer, and what was made is unknown", async () => {
    const caller = await t.verified(0, 0, 2);
    const other = t.patients[1]!.id;
    const [slotId = ""] = await t.unusedSlots(0, 1);
    const booked = await mistaken(caller, "scheduleAppointment", { action: "book", slotId }, other)(caller.patientId);
    expect(booked).toMatchObject({ ok: false, code: "ehr_unknown_outcome" });
    const args = { category: "callback_request", message: "Please call me back." };
    const sent = await mistaken(caller, "sendCommunicationFhir", args, other)(caller.patientId);
    expect(sent).toMatchObject({ ok: false, code: "ehr_unknown_outcome" });
    const asked = await mistaken(caller, "verifyInsurance", {}, other)(caller.patientId);
    expect(asked).toMatchObject({ ok: true, output: { coverages: [{ insurerSays: "not_checked" }] } });
  });

  it("is booked where the record system answers with the id alone, and found where its answer could not be read", async () => {
    const caller = await t.verified(0, 2, 2);
    const book = async (create: Parameters<typeof creating>[0]) => {
      const [slotId = ""] = await t.unusedSlots(0, 1);
      return { slotId, answer: await creating(create, caller.call("scheduleAppointment", { action: "book", slotId })) };
    };
    const bare = await book(async (real, ...sent) => ({ resourceType: "Appointment", id: (await real(...sent)).id }) as Appointment);
    expect(bare.answer).toMatchObject({ ok: true, output: { result: "booked" } });
    const broken = await book(async (real, ...sent) => {
      await real(...sent);
      throw new TypeError("Cannot read properties of undefined");
    });
    expect(broken.answer).toMatchObject({ ok: true, output: { result: "booked" } });
    for (const { slotId } of [bare, broken]) expect((await t.slot(0, slotId)).status).toBe("busy");
    const lost = await book(async () => {
      throw new TypeError("Cannot read properties of undefined");
    });
    expect(lost.answer).toMatchObject({ ok: false, code: "ehr_unknown_outcome" });
  });
});
