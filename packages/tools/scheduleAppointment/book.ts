import type { Appointment } from "fhir/r4.js";
import { patientOf, type Ran, type Run } from "../define-tool.ts";
import { madeDetail, requireBooking, visitOf } from "./appointments.ts";
import { openSlots, spread } from "./find.ts";
import type { Input } from "./input.ts";
import type { OpenSlot, Output } from "./output.ts";
import { takeSlot, type Enough, type Held, type Taken } from "./take-slot.ts";

export const book = async (run: Run, input: Input): Promise<Ran<Output>> => {
  await requireBooking(run);
  const outcome = await takeSlot(run, input, { action: "book" });
  if ("held" in outcome) return already(run, outcome, "book");
  if ("enough" in outcome) return noMore(run, outcome);
  return "taken" in outcome ? offerOthers(run, input, outcome, "book") : booked(run, outcome);
};

/** Only what the EHR itself calls booked is an appointment made. */
export const booked = (run: Run, appointment: Appointment): Ran<Output> =>
  appointment.status === "booked"
    ? {
        output: { result: "booked", appointment: visitOf(appointment) },
        patientId: patientOf(run),
        detail: { action: "book", booked: true, ...madeDetail(appointment) },
      }
    : {
        output: { result: "requested", appointment: visitOf(appointment) },
        patientId: patientOf(run),
        detail: { action: "book", ...madeDetail(appointment) },
      };

/** Nothing is made of it, and nothing counted a second time. */
export const already = (run: Run, { held, overlaps }: Held, action: "book" | "reschedule"): Ran<Output> => ({
  output: { result: "already", appointment: visitOf(held), ...(overlaps ? { overlaps } : {}) },
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

/** A no with something to go on with. */
export async function offerOthers(
  run: Run,
  { practitioner, service }: Input,
  { near, slotId }: Taken,
  action: "book" | "reschedule",
): Promise<Ran<Output>> {
  const open: OpenSlot[] = await openSlots(run, { practitioner, service, timeOfDay: undefined }, near).catch(() => []);
  const slots = spread(
    open.filter((slot) => slot.slotId !== slotId),
    run.tenant.timeZone,
  );
  return { output: { result: "taken", slots }, code: "slot_taken", patientId: patientOf(run), detail: { action } };
}
