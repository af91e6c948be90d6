import { errorFields } from "@vitaline/core";
import type { Appointment } from "fhir/r4.js";
import { patientOf } from "../patient/assert-own-patient.ts";
import type { Ran, Run } from "../sdk/run.ts";
import { madeDetail, requireBooking, visitAt } from "./visits.ts";
import type { Calendar, OpenSlot, Whom } from "../scheduling/calendar.ts";
import { calendarFor, nearest, openSlots, spread } from "../scheduling/open-slots.ts";
import { keep } from "../scheduling/booking-limits.ts";
import type { Input, Output } from "./schema.ts";
import { dayIn, instantIn } from "../speech/spoken-time.ts";
import { type Enough, type Held, type Taken, takeSlot } from "./take-slot.ts";

export const book = async (run: Run, input: Input): Promise<Ran<Output>> => {
  await requireBooking(run);
  const outcome = await takeSlot(run, input, { action: "book" });
  if ("held" in outcome) return already(run, outcome, "book");
  if ("enough" in outcome) return noMore(run, outcome);
  return "taken" in outcome ? offerOthers(run, input, outcome, "book") : booked(run, outcome);
};

/** Only what the EHR itself calls booked is an appointment made. */
export async function booked(run: Run, appointment: Appointment): Promise<Ran<Output>> {
  const visit = await visitAt(run, appointment);
  return appointment.status === "booked"
    ? {
        output: { result: "booked", appointment: visit },
        patientId: patientOf(run),
        detail: { action: "book", booked: true, ...madeDetail(appointment) },
      }
    : {
        output: { result: "requested", appointment: visit },
        patientId: patientOf(run),
        detail: { action: "book", ...madeDetail(appointment) },
        promise: visitRequest(appointment, "book"),
      };
}

/** The clinic has yet to confirm it. */
export const visitRequest = ({ id, start }: Appointment, action: "book" | "reschedule"): Ran<Output>["promise"] => ({
  kind: "visit_request",
  about: { action, ...(id ? { appointmentId: id } : {}), ...(start ? { start } : {}) },
});

/** Nothing is made of it, and nothing counted a second time. */
export const already = async (run: Run, { held, overlaps }: Held, action: "book" | "reschedule"): Promise<Ran<Output>> => ({
  output: { result: "already", appointment: await visitAt(run, held), ...(overlaps ? { overlaps } : {}) },
  code: "duplicate",
  patientId: patientOf(run),
  detail: { action },
});

export const noMore = (run: Run, { enough: of }: Enough): Ran<Output> => ({
  output: { result: "enough", of },
  code: "not_doable",
  patientId: patientOf(run),
  detail: { action: "book" },
});

/** So many who wanted one time at once are told of different ones. */
const fewestOthers = 12;

/**
 * A no with something to go on with: times of the same day, doctor and service. While others want the same, the first of them is kept
 * for this call, so that nobody is told no again and again.
 */
export async function offerOthers(run: Run, input: Input, taken: Taken, action: "book" | "reschedule"): Promise<Ran<Output>> {
  const slots = await keptOthers(run, input, taken).catch((error: unknown) => {
    run.ctx.log("warn", "tool.no_alternatives", errorFields(error));
    return [];
  });
  return { output: { result: "taken", slots }, code: "slot_taken", patientId: patientOf(run), detail: { action } };
}

async function keptOthers(run: Run, { practitioner, service }: Input, { near: wished, slotId, byOther }: Taken): Promise<OpenSlot[]> {
  const { timeZone } = run;
  const calendar = calendarFor(await run.ehr.strategy({ signal: run.signal }));
  const about = slotId === undefined ? {} : await calendar.about(run, slotId).catch(() => ({}) as Awaited<ReturnType<Calendar["about"]>>);
  const near = wished ?? about.start;
  const said = { practitioner, service };
  const isSaid = practitioner !== undefined || service !== undefined;
  let open = await firstFound(run, { near, slotId }, [
    ...(about.schedule === undefined ? [] : [{ ...said, schedule: about.schedule }]),
    ...(isSaid || about.service === undefined ? [] : [{ practitioner, service: about.service }]),
    said,
  ]);
  for (;;) {
    const chosen = near ? nearest(open, timeZone, near) : spread(open, timeZone);
    const [first] = chosen;
    if (!first || !byOther || (await keep(run, first))) return chosen;
    open = open.filter((one) => one !== first);
  }
}

/** As like the wished time as there is: of the schedule of the time that was taken, else of its service, else of any. */
async function firstFound(run: Run, { near, slotId }: Omit<Taken, "taken">, wishes: Whom[]): Promise<OpenSlot[]> {
  const { timeZone } = run;
  const notBefore = near && instantIn(timeZone, dayIn(timeZone, near), 0);
  for (const wish of wishes) {
    const { open } = await openSlots(run, { ...wish, timeOfDay: undefined }, { notBefore, without: slotId, fewest: fewestOthers });
    if (open.length > 0) return open;
  }
  return [];
}
