import type { Appointment } from "fhir/r4.js";
import { patientIdOf } from "../patient/own-patient.ts";
import type { Run, RunResult } from "../sdk/run.ts";
import { summarize } from "./appointments-of-caller.ts";
import type { Input, Output } from "./schema.ts";

type Named = Pick<Input, "appointmentId" | "appointmentDate">;

/** The question whether this appointment is meant, unless the caller has named it by its id or its day. */
export async function confirmFirst(
  run: Run,
  action: "reschedule" | "cancel",
  appointment: Appointment,
  { appointmentId, appointmentDate }: Named,
): Promise<RunResult<Output> | undefined> {
  if ((appointmentId ?? appointmentDate) !== undefined) return undefined;
  return {
    output: { result: "confirm", action, appointment: await summarize(run, appointment) },
    code: "confirmation_required",
    patientId: patientIdOf(run),
    detail: { action },
  };
}
