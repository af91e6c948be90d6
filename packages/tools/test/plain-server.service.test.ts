import { AppError } from "@vitaline/core";
import type {
  AllergyIntolerance,
  Appointment,
  Condition,
  Coverage,
  CoverageEligibilityRequest,
  FhirResource,
  Location,
  Patient,
  Practitioner,
  Reference,
  Schedule,
  Slot,
} from "fhir/r4.js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { runTool, type ToolContext } from "../index.ts";
import { phrasingIn } from "./sentences.fixture.ts";
import { outputOf, startTools, type Tools } from "./tools.fixture.ts";

let t: Tools;
beforeAll(async () => void (t = await startTools()), 60_000);
afterAll(() => t.close());

const schedule = "scheduleAppointment";
type Offer = { slotId: string; start: string; practitioner?: string; location?: string };
/** Those of a verified caller leave out the times at which the patient has another appointment. */
const offers = async (asked: object = {}, caller = t.phone(0)): Promise<Offer[]> => outputOf(await caller.use(schedule, asked)).slots;
const scheduleOf = async (family: string): Promise<Schedule> => {
  const all = await (await t.ehr(0)).search<Schedule>("Schedule", {});
  return all.find(({ actor }) => actor.some(({ display = "" }) => display.endsWith(family)))!;
};
type Resource = Parameters<Tools["platform"]["clinics"][0]["sandbox"]["put"]>[0];
type Entered = Schedule | Slot | Practitioner | Location | Coverage | Condition | AllergyIntolerance;
const store = (resource: Entered): Promise<void> => t.platform.clinics[0].sandbox.put(resource as Resource);
const kept: Entered[] = [];
async function put(resource: Entered): Promise<void> {
  kept.push(await (await t.ehr(0)).read<Entered>(resource.resourceType, resource.id ?? ""));
  await store(resource);
}
afterEach(async () => {
  for (let one = kept.pop(); one; one = kept.pop()) await store(one);
});
const idIn = (actors: Reference[], type: string): string =>
  actors.find(({ reference }) => reference?.startsWith(`${type}/`))?.reference?.split("/")[1] ?? "";
const bare = (one: Schedule): Schedule => ({ ...one, actor: one.actor.map(({ reference }) => ({ reference })) });

describe("a calendar whose schedules name no actors", () => {
  it("D04: still has its doctors and places in offers and bookings, and can be searched for one of them", async () => {
    const before = await scheduleOf("Larkmere");
    await put(bare(before));
    const caller = await t.verified(0, 0);
    const found = await offers({ practitioner: "Doctor Larkmere" }, caller);
    expect(found.length).toBeGreaterThan(0);
    const location = before.actor.find(({ reference }) => reference?.includes("Location"))?.display;
    for (const one of found) expect(one).toMatchObject({ practitioner: "Dr. Amara Larkmere", location });
    const booked = await caller.use(schedule, { action: "book", slotId: found[0]!.slotId });
    expect(booked).toMatchObject({ ok: true, output: { appointment: { practitioner: "Dr. Amara Larkmere", location } } });
  });

  it("D04: asks for no more than four times in one search for times", async () => {
    await offers();
    for (const asked of [{}, { practitioner: "Larkmere" }, { practitioner: "No one at all" }]) {
      const { requests } = await t.ehrRequests(() => t.phone(0).use(schedule, asked));
      expect(requests.length).toBeLessThanOrEqual(4);
    }
  });
});

describe("a calendar of those who have left", () => {
  it("D02: is not offered, nor booked from, and its doctor is not known", async () => {
    const [slot] = await offers({ practitioner: "Thornwick" });
    const before = await scheduleOf("Thornwick");
    await put({ ...before, active: false });
    expect(await t.phone(0).use(schedule, { practitioner: "Thornwick" })).toMatchObject({ output: { slots: [], unknown: "practitioner" } });
    const caller = await t.verified(0, 1);
    expect(await caller.use(schedule, { action: "book", slotId: slot!.slotId })).toMatchObject({ ok: false, code: "slot_taken" });
    expect((await offers()).map(({ practitioner }) => practitioner)).not.toContain("Dr. Julian Thornwick");
  });

  it("D02: is not offered where the doctor is inactive, or the place is shut, though the schedule is not", async () => {
    const ehr = await t.ehr(0);
    const before = await scheduleOf("Marlstead");
    const doctor = await ehr.read<Practitioner>("Practitioner", idIn(before.actor, "Practitioner"));
    expect((await offers({ practitioner: "Marlstead" })).length).toBeGreaterThan(0);
    await put({ ...doctor, active: false });
    expect(await offers({ practitioner: "Marlstead" })).toEqual([]);
    await store(doctor);
    const place = await ehr.read<Location>("Location", idIn(before.actor, "Location"));
    await put({ ...place, status: "suspended" });
    expect(await offers({ practitioner: "Marlstead" })).toEqual([]);
    await put(bare(before));
    expect(await offers({ practitioner: "Marlstead" })).toEqual([]);
  });

  it("D02: is not booked from when the doctor left, or the place was shut, after it was offered", async () => {
    const ehr = await t.ehr(0);
    const before = await scheduleOf("Kelcombe");
    const caller = await t.verified(0, 2);
    const [slot] = await offers({ practitioner: "Kelcombe" }, caller);
    const doctor = await ehr.read<Practitioner>("Practitioner", idIn(before.actor, "Practitioner"));
    const place = await ehr.read<Location>("Location", idIn(before.actor, "Location"));
    const book = () => caller.use(schedule, { action: "book", slotId: slot!.slotId });
    for (const [open, closed] of [
      [doctor, { ...doctor, active: false }],
      [place, { ...place, status: "inactive" as const }],
    ] as const) {
      await put(closed);
      expect(await book()).toMatchObject({ ok: false, code: "slot_taken" });
      await store(open);
    }
    expect(await book()).toMatchObject({ ok: true });
  });
});

describe("a server without a search by _id", () => {
  type Server = { lists: boolean; answers: "refuses" | "ignores" };
  /** Refuses `_id`, or ignores it; `lists`: its capability statement names `_id` nevertheless. */
  const contextAt = ({ lists, answers }: Server): ToolContext => {
    const ctx = t.context(0);
    return {
      ...ctx,
      openEhr: async (tenant, options) => {
        const ehr = await ctx.openEhr(tenant, options);
        return {
          ...ehr,
          async capability(options) {
            const capability = await ehr.capability(options);
            const searchParams: typeof capability.searchParams = (type) => capability.searchParams(type).filter((name) => name !== "_id");
            return lists ? capability : { ...capability, searchParams };
          },
          async search<T extends FhirResource>(...[type, params, options]: Parameters<typeof ehr.search<T>>) {
            const { _id, ...others } = params;
            if (type !== "Schedule" || _id === undefined) return ehr.search<T>(type, params, options);
            if (answers === "refuses") throw new AppError("ehr_invalid", "injected");
            return (await ehr.search<T>(type, others, options)).filter(({ id }) => id !== _id);
          },
        };
      },
    };
  };

  it("D02: a server without a search by _id takes bookings, and none for a doctor who has left", async () => {
    const ehr = await t.ehr(0);
    const { actor } = await scheduleOf("Kelcombe");
    const doctor = await ehr.read<Practitioner>("Practitioner", idIn(actor, "Practitioner"));
    for (const [index, server] of (
      [
        { lists: false, answers: "refuses" },
        { lists: true, answers: "refuses" },
        { lists: true, answers: "ignores" },
      ] as const
    ).entries()) {
      const caller = await t.verified(0, index);
      const [slot] = await offers({ practitioner: "Kelcombe" }, caller);
      const book = () => runTool(contextAt(server), caller.call(schedule, { action: "book", slotId: slot!.slotId }));
      await put({ ...doctor, active: false });
      expect([server, await book()]).toMatchObject([server, { ok: false, code: "slot_taken" }]);
      await store(doctor);
      expect([server, await book()]).toMatchObject([server, { ok: true }]);
    }
  });
});

describe("conditions as other systems write them", () => {
  it("D07: are told when they came back, and when they have no category; those of one visit long ago and those that are over are not", async () => {
    const subject = { reference: `Patient/${t.patients[4]!.id}` };
    const coded = (system: string, code: string) => ({ coding: [{ system: `http://terminology.hl7.org/CodeSystem/${system}`, code }] });
    const conditions: Record<string, [status: string | undefined, category: string | undefined]> = {
      "Known recurrence": ["recurrence", "problem-list-item"],
      "Known relapse": ["relapse", "problem-list-item"],
      "Known without category": ["active", undefined],
      "Known concern": ["active", "health-concern"],
      "Visit that goes on": ["active", "encounter-diagnosis"],
      "Visit long ago": [undefined, "encounter-diagnosis"],
      "Over and gone": ["resolved", "problem-list-item"],
      "In remission": ["remission", "problem-list-item"],
    };
    for (const [index, [text, [status, category]]] of Object.entries(conditions).entries())
      await store({
        resourceType: "Condition",
        id: `as-others-write-${index}`,
        subject,
        code: { text },
        ...(status ? { clinicalStatus: coded("condition-clinical", status) } : {}),
        ...(category ? { category: [coded("condition-category", category)] } : {}),
      });
    const caller = await t.verified(0, 4, 2);
    const { conditions: told } = (await caller.use("getPatientClinicalData", { categories: "conditions" })).output as {
      conditions: string[];
    };
    expect(told).toEqual(
      expect.arrayContaining(["Known recurrence", "Known relapse", "Known without category", "Known concern", "Visit that goes on"]),
    );
    for (const text of ["Visit long ago", "Over and gone", "In remission"]) expect(told).not.toContain(text);
  });
});

describe("allergies as other systems write them", () => {
  it("D07: are told when their record has no status, and not when they are over", async () => {
    const patient = { reference: `Patient/${t.patients[4]!.id}` };
    await store({ resourceType: "AllergyIntolerance", id: "without-status", patient, code: { text: "Cashew" } });
    const clinicalStatus = { coding: [{ system: "http://terminology.hl7.org/CodeSystem/allergyintolerance-clinical", code: "resolved" }] };
    await store({ resourceType: "AllergyIntolerance", id: "over", patient, code: { text: "Melon" }, clinicalStatus });
    const caller = await t.verified(0, 4, 2);
    const { output } = await caller.use("getPatientClinicalData", { categories: "allergies" });
    expect(JSON.stringify(output)).toContain("Cashew");
    expect(JSON.stringify(output)).not.toContain("Melon");
  });
});

describe("a server that refuses concurrent writes", () => {
  it("D09: books, registers and notes at the next try, and is told as taken only where an appointment holds the time", async () => {
    const caller = await t.verified(0, 3);
    const [{ slotId }] = (await offers({ practitioner: "Dunstead" }, caller)) as [Offer];
    await t.fault(0, { kind: "conflict-once" });
    expect(await caller.use(schedule, { action: "book", slotId })).toMatchObject({ ok: true, output: { result: "booked" } });
    await t.fault(0, { kind: "conflict-once" });
    const said = { firstName: "Passing", lastName: "Conflict", dateOfBirth: "1977-07-08", phoneNumber: "+16175550188" };
    expect(await t.phone(0).use("createPatientFhir", said)).toMatchObject({ ok: true });
    expect(await (await t.ehr(0)).search<Patient>("Patient", { family: "Conflict", birthdate: "1977-07-08" })).toHaveLength(1);
    await t.fault(0, { kind: "conflict-once" });
    expect(await caller.use("sendCommunicationFhir", { category: "callback_request", message: "Please call me." })).toMatchObject({
      ok: true,
    });
    await t.heal();
  });
});

describe("an insurance that only refers to its insurer", () => {
  const coverageOf = async (index: number): Promise<Coverage> =>
    (await (await t.ehr(0)).search<Coverage>("Coverage", { patient: `Patient/${t.patients[index]!.id}` }))[0]!;
  const insurer = async (index: number, payor: Coverage["payor"]) => put({ ...(await coverageOf(index)), payor });

  it("D03: is told by the insurer's name, and matches what the caller says", async () => {
    const { payor } = await coverageOf(0);
    await insurer(0, [{ reference: payor[0]?.reference }]);
    const caller = await t.verified(0, 0, 2);
    expect(await caller.use("verifyInsurance", { payerName: "Sampleton Mutual" })).toMatchObject({
      output: { payerMatches: true, coverages: [{ payer: "Sampleton Mutual Health" }] },
    });
    expect(await caller.use("verifyInsurance", { payerName: "Acme" })).toMatchObject({ output: { payerMatches: false } });
  });

  it("D03: is not said to be another insurer's where the record does not say whose it is", async () => {
    await insurer(1, [{ reference: "Organization/gone" }]);
    const caller = await t.verified(0, 1, 2);
    const answer = await caller.use("verifyInsurance", { payerName: "Mockford" });
    expect(answer.output).not.toHaveProperty("payerMatches");
    expect(answer).toMatchObject({ ok: true, output: { coverages: [{ memberIdEndsIn: expect.any(String) }] } });
    expect(answer.speech).not.toContain("isn't the insurance");
  });
});

describe("at a server that keeps no order among twelve doctors over three months, for either clinic", () => {
  beforeAll(async () => {
    const server = { personality: "hapi-like", version: "R4" } as const;
    await t.connect(0, server);
    await t.connect(1, server);
  });
  afterAll(async () => void (await t.connect(0, { personality: "plain", version: "R4" })));
  const dayMs = 86_400_000;
  const dateIn = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

  it("D01 D02: nothing is offered that an appointment holds, or of a schedule that is not in use, near or far", async () => {
    const ehr = await t.ehr(0);
    const doctors = new Set<string | undefined>();
    for (const asked of [{}, { date: dateIn(20) }, { date: dateIn(60) }, { practitioner: "Birkmere" }, { service: "cardiology" }]) {
      const found = await offers(asked);
      expect(found.length, JSON.stringify(asked)).toBe(3);
      for (const { slotId, start, practitioner } of found) {
        doctors.add(practitioner);
        const slot = await ehr.read<Slot>("Slot", slotId);
        const { actor } = await ehr.read<Schedule>("Schedule", slot.schedule.reference!.split("/")[1]!);
        const [doctor] = actor.map(({ reference }) => reference!);
        const date = [`ge${new Date(Date.parse(start) - 3_600_000).toISOString()}`, `le${start}`];
        const held = await ehr.search<Appointment>("Appointment", { actor: doctor!, date, status: "booked" }, { maxResources: 400 });
        expect(held.filter((one) => Date.parse(one.start!) <= Date.parse(start) && Date.parse(one.end!) > Date.parse(start))).toEqual([]);
      }
    }
    expect([...doctors].every((name) => name?.startsWith("Dr. ") && !name.endsWith("Elsewhere"))).toBe(true);
    expect(await t.phone(0).use(schedule, { practitioner: "Elsewhere" })).toMatchObject({ output: { slots: [], unknown: "practitioner" } });
  });

  it("D03 D04 D05: a patient of three charts is verified, books, lists, moves and cancels with the doctor's name, and has an insurer with one", async () => {
    for (const which of [0, 1] as const) {
      const caller = await t.verified(which, 3, 2);
      const slots = outputOf(await caller.use(schedule, {})).slots as Offer[];
      const [first, second] = slots;
      const booked = await caller.use(schedule, { action: "book", slotId: first!.slotId });
      const said = (offer: Offer) => offer.practitioner!.replace("Dr.", "Doctor");
      expect(booked).toMatchObject({ ok: true, output: { appointment: { practitioner: first!.practitioner } } });
      expect(booked.speech).toContain(said(first!));
      const { appointmentId } = outputOf(booked).appointment;
      const listed = outputOf(await caller.use(schedule, { action: "list" })).appointments as (Offer & { appointmentId: string })[];
      expect(listed.every(({ practitioner }) => practitioner?.startsWith("Dr. "))).toBe(true);
      const moved = await caller.use(schedule, { action: "reschedule", appointmentId, slotId: second!.slotId });
      expect(moved).toMatchObject({ ok: true, output: { result: "rescheduled", appointment: { practitioner: second!.practitioner } } });
      const cancelled = await caller.use(schedule, { action: "cancel", appointmentId: outputOf(moved).appointment.appointmentId });
      expect(cancelled).toMatchObject({ ok: true, speech: expect.stringContaining(said(second!)) });
      const [coverage] = ((await caller.use("verifyInsurance")).output as { coverages: { payer?: string }[] }).coverages;
      expect(coverage?.payer).toMatch(/\w/);
    }
  });

  it("D11: a question to an insurer who does not answer is withdrawn, and the next caller does not wait for one", async () => {
    const questions = async (index: number) =>
      (await t.ehr(0)).search<CoverageEligibilityRequest>("CoverageEligibilityRequest", { patient: `Patient/${t.patients[index]!.id}` });
    await t.connect(0, { personality: "hapi-like", version: "R4" });
    const before = new Set((await questions(0)).map(({ id }) => id));
    const asking = await t.verified(0, 0, 2);
    expect(await asking.use("verifyInsurance")).toMatchObject({ ok: true, output: { coverages: [{ insurerSays: "not_checked" }] } });
    expect((await questions(0)).filter(({ id }) => !before.has(id))).toMatchObject([{ status: "cancelled" }]);
    const next = await t.verified(0, 2, 2);
    const { answer, requests } = await t.ehrRequests(() => next.use("verifyInsurance"));
    expect(answer).toMatchObject({ ok: true, output: { coverages: [{ insurerSays: "not_checked" }] } });
    expect(requests.filter((one) => one.includes("Eligibility"))).toEqual([]);
  });

  it("D06: the one evening of two weeks is found, and no other is asked for than evenings", async () => {
    const day = dateIn(12);
    const late = { start: `${day}T23:30:00Z`, end: `${day}T23:50:00Z`, schedule: { reference: "Schedule/schedule-practitioner-5" } };
    expect(await t.phone(0).use(schedule, { timeOfDay: "evening" })).toMatchObject({ output: { otherTimes: true } });
    await store({ resourceType: "Slot", id: "one-evening", status: "free", ...late });
    const { answer, pages } = await t.ehrCost(() => t.phone(0).use(schedule, { timeOfDay: "evening" }));
    expect(outputOf(answer).slots).toMatchObject([{ slotId: "one-evening" }]);
    expect(pages).toBeLessThanOrEqual(15);
    await store({ resourceType: "Slot", id: "one-evening", status: "busy", ...late });
  });
});

describe("a search for times that has no time left", () => {
  it("D06: says until when it has really looked, offers what it has, and says so when it has seen nothing", async () => {
    await t.connect(0, { personality: "plain", version: "R4" });
    // Too short for a second page from the start, however slow the machine is
    const short = { deadline: { remainingMs: () => 2900 } };
    expect((await offers()).length).toBe(3);
    const cut = await t.phone(0).use(schedule, { timeOfDay: "evening" }, short);
    const { until } = cut.output as { until: string };
    const { day } = phrasingIn("en", "reachable", new Date());
    expect(cut.speech).toBe(
      `I don't see any open times between now and ${day(until)}, which is as far as I could look. Would you like to try other dates?`,
    );
    const first = await (
      await t.ehr(0)
    ).search<Slot>(
      "Slot",
      // No time within half an hour is offered.
      { status: "free", start: `ge${new Date(Date.now() + 30 * 60_000).toISOString()}`, _sort: "start", _count: "200" },
      { maxResources: 200 },
    );
    expect(Date.parse(until)).toBeLessThanOrEqual(Date.parse(first.at(-1)!.start));
    expect(outputOf(await t.phone(0).use(schedule, {}, short)).slots.length).toBeGreaterThan(0);
    await t.fault(0, { kind: "unsorted" });
    expect(await t.phone(0).use(schedule, { timeOfDay: "evening" }, short)).toMatchObject({ ok: false, code: "deadline_exceeded" });
    await t.heal();
  });
});
