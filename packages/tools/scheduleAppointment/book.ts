import type { Appointment } from "fhir/r4.js";
import { patientOf, type Ran, type Run } from "../define-tool.ts";
import { requireAppointments, visitOf } from "./appointments.ts";
import { openSlots, spread } from "./find.ts";
import type { Input } from "./input.ts";
import type { OpenSlot, Output } from "./output.ts";
import { takeSlot, type Held, type Taken } from "./take-slot.ts";

export const book = async (run: Run, input: Input): Promise<Ran<Output>> => {
  await requireAppointments(run, "create");
  const outcome = await takeSlot(run, input, { action: "book" });
  if ("held" in outcome) return already(run, outcome, "book");
  return "taken" in outcome ? offerOthers(run, input, outcome, "book") : booked(run, outcome);
};

/** Only what the EHR itself calls booked is an appointment made. */
export const booked = (run: Run, appointment: Appointment): Ran<Output> =>
  appointment.status === "booked"
    ? {
        output: { result: "booked", appointment: visitOf(appointment) },
        patientId: patientOf(run),
        detail: { action: "book", booked: true },
      }
    : { output: { result: "requested", appointment: visitOf(appointment) }, patientId: patientOf(run), detail: { action: "book" } };

/** Nothing is made of it, and nothing counted a second time. */
export const already = (run: Run, { held }: Held, action: "book" | "reschedule"): Ran<Output> => ({
  output: { result: "already", appointment: visitOf(held) },
  code: "duplicate",
  patientId: patientOf(run),
  detail: { action },
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
