import { AppError, awaitAllThenThrow, dayIn, isAppError } from "@vitaline/core";
import type { SearchParams } from "@vitaline/fhir";
import type { ServerBehavior } from "@vitaline/fhir-providers";
import type { Appointment, Schedule, Slot } from "fhir/r4.js";
import { instantIn } from "../nlu/calendar.ts";
import { assertMadeForPatient, patientIdOf, referencedId } from "../patient/chart.ts";
import { bookingNote } from "../patient/patient-language.ts";
import { requestSystem, type Run } from "../sdk/run.ts";
import {
  actorReferences,
  callIdentifier,
  isForPatient,
  isVoid,
  noteOwnVisits,
  overlaps,
  reservationOwner,
  spanOf,
} from "./appointments.ts";
import { doctorAndPlace, findSchedules, readSchedule, unmatchedTerm } from "./schedules.ts";
import { doctorKey, serviceName } from "./matching.ts";
import { type FetchSlots, type HasTime, occupancySpanMs, slotPages } from "./slot-pages.ts";
import type { FreeSlots, OpenSlot, SlotCriteria, SlotFilter, SlotSource, TimeWindow } from "./slot-source.ts";

/** Free times are Slots; an Appointment that references one takes it. */
export const slotsAndPost = (server: ServerBehavior): SlotSource => ({
  canReadSlot: true,
  search: (run, query, window, filter) => freeSlots(run, query, window, server, filter),
  unmatched: unmatchedTerm,
  async prepareBooking(run, slotId, movedId) {
    const slot = await run.ehr.read<Slot>("Slot", slotId, { signal: run.signal });
    const start = new Date(slot.start);
    if (slot.status !== "free" || start.getTime() <= run.ctx.clock().getTime()) throw new AppError("slot_taken", "The slot is not free.");
    const schedule = await readSchedule(run, referencedId(slot.schedule.reference, "Schedule"));
    if (await isOccupied(run, { ...slot, id: slotId }, schedule, { server, movedId }))
      throw new AppError("slot_taken", "An appointment occupies the slot.");
    return { start, end: new Date(slot.end), book: () => postAppointment(run, slot, schedule, server) };
  },
  async describeSlot(run, slotId) {
    const { start, schedule, serviceType } = await run.ehr.read<Slot>("Slot", slotId, { signal: run.signal });
    const scheduleId = referencedId(schedule.reference, "Schedule");
    const service = serviceName(serviceType) ?? serviceName((await readSchedule(run, scheduleId).catch(() => undefined))?.serviceType);
    return { start: new Date(start), schedule: scheduleId, service };
  },
});

/** The search stops here and reports its findings. */
const maxSearchMs = 3500;
/** The maximum for one more request. */
const minRemainingMs = 3000;
/** Repeated searches of a run share its time limit. */
const searchStarts = new WeakMap<Run, number>();
const startSearchTimer = (run: Run): HasTime => {
  const startedMs = searchStarts.get(run) ?? performance.now();
  searchStarts.set(run, startedMs);
  // A context with more time to answer may search longer.
  const searchMs = Math.max(maxSearchMs, (run.ctx.timeLimits?.answerMs ?? 0) / 2);
  return () => performance.now() - startedMs < searchMs && run.ctx.deadline.remainingMs() > minRemainingMs;
};

/**
 * Slots that the server calls free and no appointment holds, the earliest first. Slots that are not preferred only if the whole window has
 * no preferred slot.
 */
async function freeSlots(
  run: Run,
  query: SlotCriteria,
  window: TimeWindow,
  server: ServerBehavior,
  filter: SlotFilter,
): Promise<FreeSlots> {
  const { isWanted, isPreferred = () => true, isEnough, movedId } = filter;
  const { ehr, signal } = run;
  if (!(await ehr.capability({ signal })).supports("Slot", "search-type"))
    throw new AppError("ehr_unsupported", "The record system has no search for slots.");
  const isNarrow = server.slotSearch === "schedule-and-range";
  // Without criteria, slots and schedules are read in parallel.
  const isUnfiltered = !isNarrow && Object.values(query).every((one) => one === undefined);
  let scheduleFilter: Record<string, string> = {};
  const fetchSlots: FetchSlots = ({ from, until }, most, logAsRepeat) => {
    const start = [`ge${from.toISOString()}`, `lt${until.toISOString()}`];
    const params: SearchParams = isNarrow ? { start } : { start, status: "free", _sort: "start", _count: String(most) };
    return ehr.search<Slot>(
      "Slot",
      { ...params, ...scheduleFilter },
      { signal, maxResources: most, ...(logAsRepeat ? { logAsRepeat } : {}) },
    );
  };
  const hasTime = startSearchTimer(run);
  const owner = reservationOwner(run);
  const pages = slotPages(run, window, filter, fetchSlots, hasTime);
  const [{ active, inactive }, firstPage] = await awaitAllThenThrow([findSchedules(run, query), isUnfiltered ? pages.next() : undefined]);
  if (!isUnfiltered) {
    if (active.length === 0) return { slots: [] };
    scheduleFilter = { schedule: active.map(({ id }) => `Schedule/${id}`).join(",") };
  }
  const bySchedule = new Map(active.map((schedule) => [schedule.id, schedule]));
  const seenIds = new Set<string>();
  const candidatesIn = (slots: Slot[]): Candidate[] =>
    slots
      .filter(({ id, status, resourceType }) => resourceType === "Slot" && status === "free" && id !== undefined && !seenIds.has(id))
      .filter(({ id, schedule }) => !inactive.has(referencedId(schedule.reference, "Schedule")) && !ehr.isReservedByOther(id ?? "", owner))
      .flatMap((slot) => candidateOf(run, slot, bySchedule.get(referencedId(slot.schedule.reference, "Schedule"))))
      .filter(({ offer }) => (seenIds.add(offer.slotId), isWanted(offer)))
      .toSorted((a, b) => a.startMs - b.startMs);
  const others: Candidate[] = [];
  const openSlots: OpenSlot[] = [];
  let checks = 0;
  /** The date up to which it checked, if time ran out. */
  const check = async (candidates: Candidate[]): Promise<"enough" | Date | undefined> => {
    for (const [index, some] of groupBySpan(candidates).entries()) {
      if (index > 0 && !hasTime()) return new Date(some[0]?.startMs ?? 0);
      openSlots.push(...(await withoutOccupied(run, some, { server, movedId, logAsRepeat: checks++ > 0 })).map(({ offer }) => offer));
      if (isEnough(openSlots)) return "enough";
    }
    return undefined;
  };
  let searchedUntil = window.from;
  for (let page = firstPage ?? (await pages.next()); !page.done; page = await pages.next()) {
    const candidates = candidatesIn(page.value.slots);
    others.push(...candidates.filter(({ offer }) => !isPreferred(offer)));
    const until = await check(candidates.filter(({ offer }) => isPreferred(offer)));
    if (until === "enough") return { slots: openSlots };
    searchedUntil = until ?? page.value.until;
    if (until) break;
  }
  if (openSlots.length === 0) {
    const until = await check(others);
    if (until === "enough") return { slots: openSlots };
    if (until && until < searchedUntil) searchedUntil = until;
  }
  if (searchedUntil >= window.until) return { slots: openSlots };
  if (openSlots.length === 0 && searchedUntil <= window.from)
    throw new AppError("deadline_exceeded", "There was no time to search the calendar.");
  return { slots: openSlots, searchedUntil };
}

function groupBySpan(candidates: Candidate[]): Candidate[][] {
  const groups: Candidate[][] = [];
  for (const one of candidates) {
    const group = groups.at(-1);
    if (group?.[0] && one.startMs < group[0].startMs + occupancySpanMs) group.push(one);
    else groups.push([one]);
  }
  return groups;
}

function candidateOf(run: Run, { id, start, end, serviceType }: Slot, schedule: Schedule | undefined): Candidate[] {
  if (id === undefined) return [];
  const service = serviceName(serviceType) ?? serviceName(schedule?.serviceType);
  const offer = { slotId: id, start, end, ...doctorAndPlace(run, schedule?.actor ?? []), ...(service ? { service } : {}) };
  return [{ offer, startMs: Date.parse(start), endMs: Date.parse(end), schedule }];
}

/** The slot lock keeps our callers apart until the appointment can be found by its slot. */
async function postAppointment(run: Run, slot: Slot, schedule: Schedule | undefined, server: ServerBehavior): Promise<Appointment> {
  const { ehr, executionKey } = run;
  const appointment = appointmentFor(run, slot, schedule, { ...server, comment: await bookingNote(run) });
  const ifNoneExist = server.keepsIdentifiers ? `identifier=${requestSystem}|${executionKey}` : undefined;
  const made = await ehr.create<Appointment>(appointment, { signal: run.writeSignal(), ...(ifNoneExist && { ifNoneExist }) });
  assertMadeForPatient(run, actorReferences(made));
  // The same request was fulfilled before and cancelled since.
  const standing = ifNoneExist && isVoid(made) ? await ehr.create<Appointment>(appointment, { signal: run.writeSignal() }) : made;
  assertMadeForPatient(run, actorReferences(standing));
  // Some servers answer with the id alone.
  return { ...appointment, start: slot.start, end: slot.end, ...standing };
}

type Details = ServerBehavior & { comment: string | undefined };

/** Source: Millennium FHIR R4, Appointment: one slot, one patient, no server-filled fields. */
function appointmentFor(run: Run, slot: Slot, schedule: Schedule | undefined, { booking, appointmentBody, comment }: Details): Appointment {
  const isProposal = booking === "propose-only";
  const patient = { actor: { reference: `Patient/${patientIdOf(run)}` }, status: isProposal ? "needs-action" : "accepted" } as const;
  const bare: Appointment = {
    resourceType: "Appointment",
    status: isProposal ? "proposed" : "booked",
    slot: [{ reference: `Slot/${slot.id}` }],
    participant: [patient],
  };
  if (appointmentBody === "minimal") return bare;
  const { start, end, serviceType } = slot;
  return {
    ...bare,
    identifier: [{ system: requestSystem, value: run.executionKey }, callIdentifier(run)],
    start,
    end,
    ...(serviceType ? { serviceType } : {}),
    ...(comment ? { comment } : {}),
    participant: [patient, ...(schedule?.actor ?? []).map((actor) => ({ actor, status: "accepted" as const }))],
  };
}

type Candidate = { offer: OpenSlot; startMs: number; endMs: number; schedule: Schedule | undefined };

/** Visits that began before the day and longer before the slot than this are taken to be over. */
const maxVisitMs = 4 * 3_600_000;

const firstVisitMs = ({ timeZone }: Run, startMs: number): number =>
  Math.min(startMs - maxVisitMs, instantIn(timeZone, dayIn(timeZone, new Date(startMs)), 0).getTime());

const maxAppointments = 400;

const doctorsOf = (schedule: Schedule | undefined): string[] =>
  (schedule?.actor ?? []).flatMap(({ reference }) => doctorKey(reference) ?? []);

const verifiedPatientId = ({ state, providerId }: Run): string | undefined =>
  state?.providerId === providerId ? state?.patientId : undefined;

/**
 * Drops candidates taken by an appointment, since many servers leave such slots free, and those at which the verified caller is busy. One
 * request if every schedule names a Practitioner. Visits may omit the PractitionerRole, so a schedule with a role alone needs a search by
 * slot too. `logAsRepeat` keeps a repeated search out of the counts of requests.
 */
async function withoutOccupied(
  run: Run,
  candidates: Candidate[],
  { server, movedId, logAsRepeat }: { server: ServerBehavior; movedId: string | undefined; logAsRepeat: boolean },
): Promise<Candidate[]> {
  const searches = await occupancySearches(run, candidates, server);
  const isOfPractitioners = candidates.every(({ schedule }) => doctorsOf(schedule).some((key) => key.startsWith("Practitioner/")));
  const found = await awaitAllThenThrow(
    (isOfPractitioners ? searches.slice(0, 1) : searches).map((params) => searchAppointments(run, params, logAsRepeat)),
  );
  const patient = verifiedPatientId(run);
  if (patient !== undefined)
    noteOwnVisits(
      run,
      found.flat().filter((visit) => isForPatient(visit, patient)),
    );
  const standing = found.flat().filter(({ id }) => movedId === undefined || id !== movedId);
  const visits = standing.map((visit) => ({ ...occupancyOf(visit), isOwn: patient !== undefined && isForPatient(visit, patient) }));
  return candidates.filter((one) => !visits.some((visit) => occupies(visit, one) || (visit.isOwn && overlaps(visit, one))));
}

/** At most two requests. */
async function isOccupied(
  run: Run,
  slot: Slot & { id: string },
  schedule: Schedule | undefined,
  { server, movedId }: { server: ServerBehavior; movedId: string | undefined },
): Promise<boolean> {
  const offer = { slotId: slot.id, start: slot.start, end: slot.end };
  const candidate = { offer, startMs: Date.parse(slot.start), endMs: Date.parse(slot.end), schedule };
  const found = await awaitAllThenThrow(
    (await occupancySearches(run, [candidate], server)).map((params) => searchAppointments(run, params)),
  );
  const standing = found.flat().filter(({ id }) => movedId === undefined || id !== movedId);
  return standing.some((appointment) => occupies(occupancyOf(appointment), candidate));
}

/** Searches by doctor and by slot. None if slots are computed from appointments, or cannot be searched. */
async function occupancySearches(run: Run, candidates: Candidate[], { slotsReflectAppointments }: ServerBehavior): Promise<SearchParams[]> {
  const { ehr, signal } = run;
  const { supports, searchParams } = await ehr.capability({ signal });
  if (slotsReflectAppointments || candidates.length === 0 || !supports("Appointment", "search-type")) return [];
  const params = searchParams("Appointment");
  const startMs = firstVisitMs(run, Math.min(...candidates.map((one) => one.startMs)));
  const endMs = Math.max(...candidates.map((one) => one.endMs));
  const date = [`ge${new Date(startMs).toISOString()}`, `lt${new Date(endMs).toISOString()}`];
  const doctors = [...new Set(candidates.flatMap(({ schedule }) => doctorsOf(schedule)))];
  const patient = verifiedPatientId(run);
  const isByActor = params.includes("actor") && params.includes("date") && doctors.length > 0;
  // Before R4 there is no slot search: results of the same time are filtered here.
  const bySlot = { slot: candidates.map(({ offer }) => `Slot/${offer.slotId}`).join(","), ...(ehr.fhirVersion === "R4" ? {} : { date }) };
  return [
    ...(isByActor
      ? [
          {
            actor: [...doctors, ...(patient ? [`Patient/${patient}`] : [])].join(","),
            date,
            _count: String(maxAppointments),
          },
        ]
      : []),
    ...(params.includes("slot") ? [bySlot] : []),
  ];
}

/** A refused search means that the server manages free slots itself. */
const searchAppointments = async ({ ehr, signal }: Run, params: SearchParams, logAsRepeat = false): Promise<Appointment[]> => {
  const found = await ehr
    .search<Appointment>("Appointment", params, { signal, maxResources: maxAppointments, ...(logAsRepeat ? { logAsRepeat } : {}) })
    .catch((error: unknown) => {
      if (isAppError(error, "ehr_forbidden", "ehr_unsupported", "ehr_invalid")) return [];
      throw error;
    });
  return found.filter((one) => one.resourceType === "Appointment" && !isVoid(one) && one.status !== "waitlist");
};

type Occupancy = { slotIds: (string | undefined)[]; doctors: (string | undefined)[]; startMs: number; endMs: number };

const occupancyOf = (appointment: Appointment): Occupancy => ({
  slotIds: (appointment.slot ?? []).map(({ reference }) => referencedId(reference, "Slot")),
  doctors: actorReferences(appointment).map(doctorKey),
  ...spanOf(appointment),
});

/** By its slot, or by a busy doctor. */
const occupies = (visit: Occupancy, candidate: Candidate): boolean =>
  visit.slotIds.includes(candidate.offer.slotId) ||
  (overlaps(visit, candidate) && doctorsOf(candidate.schedule).some((key) => visit.doctors.includes(key)));
