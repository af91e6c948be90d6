import { randomUUID } from "node:crypto";
import { AppError } from "@vitaline/core";
import { assignFhirProvider } from "@vitaline/fhir-providers";
import type { Appointment, Patient, Slot } from "fhir/r4.js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { runTool, type ToolContext } from "../index.ts";
import { plainPhrasing, sentences } from "../test/sentences.fixture.ts";
import { atOnce, outputOf, startTools, type Tools } from "../test/tools.fixture.ts";

let t: Tools;
beforeAll(async () => void (t = await startTools()), 60_000);
afterAll(() => t.close());
afterEach(() => t.heal());

const tool = "scheduleAppointment";
const phrasing = plainPhrasing("America/New_York");
const freeSlots = async (wish: object = {}, caller: Pick<ReturnType<Tools["phone"]>, "use"> = t.phone(0)) => {
  const { slots } = outputOf(await caller.use(tool, wish));
  await t.unlock(0, slots);
  return slots;
};

describe("finding a time", () => {
  it("needs no identity, offers at most three different times in the clinic's time, and costs two write units and one trip", async () => {
    const phone = t.phone(0);
    await phone.use(tool);
    const { answer, writes, reads, requests } = await t.cost(() => phone.use(tool, { action: "find" }));
    const { slots } = outputOf(answer);
    expect(answer).toMatchObject({ ok: true });
    expect(slots).toHaveLength(3);
    expect(new Set(slots.map(({ start }) => start)).size).toBe(3);
    expect(answer.speech).toMatch(
      /^I have (?:today|tomorrow|\w+day, \w+ \d+) at (?:\d+:\d\d [AP]M|noon).* with Doctor .+\. Which would you like\?$/,
    );
    expect([writes, reads, requests]).toEqual([2, 6, [...atOnce, "UpdateItem", "PutItem"]]);
    expect(await t.audits(0, phone.callKey)).toMatchObject([
      { category: "api_call" },
      { category: "api_call", action: "tool.scheduleAppointment", detail: { action: "find" } },
    ]);
  });

  it("keeps to practitioner, service, day and half of the day", async () => {
    for (const slot of await freeSlots({ practitioner: "doctor marlstead" }))
      expect(slot).toMatchObject({ practitioner: "Dr. Esther Marlstead" });
    for (const slot of await freeSlots({ service: "cardio" })) expect(slot).toMatchObject({ service: "Cardiology visit" });
    const [first] = await freeSlots({ timeOfDay: "afternoon", practitioner: "Thornwick" });
    const day = first!.start.slice(0, 10);
    for (const { start } of await freeSlots({ date: day, timeOfDay: "afternoon", practitioner: "Thornwick" })) {
      expect(start.slice(0, 10)).toBe(day);
      expect(Number(start.slice(11, 13))).toBeGreaterThanOrEqual(12);
    }
    expect(await t.phone(0).use(tool, { practitioner: "No one" })).toMatchObject({
      ok: true,
      speech: "I don't see a doctor by that name here. Would you like to see someone else?",
      output: { slots: [], unknown: "practitioner" },
    });
    expect(await t.phone(0).use(tool, { service: "horoscope visit" })).toMatchObject({
      ok: true,
      speech: "I don't see that kind of visit here. What else can I look for?",
      output: { slots: [], unknown: "service" },
    });
    expect((await t.phone(0).use(tool, { date: "03/04/2027" })).speech).toBe("Do you mean Thursday, March 4; or Saturday, April 3?");
  });

  it("offers general practice when no reason is given, and names the service of other times", async () => {
    for (const slot of await freeSlots()) expect(slot).toMatchObject({ service: "Primary care visit" });
    const heart = await t.phone(0).use(tool, { service: "heart doctor" });
    for (const slot of outputOf(heart).slots) expect(slot).toMatchObject({ service: "Cardiology visit" });
    expect(heart.speech).toMatch(
      /^I have (?:today|tomorrow|\w+day, \w+ \d+) at (?:\d+:\d\d [AP]M|noon).* for a cardiology visit with Doctor .+\. Which would you like\?$/,
    );
    expect((await t.phone(0).use(tool, { practitioner: "Hazelcombe" })).speech).toMatch(/ for a gynecology visit with Doctor /);
    expect((await t.phone(0).use(tool)).speech).not.toMatch(/ visit /);
  });

  it("says when the wished day has nothing", async () => {
    const isSaturday = (day: Date): boolean =>
      day.toLocaleDateString("en-US", { weekday: "short", timeZone: "America/New_York" }) === "Sat";
    const ahead = [2, 3, 4, 5, 6, 7, 8].map((days) => new Date(Date.now() + days * 86_400_000)).find(isSaturday) as Date;
    const date = ahead.toLocaleDateString("en-CA", { timeZone: "America/New_York" });
    const saturday = await t.phone(0).use(tool, { date });
    expect(saturday.speech).toMatch(/^I don't see anything on that day, but I have /);
  });
});

describe("booking", () => {
  it("needs a verified caller, and writes nothing without", async () => {
    const phone = t.phone(0);
    const [slot] = await freeSlots({ practitioner: "Larkmere" });
    for (const args of [
      { action: "book", slotId: slot!.slotId },
      { action: "list" },
      { action: "cancel" },
      { action: "reschedule", slotId: slot!.slotId },
    ]) {
      const { answer, writes } = await t.cost(() => phone.use(tool, args));
      expect([answer.code, answer.speech, writes], args.action).toEqual(["identity_required", sentences.identity_required, 1]);
    }
    expect((await t.slot(0, slot!.slotId)).status).toBe("free");
  });

  it("makes one appointment for 5 write units and one trip before the EHR, and marks it for the counters", async () => {
    const caller = await t.verified(0, 0);
    const [slot] = await freeSlots({ practitioner: "Larkmere" }, caller);
    const { answer, writes, reads, requests } = await t.cost(() => caller.use(tool, { slotId: slot!.slotId }));
    expect(answer).toMatchObject({
      ok: true,
      output: { result: "booked", appointment: { start: slot!.start, practitioner: "Dr. Amara Larkmere" } },
    });
    expect(answer.speech).toMatch(/^You're booked for .+ with Doctor Amara Larkmere at Sampleton Main Clinic\.$/);
    expect([writes, reads, requests]).toEqual([5, 8, [...atOnce, "GetItem", "PutItem", "TransactWriteItems"]]);
    expect((await t.slot(0, slot!.slotId)).status).toBe("busy");
    const made = (await t.appointments(0, caller.patientId)).filter(({ slot: taken }) => taken?.[0]?.reference === `Slot/${slot!.slotId}`);
    expect(made).toMatchObject([
      {
        id: outputOf(answer).appointment.appointmentId,
        identifier: [{ system: "urn:vitaline:tool-request" }, { system: "urn:vitaline:call" }],
      },
    ]);
    const [audit] = (await t.audits(0, caller.callKey)).filter(({ action }) => action === "tool.scheduleAppointment");
    expect(audit).toMatchObject({
      category: "patient_access",
      success: true,
      detail: { tool, platform: "vapi", action: "book", booked: true },
    });
  });

  it("understands a start, and a day with a time, instead of a slot's id", async () => {
    const caller = await t.verified(0, 1);
    const [a, b] = await freeSlots({ practitioner: "Elmwick" }, caller);
    expect(outputOf(await caller.use(tool, { start: a!.start, practitioner: "Elmwick" })).appointment.start).toBe(a!.start);
    const said = { action: "book", date: b!.start.slice(0, 10), time: b!.start.slice(11, 16), practitioner: "Elmwick" };
    expect(outputOf(await caller.use(tool, said)).appointment.start).toBe(b!.start);
    expect((await caller.use(tool, { action: "book" })).speech).toMatch(/Which would you like\?$/);
    expect((await (await t.verified(0, 1)).use(tool, { action: "book" })).speech).toBe("Which day and time would suit you?");
  });

  it("gives a repeated request its first answer: nothing written, nothing audited, nothing asked of the EHR", async () => {
    const caller = await t.verified(0, 2);
    const [slot] = await freeSlots({ practitioner: "Hazelcombe" }, caller);
    const args = { action: "book", slotId: slot!.slotId };
    const toolCallId = randomUUID();
    const first = await caller.use(tool, args, { toolCallId });
    const before = await t.audits(0, caller.callKey);
    t.lines.length = 0;
    const { answer, writes } = await t.cost(() => caller.use(tool, args, { toolCallId }));
    expect(answer).toEqual(first);
    expect([writes, t.lines.filter(({ event }) => event !== "tool.answered")]).toEqual([0, []]);
    expect(await t.audits(0, caller.callKey)).toEqual(before);
    // Platforms without tool call ids are recognized by the arguments.
    const anonymous = {
      ...caller.call(tool, { action: "cancel", appointmentId: outputOf(first).appointment.appointmentId }),
      toolCallId: undefined,
    };
    const cancelled = await runTool(t.context(0), anonymous);
    expect([cancelled.ok, await runTool(t.context(0), anonymous)]).toEqual([true, cancelled]);
  });

  it("audits a repeated request that the record system cannot answer, and keeps the first answer", async () => {
    const caller = await t.verified(0, 2);
    const [slot] = await freeSlots({ practitioner: "Hazelcombe" }, caller);
    const call = { ...caller.call(tool, { action: "book", slotId: slot!.slotId }), toolCallId: undefined };
    const first = await runTool(t.context(0), call);
    expect(first).toMatchObject({ ok: true });
    const before = (await t.audits(0, caller.callKey)).length;
    await t.fault(0, { kind: "503" });
    expect(await runTool(t.context(0), call)).toMatchObject({ ok: false, code: "ehr_unavailable" });
    await t.heal();
    const audits = await t.audits(0, caller.callKey);
    expect([audits.length - before, audits.filter(({ success }) => !success)]).toMatchObject([
      1,
      [{ action: `tool.${tool}`, code: "ehr_unavailable" }],
    ]);
    expect(await runTool(t.context(0), call)).toEqual(first);
  });

  it("is never told as failed when the record system fails after it, and is found by the next request", async () => {
    const caller = await t.verified(0, 2);
    const [slot] = await freeSlots({ practitioner: "Hazelcombe" }, caller);
    const call = caller.call(tool, { action: "book", slotId: slot!.slotId });
    const ctx = t.context(0);
    const failing: ToolContext = {
      ...ctx,
      openEhr: async (tenant, options) => {
        const ehr = await ctx.openEhr(tenant, options);
        let isMade = false;
        const after =
          <A extends unknown[], R>(ask: (...args: A) => Promise<R>) =>
          async (...args: A): Promise<R> => {
            if (isMade) throw new AppError("ehr_unavailable", "The record system does not answer.");
            return ask(...args);
          };
        const create: typeof ehr.create = async (...args) => {
          const made = await ehr.create(...args);
          isMade = true;
          return made;
        };
        return {
          ...ehr,
          create,
          read: after(ehr.read),
          search: after(ehr.search),
          behavior: after(ehr.behavior),
          capability: after(ehr.capability),
        };
      },
    };
    const first = await runTool(failing, call);
    expect(["ehr_unknown_outcome", undefined]).toContain(first.code);
    expect(await runTool(t.context(0), call)).toMatchObject({ ok: true, output: { result: "booked" } });
    const booked = (await t.appointments(0, caller.patientId)).filter(({ start }) => Date.parse(start ?? "") === Date.parse(slot!.start));
    expect(booked).toHaveLength(1);
  });

  it("treats two copies of a request in one delivery as one", async () => {
    const caller = await t.verified(0, 3);
    const [slot] = await freeSlots({ practitioner: "Cedarmere" }, await t.verified(0, 3));
    const copy = caller.call(tool, { action: "book", slotId: slot!.slotId });
    const [one, two] = await Promise.all([runTool(t.context(0), copy), runTool(t.context(0), copy)]);
    expect(one).toMatchObject({ ok: true });
    expect(two).toEqual(one);
    expect((await t.audits(0, caller.callKey)).filter(({ action }) => action.endsWith(tool))).toHaveLength(1);
  });

  it("ends in one appointment when three callers race for a slot, and offers the others something else", async () => {
    for (let round = 0; round < 3; round++) {
      const slot = { slotId: (await t.unusedSlots(0, 1))[0]! };
      const callers = await Promise.all([0, 1, 2].map((index) => t.verified(0, index)));
      const answers = await Promise.all(callers.map((caller) => caller.use(tool, { slotId: slot!.slotId })));
      expect(answers.map(({ ok }) => ok).toSorted()).toEqual([false, false, true]);
      for (const answer of answers.filter(({ ok }) => !ok)) {
        expect(answer).toMatchObject({ code: "slot_taken", output: { result: "taken" } });
        expect(answer.speech).toMatch(/^That time is no longer available\. I could offer .+\. Which would you like\?$/);
        expect(outputOf(answer).slots.map(({ slotId }) => slotId)).not.toContain(slot!.slotId);
      }
      const all = await Promise.all(callers.map(({ patientId }) => t.appointments(0, patientId)));
      expect(all.flat().filter(({ slot: taken }) => taken?.[0]?.reference === `Slot/${slot!.slotId}`)).toHaveLength(1);
    }
  });

  it("ends in one appointment when one call asks three times at once, under three ids", async () => {
    const caller = await t.verified(0, 4);
    const [slot] = await freeSlots({ practitioner: "Dunstead" }, caller);
    const answers = await Promise.all([1, 2, 3].map(() => caller.use(tool, { slotId: slot!.slotId })));
    expect(answers.map(({ ok }) => ok).toSorted()).toEqual([false, false, true]);
  });

  it("locks a slot for all tenants of an EHR", async () => {
    const caller = await t.verified(0, 0);
    const slot = { slotId: (await t.unusedSlots(0, 1))[0]! };
    await assignFhirProvider(t.platform.ctx, t.platform.clinics[1].tenantId, t.providers[0]!);
    const other = await t.verified(1, 1);
    const answers = await Promise.all([caller.use(tool, { slotId: slot!.slotId }), other.use(tool, { slotId: slot!.slotId })]);
    expect(answers.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
    await assignFhirProvider(t.platform.ctx, t.platform.clinics[1].tenantId, t.providers[1]!);
    expect(await other.use(tool, { action: "list" })).toMatchObject({ code: "identity_required" });
  });

  it("says of a slot which the patient has already that it is theirs, and counts nothing twice", async () => {
    const caller = await t.verified(1, 2);
    const [slotId = ""] = await t.unusedSlots(1, 1);
    const { appointmentId } = outputOf(await caller.use(tool, { slotId })).appointment;
    const again = await caller.use(tool, { slotId });
    expect(again).toMatchObject({ ok: false, code: "duplicate", output: { result: "already", appointment: { appointmentId } } });
    expect(again.speech).toMatch(/^You're already booked for .+\.$/);
    expect((await t.audits(1, caller.callKey)).filter(({ detail }) => detail?.["booked"])).toHaveLength(1);
  });

  it("ends after three in one call, for no unit more", async () => {
    const slots = await t.unusedSlots(1, 4);
    const caller = await t.verified(1, 4);
    for (const slotId of slots.slice(0, 2)) expect(await caller.use(tool, { slotId })).toMatchObject({ ok: true });
    const third = await t.cost(() => caller.use(tool, { slotId: slots[2] }));
    expect(third.answer).toMatchObject({ ok: true });
    expect(third.writes).toBeLessThanOrEqual(6);
    const fourth = await caller.use(tool, { slotId: slots[3] });
    expect(fourth).toMatchObject({ code: "not_doable", output: { result: "enough", of: "call" } });
    expect(fourth.speech).toMatch(/^I can't make any more appointments for you in this call\./);
    expect((await t.slot(1, slots.at(-1)!)).status).toBe("free");
  });

  it("ends after three in one call also where appointments cannot be searched", async () => {
    const slots = await t.unusedSlots(1, 4);
    const caller = await t.verified(1, 4);
    const ctx = t.context(1);
    const withoutSearch: ToolContext = {
      ...ctx,
      openEhr: async (...asked) => {
        const ehr = await ctx.openEhr(...asked);
        const capability: typeof ehr.capability = async (options) => {
          const known = await ehr.capability(options);
          return {
            ...known,
            supports: (type, interaction) => (type !== "Appointment" || interaction !== "search-type") && known.supports(type, interaction),
          };
        };
        return { ...ehr, capability };
      },
    };
    const results: string[] = [];
    for (const slotId of slots) results.push(outputOf(await runTool(withoutSearch, caller.call(tool, { action: "book", slotId }))).result);
    expect(results).toEqual(["booked", "booked", "booked", "enough"]);
    expect((await t.slot(1, slots.at(-1)!)).status).toBe("free");
  });

  it("counts none in a call that was not made", async () => {
    const other = await t.verified(1, 3);
    const inAWeek = new Date(Date.now() + 8 * 86_400_000);
    const tuesday = new Date(inAWeek.getTime() + ((9 - inAWeek.getUTCDay()) % 7) * 86_400_000).toISOString().slice(0, 10);
    const [offer] = outputOf(await other.use(tool, { action: "find", date: tuesday })).slots;
    const slotId = offer?.slotId;
    expect(await other.use(tool, { slotId })).toMatchObject({ ok: true });
    const caller = await t.verified(1, 1);
    const refused = await caller.use(tool, { slotId });
    expect(refused).toMatchObject({ ok: false, code: "slot_taken" });
    const offered = outputOf(refused).slots;
    expect(offered).toHaveLength(3);
    for (const offer of offered) expect(await caller.use(tool, { slotId: offer.slotId })).toMatchObject({ ok: true });
  });

  it("ends for a patient who has five to come that were made by phone, until one is cancelled", async () => {
    const slots = await t.unusedSlots(1, 6);
    const callers = [await t.verified(1, 5), await t.verified(1, 5), await t.verified(1, 5)];
    const answers = [];
    for (const [nth, slotId] of slots.entries()) answers.push(await callers[Math.floor(nth / 2)]!.use(tool, { slotId }));
    const [last] = answers.slice(-1);
    expect(answers.map(({ ok }) => ok)).toEqual([true, true, true, true, true, false]);
    expect(last).toMatchObject({ code: "not_doable", output: { result: "enough", of: "patient" } });
    const { appointmentId } = outputOf(answers[0]!).appointment;
    await callers[2]!.use(tool, { action: "cancel", appointmentId });
    expect(await callers[2]!.use(tool, { slotId: slots.at(-1) })).toMatchObject({ ok: true });
  });

  it("never overlaps another appointment of the patient, but may move to a time that overlaps itself", async () => {
    const ehr = await t.ehr(1);
    const all = await ehr.search<Slot>("Slot", { status: "free", _sort: "start", _count: "200" }, { maxResources: 3000 });
    const visits = await ehr.search<Appointment>("Appointment", { _count: "200" }, { maxResources: 3000 });
    // The two patients have appointments of before, on days that depend on the date.
    const theirs = visits.filter(({ participant }) =>
      participant.some(({ actor }) => [0, 2].some((index) => actor?.reference?.endsWith(t.patients[index]!.id))),
    );
    const isBusy = ({ start }: Slot): boolean =>
      theirs.some((visit) => Math.abs(Date.parse(visit.start ?? "") - Date.parse(start)) <= 3_600_000);
    const [one, other] = all
      .filter((slot) => !isBusy(slot))
      .map((slot) => [slot, all.find(({ id, start }) => start === slot.start && id !== slot.id)])
      .findLast(([, found]) => found)!;
    const booked = await (await t.verified(1, 2)).use(tool, { slotId: one!.id });
    const { appointmentId } = outputOf(booked).appointment;
    const caller = await t.verified(1, 2);
    const again = await caller.use(tool, { slotId: other!.id });
    expect(again).toMatchObject({ code: "duplicate", output: { result: "already", overlaps: true, appointment: { appointmentId } } });
    expect(again.speech).toMatch(/^You already have an appointment at that time: .+\. Would you like another time/);
    expect((await t.slot(1, other!.id!)).status).toBe("free");
    expect(await (await t.verified(1, 0)).use(tool, { slotId: other!.id })).toMatchObject({ ok: true });
    const third = all.find(({ id, start }) => start === one!.start && id !== one!.id && id !== other!.id);
    if (third) expect(await caller.use(tool, { action: "reschedule", appointmentId, slotId: third.id })).toMatchObject({ ok: true });
  });

  it("moves to a time of the same doctor that begins before the moved one ends", async () => {
    const { sandbox } = t.platform.clinics[1];
    for (const how of ["slot", "time"] as const) {
      const [slotId] = await t.unusedSlots(1, 1);
      const slot = await t.slot(1, slotId!);
      // A shorter one: the doctor may have another visit next.
      const start = new Date(Date.parse(slot.start) + 10 * 60_000).toISOString();
      await sandbox.put({ ...slot, id: `later-${how}`, start });
      const caller = await t.verified(1, 1);
      const { appointmentId } = outputOf(await caller.use(tool, { slotId })).appointment;
      const wish = how === "slot" ? { slotId: `later-${how}` } : { start };
      const move = { action: "reschedule", appointmentId, ...wish };
      expect([how, await caller.use(tool, move)]).toMatchObject([how, { ok: true, output: { result: "rescheduled" } }]);
      const moved = (await t.appointments(1, caller.patientId)).find((one) => Date.parse(one.start ?? "") === Date.parse(start));
      expect([how, moved?.status]).toEqual([how, "booked"]);
      await caller.use(tool, { action: "cancel", appointmentId: moved?.id });
    }
  });

  it("has nothing to say of a slot that never was", async () => {
    for (const slotId of ["no-such-slot", "../Patient/patient-1001"])
      expect(await (await t.verified(0, 0)).use(tool, { slotId })).toMatchObject({ ok: false, code: "slot_taken" });
  });
});

describe("appointments of the caller", () => {
  it("D11: are told apart by whether the clinic has granted them", async () => {
    const caller = await t.verified(0, 4);
    const start = new Date(Date.now() + 3_600_000).toISOString();
    const id = "asked-for";
    const participant = [{ status: "needs-action" as const, actor: { reference: `Patient/${t.patients[4]!.id}` } }];
    await t.platform.clinics[0].sandbox.put({ resourceType: "Appointment", id, status: "pending", start, participant });
    const answer = await caller.use(tool, { action: "list" });
    const told = outputOf(answer).appointments.map(({ appointmentId, requested }) => [appointmentId, requested]);
    expect(told).toContainEqual([id, true]);
    for (const [appointmentId, requested] of told)
      expect([appointmentId, requested]).toEqual([appointmentId, appointmentId === id ? true : undefined]);
    expect(answer.speech).toContain("which the clinic has yet to confirm");
    await t.platform.clinics[0].sandbox.put({ resourceType: "Appointment", id, status: "cancelled", start, participant });
  });

  it("are listed for one write unit, the next first, and only the caller's own", async () => {
    const caller = await t.verified(0, 5);
    const [slot] = await freeSlots({ practitioner: "Thornwick" }, caller);
    await caller.use(tool, { slotId: slot!.slotId });
    const { answer, writes } = await t.cost(() => caller.use(tool, { action: "list" }));
    const listed = outputOf(answer).appointments;
    expect(writes).toBe(1);
    expect(listed.map(({ start }) => start)).toContain(slot!.start);
    expect(listed.map(({ start }) => Date.parse(start))).toEqual(listed.map(({ start }) => Date.parse(start)).toSorted((a, b) => a - b));
    const own = new Set((await t.appointments(0, caller.patientId)).map(({ id }) => id));
    for (const { appointmentId } of listed) expect(own.has(appointmentId)).toBe(true);
  });

  it("are cancelled for 5 write units, and their slots are free again", async () => {
    const caller = await t.verified(0, 0);
    const [slot] = await freeSlots({ practitioner: "Elmwick", timeOfDay: "afternoon" }, caller);
    const { appointmentId } = outputOf(await caller.use(tool, { slotId: slot!.slotId })).appointment;
    // After two minutes the booking's lock has expired.
    const { answer, writes, requests } = await t.cost(() => caller.use(tool, { action: "cancel", appointmentId }, { laterMs: 121_000 }));
    expect(answer).toMatchObject({ ok: true, output: { result: "cancelled", appointment: { appointmentId } } });
    expect(answer.speech).toMatch(/ is canceled\.$/);
    expect([writes, requests]).toEqual([5, [...atOnce, "PutItem", "TransactWriteItems"]]);
    expect((await t.slot(0, slot!.slotId)).status).toBe("free");
    expect(await caller.use(tool, { action: "cancel", appointmentId })).toMatchObject({ ok: true });
  });

  it("that are cancelled at once give back the slot's lock, for one unit more, so that anybody may book it again", async () => {
    const caller = await t.verified(0, 0);
    const [slotId] = await t.unusedSlots(0, 1);
    const { appointmentId } = outputOf(await caller.use(tool, { slotId })).appointment;
    const { writes } = await t.cost(() => caller.use(tool, { action: "cancel", appointmentId }));
    expect(writes).toBe(6);
    expect(await (await t.verified(0, 1)).use(tool, { slotId })).toMatchObject({ ok: true });
  });

  it("that are cancelled at once give it back too at a server that does not say when they were made", async () => {
    const caller = await t.verified(0, 0);
    const [slotId] = await t.unusedSlots(0, 1);
    const { appointmentId } = outputOf(await caller.use(tool, { slotId })).appointment;
    await caller.use(tool, { action: "cancel", appointmentId }, { isUndated: true });
    expect(await (await t.verified(0, 1)).use(tool, { slotId })).toMatchObject({ ok: true });
  });

  it("never include another patient's appointments", async () => {
    const owner = await t.verified(0, 1);
    const [slot, next] = (await t.unusedSlots(0, 2)).map((slotId) => ({ slotId }));
    const { appointmentId } = outputOf(await owner.use(tool, { slotId: slot!.slotId })).appointment;
    const stranger = await t.verified(0, 2);
    for (const args of [
      { action: "cancel", appointmentId },
      { action: "reschedule", appointmentId, slotId: next!.slotId },
    ]) {
      const others = await stranger.use(tool, args);
      expect(others).toEqual(await stranger.use(tool, { ...args, appointmentId: "no-such-appointment" }));
      expect(others).toMatchObject({ ok: false, code: "not_found", speech: sentences.not_found });
    }
    expect((await t.slot(0, slot!.slotId)).status).toBe("busy");
  });

  it("that are moved to a day and time stay with their doctor, or other times of that doctor are offered", async () => {
    const caller = await t.verified(0, 4);
    const [first, second] = await freeSlots({ service: "cardiology" }, caller);
    const { appointmentId, practitioner } = outputOf(await caller.use(tool, { slotId: first!.slotId })).appointment as {
      appointmentId: string;
      practitioner?: string;
    };
    const when = (start: string) => ({ date: start.slice(0, 10), time: phrasing.time(start).split(" at ")[1] });
    const later = await t.verified(0, 4);
    const missed = await later.use(tool, { action: "reschedule", appointmentId, date: second!.start.slice(0, 10), time: "5:10 AM" });
    expect(missed).toMatchObject({ ok: false, output: { result: "taken" } });
    const offered = (missed.output as { slots: unknown }).slots as { practitioner?: string }[];
    expect(offered.length).toBeGreaterThan(0);
    expect(new Set(offered.map((slot) => slot.practitioner))).toEqual(new Set([practitioner]));
    const again = await t.verified(0, 4);
    const moved = await again.use(tool, { action: "reschedule", appointmentId, ...when(second!.start) });
    expect(moved).toMatchObject({ ok: true, output: { result: "rescheduled", appointment: { start: second!.start, practitioner } } });
  });

  it("that are moved to a place where their doctor has no time are offered that doctor's times, with the place", async () => {
    const caller = await t.verified(0, 4);
    const [first] = await freeSlots({ service: "cardiology" }, caller);
    const { appointmentId, practitioner, location } = outputOf(await caller.use(tool, { slotId: first!.slotId })).appointment as {
      appointmentId: string;
      practitioner?: string;
      location?: string;
    };
    const wish = {
      action: "reschedule",
      appointmentId,
      location: "Mockford North Clinic",
      date: first!.start.slice(0, 10),
      time: "5:10 AM",
    };
    const missed = await (await t.verified(0, 4)).use(tool, wish);
    expect(missed).toMatchObject({ ok: false, output: { result: "taken", instead: "location" } });
    const offered = (missed.output as { slots: unknown }).slots as { practitioner?: string }[];
    expect(new Set(offered.map((slot) => slot.practitioner))).toEqual(new Set([practitioner]));
    expect(missed.speech).toContain(location);
  });

  describe("that staff changed and the caller moves", () => {
    const visit = async () => {
      const caller = await t.verified(0, 4);
      const [slotId] = await t.unusedSlots(0, 1);
      const { appointmentId, start } = outputOf(await caller.use(tool, { slotId })).appointment;
      const patient = { actor: { reference: `Patient/${caller.patientId}` }, status: "accepted" as const };
      return {
        change: (...more: Partial<Appointment>[]) =>
          t.platform.clinics[0].sandbox.put({
            resourceType: "Appointment",
            id: appointmentId,
            status: "booked",
            start,
            end: new Date(Date.parse(start) + 1_800_000).toISOString(),
            ...Object.assign({}, ...more),
            participant: [patient, ...more.flatMap(({ participant = [] }) => participant)],
          } as Parameters<(typeof t.platform.clinics)[0]["sandbox"]["put"]>[0]),
        async move() {
          const wish = { action: "reschedule", appointmentId, date: start.slice(0, 10), time: "5:10 AM" };
          const { slots, instead } = outputOf(await (await t.verified(0, 4)).use(tool, wish)) as {
            slots: { practitioner?: string }[];
            instead?: string;
          };
          return { instead, doctors: [...new Set(slots.map(({ practitioner }) => practitioner))] };
        },
      };
    };
    const of = (reference: string, more: object = {}): Partial<Appointment> => ({
      participant: [{ actor: { reference }, status: "accepted", ...more }],
    });
    const role = (code: string) => ({ type: [{ coding: [{ code }] }] });

    it("stay with who sees the patient: not with who referred, declined or assists", async () => {
      const { change, move } = await visit();
      await change(of("Practitioner/practitioner-1", role("REF")), of("Practitioner/practitioner-3"));
      expect(await move()).toEqual({ doctors: ["Dr. Celia Thornwick"] });
      await change(of("Practitioner/practitioner-1", { status: "declined" }), of("Practitioner/practitioner-3"));
      expect(await move()).toEqual({ doctors: ["Dr. Celia Thornwick"] });
      await change(of("Practitioner/practitioner-1", role("SPRF")), of("Practitioner/practitioner-3", role("PPRF")));
      expect(await move()).toEqual({ doctors: ["Dr. Celia Thornwick"] });
    });

    it("go to other doctors where theirs left: for what it is for, or as a general visit where no calendar names it, and for nothing else", async () => {
      const { change, move } = await visit();
      const left = of("Practitioner/who-left");
      const kind = (text: string): Partial<Appointment> => ({ serviceType: [{ text }] });
      await change(kind("Cardiology visit"), left);
      expect(await move()).toEqual({ instead: "visitDoctor", doctors: ["Dr. Esther Marlstead"] });
      await change(kind("Follow-up"), left);
      expect(await move()).toMatchObject({ instead: "visitDoctor", doctors: [expect.any(String)] });
      await change(kind("Follow-up"));
      expect(await move()).toEqual({ doctors: [expect.any(String)] });
      await change(kind("Infusion"), left);
      expect(await move()).toEqual({ doctors: [] });
    });
  });

  it("named by their id and another day are asked about, not cancelled or moved", async () => {
    const caller = await t.verified(0, 5);
    const [slotId, to] = await t.unusedSlots(0, 2);
    const { appointmentId, start } = outputOf(await caller.use(tool, { slotId })).appointment;
    const otherDay = new Date(Date.parse(start) + 7 * 86_400_000).toISOString().slice(0, 10);
    for (const wish of [
      { action: "cancel", appointmentDate: otherDay },
      { action: "reschedule", appointmentDate: otherDay, slotId: to },
    ])
      expect(await caller.use(tool, { ...wish, appointmentId })).toMatchObject({
        ok: false,
        code: "confirmation_required",
        output: { result: "confirm", appointment: { appointmentId, start } },
      });
    expect((await t.slot(0, slotId!)).status).toBe("busy");
    expect(await caller.use(tool, { action: "cancel", appointmentId, appointmentDate: phrasing.day(start) })).toMatchObject({ ok: true });
    const next = outputOf(await (await t.verified(0, 5)).use(tool, { slotId: to })).appointment;
    const said = { action: "cancel", appointmentId: next.appointmentId, appointmentDate: "when the moon is full" };
    expect(await (await t.verified(0, 5)).use(tool, said)).toMatchObject({ ok: true });
  });

  it("are moved for 5 write units: the new slot is taken, the old one free", async () => {
    const caller = await t.verified(0, 3);
    const [from, to] = await freeSlots({ practitioner: "Cedarmere", timeOfDay: "afternoon" }, caller);
    const { appointmentId } = outputOf(await caller.use(tool, { slotId: from!.slotId })).appointment;
    const { answer, writes } = await t.cost(() =>
      caller.use(tool, { action: "reschedule", appointmentId, slotId: to!.slotId }, { laterMs: 121_000 }),
    );
    expect(answer).toMatchObject({
      ok: true,
      output: { result: "rescheduled", appointment: { start: to!.start }, replaced: { appointmentId, start: from!.start } },
    });
    expect(writes).toBe(5);
    expect([(await t.slot(0, from!.slotId)).status, (await t.slot(0, to!.slotId)).status]).toEqual(["free", "busy"]);
    const audits = await t.audits(0, caller.callKey);
    expect(audits.filter(({ detail }) => detail?.["booked"])).toHaveLength(1);
    expect(audits.filter(({ detail }) => detail?.["confirmed"])).toMatchObject([
      { detail: { action: "reschedule", cancelledId: appointmentId } },
    ]);
  });

  it("that are already cancelled are not announced again", async () => {
    const caller = await t.verified(0, 0);
    const [slotId] = await t.unusedSlots(0, 1);
    const { appointmentId } = outputOf(await caller.use(tool, { slotId })).appointment;
    for (let time = 0; time < 2; time++)
      expect(await caller.use(tool, { action: "cancel", appointmentId })).toMatchObject({ ok: true, output: { result: "cancelled" } });
    const cancelled = (await t.audits(0, caller.callKey)).filter(({ detail }) => detail?.["action"] === "cancel");
    expect(cancelled.map(({ detail }) => detail?.["confirmed"])).toEqual([true, undefined]);
  });

  it("are neither moved nor cancelled in an EHR that takes no changes: nothing is asked of it and nothing sent", async () => {
    const caller = await t.verified(0, 5);
    const [from, to] = await freeSlots({ practitioner: "Thornwick", timeOfDay: "afternoon" }, caller);
    const { appointmentId } = outputOf(await caller.use(tool, { slotId: from!.slotId })).appointment;
    const ctx = t.context(0);
    const fixed: ToolContext = {
      ...ctx,
      openEhr: async (tenant, options) => {
        const ehr = await ctx.openEhr(tenant, options);
        const known = await ehr.capability();
        const supports: typeof known.supports = (type, interaction) =>
          !["update", "patch"].includes(interaction) && known.supports(type, interaction);
        return { ...ehr, capability: async () => ({ ...known, supports }) };
      },
    };
    t.lines.length = 0;
    for (const args of [
      { action: "cancel", appointmentId },
      { action: "reschedule", appointmentId, slotId: to!.slotId },
    ])
      expect(await runTool(fixed, caller.call(tool, args))).toEqual({
        ok: false,
        code: "ehr_unsupported",
        speech: sentences.ehr_unsupported,
      });
    expect(t.lines.filter(({ event }) => event === "ehr.call")).toEqual([]);
    expect([(await t.slot(0, from!.slotId)).status, (await t.slot(0, to!.slotId)).status]).toEqual(["busy", "free"]);
    expect(await runTool(fixed, caller.call(tool, { slotId: to!.slotId }))).toMatchObject({ ok: true });
  });

  it("are neither moved nor cancelled once the visit has begun or is over, nor when others come along", async () => {
    const caller = await t.verified(0, 4);
    const [to = "", ...others] = await t.unusedSlots(0, 8);
    const ehr = await t.ehr(0);
    const bookedAs = async (status: Appointment["status"]) => {
      const { appointmentId } = outputOf(await (await t.verified(0, 4)).use(tool, { slotId: others.pop() })).appointment;
      const made = await ehr.read<Appointment>("Appointment", appointmentId);
      if (status !== "booked") await ehr.update<Appointment>({ ...made, status });
      return { cancel: { action: "cancel", appointmentId }, move: { action: "reschedule", appointmentId, slotId: to }, appointmentId };
    };
    for (const status of ["arrived", "checked-in", "fulfilled", "noshow", "entered-in-error"] as const) {
      const { cancel, move, appointmentId } = await bookedAs(status);
      for (const args of [cancel, move])
        expect(await caller.use(tool, args), status).toEqual({ ok: false, code: "not_found", speech: sentences.not_found });
      expect((await ehr.read<Appointment>("Appointment", appointmentId)).status).toBe(status);
    }
    expect(await caller.use(tool, (await bookedAs("cancelled")).move)).toMatchObject({ ok: false, code: "not_found" });

    const { cancel, move } = await bookedAs("booked");
    const ctx = t.context(0);
    const together: ToolContext = {
      ...ctx,
      openEhr: async (tenant, options) => {
        const own = await ctx.openEhr(tenant, options);
        const read: typeof own.read = async (...args) => {
          const one = await own.read(...args);
          if (one.resourceType !== "Appointment") return one;
          const other = { actor: { reference: `Patient/${t.patients[0]!.id}` }, status: "accepted" as const };
          return { ...one, status: "booked", participant: [...one.participant, other] };
        };
        return { ...own, read };
      },
    };
    for (const args of [cancel, move])
      expect(await runTool(together, caller.call(tool, args))).toEqual({ ok: false, code: "not_doable", speech: sentences.not_doable });
    expect((await t.slot(0, to)).status).toBe("free");
  });

  it("are neither shown nor changed, and none is made, once the chart was closed in the middle of the call", async () => {
    const caller = await t.verified(1, 3);
    const [slotId = "", other = ""] = await t.unusedSlots(1, 2);
    const { appointmentId } = outputOf(await caller.use(tool, { slotId })).appointment;
    const ehr = await t.ehr(1);
    const chart = await ehr.read<Patient>("Patient", caller.patientId);
    await ehr.update<Patient>({ ...chart, meta: { ...chart.meta, security: [{ code: "R" }] } });
    for (const args of [
      { action: "list" },
      { action: "book", slotId: other },
      { action: "cancel", appointmentId },
      { action: "cancel" },
      { action: "reschedule", appointmentId, slotId: other },
    ])
      expect(await caller.use(tool, args), args.action).toEqual({ ok: false, code: "ehr_forbidden", speech: sentences.ehr_forbidden });
    expect([(await t.slot(1, slotId)).status, (await t.slot(1, other)).status]).toEqual(["busy", "free"]);
    await t.platform.clinics[1].sandbox.put(chart);
  });

  it("stay as they are when the new time is taken", async () => {
    const caller = await t.verified(0, 4);
    const [from, to] = (await t.unusedSlots(0, 2)) as [string, string];
    const { appointmentId } = outputOf(await caller.use(tool, { slotId: from })).appointment;
    await (await t.verified(0, 5)).use(tool, { slotId: to });
    expect(await caller.use(tool, { action: "reschedule", appointmentId, slotId: to })).toMatchObject({ code: "slot_taken" });
    expect((await t.slot(0, from)).status).toBe("busy");
  });

  it("are asked about when more than one could be meant, and found by their day", async () => {
    const caller = await t.verified(1, 0);
    const own = outputOf(await caller.use(tool, { action: "list" })).appointments;
    for (const { appointmentId } of own) await caller.use(tool, { action: "cancel", appointmentId });
    expect(await caller.use(tool, { action: "cancel" })).toMatchObject({
      output: { result: "none" },
      speech: "I don't see an upcoming appointment to cancel.",
    });
    const open = outputOf(await t.phone(1).use(tool)).slots;
    const days = [...new Map(open.map((slot) => [slot.start.slice(0, 10), slot])).values()].slice(0, 2);
    for (const { slotId } of days) await caller.use(tool, { slotId });
    const asked = await caller.use(tool, { action: "cancel" });
    expect(asked).toMatchObject({ output: { result: "which", action: "cancel" } });
    expect(asked.speech).toMatch(/Which one would you like to cancel\?$/);
    const meant = await caller.use(tool, { action: "cancel", date: days[1]!.start.slice(0, 10) });
    expect(meant).toMatchObject({ output: { result: "cancelled", appointment: { start: days[1]!.start } } });
    const only = await caller.use(tool, { action: "cancel" });
    expect(only).toMatchObject({
      code: "confirmation_required",
      output: { result: "confirm", action: "cancel", appointment: { start: days[0]!.start } },
    });
    expect(only.speech).toMatch(/^That's .+\. Shall I cancel it\?$/);
    const { appointmentId } = (only.output as { appointment: { appointmentId: string } }).appointment;
    expect(await caller.use(tool, { action: "cancel", appointmentId })).toMatchObject({
      output: { result: "cancelled", appointment: { start: days[0]!.start } },
    });
  });
});
