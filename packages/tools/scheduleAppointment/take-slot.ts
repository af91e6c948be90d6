import { allDone, AppError, errorFields, isAppError } from "@vitaline/core";
import type { Appointment } from "fhir/r4.js";
import { patientOf } from "../patient/assert-own-patient.ts";
import type { Intent, Run } from "../sdk/run.ts";
import { idIn, requestOf, requestSystem } from "../sdk/references.ts";
import { canSearch, isFor, isUndone, keepsMarks, overlaps, upcoming } from "../scheduling/appointments.ts";
import type { Calendar } from "../scheduling/calendar.ts";
import { calendarFor } from "../scheduling/open-slots.ts";
import { countBooking, enough, giveUpKept, isUnmarked, keeperOf } from "../scheduling/booking-limits.ts";
import type { Input } from "./schema.ts";
import { dayFrom, instantIn, minutesFrom, requireSoon, startFrom } from "../speech/spoken-time.ts";

/** `near` is the time that was wanted, as far as it is known: others are offered near it. `byOther`: another call took it just now. */
export type Taken = { taken: true; near?: Date; slotId?: string; byOther?: true };
/** The patient has this very time already, or, where it `overlaps`, is elsewhere then. */
export type Held = { held: Appointment; overlaps?: true };
/** As many were made as may be. */
export type Enough = { enough: "call" | "patient" };
type Wish = Pick<Input, "slotId" | "start" | "date" | "time" | "practitioner" | "service">;

const minuteMs = 60_000;

/**
 * Books the wished time for the verified patient, once: what an earlier try of the same request has booked is found, not made again.
 * The time is locked for this request before it is looked at, in this EHR and for all tenants. Throws `ehr_unknown_outcome` with the
 * lock kept, and `in_progress` while the same request, delivered twice, is at it in another environment.
 */
export async function takeSlot(run: Run, wish: Wish, intent: Intent): Promise<Appointment | Taken | Held | Enough> {
  const { ehr, ctx } = run;
  const strategy = await ehr.strategy({ signal: run.signal });
  const calendar = calendarFor(strategy);
  const [mine, wished] = await allDone([upcoming(run), wishedSlot(run, calendar, wish)]);
  const own = mine.find((one) => requestOf(one) === run.requestKey);
  if (own) {
    run.intend(intent);
    return own;
  }
  const held = holder(mine, wished);
  if (held) return { held };
  const isNew = intent["action"] === "book";
  const full = isNew ? enough(run, mine) : undefined;
  if (full) return { enough: full };
  if (!wished.slotId) return { taken: true, ...(wished.near ? { near: wished.near } : {}) };
  const { slotId } = wished;
  const owner = run.requestKey;
  const taken = (near: Date | undefined): Taken => ({ taken: true, slotId, ...(near ? { near } : {}) });
  const lock = await ehr.lockSlot(slotId, owner, { after: run.triedBy, keptBy: keeperOf(run) });
  if (lock === "busy") throw new AppError("in_progress", "The same request is being worked on.");
  if (lock === "theirs") return { ...taken(wished.near), byOther: true };
  let near = wished.near;
  let counted: { giveBack(): Promise<void> } | undefined;
  const giveBack = async () => void (await allDone([ehr.releaseSlot(slotId, owner), counted?.giveBack()]));
  const traces = { ...intent, ...(keepsMarks(strategy) ? {} : { known: mine.map(({ id }) => id).join(" ") }) };
  try {
    const counting = isNew && isUnmarked(mine, strategy) ? countBooking(run).then((count) => (counted = count)) : undefined;
    const [free] = await allDone([calendar.look(run, slotId), counting]);
    near = free.start ?? near;
    const elsewhere = mine.find((one) => one.id !== intent["appointmentId"] && overlaps(one, { start: near, end: free.end }));
    if (elsewhere) {
      await giveBack();
      return { held: elsewhere, overlaps: true };
    }
    run.intend({ ...traces, ...(near ? { start: near.toISOString() } : {}) });
    const made = await free.take();
    await giveUpKept(run, slotId).catch((error: unknown) => ctx.log("warn", "tool.slot_kept", errorFields(error)));
    return made;
  } catch (error) {
    const unknown = isAppError(error, "ehr_unknown_outcome");
    const made =
      unknown || (keepsMarks(strategy) && isAppError(error, "slot_taken", "ehr_conflict"))
        ? await findMade(run, { ...traces, ...(near ? { start: near.toISOString() } : {}) }).catch(() => undefined)
        : undefined;
    if (made) return made;
    if (unknown) throw error;
    await giveBack();
    if (isAppError(error, "slot_taken", "ehr_conflict", "ehr_not_found")) return taken(near);
    throw error;
  }
}

/** By its slot, or by its time where no slot is free then. */
const holder = (mine: Appointment[], { slotId, near }: { slotId?: string; near?: Date }): Appointment | undefined =>
  mine.find(({ slot = [], start = "" }) =>
    slotId === undefined
      ? near !== undefined && Date.parse(start) === near.getTime()
      : slot.some(({ reference }) => idIn(reference, "Slot") === slotId),
  );

/**
 * The appointment that this very request has made, now or earlier: by its mark; where none is kept, the one that the patient did not
 * have before, at the time that was taken.
 */
export async function findMade(run: Run, { known, start }: Intent): Promise<Appointment | undefined> {
  const { ehr, signal } = run;
  const patientId = patientOf(run);
  if (!keepsMarks(await ehr.strategy({ signal }))) {
    if (!(await canSearch(run))) throw new AppError("ehr_unknown_outcome", "The record system does not tell what was booked.");
    const before = known?.split(" ");
    return before && (await upcoming(run)).find((one) => !before.includes(one.id ?? "") && isAt(one, start));
  }
  const isSearched = (await ehr.capability({ signal })).searchParams("Appointment").includes("identifier");
  const params: Record<string, string> = isSearched
    ? { identifier: `${requestSystem}|${run.requestKey}` }
    : { patient: `Patient/${patientId}` };
  const found = await ehr.search<Appointment>("Appointment", params, { signal });
  return found.find(
    (one) => one.resourceType === "Appointment" && requestOf(one) === run.requestKey && isFor(one, patientId) && !isUndone(one),
  );
}

const isAt = (one: Appointment, start: string | undefined): boolean =>
  start === undefined || Date.parse(one.start ?? "") === Date.parse(start);

/** The slot by its id, or a free one that starts at the wished time. AppError `invalid_arguments` for a time that is none. */
async function wishedSlot(run: Run, calendar: Calendar, wish: Wish): Promise<{ slotId?: string; near?: Date }> {
  if (wish.slotId) return { slotId: idIn(wish.slotId, "Slot") ?? wish.slotId };
  const start = wishedStart(run, wish);
  if (!start) throw new AppError("invalid_arguments", "The time is not understood.", { fields: { appointmentTime: "with day and hour" } });
  requireSoon(run, start, "appointmentTime");
  const { practitioner, service } = wish;
  const window = { from: start, until: new Date(start.getTime() + minuteMs) };
  const { open } = await calendar.offers(run, { practitioner, service }, window, {
    isWanted: (offer) => Date.parse(offer.start) === start.getTime(),
    isEnough: (offers) => offers.length > 0,
  });
  const [free] = open;
  return { near: start, ...(free ? { slotId: free.slotId } : {}) };
}

function wishedStart({ ctx, timeZone }: Run, { start, date, time }: Wish): Date | undefined {
  if (start) return startFrom(start, timeZone);
  const day = date && dayFrom(date, timeZone, ctx.clock());
  const minutes = time === undefined ? undefined : minutesFrom(time);
  return day && minutes !== undefined ? instantIn(timeZone, day, minutes) : undefined;
}
