import type { FhirResource, Schedule, Slot } from "fhir/r4.js";
import * as z from "zod/mini";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { outputOf, startTools, type Tools } from "../test/tools.fixture.ts";
import { plainPhrasing, phrasingIn } from "../test/sentences.fixture.ts";
import { loadTools } from "../tools.ts";
import { runTool, type ToolContext } from "../index.ts";
import type { OpenSlot } from "../scheduling/slot-source.ts";
import { resolveChoice } from "../scheduling/offers.ts";
import { exactStart, interpretTime } from "../scheduling/requested-time.ts";
import { weekdaysWithin } from "../nlu/calendar.ts";
import { isGeneralService, isWholeName, serviceName } from "../scheduling/matching.ts";
import { matchesSpoken } from "../nlu/who/match-names.ts";
import type { Run } from "../sdk/run.ts";
import { closedDay } from "./find.ts";
import { Input } from "./schema.ts";

const tools = await loadTools();

let t: Tools;
beforeAll(async () => void (t = await startTools()), 60_000);
afterEach(() => t.heal());
afterAll(() => t.close());

const tool = "scheduleAppointment";
const zone = "America/New_York";
type Offer = { slotId: string; start: string; practitioner?: string; service?: string };
type Caller = Awaited<ReturnType<Tools["verified"]>>;

const find = async (caller: Caller, query: object = {}): Promise<Offer[]> =>
  outputOf(await caller.use(tool, { action: "find", ...query })).slots;
const timeOf = ({ start }: Offer): string => plainPhrasing(zone).time(start).split(" at ")[1]!;
const daysOf = (offers: Offer[]): string[] => offers.map(({ start }) => plainPhrasing(zone).day(start));
/** Of slots: whether they are of a general visit. */
const generalSchedules = async (ehr: Awaited<ReturnType<Tools["ehr"]>>): Promise<(slot: Slot) => boolean> => {
  const schedules = await ehr.search<Schedule>("Schedule", { _count: "200" }, { maxResources: 500 });
  const general = new Set(
    schedules.filter(({ serviceType }) => isGeneralService(serviceName(serviceType))).map(({ id }) => `Schedule/${id}`),
  );
  return ({ schedule }) => general.has(schedule.reference ?? "");
};
/** The visit that was booked, as the slot that the EHR marks busy. */
const statusOf = async (offer: Offer, which: 0 | 1 = 0) => (await t.slot(which, offer.slotId)).status;

describe("V02: the caller's choice among the offers of the call", () => {
  it("by day and time books the offered slot with its doctor, though another doctor is free at that time", async () => {
    const caller = await t.verified(0, 1);
    const offers = await find(caller, { service: "cardiology" });
    const [offer] = offers;
    const booked = await caller.use(tool, { action: "book", date: plainPhrasing(zone).day(offer!.start), time: timeOf(offer!) });
    expect(outputOf(booked)).toMatchObject({ result: "booked", appointment: { practitioner: offer!.practitioner } });
    expect(await statusOf(offer!)).toBe("busy");
  });

  it("by its place in the answer, in English or Spanish, books that slot", async () => {
    for (const [said, nth] of [
      ["the second one", 1],
      ["la última", 2],
      ["1", 0],
      ["option one", 0],
      ["number one, please", 0],
    ] as const) {
      const caller = await t.verified(1, 3);
      const offers = await find(caller, { practitioner: "Larkmere" });
      expect(await caller.use(tool, { action: "book", slotId: said }), said).toMatchObject({ ok: true });
      expect(await statusOf(offers[nth]!, 1), said).toBe("busy");
    }
  });

  it("by its place asks for the time where no offers are known, and books by its place once there are", async () => {
    const caller = await t.verified(1, 3);
    for (const said of ["the second one", "2", "la última"]) {
      const answer = await caller.use(tool, { action: "book", slotId: said });
      expect(answer, said).toMatchObject({ ok: false });
      expect(answer.speech, said).toMatch(/\?$/);
      expect(answer.code, said).not.toBe("slot_taken");
    }
    const offers = await find(caller, { practitioner: "Larkmere" });
    expect(await caller.use(tool, { action: "book", slotId: "the second one" })).toMatchObject({ ok: true });
    expect(await statusOf(offers[1]!, 1)).toBe("busy");
  });

  it("by an id as long as any server makes them is no wrong argument", async () => {
    const slotId = `Slot/${"a1".repeat(64)}`;
    expect(await (await t.verified(0, 0)).use(tool, { action: "book", slotId })).toMatchObject({ code: "slot_taken" });
    const appointmentId = `Appointment/${"a1".repeat(64)}`;
    expect((await (await t.verified(0, 0)).use(tool, { action: "cancel", appointmentId })).code).not.toBe("invalid_arguments");
  });

  it("at a time when nothing opens gets general visits to choose from, no specialist's", async () => {
    const caller = await t.verified(0, 4);
    const specialists = await find(caller, { service: "cardiology" });
    const day = specialists.map(({ start }) => start.slice(0, 10))[0]!;
    const { result, slots } = outputOf(await caller.use(tool, { action: "book", date: day, time: "5:10 AM" }));
    expect(result).toBe("taken");
    expect(slots.length).toBeGreaterThan(0);
    expect((slots as Offer[]).filter(({ service }) => !isGeneralService(service))).toEqual([]);
  });

  it("at a time when only a specialist is free gets general visits to choose from, no specialist's", async () => {
    const ehr = await t.ehr(0);
    const free = await ehr.search<Slot>("Slot", { status: "free", _sort: "start", _count: "200" }, { maxResources: 3000 });
    const isGeneral = await generalSchedules(ehr);
    const general = new Set(free.filter(isGeneral).map(({ start }) => start));
    const only = free.find((slot) => !isGeneral(slot) && !general.has(slot.start));
    expect(only).toBeDefined();
    const when = { date: only!.start.slice(0, 10), time: timeOf({ slotId: "", start: only!.start }) };
    const answer = outputOf(await (await t.verified(0, 4)).use(tool, { action: "book", ...when }));
    expect(answer.result).toBe("taken");
    expect((answer.slots as Offer[]).filter(({ service }) => !isGeneralService(service))).toEqual([]);
    expect(answer.slots.length).toBeGreaterThan(0);
  });

  it("by the time alone, or the day alone, books the offer that fits", async () => {
    const caller = await t.verified(0, 2);
    const offers = await find(caller);
    const alone = offers.find((one) => offers.filter((other) => timeOf(other) === timeOf(one)).length === 1);
    const bare = timeOf(alone!).replace(/:00| [AP]M/g, "");
    const isOnlyOne = offers.filter((other) => timeOf(other).replace(/:00| [AP]M/g, "") === bare).length === 1;
    const answer = await caller.use(tool, { action: "book", time: isOnlyOne ? bare : timeOf(alone!) });
    expect(outputOf(answer)).toMatchObject({ result: "booked" });
    expect(await statusOf(alone!)).toBe("busy");

    const other = await t.verified(1, 2);
    const all = await find(other, { practitioner: "Larkmere" });
    const onlyDay = all.find((_, nth) => daysOf(all).filter((day) => day === daysOf(all)[nth]).length === 1);
    if (onlyDay) {
      expect(await other.use(tool, { action: "book", date: plainPhrasing(zone).day(onlyDay.start) })).toMatchObject({ ok: true });
      expect(await statusOf(onlyDay, 1)).toBe("busy");
    }
  });

  it("that no offer fits by slot id books nothing and says the offers again", async () => {
    const caller = await t.verified(0, 3);
    const offers = await find(caller);
    for (const [slotId, says] of [
      ["slot-2026-11-30-0900", /^I have .+\. Which would you like\?$/],
      ["Tuesday at nine", /^I have .+\. Which would you like\?$/],
      ["the fourth one", /^I only have three times: .+\. Which would you like\?$/],
      ["la quinta", /^I only have three times: .+\. Which would you like\?$/],
    ] as const) {
      const answer = await caller.use(tool, { action: "book", slotId });
      expect(outputOf(answer), slotId).toMatchObject({ result: "choose", slots: offers.map((offer) => ({ slotId: offer.slotId })) });
      expect(answer.speech).toMatch(says);
    }
    expect(await t.appointments(0, caller.patientId)).toEqual(
      expect.not.arrayContaining([expect.objectContaining({ slot: [{ reference: `Slot/${offers[0]!.slotId}` }] })]),
    );
  });

  it("of a slot whose time the clinic has changed since books nothing and offers other times", async () => {
    const caller = await t.verified(0, 3);
    const [offer] = await find(caller, { service: "cardiology" });
    const ctx = t.context(0);
    const later = (at: string) => new Date(Date.parse(at) + 7 * 86_400_000).toISOString();
    const changed: ToolContext = {
      ...ctx,
      openEhr: async (...asked) => {
        const ehr = await ctx.openEhr(...asked);
        const read = async <T extends FhirResource>(...args: Parameters<typeof ehr.read<T>>): Promise<T> => {
          const found = await ehr.read<T>(...args);
          return found.resourceType === "Slot" ? { ...found, start: later(found.start), end: later(found.end) } : found;
        };
        return { ...ehr, read };
      },
    };
    const before = await t.appointments(0, caller.patientId);
    const answer = await runTool(changed, caller.call(tool, { action: "book", slotId: offer!.slotId }));
    expect(answer).toMatchObject({ ok: false, code: "slot_taken", output: { result: "taken" } });
    expect(await t.appointments(0, caller.patientId)).toEqual(before);
    expect(await caller.use(tool, { action: "book", slotId: offer!.slotId })).toMatchObject({ output: { result: "booked" } });
  });

  it("by an id that the day or time beside it contradicts books nothing, also where no offers are known", async () => {
    const [offer] = await find(await t.verified(0, 4), { service: "cardiology" });
    const day = (by: number) => new Date(Date.parse(offer!.start) + by * 86_400_000);
    for (const said of [{ start: day(1).toISOString() }, { date: day(1).toISOString().slice(0, 10) }, { time: "11:59 PM" }]) {
      const caller = await t.verified(0, 4);
      const before = await t.appointments(0, caller.patientId);
      expect(await caller.use(tool, { action: "book", slotId: offer!.slotId, ...said }), JSON.stringify(said)).toMatchObject({
        output: { result: "taken" },
      });
      expect(await t.appointments(0, caller.patientId)).toEqual(before);
    }
  });

  it("by an id is free again after a wrong day that was said with it", async () => {
    const [offer] = await find(await t.verified(0, 4), { service: "cardiology" });
    const caller = await t.verified(0, 4);
    const booking = { action: "book", slotId: offer!.slotId };
    const nextDay = new Date(Date.parse(offer!.start) + 86_400_000).toISOString();
    expect(await caller.use(tool, { ...booking, start: nextDay })).toMatchObject({ output: { result: "taken" } });
    expect(await caller.use(tool, booking)).toMatchObject({ output: { result: "booked", appointment: { start: offer!.start } } });
  });

  it("whose doctor is not the offered one books nothing and says the offers again", async () => {
    const caller = await t.verified(0, 4);
    const [offer] = await find(caller, { practitioner: "Larkmere" });
    const answer = await caller.use(tool, { action: "book", slotId: offer!.slotId, practitioner: "Dr. Dunstead" });
    expect(outputOf(answer)).toMatchObject({ result: "choose" });
    expect(await statusOf(offer!)).toBe("free");
  });

  it("of a time that was not offered asks which doctor where several are free, and books one for a caller who has no preference", async () => {
    const caller = await t.verified(0, 5);
    const ehr = await t.ehr(0);
    const free = await ehr.search<Slot>("Slot", { status: "free", _sort: "start", _count: "200" }, { maxResources: 3000 });
    const isGeneral = await generalSchedules(ehr);
    const starts = free.filter(isGeneral).map((slot) => slot.start);
    const start = starts.findLast((one, nth) => starts.indexOf(one) !== nth);
    expect(start).toBeDefined();
    const when = { action: "book", date: start!.slice(0, 10), time: timeOf({ slotId: "", start: start! }) };
    const answer = await caller.use(tool, when);
    const { result, slots } = answer.output as { result: string; slots: Offer[] };
    expect(result).toBe("choose");
    expect(new Set(slots.map(({ practitioner }) => practitioner)).size).toBeGreaterThan(1);
    expect(answer.speech).toMatch(/Which would you like\?$/);
    const [first] = slots;
    const chosen = await caller.use(tool, { ...when, practitioner: first!.practitioner });
    expect(outputOf(chosen)).toMatchObject({ result: "booked", appointment: { practitioner: first!.practitioner } });
    expect((await ehr.search("Slot", { _id: first!.slotId }))[0]).toMatchObject({ status: "busy" });
  });

  it("is not known to another call, nor to another tenant", async () => {
    const [one, other, elsewhere] = [await t.verified(0, 1), await t.verified(0, 2), await t.verified(1, 1)];
    await find(one, { practitioner: "Marlstead" });
    for (const caller of [other, elsewhere])
      expect(await caller.use(tool, { action: "book", time: "the second one" })).toMatchObject({ ok: false, code: "invalid_arguments" });
  });

  it("is still understood when a doctor named with no preference is asked for", async () => {
    const caller = await t.verified(1, 4);
    for (const practitioner of ["any doctor", "anyone", "either one", "cualquier doctor"])
      expect((await find(caller, { practitioner })).length, practitioner).toBeGreaterThan(0);
  });
});

describe("sentences 3 to 6: the time as callers say it", () => {
  it("is searched in English and Spanish, as a day, a part of a day or a week", async () => {
    const hourOf = ({ start }: Offer): number =>
      Number(new Intl.DateTimeFormat("en-US", { timeZone: zone, hour: "numeric", hourCycle: "h23" }).format(new Date(start)));
    for (const date of ["tomorrow afternoon", "day after tomorrow", "mañana por la tarde"])
      expect((await find(await t.verified(0, 1), { date })).length, date).toBeGreaterThan(0);
    const isSunday = new Intl.DateTimeFormat("en-US", { timeZone: zone, weekday: "long" }).format(new Date()) === "Sunday";
    for (const date of ["next week", "la semana que viene"]) {
      const { slots, result } = outputOf(await (await t.verified(0, 1)).use(tool, { action: "find", date }));
      // Said on a Sunday, it may be the week that begins tomorrow or the one after it.
      expect([date, result, isSunday || slots.length > 0]).toEqual([date, isSunday ? "ask" : "found", true]);
    }
    for (const date of ["in the afternoon", "por la tarde"])
      for (const offer of await find(await t.verified(0, 1), { date })) expect(hourOf(offer), date).toBeGreaterThanOrEqual(12);
  });

  it("that may be two days is asked about, and one that is none is asked for without naming a field", async () => {
    const caller = await t.verified(1, 1);
    const year = new Date().getUTCFullYear() + 1;
    const asked = await caller.use(tool, { action: "find", date: `11/12/${year}` });
    expect(asked).toMatchObject({ ok: false, output: { result: "ask", options: [{}, {}] } });
    expect(asked.speech).toMatch(/^Do you mean \w+day, November 12; or \w+day, December 11\?$/);
    for (const said of [
      { action: "find", date: "when the moon is full" },
      { action: "book", date: "soonish" },
    ])
      expect((await caller.use(tool, said)).speech).toBe("Which day and time would suit you?");
  });

  it("on a day on which the clinic is closed is answered with that, and with other days", () => {
    const hours = { start: "09:00", end: "17:00", timezone: zone, days: { saturday: null } };
    expect(closedDay({ hours }, [{ from: "2026-11-28", until: "2026-11-28" }])).toBe("2026-11-28");
    const slots = [{ slotId: "1", start: "2026-11-30T14:00:00Z", end: "2026-11-30T14:30:00Z" }];
    const say = (output: object): string | undefined => tools["scheduleAppointment"]?.speak(output, plainPhrasing(zone));
    expect(say({ result: "found", slots, otherDays: true, closedOn: "2026-11-28" })).toMatch(
      /^We're closed on Saturdays, but I have Monday/,
    );
    expect(say({ result: "taken", slots, isNoOpening: true, closedOn: "2026-11-28" })).toMatch(
      /^We're closed on Saturdays\. I could offer/,
    );
  });

  it("outside the free times is no opening, and not a time that is gone", async () => {
    const answer = await (await t.verified(0, 3)).use(tool, { action: "book", date: "tomorrow", time: "6:10 AM" });
    expect(answer.speech).toMatch(/^There is no opening at that time\./);
  });
});

describe("a choice that could harm", () => {
  const offer = (slotId: string, start: string, practitioner: string) => ({ slotId, start, end: start, practitioner });
  const latest = [
    offer("a", "2026-03-05T14:00:00Z", "Dr. Amara Larkmere"),
    offer("2", "2026-03-06T15:00:00Z", "Dr. Kim Leeson"),
    offer("c", "2026-03-06T16:00:00Z", "Dr. Amara Larkmere"),
  ];
  const earlier = offer("3", "2026-03-04T15:00:00Z", "Dr. Esther Marlstead");
  const offers = { latest, offered: [...latest, earlier] };
  const run = {
    ctx: { clock: () => new Date("2026-03-03T15:00:00Z") } as Run["ctx"],
    timeZone: zone,
    hours: { start: "09:00", end: "17:00", timezone: zone },
  };
  const chosen = (said: Record<string, string>, among: Record<"latest" | "offered", OpenSlot[]> = offers): string | undefined => {
    const found = resolveChoice(among, z.parse(Input, { action: "book", ...said }), run);
    return found && ("choose" in found ? "choose" : found.slotId);
  };

  it("of a Spanish day keeps the day beside a time in figures", () => {
    for (const date of ["lunes", "mañana", "martes", "jueves"]) {
      const [reading] = interpretTime(run, { date, time: "10:00" }) ?? [];
      expect([date, reading?.dates?.length, reading?.time]).toEqual([date, 1, 600]);
    }
    expect(chosen({ date: "viernes", time: "10:00" })).toBe("2");
    expect(interpretTime(run, { date: "Easter bunny", time: "10" })).toEqual([]);
  });

  it("of any doctor does not choose the day or the hour", () => {
    expect(chosen({ practitioner: "anyone" })).toBe("choose");
    expect(chosen({ practitioner: "anyone", date: "Friday" })).toBe("choose");
    expect(chosen({ practitioner: "anyone", date: "Friday", time: "11 AM" })).toBe("c");
  });

  it("of a slot that the day, the time or the doctor beside it contradicts is asked again", () => {
    expect(chosen({ slotId: "a" })).toBe("a");
    expect(chosen({ slotId: "a", date: "Friday", time: "10am" })).toBe("choose");
    expect(chosen({ slotId: "first", date: "Friday" })).toBe("choose");
    expect(chosen({ slotId: "3", practitioner: "Dr. Larkmere" })).toBe("choose");
    expect(chosen({ slotId: "3" })).toBe("3");
    expect(chosen({ slotId: "Slot/2" })).toBe("2");
    expect(["last", "the last time, please", "la última opción", "option 3", "el tercero"].map((slotId) => chosen({ slotId }))).toEqual([
      "c",
      "c",
      "c",
      "c",
      "c",
    ]);
  });

  it("is taken also where the calendar names neither the doctor nor the visit, or names the visit in other words", () => {
    const [bare, other] = [offer("x", "2026-03-05T14:00:00Z", ""), offer("y", "2026-03-06T15:00:00Z", "Dr. Kim Leeson")];
    const unnamed = [
      { slotId: "x", start: bare.start, end: bare.end },
      { ...other, service: "Primary care visit" },
    ];
    const among = { latest: unnamed, offered: unnamed };
    expect(chosen({ slotId: "x", service: "cardiology", practitioner: "Dr. Larkmere" }, among)).toBe("x");
    expect(chosen({ slotId: "y", service: "family doctor" }, among)).toBe("y");
    expect(chosen({ date: "Friday", service: "family doctor" }, among)).toBe("y");
  });

  it("by the woman, the man or the place among the offers takes that one, in English and Spanish", () => {
    const among = [
      { ...offer("w", "2026-03-05T14:00:00Z", "Dr. Amara Larkmere"), gender: "female" as const, location: "Hillside Clinic" },
      {
        ...offer("m", "2026-03-05T15:00:00Z", "Dr. Bernard Dunstead"),
        gender: "male" as const,
        location: "North Clinic",
        city: "Mockford",
      },
      { ...offer("n", "2026-03-05T16:00:00Z", "Dr. Kim Leeson"), location: "North Clinic", city: "Mockford" },
    ];
    const pick = (said: Record<string, string>) => chosen(said, { latest: among, offered: among });
    for (const practitioner of ["the woman", "la doctora", "the lady doctor"]) expect(pick({ practitioner }), practitioner).toBe("w");
    for (const practitioner of ["the man", "el hombre"]) expect(pick({ practitioner }), practitioner).toBe("m");
    for (const location of ["the one at Hillside", "la de Hillside"]) expect(pick({ location }), location).toBe("w");
    expect(pick({ location: "in Mockford" })).toBe("choose");
    expect(pick({ location: "in Mockford", practitioner: "a man" })).toBe("m");
    expect(pick({ slotId: "w", location: "Mockford" })).toBe("choose");
    expect(pick({ slotId: "w", practitioner: "the man" })).toBe("choose");
    expect(pick({})).toBe("choose");
  });

  it("of more than there are says how many there are and names them again, in both languages", () => {
    const found = resolveChoice(offers, z.parse(Input, { action: "book", slotId: "number five" }), run);
    expect(found).toEqual({ choose: latest, isBeyond: true });
    expect(resolveChoice(offers, z.parse(Input, { action: "book", slotId: "Tuesday" }), run)).toEqual({ choose: latest });
    const said = (slots: OpenSlot[], language: "en" | "es") =>
      tools[tool]!.speak({ result: "choose", slots, isBeyond: true }, phrasingIn(language, "reachable", run.ctx.clock()));
    expect(said(latest, "en")).toMatch(/^I only have three times: .+ Which would you like\?$/);
    expect(said(latest, "es")).toMatch(/^Solo tengo tres horarios: .+ ¿Cuál prefiere\?$/);
    expect(said(latest.slice(0, 1), "en")).toMatch(/^I only have one time: .+ Would that work for you\?$/);
  });

  it("of a kind of doctor is what the visit is for", () => {
    expect(z.parse(Input, { practitioner: "a cardiologist" })).toMatchObject({ service: "cardiology" });
    expect(z.parse(Input, { practitioner: "Dr. Larkmere" })).toMatchObject({ practitioner: "Dr. Larkmere", acceptsAnyDoctor: false });
  });

  it("of a day or a doctor that the caller declines books neither", () => {
    for (const date of ["Monday doesn't work", "avoid Monday", "anything without Monday", "el lunes trabajo"])
      for (const reading of interpretTime(run, { date, time: "10" }) ?? []) {
        expect(exactStart(reading, "America/New_York"), date).toBeUndefined();
        for (const { from, until = from } of reading.dates ?? []) expect(weekdaysWithin(from, until, 1), date).toEqual([]);
      }
    const isAnyone = (practitioner: string): boolean => z.parse(Input, { practitioner }).acceptsAnyDoctor;
    for (const practitioner of ["I don't care for Dr. Lee", "no preference but not Lee", "a provider called Larkmere"])
      expect(isAnyone(practitioner), practitioner).toBe(false);
    for (const practitioner of ["any doctor", "anyone available", "no preference", "I don't care"])
      expect(isAnyone(practitioner), practitioner).toBe(true);
  });

  it("of a range without end, or of a day that does not exist, is no time at all and takes no time", () => {
    for (const request of [
      { date: "any friday from today to 9999-12-31" },
      { start: "2026-02-30T10:00" },
      { start: "2026-03-10T24:00" },
      { start: "2026-03-10T10:00+99:99" },
    ])
      expect(interpretTime(run, request), JSON.stringify(request)).toEqual([]);
    expect(interpretTime(run, { date: "2026-03-05T00:00:00", time: "10:00:00-05:00" })).toMatchObject([{ time: 600 }]);
  });

  it("of the start of an evening visit is the clinic's day, not that of UTC", () => {
    const dayOf = (date: string) => interpretTime(run, { date })?.map(({ dates }) => dates?.[0]?.from);
    expect(dayOf("2026-03-06T01:30:00Z")).toEqual(["2026-03-05"]);
    expect(dayOf("2026-03-05T20:30:00-05:00")).toEqual(["2026-03-05"]);
    for (const midnight of ["2026-03-05T00:00:00Z", "2026-03-05T00:00:00", "2026-03-05T05:00:00Z"])
      expect(dayOf(midnight), midnight).toEqual(["2026-03-05"]);
  });

  it("of a doctor by a part of a name is not taken for sure", () => {
    expect(isWholeName("Dr. Kim Leeson", "Dr. Lee")).toBe(false);
    expect(isWholeName("Dr. Kim Lee", "Dra. Lee")).toBe(true);
    expect(matchesSpoken(["Dr. Amara Larkmere"], "la doctora Larkmere")).toBe(true);
  });
});
