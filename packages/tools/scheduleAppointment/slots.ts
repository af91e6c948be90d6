import { allDone, AppError } from "@vitaline/core";
import type { SearchParams } from "@vitaline/fhir";
import type { Strategy } from "@vitaline/fhir-providers";
import type { Appointment, Schedule, Slot } from "fhir/r4.js";
import { patientOf, type Run } from "../define-tool.ts";
import { idIn } from "../references.ts";
import { requestSystem } from "../request-key.ts";
import { refuseAnothers } from "../subject.ts";
import { actorsOf, isUndone, keepsMarks } from "./appointments.ts";
import type { Calendar, Wanted, Whom, Window } from "./calendar.ts";
import { isHeld, withoutHeld, type Candidate } from "./held.ts";
import { callMark } from "./how-many.ts";
import type { OpenSlot } from "./output.ts";
import { findSchedules, placeOf, readSchedule, unknownOf } from "./schedules.ts";
import { serviceName } from "./services.ts";

const maxSlots = 200;
/** Of one day, for a server that does not tell the earliest first. */
const maxSlotsOfDay = 400;
const dayMs = 86_400_000;
/** How far ahead appointments are looked for at once. */
const checkedMs = 2 * dayMs;

/** Free times are Slots, and an Appointment that names one takes it. */
export const slotCalendar = (strategy: Strategy): Calendar => ({
  offers: (run, whom, window, wanted) => freeSlots(run, whom, window, strategy, wanted),
  unknown: unknownOf,
  async look(run, slotId) {
    const slot = await run.ehr.read<Slot>("Slot", slotId, { signal: run.signal });
    const start = new Date(slot.start);
    if (slot.status !== "free" || start.getTime() <= run.ctx.clock().getTime()) throw new AppError("slot_taken", "The slot is not free.");
    const schedule = await readSchedule(run, idIn(slot.schedule.reference, "Schedule"));
    if (await isHeld(run, { ...slot, id: slotId }, schedule, strategy)) throw new AppError("slot_taken", "An appointment holds the slot.");
    return { start, end: new Date(slot.end), take: () => post(run, slot, schedule, strategy) };
  },
  async about(run, slotId) {
    const { start, schedule, serviceType } = await run.ehr.read<Slot>("Slot", slotId, { signal: run.signal });
    return { start: new Date(start), schedule: idIn(schedule.reference, "Schedule"), service: serviceName(serviceType) };
  },
});

/**
 * Slots that the server calls free and that no appointment holds, the earliest first, until they are enough. What is `preferred` comes
 * first, and other times only where there is nothing preferred in the whole window.
 */
async function freeSlots(run: Run, whom: Whom, window: Window, strategy: Strategy, wanted: Wanted): Promise<OpenSlot[]> {
  const { isWanted, isPreferred = () => true, isEnough } = wanted;
  const { ehr, signal } = run;
  if (!(await ehr.capability({ signal })).supports("Slot", "search-type"))
    throw new AppError("ehr_unsupported", "The record system has no search for slots.");
  const isStrict = strategy.slotRules === "strict";
  const ask = ({ from, until }: Window, more: Record<string, string>, maxResources = maxSlots): Promise<Slot[]> => {
    const start = [`ge${from.toISOString()}`, `lt${until.toISOString()}`];
    const params: SearchParams = isStrict ? { start } : { start, status: "free", _sort: "start", _count: String(maxResources) };
    return ehr.search<Slot>("Slot", { ...params, ...more }, { signal, maxResources });
  };
  // What is asked of nobody in particular need not wait for the schedules, which then only say with whom a time is.
  const isOfAnybody = !isStrict && [whom.practitioner, whom.service, whom.schedule].every((one) => one === undefined);
  const [{ open, closed }, early] = await allDone([findSchedules(run, whom), isOfAnybody ? ask(window, {}) : undefined]);
  if (!early && open.length === 0) return [];
  const of: Record<string, string> = isOfAnybody ? {} : { schedule: open.map(({ id }) => `Schedule/${id}`).join(",") };
  const bySchedule = new Map(open.map((schedule) => [schedule.id, schedule]));
  const known = new Set<string>();
  const candidatesIn = (slots: Slot[]): Candidate[] =>
    slots
      .filter(({ id, status, resourceType }) => resourceType === "Slot" && status === "free" && id !== undefined && !known.has(id))
      .filter(({ schedule }) => !closed.has(idIn(schedule.reference, "Schedule")))
      .flatMap((slot) => candidateOf(slot, bySchedule.get(idIn(slot.schedule.reference, "Schedule"))))
      .filter(({ offer }) => (known.add(offer.slotId), isWanted(offer)))
      .toSorted((a, b) => a.startMs - b.startMs);
  const others: Candidate[] = [];
  const free: OpenSlot[] = [];
  const check = async (candidates: Candidate[]): Promise<boolean> => {
    for (const some of together(candidates)) {
      free.push(...(await withoutHeld(run, some, strategy)).map(({ offer }) => offer));
      if (isEnough(free)) return true;
    }
    return false;
  };
  for await (const slots of pages(window, (part, most) => ask(part, of, most), early)) {
    const candidates = candidatesIn(slots);
    others.push(...candidates.filter(({ offer }) => !isPreferred(offer)));
    if (await check(candidates.filter(({ offer }) => isPreferred(offer)))) return free;
  }
  if (free.length === 0) await check(others);
  return free;
}

/** A server tells some at once, the earliest first where it sorts; where it does not, each day is asked for. */
async function* pages(
  { from, until }: Window,
  ask: (window: Window, most?: number) => Promise<Slot[]>,
  first: Slot[] | undefined,
): AsyncGenerator<Slot[]> {
  let slots = first ?? (await ask({ from, until }));
  for (let next = from; ;) {
    yield slots;
    if (slots.length < maxSlots) return;
    const starts = slots.map(({ start }) => Date.parse(start));
    const last = starts.at(-1) ?? 0;
    const isSorted = starts.every((start, index) => index === 0 || start >= (starts[index - 1] ?? 0));
    if (!isSorted || last <= next.getTime()) break;
    next = new Date(last);
    slots = await ask({ from: next, until });
  }
  for (let day = from.getTime(); day < until.getTime(); day += dayMs)
    yield await ask({ from: new Date(day), until: new Date(Math.min(day + dayMs, until.getTime())) }, maxSlotsOfDay);
}

/** Candidates whose appointments are looked for in one go. */
function together(candidates: Candidate[]): Candidate[][] {
  const groups: Candidate[][] = [];
  for (const one of candidates) {
    const group = groups.at(-1);
    if (group?.[0] && one.startMs < group[0].startMs + checkedMs) group.push(one);
    else groups.push([one]);
  }
  return groups;
}

function candidateOf({ id, start, end, serviceType }: Slot, schedule: Schedule | undefined): Candidate[] {
  if (id === undefined) return [];
  const service = serviceName(serviceType) ?? serviceName(schedule?.serviceType);
  const offer = { slotId: id, start, end, ...placeOf(schedule?.actor ?? []), ...(service ? { service } : {}) };
  return [{ offer, startMs: Date.parse(start), endMs: Date.parse(end), schedule }];
}

/** One request is enough: the slot's lock keeps our own callers apart until the appointment can be found by its slot. */
async function post(run: Run, slot: Slot, schedule: Schedule | undefined, strategy: Strategy): Promise<Appointment> {
  const { ehr, requestKey } = run;
  const wanted = appointmentFor(run, slot, schedule, strategy);
  const ifNoneExist = keepsMarks(strategy) ? `identifier=${requestSystem}|${requestKey}` : undefined;
  const made = await ehr.create<Appointment>(wanted, { signal: run.writeSignal(), ...(ifNoneExist && { ifNoneExist }) });
  refuseAnothers(run, actorsOf(made));
  // The same wish was granted before and called off since.
  const standing = ifNoneExist && isUndone(made) ? await ehr.create<Appointment>(wanted, { signal: run.writeSignal() }) : made;
  refuseAnothers(run, actorsOf(standing));
  return { start: slot.start, end: slot.end, ...standing };
}

/** Where that is a rule: one slot and one patient, and nothing that the server fills in itself. Source: Millennium FHIR R4, Appointment. */
function appointmentFor(run: Run, slot: Slot, schedule: Schedule | undefined, { booking, slotRules }: Strategy): Appointment {
  const isProposal = booking === "propose-only";
  const patient = { actor: { reference: `Patient/${patientOf(run)}` }, status: isProposal ? "needs-action" : "accepted" } as const;
  const bare: Appointment = {
    resourceType: "Appointment",
    status: isProposal ? "proposed" : "booked",
    slot: [{ reference: `Slot/${slot.id}` }],
    participant: [patient],
  };
  if (slotRules === "strict") return bare;
  const { start, end, serviceType } = slot;
  return {
    ...bare,
    identifier: [{ system: requestSystem, value: run.requestKey }, callMark(run)],
    start,
    end,
    ...(serviceType ? { serviceType } : {}),
    participant: [patient, ...(schedule?.actor ?? []).map((actor) => ({ actor, status: "accepted" as const }))],
  };
}
