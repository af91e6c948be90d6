import { errorFields } from "@vitaline/core";
import { type CallStateRow, keys, update } from "@vitaline/store";
import type { Appointment } from "fhir/r4.js";
import { patientIdOf } from "../patient/own-patient.ts";
import type { Run, RunResult } from "../sdk/run.ts";
import { summarize } from "./appointments-of-caller.ts";
import type { Input, Output } from "./schema.ts";

type Named = Pick<Input, "appointmentId" | "appointmentDate">;

/**
 * The question whether this appointment is meant, unless the caller has named it or was asked before. Without a tool call id, a request
 * that is sent again cannot be told from a caller's yes, so there the appointment has to be named.
 */
export async function confirmFirst(
  run: Run,
  action: "reschedule" | "cancel",
  appointment: Appointment,
  { appointmentId, appointmentDate }: Named,
): Promise<RunResult<Output> | undefined> {
  const { ctx, call, state } = run;
  const { id = "" } = appointment;
  const asked = state?.askedAbout;
  const wasAsked = asked?.action === action && asked.appointmentId === id && asked.requestId !== ctx.requestId;
  if ((appointmentId ?? appointmentDate) !== undefined || (wasAsked && call.toolCallId)) return undefined;
  const askedAbout = { action, appointmentId: id, requestId: ctx.requestId };
  await ctx.store
    .writeUnaudited(
      update<CallStateRow>(keys.callState(call.callKey), { set: { askedAbout } }, { equals: { patientId: patientIdOf(run) } }),
    )
    .catch((error: unknown) => ctx.log("warn", "tool.question_not_kept", errorFields(error)));
  return {
    output: { result: "confirm", action, appointment: await summarize(run, appointment) },
    code: "confirmation_required",
    patientId: patientIdOf(run),
    detail: { action },
  };
}
