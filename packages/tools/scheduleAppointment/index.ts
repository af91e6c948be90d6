import { isAppError } from "@vitaline/core";
import { defineTool } from "../sdk/define-tool.ts";
import type { Intent, Ran, Run } from "../sdk/run.ts";
import { actorScopes } from "../scheduling/actors.ts";
import { chosen, isAppointment, list } from "./visits.ts";
import { isUpcoming, readOwn } from "../scheduling/appointments.ts";
import { book, booked } from "./book.ts";
import { cancel, recoverCancel } from "./cancel.ts";
import { find } from "./find.ts";
import { Input, Output } from "./schema.ts";
import { recoverReschedule, reschedule } from "./reschedule.ts";
import { speak } from "./speak.ts";
import { findMade } from "./take-slot.ts";

const changing = new Set<Input["action"]>(["book", "reschedule", "cancel"]);

export const scheduleAppointment = defineTool({
  name: "scheduleAppointment",
  description: [
    "Find open appointment times, or book, list, reschedule or cancel the verified caller's appointments. action:",
    "find (default; optional date, timeOfDay morning/afternoon/evening, practitioner, service),",
    "book (slotId of an offered time, or start, or date and time), list,",
    "reschedule (the new time as for book; appointmentId or appointmentDate of the old one),",
    "cancel (appointmentId or appointmentDate).",
    "Everything but find needs verifyPatientIdentity first. Offer the caller the times that find returns, and book only the one they choose.",
  ].join(" "),
  input: Input,
  output: Output,
  effect: ({ action }) => (changing.has(action) ? "write" : "read"),
  // A slot's lock is the claim of whoever books it; a cancellation has none.
  claim: ({ action }) => (action === "cancel" ? "request" : "own"),
  level: ({ action }) => (action === "find" ? 0 : 1),
  levelAtMost: 1,
  patientRecord: ({ action }) => action !== "find",
  scopes: ["system/Patient.rs", "system/Slot.rs", "system/Schedule.rs", "system/Appointment.crus"],
  optionalScopes: actorScopes,
  requests: requestsOf,
  annotations: { title: "Schedule appointments", readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  async run(run, input) {
    switch (input.action) {
      case "find":
        return find(run, input);
      case "list":
        return list(run);
      case "book":
        return book(run, input);
      case "reschedule":
        return reschedule(run, input);
      case "cancel":
        return cancel(run, input);
    }
  },
  recover,
  stands,
  speak,
});

/**
 * Of a server that books by slot and replaces appointments; others are asked by Appointment/$find and $book, or
 * change by a patch. What holds the times that are free is looked for by practitioner, and before a booking by slot too. Where a server
 * does not bring a schedule's actors along, its practitioners are one search more.
 */
function requestsOf({ action, slotId, appointmentId }: Input): string[] {
  const finding = ["search Schedule", "search Slot", "search Appointment"];
  const choosing = [appointmentId ? "read Appointment" : "search Appointment"];
  const taking = [
    "search Appointment",
    ...(slotId ? [] : finding),
    "read Slot",
    "search Schedule",
    "search Appointment",
    "search Appointment",
    "create Appointment",
  ];
  switch (action) {
    case "find":
      return finding;
    case "list":
      return ["read Patient", "search Appointment"];
    case "book":
      return ["read Patient", ...taking];
    case "cancel":
      return ["read Patient", ...choosing, "update Appointment"];
    case "reschedule":
      return ["read Patient", ...choosing, ...taking, "update Appointment"];
  }
}

/** Without the id of an appointment, one that could be meant by now was made since: then it is another wish. */
async function stands(run: Run, input: Input, output: Output): Promise<boolean> {
  if (output.result === "booked" || output.result === "requested" || output.result === "rescheduled") {
    // Where nobody can look, what was said holds.
    if (!(await run.ehr.capability({ signal: run.signal })).supports("Appointment", "read")) return true;
    return readOwn(run, output.appointment.appointmentId).then(isUpcoming, (error: unknown) => {
      if (isAppError(error, "not_found")) return false;
      throw error;
    });
  }
  if (output.result !== "cancelled") return false;
  if (input.appointmentId) return (await readOwn(run, input.appointmentId)).status === "cancelled";
  const meant = await chosen(run, "cancel", { ...input, appointmentDate: input.appointmentDate ?? input.date });
  return !isAppointment(meant);
}

async function recover(run: Run, intent: Intent): Promise<Ran<Output> | undefined> {
  if (intent["action"] === "cancel") return recoverCancel(run, intent);
  if (intent["action"] === "reschedule") return recoverReschedule(run, intent);
  const made = await findMade(run, intent);
  return made && booked(run, made);
}
