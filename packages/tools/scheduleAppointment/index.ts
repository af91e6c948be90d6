import { isAppError } from "@vitaline/core";
import { defineTool } from "../sdk/define-tool.ts";
import type { PlannedWrite, Run, RunResult } from "../sdk/run.ts";
import { saidPatientName } from "../proxy/speaker.ts";
import { practitionerAndLocationScopes } from "../scheduling/schedules.ts";
import { chooseAppointment, isAppointment, listAppointments } from "./appointments-of-caller.ts";
import { isUpcoming, readOwnAppointment } from "../scheduling/appointments.ts";
import { book, bookedResult } from "./book.ts";
import { cancel, recoverCancel } from "./cancel.ts";
import { examples, questions } from "./examples.ts";
import { find } from "./find.ts";
import { Input, Output } from "./schema.ts";
import { recoverReschedule, reschedule } from "./reschedule.ts";
import { speak } from "./speak.ts";
import { findBookedByRequest } from "./book-slot.ts";

const changing = new Set<Input["action"]>(["book", "reschedule", "cancel"]);

export const scheduleAppointment = defineTool({
  name: "scheduleAppointment",
  description: [
    "Find open appointment times, or book, list, reschedule or cancel the verified caller's appointments. action:",
    "find (default; optional date, timeOfDay morning/afternoon/evening, practitioner, service, location),",
    "book (slotId of an offered time, or start, or date and time), list,",
    "reschedule (the new time as for book; appointmentId or appointmentDate of the old one),",
    "cancel (appointmentId or appointmentDate). Asked to confirm one, call again with its appointmentId after a yes.",
    "Everything but find, and the usual doctor, needs verifyPatientIdentity first. Offer the caller the times that find returns, and book only the one they choose.",
  ].join(" "),
  input: Input,
  output: Output,
  effect: ({ action }) => (changing.has(action) ? "write" : "read"),
  // A booking claims its slot's lock; a cancellation has none.
  deduplication: ({ action }) => (action === "cancel" ? "requestRow" : "ownLock"),
  // The caller's usual doctor is known from their record.
  level: ({ action, wantsUsualDoctor }) => (action === "find" && !wantsUsualDoctor ? 0 : 1),
  maxLevel: 1,
  patientRecord: ({ action, wantsUsualDoctor }) => action !== "find" || wantsUsualDoctor,
  matter: "appointments",
  scopes: ["system/Patient.rs", "system/Slot.rs", "system/Schedule.rs", "system/Appointment.crus"],
  optionalScopes: practitionerAndLocationScopes,
  requests: requestsOf,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  async run(run, input) {
    return withPatientName(run, await act(run, input));
  },
  recover,
  isStillValid,
  speak,
  questions,
  examples,
});

function act(run: Run, input: Input): Promise<RunResult<Output>> {
  switch (input.action) {
    case "find":
      return find(run, input);
    case "list":
      return listAppointments(run);
    case "book":
      return book(run, input);
    case "reschedule":
      return reschedule(run, input);
    case "cancel":
      return cancel(run, input);
  }
}

const aboutTimes = new Set<Output["result"]>(["found", "taken", "choose", "ask", "whichService"]);

/** No further request: the run has read the chart. */
async function withPatientName(run: Run, ran: RunResult<Output>): Promise<RunResult<Output>> {
  const patient = aboutTimes.has(ran.output.result) ? undefined : await saidPatientName(run);
  return patient ? { ...ran, output: { ...ran.output, patient } as Output } : ran;
}

/**
 * For a server that books by slot and updates appointments; others use $find and $book, or a patch. Some need one more search for
 * practitioners.
 */
function requestsOf({ action, slotId, appointmentId, wantsUsualDoctor }: Input): string[] {
  // Past visits, where the chart names no general practitioner.
  const asking = wantsUsualDoctor ? ["search Appointment"] : [];
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
      return [...(wantsUsualDoctor ? ["read Patient"] : []), ...asking, ...finding];
    case "list":
      return ["read Patient", "search Appointment"];
    case "book":
      return ["read Patient", ...asking, ...taking];
    case "cancel":
      return ["read Patient", ...choosing, "update Appointment"];
    case "reschedule":
      return ["read Patient", ...choosing, ...asking, ...taking, "update Appointment"];
  }
}

/** Without an appointment id, a newer appointment that matches makes it a new request. */
async function isStillValid(run: Run, input: Input, output: Output): Promise<boolean> {
  if (output.result === "booked" || output.result === "requested" || output.result === "rescheduled") {
    // Cannot be checked, so the answer stands.
    if (!(await run.ehr.capability({ signal: run.signal })).supports("Appointment", "read")) return true;
    return readOwnAppointment(run, output.appointment.appointmentId).then(isUpcoming, (error: unknown) => {
      if (isAppError(error, "not_found")) return false;
      throw error;
    });
  }
  if (output.result !== "cancelled") return false;
  if (input.appointmentId) return (await readOwnAppointment(run, input.appointmentId)).status === "cancelled";
  const meant = await chooseAppointment(run, "cancel", { ...input, appointmentDate: input.appointmentDate ?? input.date });
  return !isAppointment(meant);
}

async function recover(run: Run, plannedWrite: PlannedWrite): Promise<RunResult<Output> | undefined> {
  const found = await lookUp(run, plannedWrite);
  return found && withPatientName(run, found);
}

async function lookUp(run: Run, plannedWrite: PlannedWrite): Promise<RunResult<Output> | undefined> {
  if (plannedWrite["action"] === "cancel") return recoverCancel(run, plannedWrite);
  if (plannedWrite["action"] === "reschedule") return recoverReschedule(run, plannedWrite);
  const made = await findBookedByRequest(run, plannedWrite);
  return made && bookedResult(run, made);
}
