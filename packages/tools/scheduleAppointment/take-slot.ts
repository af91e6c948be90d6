import { AppError, errorFields, isAppError, settleAll } from "@vitaline/core";
import type { Appointment } from "fhir/r4.js";
import { patientIdOf } from "../patient/assert-own-patient.ts";
import type { Intent, Run } from "../sdk/run.ts";
import { referencedId, requestKeyIn, requestSystem } from "../sdk/references.ts";
import {
  canSearchAppointments,
  countBooking,
  isForPatient,
  isVoid,
  storesOurIdentifiers,
  limitReached,
  needsCount,
  overlaps,
  cancelCallReservation,
  reservationHolder,
  upcomingAppointments,
} from "../scheduling/appointments.ts";
import type { Calendar } from "../scheduling/calendar.ts";
import { calendarFor } from "../scheduling/open-slots.ts";
import type { Input } from "./schema.ts";
import { instantIn, requireWithinTwoYears, startFrom } from "../spoken/local-time.ts";
import { dayFrom, minutesFrom } from "../spoken/when/read-day.ts";

/** `near`: the requested time, to offer others near it. `byOther`: another call took it just now. */
export type SlotTaken = { taken: true; near?: Date; slotId?: string; byOther?: true };
/** The patient has this time, or an appointment that overlaps it. */
export type AlreadyBooked = { held: Appointment; overlaps?: true };
export type LimitReached = { enough: "call" | "patient" };
type SlotRequest = Pick<Input, "slotId" | "start" | "date" | "time" | "practitioner" | "service">;

const minuteMs = 60_000;

/**
 * Books the requested time once: a booking by an earlier attempt is found, not repeated. The slot is locked across all tenants before it
 * is checked. Throws `ehr_unknown_outcome` with the lock kept, and `in_progress` if the same request runs elsewhere.
 */
export async function takeSlot(
  run: Run,
  wish: SlotRequest,
  intent: Intent,
): Promise<Appointment | SlotTaken | AlreadyBooked | LimitReached> {
  const { ehr, ctx } = run;
  const strategy = await ehr.strategy({ signal: run.signal });
  const calendar = calendarFor(strategy);
  const [mine, wished] = await settleAll([upcomingAppointments(run), requestedSlot(run, calendar, wish)]);
  const own = mine.find((one) => requestKeyIn(one) === run.requestKey);
  if (own) {
    run.recordIntent(intent);
    return own;
  }
  const held = ownAppointmentAt(mine, wished);
  if (held) return { held };
  const isNew = intent["action"] === "book";
  const full = isNew ? limitReached(run, mine) : undefined;
  if (full) return { enough: full };
  if (!wished.slotId) return { taken: true, ...(wished.near ? { near: wished.near } : {}) };
  const { slotId } = wished;
  const owner = run.requestKey;
  const taken = (near: Date | undefined): SlotTaken => ({ taken: true, slotId, ...(near ? { near } : {}) });
  const lock = await ehr.lockSlot(slotId, owner, { after: run.previousRequestId, reservedBy: reservationHolder(run) });
  if (lock === "busy") throw new AppError("in_progress", "The same request is being worked on.");
  if (lock === "theirs") return { ...taken(wished.near), byOther: true };
  let near = wished.near;
  let counted: { release(): Promise<void> } | undefined;
  const release = async () => void (await settleAll([ehr.releaseSlotLock(slotId, owner), counted?.release()]));
  const traces = { ...intent, ...(storesOurIdentifiers(strategy) ? {} : { known: mine.map(({ id }) => id).join(" ") }) };
  try {
    const counting = isNew && needsCount(mine, strategy) ? countBooking(run).then((count) => (counted = count)) : undefined;
    const [free] = await settleAll([calendar.requireFree(run, slotId), counting]);
    near = free.start ?? near;
    const elsewhere = mine.find((one) => one.id !== intent["appointmentId"] && overlaps(one, { start: near, end: free.end }));
    if (elsewhere) {
      await release();
      return { held: elsewhere, overlaps: true };
    }
    run.recordIntent({ ...traces, ...(near ? { start: near.toISOString() } : {}) });
    const made = await free.take();
    await cancelCallReservation(run, slotId).catch((error: unknown) => ctx.log("warn", "tool.slot_kept", errorFields(error)));
    return made;
  } catch (error) {
    const unknown = isAppError(error, "ehr_unknown_outcome");
    const made =
      unknown || (storesOurIdentifiers(strategy) && isAppError(error, "slot_taken", "ehr_conflict"))
        ? await findBookedByRequest(run, { ...traces, ...(near ? { start: near.toISOString() } : {}) }).catch(() => undefined)
        : undefined;
    if (made) return made;
    if (unknown) throw error;
    await release();
    if (isAppError(error, "slot_taken", "ehr_conflict", "ehr_not_found")) return taken(near);
    throw error;
  }
}

const ownAppointmentAt = (mine: Appointment[], { slotId, near }: { slotId?: string; near?: Date }): Appointment | undefined =>
  mine.find(({ slot = [], start = "" }) =>
    slotId === undefined
      ? near !== undefined && Date.parse(start) === near.getTime()
      : slot.some(({ reference }) => referencedId(reference, "Slot") === slotId),
  );

/** By our identifier; at servers that drop it, the appointment at this time which the patient did not have before. */
export async function findBookedByRequest(run: Run, { known, start }: Intent): Promise<Appointment | undefined> {
  const { ehr, signal } = run;
  const patientId = patientIdOf(run);
  if (!storesOurIdentifiers(await ehr.strategy({ signal }))) {
    if (!(await canSearchAppointments(run))) throw new AppError("ehr_unknown_outcome", "The record system cannot search appointments.");
    const before = known?.split(" ");
    return before && (await upcomingAppointments(run)).find((one) => !before.includes(one.id ?? "") && isAt(one, start));
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

/** The slot id, or a free slot at the requested time. AppError `invalid_arguments` for an unreadable time. */
async function requestedSlot(run: Run, calendar: Calendar, wish: SlotRequest): Promise<{ slotId?: string; near?: Date }> {
  if (wish.slotId) return { slotId: referencedId(wish.slotId, "Slot") ?? wish.slotId };
  const start = requestedStart(run, wish);
  if (!start) throw new AppError("invalid_arguments", "The time is not understood.", { fields: { appointmentTime: "with day and hour" } });
  requireWithinTwoYears(run, start, "appointmentTime");
  const { practitioner, service } = wish;
  const window = { from: start, until: new Date(start.getTime() + minuteMs) };
  const { open } = await calendar.offers(run, { practitioner, service }, window, {
    isWanted: (offer) => Date.parse(offer.start) === start.getTime(),
    isEnough: (offers) => offers.length > 0,
  });
  const [free] = open;
  return { near: start, ...(free ? { slotId: free.slotId } : {}) };
}

function requestedStart({ ctx, timeZone }: Run, { start, date, time }: SlotRequest): Date | undefined {
  if (start) return startFrom(start, timeZone);
  const day = date && dayFrom(date, timeZone, ctx.clock());
  const minutes = time === undefined ? undefined : minutesFrom(time);
  return day && minutes !== undefined ? instantIn(timeZone, day, minutes) : undefined;
}
