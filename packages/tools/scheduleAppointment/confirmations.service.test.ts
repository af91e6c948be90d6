import type { Slot } from "fhir/r4.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTools, type Tools } from "../test/tools.fixture.ts";
import { plainPhrasing } from "../test/sentences.fixture.ts";
import { runTool } from "../index.ts";
import type { OpenSlot } from "../scheduling/slot-source.ts";
import { familiesOf } from "../verifyPatientIdentity/claim/proxy.fixture.ts";
import type { Output } from "./schema.ts";

let t: Tools;
beforeAll(async () => void (t = await startTools()), 60_000);
afterAll(() => t.close());

const tool = "scheduleAppointment";
const zone = "America/New_York";
type Result<Name extends Output["result"]> = Extract<Output, { result: Name }>;
const as = <Name extends Output["result"]>(output: unknown, _name: Name): Result<Name> => output as Result<Name>;

const timeOf = (start: string): string => plainPhrasing(zone).time(start).split(" at ")[1] ?? "";
const dayOf = (start: string): string => plainPhrasing(zone).day(start);
/** Not today, when a time may pass during the test. */
const offersOf = async (which: 0 | 1, query: object = {}): Promise<OpenSlot[]> =>
  as((await t.phone(which).use(tool, { action: "find", date: "the day after tomorrow", ...query })).output, "found").slots;

describe("an exact time that the caller asks for", () => {
  it("is the only offer where it is free, at no request more, in English and Spanish", async () => {
    const [, offer] = await offersOf(0, { practitioner: "Larkmere" });
    const ask = { action: "find", practitioner: "Larkmere", date: dayOf(offer!.start), time: timeOf(offer!.start) };
    const { answer, requests } = await t.ehrRequests(() => t.phone(0).use(tool, ask));
    const { slots, asked } = as(answer.output, "found");
    expect([slots.map(({ slotId }) => slotId), asked?.isOpen]).toEqual([[offer!.slotId], true]);
    expect(answer.speech).toBe(
      `Yes, ${dayOf(offer!.start)} at ${timeOf(offer!.start)} with Doctor Larkmere is open. To book it, I need the patient's full name, date of birth, and a phone number or zip code on file.`,
    );
    expect(requests).toEqual(t.declaredRequests(tool, ask));
    const spoken = { action: "find", practitioner: "Larkmere", date: `${ask.date} at ${ask.time}`, language: "es" };
    expect((await t.phone(0).use(tool, spoken)).speech).toMatch(
      /^Sí, tengo el .+ con la doctora Larkmere\. Para agendarla necesito el nombre completo /,
    );
    const caller = await t.verified(0, 2);
    expect((await caller.use(tool, ask)).speech).toMatch(/ is open\. Shall I book it\?$/);
    expect((await (await t.verified(0, 3)).use(tool, { ...ask, language: "es" })).speech).toMatch(/ ¿Se la agendo\?$/);
    // Which offer a bare yes is about is not guessed.
    expect(await caller.use(tool, { action: "book" })).toMatchObject({ ok: false, output: { result: "choose" } });
    expect((await caller.use(tool, { action: "book", slotId: "the first" })).speech).toMatch(
      /^You're booked for .+ with Doctor Amara Larkmere/,
    );
  });

  it("is said to have no opening before the nearest ones, where another call has taken it", async () => {
    const [offer] = await offersOf(1, { practitioner: "Larkmere" });
    await (await t.verified(1, 3)).use(tool, { slotId: offer!.slotId });
    const ask = { action: "find", practitioner: "Larkmere", date: dayOf(offer!.start), time: timeOf(offer!.start) };
    const answer = await t.phone(1).use(tool, ask);
    expect(as(answer.output, "found").asked?.isOpen).toBe(false);
    expect(answer.speech).toMatch(new RegExp(`^There's no opening at ${timeOf(offer!.start)}, but I have `));
    expect((await t.phone(1).use(tool, { ...ask, language: "es" })).speech).toMatch(/^A las? .+ no hay lugar, pero tengo /);
  });

  it.each([0, 1] as const)(
    "is said to be the patient's own visit where it is, to no one else and at no request more: %d",
    async (which) => {
      const [offer] = await offersOf(which, { practitioner: "Larkmere" });
      await (await t.verified(which, 4)).use(tool, { slotId: offer!.slotId });
      const ask = { action: "find", practitioner: "Larkmere", date: dayOf(offer!.start), time: timeOf(offer!.start) };
      const caller = await t.verified(which, 4);
      const { answer, requests } = await t.ehrRequests(() => caller.use(tool, ask));
      expect(as(answer.output, "found").asked).toMatchObject({ isOpen: false, isOwn: true });
      expect(answer.speech).toMatch(new RegExp(`^You already have a visit at ${timeOf(offer!.start)}\\. I also have `));
      expect((await caller.use(tool, { ...ask, language: "es" })).speech).toMatch(/^A las? .+ usted ya tiene una cita\. También tengo /);
      const other = await t.verified(which, 5);
      const { answer: others, requests: asMany } = await t.ehrRequests(() => other.use(tool, ask));
      expect(others.speech).toMatch(/^There's no opening at /);
      expect(requests).toEqual(asMany);
    },
  );

  it("is found behind more times of that day than are searched at once", async () => {
    const free = await (await t.ehr(0)).search<Slot>("Slot", { status: "free", _sort: "start", _count: "200" }, { maxResources: 3000 });
    const day = dayOf(free.find(({ start }) => Date.parse(start) > Date.now() + 2 * 86_400_000)!.start);
    const latest = as((await t.phone(0).use(tool, { action: "find", date: day, time: "11:30 PM" })).output, "found").slots.at(-1)!;
    const answer = await t.phone(0).use(tool, { action: "find", date: day, time: timeOf(latest.start) });
    expect(as(answer.output, "found")).toMatchObject({ asked: { isOpen: true }, slots: [{ start: latest.start }] });
  });
});

describe("an appointment that the caller has not named", () => {
  const bookedOne = async (which: 0 | 1, index: number) => {
    const caller = await t.verified(which, index);
    for (const { id } of await t.appointments(which, caller.patientId)) await caller.use(tool, { action: "cancel", appointmentId: id });
    const [slotId, other] = await t.unusedSlots(which, 2);
    const booked = await caller.use(tool, { slotId });
    return { caller, other, appointmentId: as(booked.output, "booked").appointment.appointmentId };
  };

  it("is read back before it is canceled, however often no one names it, and canceled once by its id", async () => {
    const { caller, appointmentId } = await bookedOne(0, 3);
    for (const args of [{}, {}, { practitioner: "Someone else" }]) {
      const { answer, requests } = await t.ehrRequests(() => caller.use(tool, { action: "cancel", ...args }));
      expect(answer).toMatchObject({
        ok: false,
        code: "confirmation_required",
        output: { result: "confirm", appointment: { appointmentId } },
      });
      expect(answer.speech).toMatch(/^That's .+ with Doctor .+\. Shall I cancel it\?$/);
      expect(requests).toEqual(["read Patient", "search Appointment"]);
      expect((await t.appointments(0, caller.patientId)).map(({ id }) => id)).toContain(appointmentId);
    }
    expect(await caller.use(tool, { action: "cancel", appointmentId })).toMatchObject({
      ok: true,
      output: { result: "cancelled", appointment: { appointmentId } },
    });
  });

  it("is not canceled by the same request sent again, nor by another of the same turn", async () => {
    const { caller, appointmentId } = await bookedOne(0, 5);
    const first = await caller.use(tool, { action: "cancel" }, { toolCallId: "one" });
    expect(await caller.use(tool, { action: "cancel" }, { toolCallId: "one" })).toEqual(first);
    const turn = t.context(0);
    const withoutId = { ...caller.call(tool, { action: "cancel" }), toolCallId: undefined };
    for (let round = 0; round < 3; round++) expect(await runTool(t.context(0), withoutId as never)).toEqual(first);
    const other = await bookedOne(0, 4);
    for (let round = 0; round < 2; round++)
      expect((await runTool(turn, other.caller.call(tool, { action: "cancel" }))).output).toMatchObject({ result: "confirm" });
    expect((await t.appointments(0, caller.patientId)).map(({ id }) => id)).toContain(appointmentId);
  });

  it("is read back before it is moved, in Spanish too, and keeps its time until then", async () => {
    const { caller, other, appointmentId } = await bookedOne(1, 0);
    const move = { action: "reschedule", slotId: other };
    const asked = await caller.use(tool, { ...move, language: "es" });
    expect(asked).toMatchObject({
      code: "confirmation_required",
      output: { result: "confirm", action: "reschedule", appointment: { appointmentId } },
    });
    expect(asked.speech).toMatch(/^Es la de.+ con .+\. ¿La cambio\?$/);
    expect((await t.slot(1, other!)).status).toBe("free");
    expect(await caller.use(tool, { ...move, appointmentId })).toMatchObject({
      ok: true,
      output: { result: "rescheduled", replaced: { appointmentId } },
    });
  });

  it("of another patient of the call is asked about again", async () => {
    const { caller, appointmentId } = await bookedOne(1, 4);
    await caller.use(tool, { action: "cancel" });
    const { caller: next, appointmentId: theirs } = await bookedOne(1, 5);
    await caller.use("verifyPatientIdentity", t.claimOf(5));
    expect((await caller.use(tool, { action: "cancel" })).output).toMatchObject({
      result: "confirm",
      appointment: { appointmentId: theirs },
    });
    const kept = [...(await t.appointments(1, caller.patientId)), ...(await t.appointments(1, next.patientId))].map(({ id }) => id);
    expect(kept).toEqual(expect.arrayContaining([appointmentId, theirs]));
  });
});

describe("the limit of bookings by phone", () => {
  it("is said with the last booking, and before times are offered once a list or a refusal has shown it", async () => {
    const slots = await t.unusedSlots(1, 3);
    const caller = await t.verified(1, 1);
    for (const { id } of await t.appointments(1, caller.patientId)) await caller.use(tool, { action: "cancel", appointmentId: id });
    for (const [nth, slotId] of slots.entries()) {
      const { speech, output } = await caller.use(tool, { slotId });
      const isLast = nth === slots.length - 1;
      expect([as(output, "booked").isLast, speech.endsWith(" That's as many as I can book for you by phone.")]).toEqual([
        isLast || undefined,
        isLast,
      ]);
    }
    // Another unit at a booking would be too many; who lists or is refused is known to have reached it.
    await caller.use(tool, { action: "list" });
    const told = await caller.use(tool, { action: "find" });
    expect(told.speech).toMatch(
      /^There are already as many appointments as I can make for one patient in a call, but I can move one of them\. I have /,
    );
    expect((await caller.use(tool, { action: "find", language: "es" })).speech).toMatch(
      /^Ya hay tantas citas como puedo agendar para un paciente en una llamada, /,
    );
    const elsewhere = await t.verified(1, 2);
    expect(as((await elsewhere.use(tool, { action: "find" })).output, "found").limit).toBeUndefined();
  });
});

describe("a caller who speaks for a patient", () => {
  it("hears the patient's first name with what became of the appointments, at no request more", async () => {
    const f = familiesOf(t, 0);
    const child = await f.childOf(9);
    const parent = t.phone(0);
    expect(await parent.use("verifyPatientIdentity", f.asNora(child))).toMatchObject({ ok: true });
    const [slotId, next] = await t.unusedSlots(0, 2);
    const booking = { action: "book", slotId };
    const { answer, requests } = await t.ehrRequests(() => parent.use(tool, booking));
    expect(answer.speech).toMatch(/^Robin is booked for /);
    expect(requests).toEqual(t.declaredRequests(tool, booking));
    expect((await parent.use(tool, { action: "list" })).speech).toMatch(/^Robin has one upcoming appointment: /);
    expect((await parent.use(tool, { action: "list", language: "es" })).speech).toMatch(/^Robin tiene una cita próxima: /);
    expect((await parent.use(tool, { action: "cancel", language: "en" })).speech).toMatch(
      /^That's Robin's appointment .+\. Shall I cancel it\?$/,
    );
    const { appointmentId } = as(answer.output, "booked").appointment;
    const moved = await parent.use(tool, { action: "reschedule", appointmentId, slotId: next });
    expect(moved.speech).toMatch(/^Done\. Robin's appointment is now /);
    const gone = await parent.use(tool, {
      action: "cancel",
      appointmentId: as(moved.output, "rescheduled").appointment.appointmentId,
      language: "es",
    });
    expect(gone.speech).toMatch(/^La cita de Robin para .+ queda cancelada\.$/);
  });

  it("hears no name of the chart that they have not said", async () => {
    const f = familiesOf(t, 0);
    const name = [
      { use: "usual" as const, family: "Else", given: ["Roberta"] },
      { use: "official" as const, family: "Else", given: ["Robin"] },
    ];
    const child = await f.childOf(9, {}, { name });
    const parent = t.phone(0);
    const claim = { ...f.asNora(child), lastName: "Else" };
    expect(await parent.use("verifyPatientIdentity", claim)).toMatchObject({ ok: true });
    expect((await parent.use(tool, { action: "list" })).speech).toBe("I don't see any upcoming appointments for Robin.");
  });
});
