import { AppError, awaitAllThenThrow, dayMs, errorFields, isAppError, sha256In } from "@vitaline/core";
import type { Appointment } from "fhir/r4.js";
import { patientIdOf, referencedId } from "../patient/chart.ts";
import { type PlannedWrite, type Run, executionKeyIn, requestSystem } from "../sdk/run.ts";
import type { ServerBehavior } from "@vitaline/fhir-providers";
import {
  cancelCallReservation,
  canSearchAppointments,
  countBooking,
  isForPatient,
  isShownTo,
  isVoid,
  limitReached,
  mustCountInCallState,
  noteLimit,
  overlaps,
  spanOf,
  reservationOwner,
  upcomingAppointments,
} from "../scheduling/appointments.ts";
import type { OpenSlot, SlotCriteria, SlotSource } from "../scheduling/slot-source.ts";
import { type Choice, findOpenSlots, isOnHoliday, isOrdinal, readOffers, resolveChoice, slotSourceOf } from "../scheduling/offers.ts";
import { isWholeName } from "../scheduling/matching.ts";
import { maxSpoken } from "../speech/phrasing.ts";
import { isWithinTwoYears } from "../nlu/calendar.ts";
import type { TimeReading } from "../nlu/when/parse-state/reading.ts";
import { exactStart, fitsReading, interpretTime, type TimeRequest } from "../scheduling/requested-time.ts";
import { type VisitWishes, type VisitToMove, generalServicePreference, slotCriteriaOf, withVisitToMove } from "./find.ts";

/**
 * `start`: of the slot or the requested time, to offer others near it. `chosenStart`: what the caller chose, where the slot is at another
 * time. `lockedByOther`: another call took it just now.
 */
export type SlotUnavailable = { taken: true; start?: Date; chosenStart?: Date | undefined; slotId?: string; lockedByOther?: true };
/** The patient has this time, or an appointment that overlaps it. */
export type AlreadyBooked = { existing: Appointment; overlaps?: true };
export type LimitReached = { limit: "call" | "patient" };
/** `reachedLimit`: no more can be booked. */
export type Made = { made: Appointment; reachedLimit?: "call" | "patient" | undefined };
/** The caller has to choose among these. `isBeyond`: and named one more than there are. */
export type Undecided = { choose: OpenSlot[]; isBeyond?: true };
/** The time has several readings, or none, or is in more than two years. */
export type Unclear = { unclear: readonly TimeReading[]; isTooFar?: true };

const minuteMs = 60_000;

/**
 * Books the requested time once: a booking by an earlier attempt is found, not repeated. The slot is locked across all tenants before it
 * is checked. Throws `ehr_unknown_outcome` with the lock kept, and `in_progress` if the same request runs elsewhere.
 */
export async function bookSlot(
  run: Run,
  input: VisitWishes & TimeRequest & Pick<Choice, "slotId" | "acceptsAnyDoctor">,
  plannedWrite: PlannedWrite,
  moved?: VisitToMove,
): Promise<Made | SlotUnavailable | AlreadyBooked | LimitReached | Undecided | Unclear> {
  const server = await run.ehr.behavior({ signal: run.signal });
  const slotSource = slotSourceOf(server);
  const request = { ...input, ...(await slotCriteriaOf(run, input)) };
  const [upcoming, requested] = await awaitAllThenThrow([upcomingAppointments(run), requestedSlot(run, slotSource, request, moved)]);
  const alreadyBooked = upcoming.find((one) => executionKeyIn(one) === run.executionKey);
  if (alreadyBooked) {
    // If the answer cannot be stored, the outcome counts as unknown.
    run.notePlannedWrite(plannedWrite);
    return { made: alreadyBooked };
  }
  if ("choose" in requested || "unclear" in requested) return requested;
  const existing = appointmentAt(upcoming, requested, plannedWrite["appointmentId"]);
  if (existing) return isShownTo(run, existing) ? { existing } : { taken: true, start: new Date(existing.start ?? "") };
  const limit = isNewBooking(plannedWrite) ? limitReached(run, upcoming) : undefined;
  if (limit) {
    await noteLimit(run, limit);
    return { limit };
  }
  const { slotId, start, end, saidTimes } = requested;
  if (!slotId) return { taken: true, ...(start ? { start } : {}) };
  const isCounted = isNewBooking(plannedWrite) && (await mustCountInCallState(run));
  return lockAndBook(run, { slotId, start, end, saidTimes }, { server, slotSource, upcoming, plannedWrite, isCounted });
}

/** `plannedWrite`: for a moved appointment, with the old one's id. `isCounted`: in the call's state. */
type BookingContext = {
  server: ServerBehavior;
  slotSource: SlotSource;
  upcoming: Appointment[];
  plannedWrite: PlannedWrite;
  isCounted: boolean;
};

const isNewBooking = ({ action }: PlannedWrite): boolean => action === "book";

/** The lock is released when nothing was booked, and kept when that is unknown. */
async function lockAndBook(
  run: Run,
  { slotId, start: requestedStart, end: requestedEnd, saidTimes = [] }: RequestedTime & { slotId: string },
  context: BookingContext,
): Promise<Made | SlotUnavailable | AlreadyBooked> {
  const { ehr, executionKey: owner } = run;
  const { server, slotSource, upcoming, plannedWrite, isCounted } = context;
  const callOwner = reservationOwner(run);
  const ownerGroup = sha256In("slot-owner-group", callOwner, patientIdOf(run));
  const lock = await ehr.lockSlot(slotId, owner, { endedAttemptId: run.endedAttemptId, reservationOwner: callOwner, ownerGroup });
  if (lock === "busy") throw new AppError("in_progress", "The same request is being worked on.");
  if (lock === "unknown") throw new AppError("ehr_unknown_outcome", "This call has tried to book this time, and the outcome is not known.");
  if (lock === "taken") return { ...slotTaken(slotId, requestedStart), lockedByOther: true };

  let start = requestedStart;
  let count: { release(): Promise<void> } | undefined;
  let isSent = false;
  const release = async () => void (await awaitAllThenThrow([ehr.releaseSlotLock(slotId, owner), count?.release()]));
  try {
    const counting = isCounted ? countBooking(run).then((counted) => (count = counted)) : undefined;
    const [freeSlot] = await awaitAllThenThrow([slotSource.prepareBooking(run, slotId, plannedWrite["appointmentId"]), counting]);
    start = freeSlot.start ?? start;
    // The clinic may have given the slot another time since it was offered.
    const isOtherTime = freeSlot.start && !isChosenTime(run, freeSlot.start, { start: requestedStart, saidTimes });
    const obstacle = isOtherTime
      ? { ...slotTaken(slotId, freeSlot.start), chosenStart: requestedStart ?? onlyStart(run, saidTimes) }
      : obstacleAt(run, { slotId, start, end: freeSlot.end ?? requestedEnd }, context);
    if (obstacle) {
      await release();
      return obstacle;
    }
    run.notePlannedWrite(writeForRecovery(context, start));
    isSent = true;
    const made = await freeSlot.book();
    await cancelCallReservation(run, slotId).catch((error: unknown) =>
      run.ctx.log("warn", "slot.reservation_not_released", errorFields(error)),
    );
    return { made, reachedLimit: isNewBooking(plannedWrite) ? limitReached(run, [...upcoming, made], isCounted ? 1 : 0) : undefined };
  } catch (error) {
    const isUnknown = isAppError(error, "ehr_unknown_outcome") || (isSent && !isAppError(error));
    const mayBeOurs = isUnknown || (server.keepsIdentifiers && isAppError(error, "slot_taken", "ehr_conflict"));
    const made = mayBeOurs ? await findBookedByRequest(run, writeForRecovery(context, start)).catch(() => undefined) : undefined;
    if (made) return { made };
    if (isUnknown) throw error;
    await release();
    if (isAppError(error, "slot_taken", "ehr_conflict", "ehr_not_found")) return slotTaken(slotId, start);
    throw error;
  }
}

const slotTaken = (slotId: string, start: Date | undefined): SlotUnavailable => ({ taken: true, slotId, ...(start ? { start } : {}) });

/** An offer's own time; else what the caller said beside the id, if anything. */
const isChosenTime = ({ timeZone }: Run, at: Date, { start, saidTimes }: { start: Date | undefined; saidTimes: TimeReading[] }): boolean =>
  start
    ? start.getTime() === at.getTime()
    : saidTimes.length === 0 || saidTimes.some((one) => fitsReading(one, { start: at.toISOString() }, timeZone));

/** undefined for several times, or a period. */
const onlyStart = ({ timeZone }: Run, [reading, ...others]: TimeReading[]): Date | undefined =>
  reading && others.length === 0 ? exactStart(reading, timeZone) : undefined;

/** Servers that drop our identifier need to know which appointments the patient had before. */
const writeForRecovery = ({ plannedWrite, server, upcoming }: BookingContext, start: Date | undefined): PlannedWrite => ({
  ...plannedWrite,
  ...(server.keepsIdentifiers ? {} : { priorAppointmentIds: upcoming.map(({ id }) => id).join(" ") }),
  ...(start ? { start: start.toISOString() } : {}),
});

/** What stands against a slot that the server has as free. */
function obstacleAt(
  run: Run,
  { slotId, start, end }: { slotId: string; start: Date | undefined; end: Date | undefined },
  { upcoming, plannedWrite }: BookingContext,
): AlreadyBooked | SlotUnavailable | undefined {
  const startMs = start?.getTime() ?? Number.NaN;
  const span = { startMs, endMs: end?.getTime() || startMs };
  const overlapping = upcoming.find((one) => one.id !== plannedWrite["appointmentId"] && overlaps(spanOf(one), span));
  if (overlapping) return isShownTo(run, overlapping) ? { existing: overlapping, overlaps: true } : slotTaken(slotId, start);
  // It may have been offered before the day was set as a holiday.
  return start && isOnHoliday(run, start) ? slotTaken(slotId, start) : undefined;
}

/** `movedId`: the appointment that is moved, which may keep its time in another slot. */
const appointmentAt = (
  appointments: Appointment[],
  { slotId, start: at }: { slotId?: string; start?: Date },
  movedId: string | undefined,
): Appointment | undefined =>
  appointments.find(({ id, slot = [], start = "" }) => {
    const isItsSlot = slotId !== undefined && slot.some(({ reference }) => referencedId(reference, "Slot") === slotId);
    return isItsSlot || ((slotId === undefined || id !== movedId) && Date.parse(start) === at?.getTime());
  });

/** By our identifier; at servers that drop it, the appointment at this time which the patient did not have before. */
export async function findBookedByRequest(run: Run, { priorAppointmentIds, start }: PlannedWrite): Promise<Appointment | undefined> {
  const { ehr, signal } = run;
  const patientId = patientIdOf(run);
  if (!(await ehr.behavior({ signal })).keepsIdentifiers) {
    if (!(await canSearchAppointments(run))) throw new AppError("ehr_unknown_outcome", "The record system cannot search appointments.");
    const knownIds = priorAppointmentIds?.split(" ");
    return knownIds && (await upcomingAppointments(run)).find((one) => !knownIds.includes(one.id ?? "") && isAt(one, start));
  }
  const isSearched = (await ehr.capability({ signal })).searchParams("Appointment").includes("identifier");
  const params: Record<string, string> = isSearched
    ? { identifier: `${requestSystem}|${run.executionKey}` }
    : { patient: `Patient/${patientId}`, date: `ge${(start === undefined ? earliestRecovered(run) : new Date(start)).toISOString()}` };
  const found = await ehr.search<Appointment>("Appointment", params, { signal });
  return found.find(
    (one) => one.resourceType === "Appointment" && executionKeyIn(one) === run.executionKey && isForPatient(one, patientId) && !isVoid(one),
  );
}

/** A write is recovered within hours. */
const earliestRecovered = ({ ctx }: Run): Date => new Date(ctx.clock().getTime() - dayMs);

const isAt = (one: Appointment, start: string | undefined): boolean =>
  start !== undefined && Date.parse(one.start ?? "") === Date.parse(start);

/** `saidTimes`: said with the id of a slot whose own start is not known yet. */
type RequestedTime = { start?: Date | undefined; end?: Date | undefined; saidTimes?: TimeReading[] };
type RequestedSlot = (RequestedTime & { slotId?: string }) | Undecided | Unclear;

/** Among the offers of this call; else a free slot at the requested time, if only one practitioner has one. */
async function requestedSlot(
  run: Run,
  slotSource: SlotSource,
  request: Choice & { wantsUsualDoctor: boolean },
  moved: VisitToMove | undefined,
): Promise<RequestedSlot> {
  const offers = await readOffers(run);
  const offer = offers && resolveChoice(offers, request, run);
  if (offer && "choose" in offer) return offer;
  if (offer) return { slotId: offer.slotId, ...timesOf(offer) };
  const readings = interpretTime(run, request) ?? [];
  const start = onlyStart(run, readings);
  const unofferedId = offers ? undefined : request.slotId && (referencedId(request.slotId, "Slot") ?? request.slotId);
  // "The second one" means nothing where no offers are known.
  if (unofferedId && isOrdinal(unofferedId)) return { unclear: [] };
  if (unofferedId && slotSource.canReadSlot) return { slotId: unofferedId, saidTimes: readings };
  if (!start) return { unclear: readings.length > 1 ? readings : [] };
  if (!isWithinTwoYears(run, start)) return { unclear: [], isTooFar: true };
  const { practitioner, gender, usualDoctors, service, location, acceptsAnyDoctor, wantsUsualDoctor } = request;
  const wished = { practitioner, gender, usualDoctors, service, location };
  const criteria = unofferedId ? wished : withVisitToMove(wished, moved);
  const isPreferred = unofferedId ? undefined : generalServicePreference(criteria);
  const { slots: open } = await slotSource.search(
    run,
    criteria,
    { from: start, until: new Date(start.getTime() + minuteMs) },
    {
      isWanted: ({ slotId, start: at }) =>
        Date.parse(at) === start.getTime() && !isOnHoliday(run, start) && (!unofferedId || slotId === unofferedId),
      isPreferred,
      isEnough: () => false,
      movedId: moved?.id,
    },
  );
  const [first] = open;
  // Only specialists are free then, whom a caller without a stated need gets where there are no general visits.
  if (first && isPreferred && !isPreferred(first) && (await hasAny(run, criteria, isPreferred))) return { start };
  const isOnePersons = new Set(open.map((slot) => slot.practitioner)).size <= 1;
  // "Doctor Lee" may be Doctor Leeson, who is free when Doctor Lee is not.
  const isSure =
    isOnePersons &&
    (!wantsUsualDoctor || usualDoctors !== undefined) &&
    (practitioner === undefined || !first || isWholeName(first.practitioner, practitioner));
  if (first && !isSure && !acceptsAnyDoctor) return { choose: open.slice(0, maxSpoken) };
  return { start, ...(first ? { slotId: first.slotId, ...timesOf(first) } : {}) };
}

/** Empty texts are unknown times. */
const timesOf = ({ start, end }: { start?: string; end?: string }): { start?: Date; end?: Date } => ({
  ...(start ? { start: new Date(start) } : {}),
  ...(end ? { end: new Date(end) } : {}),
});

const hasAny = async (run: Run, criteria: SlotCriteria, isPreferred: (slot: OpenSlot) => boolean): Promise<boolean> =>
  (await findOpenSlots(run, criteria, { isPreferred, minCount: 1 })).slots.some(isPreferred);
