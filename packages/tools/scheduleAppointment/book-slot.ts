import { AppError, errorFields, isAppError, awaitAllThenThrow } from "@vitaline/core";
import type { Appointment } from "fhir/r4.js";
import { patientIdOf } from "../patient/own-patient.ts";
import type { PlannedWrite, Run } from "../sdk/run.ts";
import { referencedId, executionKeyIn, requestSystem } from "../sdk/references.ts";
import {
  cancelCallReservation,
  canSearchAppointments,
  countBooking,
  isForPatient,
  isShownTo,
  isVoid,
  limitReached,
  needsBookingCount,
  noteLimit,
  overlaps,
  spanOf,
  reservationHolder,
  upcomingAppointments,
} from "../scheduling/appointments.ts";
import type { SlotSource, OpenSlot } from "../scheduling/slot-source.ts";
import { type Choice, resolveChoice, readOffers } from "../scheduling/offered-slots.ts";
import { isWholeName } from "../scheduling/doctors.ts";
import { maxSpoken } from "../speech/say-list.ts";
import { isOnHoliday, slotSourceOf } from "../scheduling/open-slots.ts";
import { isWithinTwoYears } from "../nlu/local-time.ts";
import type { TimeReading } from "../nlu/when/parse-state/reading.ts";
import { exactStart, interpretTime, type TimeRequest } from "../scheduling/requested-time.ts";
import { type Asked, queryOf } from "./query.ts";

/** `start`: the requested time, to offer others near it. `lockedByOther`: another call took it just now. */
export type SlotUnavailable = { taken: true; start?: Date; slotId?: string; lockedByOther?: true };
/** The patient has this time, or an appointment that overlaps it. */
export type AlreadyBooked = { existing: Appointment; overlaps?: true };
export type LimitReached = { limit: "call" | "patient" };
/** `reached`: no more can be booked. */
export type Made = { made: Appointment; reached?: "call" | "patient" | undefined };
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
  input: Asked & TimeRequest & Pick<Choice, "slotId" | "isAnyDoctor">,
  plannedWrite: PlannedWrite,
): Promise<Made | SlotUnavailable | AlreadyBooked | LimitReached | Undecided | Unclear> {
  const { ehr, ctx } = run;
  const server = await ehr.behavior({ signal: run.signal });
  const slotSource = slotSourceOf(server);
  const request = { ...input, ...(await queryOf(run, input)) };
  const [patientAppointments, requested] = await awaitAllThenThrow([upcomingAppointments(run), requestedSlot(run, slotSource, request)]);
  const alreadyBooked = patientAppointments.find((one) => executionKeyIn(one) === run.executionKey);
  if (alreadyBooked) {
    run.notePlannedWrite(plannedWrite);
    return { made: alreadyBooked };
  }
  if ("choose" in requested || "unclear" in requested) return requested;
  const existing = appointmentAt(patientAppointments, requested);
  if (existing) return isShownTo(run, existing) ? { existing } : { taken: true, start: new Date(existing.start ?? "") };
  const isNewBooking = plannedWrite["action"] === "book";
  const limit = isNewBooking ? limitReached(run, patientAppointments) : undefined;
  if (limit) {
    await noteLimit(run, limit);
    return { limit };
  }
  if (!requested.slotId) return { taken: true, ...(requested.start ? { start: requested.start } : {}) };
  const { slotId } = requested;
  const owner = run.executionKey;
  const taken = (start: Date | undefined): SlotUnavailable => ({ taken: true, slotId, ...(start ? { start } : {}) });
  const lock = await ehr.lockSlot(slotId, owner, { previousRequestId: run.previousRequestId, reservedBy: reservationHolder(run) });
  if (lock === "busy") throw new AppError("in_progress", "The same request is being worked on.");
  if (lock === "taken") return { ...taken(requested.start), lockedByOther: true };
  let start = requested.start;
  let countedBooking: { release(): Promise<void> } | undefined;
  let isSent = false;
  const release = async () => void (await awaitAllThenThrow([ehr.releaseSlotLock(slotId, owner), countedBooking?.release()]));
  const forRecovery = {
    ...plannedWrite,
    ...(server.keepsIdentifiers ? {} : { priorAppointmentIds: patientAppointments.map(({ id }) => id).join(" ") }),
  };
  try {
    const counting =
      isNewBooking && needsBookingCount(patientAppointments, server)
        ? countBooking(run).then((count) => (countedBooking = count))
        : undefined;
    const [freeSlot] = await awaitAllThenThrow([slotSource.prepareBooking(run, slotId), counting]);
    start = freeSlot.start ?? start;
    const startMs = start?.getTime() ?? Number.NaN;
    const span = { startMs, endMs: freeSlot.end?.getTime() || startMs };
    const overlapping = patientAppointments.find((one) => one.id !== plannedWrite["appointmentId"] && overlaps(spanOf(one), span));
    if (overlapping) {
      await release();
      return isShownTo(run, overlapping) ? { existing: overlapping, overlaps: true } : taken(start);
    }
    // A slot that was offered before the day was set as a holiday.
    if (start && isOnHoliday(run, start)) {
      await release();
      return taken(start);
    }
    run.notePlannedWrite({ ...forRecovery, ...(start ? { start: start.toISOString() } : {}) });
    isSent = true;
    const booked = await freeSlot.book();
    await cancelCallReservation(run, slotId).catch((error: unknown) =>
      ctx.log("warn", "slot.reservation_not_released", errorFields(error)),
    );
    const reached = isNewBooking ? limitAfter(run, [...patientAppointments, booked], countedBooking !== undefined) : undefined;
    return { made: booked, reached };
  } catch (error) {
    const isUnknownOutcome = isAppError(error, "ehr_unknown_outcome") || (isSent && !isAppError(error));
    const booked =
      isUnknownOutcome || (server.keepsIdentifiers && isAppError(error, "slot_taken", "ehr_conflict"))
        ? await findBookedByRequest(run, { ...forRecovery, ...(start ? { start: start.toISOString() } : {}) }).catch(() => undefined)
        : undefined;
    if (booked) return { made: booked };
    if (isUnknownOutcome) throw error;
    await release();
    if (isAppError(error, "slot_taken", "ehr_conflict", "ehr_not_found")) return taken(start);
    throw error;
  }
}

const limitAfter = (run: Run, upcoming: Appointment[], isCounted: boolean): "call" | "patient" | undefined => {
  const { state } = run;
  const counted = isCounted && state ? { ...state, bookingsAfterFirst: (state.bookingsAfterFirst ?? 0) + 1 } : state;
  return limitReached({ ...run, state: counted }, upcoming);
};

const appointmentAt = (appointments: Appointment[], requested: { slotId?: string; start?: Date }): Appointment | undefined =>
  appointments.find(({ slot = [], start = "" }) =>
    requested.slotId === undefined
      ? requested.start !== undefined && Date.parse(start) === requested.start.getTime()
      : slot.some(({ reference }) => referencedId(reference, "Slot") === requested.slotId),
  );

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
    : { patient: `Patient/${patientId}` };
  const found = await ehr.search<Appointment>("Appointment", params, { signal });
  return found.find(
    (one) => one.resourceType === "Appointment" && executionKeyIn(one) === run.executionKey && isForPatient(one, patientId) && !isVoid(one),
  );
}

const isAt = (one: Appointment, start: string | undefined): boolean =>
  start === undefined || Date.parse(one.start ?? "") === Date.parse(start);

type RequestedSlot = { slotId?: string; start?: Date } | Undecided | Unclear;

/** Among the offers of this call; else a free slot at the requested time, if only one practitioner has one. */
async function requestedSlot(run: Run, slotSource: SlotSource, request: Choice & { isUsualDoctor: boolean }): Promise<RequestedSlot> {
  const { timeZone } = run;
  const offers = await readOffers(run);
  const offer = offers && resolveChoice(offers, request, run);
  if (offer && "choose" in offer) return offer;
  if (offer) return { slotId: offer.slotId, ...(offer.start ? { start: new Date(offer.start) } : {}) };
  if (request.slotId && !offers) return { slotId: referencedId(request.slotId, "Slot") ?? request.slotId };
  const readings = interpretTime(run, request) ?? [];
  const [reading] = readings;
  const start = reading && readings.length === 1 ? exactStart(reading, timeZone) : undefined;
  if (!start) return { unclear: readings.length > 1 ? readings : [] };
  if (!isWithinTwoYears(run, start)) return { unclear: [], isTooFar: true };
  const { practitioner, gender, usual, service, location, isAnyDoctor, isUsualDoctor } = request;
  const window = { from: start, until: new Date(start.getTime() + minuteMs) };
  const { slots: open } = await slotSource.search(run, { practitioner, gender, usual, service, location }, window, {
    isWanted: (slot) => Date.parse(slot.start) === start.getTime() && !isOnHoliday(run, start),
    isEnough: () => false,
  });
  const [first] = open;
  const isOnePersons = new Set(open.map((slot) => slot.practitioner)).size <= 1;
  // "Doctor Lee" may be Doctor Leeson, who is free when Doctor Lee is not.
  const isSure =
    isOnePersons &&
    (!isUsualDoctor || usual !== undefined) &&
    (practitioner === undefined || !first || isWholeName(first.practitioner, practitioner));
  if (!isSure && !isAnyDoctor) return { choose: open.slice(0, maxSpoken) };
  return { start, ...(first ? { slotId: first.slotId } : {}) };
}
