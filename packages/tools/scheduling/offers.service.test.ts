import type { Appointment, Patient, Schedule, Slot } from "fhir/r4.js";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { loadTools } from "../tools.ts";
import { plainPhrasing } from "../test/sentences.fixture.ts";
import { atOnce, outputOf, startTools, type Tools } from "../test/tools.fixture.ts";

const tools = await loadTools();

/** Offers at a server that never marks a slot as busy. */
let t: Tools;
beforeAll(async () => void (t = await startTools()), 60_000);
afterAll(() => t.close());
beforeEach(() => t.fault(0, { kind: "slot-not-flipped" }));
afterEach(async () => void (await t.heal()));

const tool = "scheduleAppointment";
type Offer = { slotId: string; start: string; practitioner?: string; service?: string };
type Caller = ReturnType<Tools["phone"]>;
type Resource = Parameters<Tools["platform"]["clinics"][0]["sandbox"]["put"]>[0];
const put = (resource: Patient | Appointment | Schedule | Slot): Promise<void> => t.platform.clinics[0].sandbox.put(resource as Resource);
const letters = (count: number): string => [...String(count)].map((digit) => "abcdefghij"[Number(digit)]).join("");
let people = 0;
/** `nth`: an earlier caller, in another call. */
async function newCaller(nth = ++people): Promise<Caller> {
  const [given, family, birthDate] = [`Wanda${letters(nth)}`, `Waiting${letters(nth)}`, "1980-05-06"];
  const phoneNumber = `+1617556${String(nth).padStart(4, "0")}`;
  await put({
    resourceType: "Patient",
    id: `waiting-${nth}`,
    name: [{ family, given: [given] }],
    birthDate,
    telecom: [{ system: "phone", value: phoneNumber }],
  });
  const caller: Caller = t.phone(0);
  expect(
    await caller.use("verifyPatientIdentity", { firstName: given, lastName: family, dateOfBirth: birthDate, phoneNumber }),
  ).toMatchObject({ ok: true });
  return caller;
}

const find = async (caller: Caller, wish: object = {}): Promise<Offer[]> =>
  outputOf(await caller.use(tool, { action: "find", ...wish })).slots;
const book = (caller: Caller, { slotId }: Offer) => caller.use(tool, { action: "book", slotId });
/** The number of attempts of a caller who always takes the first offer. */
async function triesOf(caller: Caller): Promise<number> {
  let [offer] = await find(caller);
  for (let tries = 1; offer; tries++) {
    const answer = await book(caller, offer);
    if (answer.ok) return tries;
    expect(answer.code).toBe("slot_taken");
    [offer] = outputOf(answer).slots;
  }
  throw new Error("A caller was offered nothing more");
}
const scheduleOf = async (family: string): Promise<Schedule> => {
  const all = await (await t.ehr(0)).search<Schedule>("Schedule", {});
  return all.find(({ actor }) => actor.some(({ display = "" }) => display.endsWith(family)))!;
};
const dayOf = ({ start }: { start: string }): string => start.slice(0, 10);

describe("callers who take the first time that is offered", () => {
  it("D01: are booked at the first try, one after the other", async () => {
    const tries: number[] = [];
    for (let count = 0; count < 200; count++) tries.push(await triesOf(await newCaller()));
    expect(tries).toEqual(tries.map(() => 1));
  }, 600_000);

  it("D01: are booked at the third try at the latest, ten at once", async () => {
    await t.close();
    t = await startTools();
    await t.fault(0, { kind: "slot-not-flipped" });
    for (let wave = 0; wave < 20; wave++) {
      const callers = await Promise.all(Array.from({ length: 10 }, newCaller));
      const tries = await Promise.all(callers.map(triesOf));
      expect(Math.max(...tries)).toBeLessThanOrEqual(3);
    }
    const booked = await (await t.ehr(0)).search<Appointment>("Appointment", { status: "booked" }, { maxResources: 3000 });
    const slots = booked.flatMap(({ slot = [] }) => slot.map(({ reference }) => reference));
    expect(new Set(slots).size).toBe(slots.length);
  }, 600_000);
});

describe("an appointment that the clinic made itself", () => {
  it("D01: holds its time, also when it names no slot, begins earlier and ends later", async () => {
    const [caller, other] = [await newCaller(), await newCaller()];
    const [offer] = await find(caller, { practitioner: "Marlstead" });
    const { actor } = await scheduleOf("Marlstead");
    const at = (minutes: number) => new Date(Date.parse(offer!.start) + minutes * 60_000).toISOString();
    await put({
      resourceType: "Appointment",
      id: "by-the-desk",
      status: "booked",
      start: at(-10),
      end: at(50),
      participant: [
        { actor: { reference: `Patient/${t.patients[5]!.id}` }, status: "accepted" },
        ...actor.map((one) => ({ actor: one, status: "accepted" as const })),
      ],
    });
    const still = await find(other, { practitioner: "Marlstead", date: dayOf(offer!) });
    for (const { start } of still) expect(Date.parse(start) >= Date.parse(at(50)) || Date.parse(start) < Date.parse(at(-10))).toBe(true);
    expect(await book(caller, offer!)).toMatchObject({ ok: false, code: "slot_taken" });
    expect(await caller.use(tool, { action: "book", start: offer!.start, practitioner: "Marlstead" })).toMatchObject({ ok: false });
  });

  it.each([
    ["however long before it began that day", { reference: "Practitioner/of-a-day", display: "Dr. Nora Daywick" }, -9],
    ["in a calendar that names the doctor by their role", { reference: "PractitionerRole/of-a-role", display: "Dr. Nora Rolewick" }, 0],
  ])("D01: holds its time %s", async (_, doctor, fromHours) => {
    const [caller, other] = [await newCaller(), await newCaller()];
    const day = openDay(untouchedAfter);
    const [wish, id] = [{ practitioner: doctor.display, date: day }, doctor.reference.split("/")[1]!];
    const at = (hours: number) => new Date(Date.parse(`${day}T19:00:00Z`) + hours * 3_600_000).toISOString();
    const slot = { resourceType: "Slot", id, schedule: { reference: `Schedule/${id}` }, start: at(0), end: at(0.5) } as const;
    await put({ resourceType: "Schedule", id, actor: [doctor] });
    await put({ ...slot, status: "free" });
    const [offer] = await find(caller, wish);
    expect(offer).toMatchObject({ slotId: id });
    const participant = [{ actor: doctor, status: "accepted" as const }];
    await put({ resourceType: "Appointment", id: `by-the-desk-${id}`, status: "booked", start: at(fromHours), end: at(1), participant });
    expect(await find(other, wish)).toEqual([]);
    expect(await book(caller, offer!)).toMatchObject({ ok: false, code: "slot_taken" });
    await put({ ...slot, status: "busy" });
  });

  it("D01: holds nothing once it is cancelled, or when its patient did not come", async () => {
    const caller = await newCaller();
    const [offer] = await find(caller, { practitioner: "Elmwick" });
    const { actor } = await scheduleOf("Elmwick");
    for (const status of ["cancelled", "noshow", "entered-in-error"] as const)
      await put({
        resourceType: "Appointment",
        id: `off-${status}`,
        status,
        start: offer!.start,
        end: new Date(Date.parse(offer!.start) + 1_800_000).toISOString(),
        slot: [{ reference: `Slot/${offer!.slotId}` }],
        participant: actor.map((one) => ({ actor: one, status: "accepted" as const })),
      });
    expect((await find(caller, { practitioner: "Elmwick" }))[0]).toEqual(offer);
    expect(await book(caller, offer!)).toMatchObject({ ok: true });
  });
});

describe("a patient who has a visit", () => {
  it("D01: is offered no other one at the same time, and a caller whom we do not know is", async () => {
    const [caller, ehr] = [await newCaller(), await t.ehr(0)];
    const wish = { practitioner: "Thornwick" };
    const [wanted] = await find(caller, wish);
    const same = await ehr.search<Slot>("Slot", { start: wanted!.start, status: "free", _count: "200" }, { maxResources: 200 });
    let answer;
    for (const { id = "" } of same)
      if (id !== wanted!.slotId && !answer?.ok) answer = await book(await newCaller(people), { slotId: id, start: "" });
    expect(answer).toMatchObject({ ok: true });
    const startsOf = async (one: Caller) => (await find(one, wish)).map(({ start }) => start);
    expect(await startsOf(t.phone(0))).toContain(wanted!.start);
    expect(await startsOf(caller)).not.toContain(wanted!.start);
  });
});

/** Days; callers who take the first time fill those before. */
const untouchedAfter = 18;
/** The first weekday after so many days; on others the clinic is closed, and times of other days are offered. */
const openDay = (days: number): string => {
  const date = new Date(Date.now() + days * 86_400_000);
  const isOpen = ![0, 6].includes(date.getUTCDay());
  return isOpen ? date.toISOString().slice(0, 10) : openDay(days + 1);
};

describe("alternatives to a taken time", () => {
  it("D01: is of the same doctor and service, on the same day, and the first is kept for whom another call came before", async () => {
    const [first, second, third] = [await newCaller(), await newCaller(), await newCaller()];
    const day = openDay(untouchedAfter);
    const [offer] = await find(first, { practitioner: "Cedarmere", date: day });
    expect(await book(first, offer!)).toMatchObject({ ok: true });
    const answer = await book(second, offer!);
    expect(answer).toMatchObject({ ok: false, code: "slot_taken" });
    const others = outputOf(answer).slots as Offer[];
    expect(others).toHaveLength(3);
    for (const other of others)
      expect([dayOf(other), other.practitioner, other.service]).toEqual([dayOf(offer!), offer!.practitioner, offer!.service]);
    const wish = { practitioner: "Cedarmere", date: day };
    const startsOf = async (caller: Caller) => (await t.cost(() => find(caller, wish))).answer.map(({ slotId }) => slotId);
    expect(await startsOf(third)).not.toContain(others[0]!.slotId);
    const { requests } = await t.cost(() => find(third, wish));
    expect(requests.filter((one) => !one.includes("Write") && !/^(?:Put|Update)/.test(one))).toEqual([...atOnce]);
    expect(await book(await newCaller(), others[0]!)).toMatchObject({ ok: false, code: "slot_taken" });
    expect(await book(second, others[0]!)).toMatchObject({ ok: true });
  });

  it("D01: is kept no longer than until the call takes something else", async () => {
    const [first, second, third] = [await newCaller(), await newCaller(), await newCaller()];
    const day = openDay(untouchedAfter);
    const [offer] = await find(first, { practitioner: "Larkmere", date: day });
    expect(await book(first, offer!)).toMatchObject({ ok: true });
    const [kept, other] = outputOf(await book(second, offer!)).slots as Offer[];
    const offered = async () => (await find(third, { practitioner: "Larkmere", date: day })).map(({ slotId }) => slotId);
    expect(await offered()).not.toContain(kept!.slotId);
    expect(await book(second, other!)).toMatchObject({ ok: true });
    expect(await offered()).toContain(kept!.slotId);
    expect(await book(third, kept!)).toMatchObject({ ok: true });
  });
});

describe("a calendar with more free times than are told at once", () => {
  it("D06: has the one evening that is free, though some hundred times come before it", async () => {
    const [{ id }, ehr] = [await scheduleOf("Marlstead"), await t.ehr(0)];
    const some = await ehr.search<Slot>("Slot", { status: "free", _sort: "start", _count: "200" }, { maxResources: 3000 });
    const day = new Date(Date.now() + 12 * 86_400_000).toISOString().slice(0, 10);
    const evening = { start: `${day}T23:30:00Z`, end: `${day}T23:50:00Z` };
    expect(some.filter(({ start }) => Date.parse(start) < Date.parse(evening.start)).length).toBeGreaterThan(200);
    const caller = t.phone(0);
    expect(await caller.use(tool, { action: "find", timeOfDay: "evening" })).toMatchObject({ output: { otherTimes: true } });
    await put({ resourceType: "Slot", id: "late", status: "free", schedule: { reference: `Schedule/${id}` }, ...evening });
    expect(await find(caller, { timeOfDay: "evening" })).toMatchObject([{ slotId: "late" }]);
    await put({ resourceType: "Slot", id: "late", status: "busy", schedule: { reference: `Schedule/${id}` }, ...evening });
  });
});

describe("a search that finds nothing", () => {
  it("names the two weeks that were really searched", async () => {
    const far = new Date(Date.now() + 300 * 86_400_000);
    const day = new Intl.DateTimeFormat("en-US", { timeZone: "UTC", weekday: "long", month: "long", day: "numeric" }).format(far);
    const { speech } = await t.phone(0).use(tool, { action: "find", date: far.toISOString().slice(0, 10) });
    expect(speech).toContain(`I don't see any open times in the two weeks from ${day}.`);
    const nothing = { result: "found", slots: [], otherDays: false };
    expect(tools["scheduleAppointment"]?.speak(nothing, plainPhrasing("America/New_York"))).toContain("in the next two weeks.");
  });

  it("at the requested time of day offers other times, and says so", async () => {
    expect((await t.phone(0).use(tool, { action: "find", timeOfDay: "evening" })).speech).toMatch(
      /^I don't see anything at that time of day, but I have /,
    );
  });
});
