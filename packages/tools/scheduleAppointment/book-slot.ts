import { AppError, errorFields, isAppError, settleAll } from "@vitaline/core";
import type { Appointment } from "fhir/r4.js";
import { patientIdOf } from "../patient/assert-own-patient.ts";
import type { Intent, Run } from "../sdk/run.ts";
import { referencedId, requestKeyIn, requestSystem } from "../sdk/references.ts";
import {
  cancelCallReservation,
  canSearchAppointments,
  countBooking,
  isForPatient,
  isVoid,
  limitReached,
  needsBookingCount,
  overlaps,
  reservationHolder,
  storesOurIdentifiers,
  upcomingAppointments,
} from "../scheduling/appointments.ts";
import type { Calendar, OpenSlot } from "../scheduling/calendar.ts";
import { type Choice, offerFor, readOffers } from "../scheduling/offered-slots.ts";
import { isWholeName } from "../scheduling/services.ts";
import { maxSpoken } from "../speech/speech-text.ts";
import { calendarFor } from "../scheduling/open-slots.ts";
import { requireWithinTwoYears } from "../spoken/local-time.ts";
import type { Reading } from "../spoken/when/draft/reading.ts";
import { exactStart, readRequest } from "../scheduling/requested-time.ts";

/** `start`: the requested time, to offer others near it. `lockedByOther`: another call took it just now. */
export type SlotTaken = { taken: true; start?: Date; slotId?: string; lockedByOther?: true };
/** The patient has this time, or an appointment that overlaps it. */
export type AlreadyBooked = { existing: Appointment; overlaps?: true };
export type LimitReached = { limit: "call" | "patient" };
/** The caller has to choose among these. */
export type Undecided = { choose: OpenSlot[] };
/** The time has several readings, or none. */
export type Unclear = { unclear: readonly Reading[] };

const minuteMs = 60_000;

/**
 * Books the requested time once: a booking by an earlier attempt is found, not repeated. The slot is locked across all tenants before it
 * is checked. Throws `ehr_unknown_outcome` with the lock kept, and `in_progress` if the same request runs elsewhere.
 */
export async function bookSlot(
  run: Run,
  request: Choice,
  intent: Intent,
): Promise<Appointment | SlotTaken | AlreadyBooked | LimitReached | Undecided | Unclear> {
  const { ehr, ctx } = run;
  const strategy = await ehr.strategy({ signal: run.signal });
  const calendar = calendarFor(strategy);
  const [patientAppointments, requested] = await settleAll([upcomingAppointments(run), requestedSlot(run, calendar, request)]);
  const alreadyBooked = patientAppointments.find((one) => requestKeyIn(one) === run.requestKey);
  if (alreadyBooked) {
    run.recordIntent(intent);
    return alreadyBooked;
  }
  if ("choose" in requested || "unclear" in requested) return requested;
  const existing = appointmentAt(patientAppointments, requested);
  if (existing) return { existing };
  const isNewBooking = intent["action"] === "book";
  const limit = isNewBooking ? limitReached(run, patientAppointments) : undefined;
  if (limit) return { limit };
  if (!requested.slotId) return { taken: true, ...(requested.start ? { start: requested.start } : {}) };
  const { slotId } = requested;
  const owner = run.requestKey;
  const taken = (start: Date | undefined): SlotTaken => ({ taken: true, slotId, ...(start ? { start } : {}) });
  const lock = await ehr.lockSlot(slotId, owner, { after: run.previousRequestId, reservedBy: reservationHolder(run) });
  if (lock === "busy") throw new AppError("in_progress", "The same request is being worked on.");
  if (lock === "theirs") return { ...taken(requested.start), lockedByOther: true };
  let start = requested.start;
  let countedBooking: { release(): Promise<void> } | undefined;
  const release = async () => void (await settleAll([ehr.releaseSlotLock(slotId, owner), countedBooking?.release()]));
  const recoveryIntent = {
    ...intent,
    ...(storesOurIdentifiers(strategy) ? {} : { known: patientAppointments.map(({ id }) => id).join(" ") }),
  };
  try {
    const counting =
      isNewBooking && needsBookingCount(patientAppointments, strategy)
        ? countBooking(run).then((count) => (countedBooking = count))
        : undefined;
    const [freeSlot] = await settleAll([calendar.requireFree(run, slotId), counting]);
    start = freeSlot.start ?? start;
    const overlapping = patientAppointments.find(
      (one) => one.id !== intent["appointmentId"] && overlaps(one, { start, end: freeSlot.end }),
    );
    if (overlapping) {
      await release();
      return { existing: overlapping, overlaps: true };
    }
    run.recordIntent({ ...recoveryIntent, ...(start ? { start: start.toISOString() } : {}) });
    const booked = await freeSlot.book();
    await cancelCallReservation(run, slotId).catch((error: unknown) => ctx.log("warn", "tool.slot_kept", errorFields(error)));
    return booked;
  } catch (error) {
    const isUnknownOutcome = isAppError(error, "ehr_unknown_outcome");
    const booked =
      isUnknownOutcome || (storesOurIdentifiers(strategy) && isAppError(error, "slot_taken", "ehr_conflict"))
        ? await findBookedByRequest(run, { ...recoveryIntent, ...(start ? { start: start.toISOString() } : {}) }).catch(() => undefined)
        : undefined;
    if (booked) return booked;
    if (isUnknownOutcome) throw error;
    await release();
    if (isAppError(error, "slot_taken", "ehr_conflict", "ehr_not_found")) return taken(start);
    throw error;
  }
}

const appointmentAt = (appointments: Appointment[], requested: { slotId?: string; start?: Date }): Appointment | undefined =>
  appointments.find(({ slot = [], start = "" }) =>
    requested.slotId === undefined
      ? requested.start !== undefined && Date.parse(start) === requested.start.getTime()
      : slot.some(({ reference }) => referencedId(reference, "Slot") === requested.slotId),
  );

/** By our identifier; at servers that drop it, the appointment at this time which the patient did not have before. */
export async function findBookedByRequest(run: Run, { known, start }: Intent): Promise<Appointment | undefined> {
  const { ehr, signal } = run;
  const patientId = patientIdOf(run);
  if (!storesOurIdentifiers(await ehr.strategy({ signal }))) {
    if (!(await canSearchAppointments(run))) throw new AppError("ehr_unknown_outcome", "The record system cannot search appointments.");
    const knownIds = known?.split(" ");
    return knownIds && (await upcomingAppointments(run)).find((one) => !knownIds.includes(one.id ?? "") && isAt(one, start));
  }
  const isSearched = (await ehr.capability({ signal })).searchParams("Appointment").includes("identifier");
  const params: Record<string, string> = isSearched
    ? { identifier: `${requestSystem}|${run.requestKey}` }
    : { patient: `Patient/${patientId}` };
  const found = await ehr.search<Appointment>("Appointment", params, { signal });
  return found.find(
    (one) => one.resourceType === "Appointment" && requestKeyIn(one) === run.requestKey && isForPatient(one, patientId) && !isVoid(one),
  );
}

const isAt = (one: Appointment, start: string | undefined): boolean =>
  start === undefined || Date.parse(one.start ?? "") === Date.parse(start);

type RequestedSlot = { slotId?: string; start?: Date } | Undecided | Unclear;

/** Among the offers of this call; else a free slot at the requested time, if only one practitioner has one. */
async function requestedSlot(run: Run, calendar: Calendar, request: Choice): Promise<RequestedSlot> {
  const { timeZone } = run;
  const offers = await readOffers(run);
  const offer = offers && offerFor(offers, request, run);
  if (offer && "choose" in offer) return offer;
  if (offer) return { slotId: offer.slotId, ...(offer.start ? { start: new Date(offer.start) } : {}) };
  if (request.slotId && !offers) return { slotId: referencedId(request.slotId, "Slot") ?? request.slotId };
  const readings = readRequest(run, request) ?? [];
  const [reading] = readings;
  const start = reading && readings.length === 1 ? exactStart(reading, timeZone) : undefined;
  if (!start) return { unclear: readings.length > 1 ? readings : [] };
  requireWithinTwoYears(run, start, "appointmentTime");
  const { practitioner, isAnyDoctor } = request;
  const window = { from: start, until: new Date(start.getTime() + minuteMs) };
  const { open } = await calendar.offers(run, { practitioner, service: request.service }, window, {
    isWanted: (slot) => Date.parse(slot.start) === start.getTime(),
    isEnough: () => false,
  });
  const [first] = open;
  const isOnePersons = new Set(open.map((slot) => slot.practitioner)).size <= 1;
  // "Doctor Lee" may be Doctor Leeson, who is free when Doctor Lee is not.
  const isSure = isOnePersons && (practitioner === undefined || !first || isWholeName(first.practitioner, practitioner));
  if (!isSure && !isAnyDoctor) return { choose: open.slice(0, maxSpoken) };
  return { start, ...(first ? { slotId: first.slotId } : {}) };
}
