import { allDone, AppError } from "@vitaline/core";
import type { SearchParams } from "@vitaline/fhir";
import type { Strategy } from "@vitaline/fhir-providers";
import type { Appointment, Schedule, Slot } from "fhir/r4.js";
import { patientOf, refuseAnothers } from "../patient/assert-own-patient.ts";
import type { Run } from "../sdk/run.ts";
import { idIn, requestSystem } from "../sdk/references.ts";
import { actorsOf, isUndone, keepsMarks } from "./appointments.ts";
import type { Calendar, Offers, OpenSlot, Wanted, Whom, Window } from "./calendar.ts";
import { type Candidate, isHeld, withoutHeld } from "./occupied-slots.ts";
import { callMark, keeperOf } from "./booking-limits.ts";
import { findSchedules, placeOf, readSchedule, unknownOf } from "./schedules.ts";
import { serviceName } from "./services.ts";
import { type Ask, checkedMs, type InTime, partsOf } from "./slot-pages.ts";

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

/** So long the calendar is looked through before the caller is told what was found until then. */
const searchMs = 3500;
/** What one more request may take. */
const oneRequestMs = 3000;
/** Since when a run looks: what it looks for next is of the same time. */
const since = new WeakMap<Run, number>();
const inTime = (run: Run): InTime => {
  const startedMs = since.get(run) ?? performance.now();
  since.set(run, startedMs);
  return () => performance.now() - startedMs < searchMs && run.ctx.deadline.remainingMs() > oneRequestMs;
};

/**
 * Slots that the server calls free and that no appointment holds, the earliest first, until they are enough. What is `preferred` comes
 * first, and other times only where there is nothing preferred in the whole window.
 */
async function freeSlots(run: Run, whom: Whom, window: Window, strategy: Strategy, wanted: Wanted): Promise<Offers> {
  const { isWanted, isPreferred = () => true, isEnough } = wanted;
  const { ehr, signal } = run;
  if (!(await ehr.capability({ signal })).supports("Slot", "search-type"))
    throw new AppError("ehr_unsupported", "The record system has no search for slots.");
  const isStrict = strategy.slotRules === "strict";
  // What is asked of nobody in particular need not wait for the schedules, which then only say with whom a time is.
  const isOfAnybody = !isStrict && [whom.practitioner, whom.service, whom.schedule].every((one) => one === undefined);
  let of: Record<string, string> = {};
  const ask: Ask = ({ from, until }, most, further) => {
    const start = [`ge${from.toISOString()}`, `lt${until.toISOString()}`];
    const params: SearchParams = isStrict ? { start } : { start, status: "free", _sort: "start", _count: String(most) };
    return ehr.search<Slot>("Slot", { ...params, ...of }, { signal, maxResources: most, ...(further ? { further } : {}) });
  };
  const isTimely = inTime(run);
  const keeper = keeperOf(run);
  const parts = partsOf(run, window, wanted, ask, isTimely);
  const [{ open, closed }, early] = await allDone([findSchedules(run, whom), isOfAnybody ? parts.next() : undefined]);
  if (!isOfAnybody) {
    if (open.length === 0) return { open: [] };
    of = { schedule: open.map(({ id }) => `Schedule/${id}`).join(",") };
  }
  const bySchedule = new Map(open.map((schedule) => [schedule.id, schedule]));
  const known = new Set<string>();
  const candidatesIn = (slots: Slot[]): Candidate[] =>
    slots
      .filter(({ id, status, resourceType }) => resourceType === "Slot" && status === "free" && id !== undefined && !known.has(id))
      .filter(({ id, schedule }) => !closed.has(idIn(schedule.reference, "Schedule")) && !ehr.isKept(id ?? "", keeper))
      .flatMap((slot) => candidateOf(slot, bySchedule.get(idIn(slot.schedule.reference, "Schedule"))))
      .filter(({ offer }) => (known.add(offer.slotId), isWanted(offer)))
      .toSorted((a, b) => a.startMs - b.startMs);
  const others: Candidate[] = [];
  const free: OpenSlot[] = [];
  let checks = 0;
  /** Whether they are enough now, or until when the time was enough to look. */
  const check = async (candidates: Candidate[]): Promise<"enough" | Date | undefined> => {
    for (const [index, some] of together(candidates).entries()) {
      if (index > 0 && !isTimely()) return new Date(some[0]?.startMs ?? 0);
      free.push(...(await withoutHeld(run, some, strategy, checks++ > 0)).map(({ offer }) => offer));
      if (isEnough(free)) return "enough";
    }
    return undefined;
  };
  let searchedUntil = window.from;
  for (let part = early ?? (await parts.next()); !part.done; part = await parts.next()) {
    const candidates = candidatesIn(part.value.slots);
    others.push(...candidates.filter(({ offer }) => !isPreferred(offer)));
    const until = await check(candidates.filter(({ offer }) => isPreferred(offer)));
    if (until === "enough") return { open: free };
    searchedUntil = until ?? part.value.until;
    if (until) break;
  }
  if (free.length === 0) {
    const until = await check(others);
    if (until === "enough") return { open: free };
    if (until && until < searchedUntil) searchedUntil = until;
  }
  if (searchedUntil >= window.until) return { open: free };
  if (free.length === 0 && searchedUntil <= window.from)
    throw new AppError("deadline_exceeded", "There was no time to search the calendar.");
  return { open: free, searchedUntil };
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
