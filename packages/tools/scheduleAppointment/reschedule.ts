import { AppError, isAppError, notFound } from "@vitaline/core";
import type { Appointment } from "fhir/r4.js";
import { patientIdOf } from "../patient/chart.ts";
import type { PlannedWrite, RunResult, Run } from "../sdk/run.ts";
import {
  confirmFirst,
  chooseAppointment,
  confirmedDetail,
  cancelledDetail,
  isAppointment,
  createdDetail,
  assertServerBooks,
  assertServerUpdates,
  requireSinglePatient,
  summarize,
} from "./appointments-of-caller.ts";
import { isUpcoming, markMoved, movedByRequest, readOwnAppointment, withoutIdentifiers } from "../scheduling/appointments.ts";
import { alreadyBookedResult, chooseResult, interpreterTask, limitResult, offerAlternatives, visitRequestTask } from "./book.ts";
import { askForTime, type MovedVisit } from "./find.ts";
import { doctorKey } from "../scheduling/matching.ts";
import { withActorNames } from "../scheduling/schedules.ts";
import { serviceName } from "../scheduling/matching.ts";
import { changedConcurrently, cancelAppointment } from "./cancel.ts";
import type { Input, Output } from "./schema.ts";
import { findBookedByRequest, bookSlot } from "./book-slot.ts";

/** Books the new time before cancelling the old one. */
export async function reschedule(run: Run, input: Input): Promise<RunResult<Output>> {
  await assertServerBooks(run);
  await assertServerUpdates(run);
  const old = await chooseAppointment(run, "reschedule", input);
  if (!isAppointment(old)) return old;
  // An earlier, lost attempt of this request has cancelled it.
  const done = movedByRequest(old) === run.executionKey ? await findBookedByRequest(run, {}) : undefined;
  if (done) return replaceAppointment(run, old, done);
  if (!isUpcoming(old)) throw notFound();
  requireSinglePatient(run, old);
  if (Date.parse(old.start ?? "") < run.ctx.clock().getTime()) throw new AppError("not_doable", "The appointment is over.");
  const question = await confirmFirst(run, "reschedule", old, input);
  if (question) return question;
  const moved = isAnyDoctorWanted(input) ? undefined : await visitOf(run, old);
  const next = await bookSlot(run, input, { action: "reschedule", appointmentId: old.id ?? "" }, moved);
  if ("existing" in next) return alreadyBookedResult(run, next, "reschedule");
  if ("limit" in next) return limitResult(run, next);
  if ("choose" in next) return chooseResult(run, next, "reschedule");
  if ("unclear" in next) return askForTime(next.unclear, "reschedule", next.isTooFar);
  if ("taken" in next) return offerAlternatives(run, input, next, "reschedule", moved);
  return replaceAppointment(run, old, next.made);
}

const isAnyDoctorWanted = ({ practitioner, gender, service, isUsualDoctor, isAnyDoctor }: Input): boolean =>
  [practitioner, gender, service].some((one) => one !== undefined) || isUsualDoctor || isAnyDoctor;

async function visitOf(run: Run, appointment: Appointment): Promise<MovedVisit> {
  const [named = appointment] = await withActorNames(run, [appointment]);
  const actors = named.participant.flatMap(({ actor }) => (actor && doctorKey(actor.reference) ? [actor] : []));
  const service = serviceName(appointment.serviceType);
  return {
    ...(actors.length > 0 && {
      doctors: {
        references: actors.flatMap(({ reference }) => doctorKey(reference) ?? []),
        names: actors.flatMap(({ display }) => display ?? []),
      },
    }),
    ...(service !== undefined && { service }),
  };
}

export async function recoverReschedule(run: Run, plannedWrite: PlannedWrite): Promise<RunResult<Output> | undefined> {
  const next = await findBookedByRequest(run, plannedWrite);
  return next && replaceAppointment(run, await readOwnAppointment(run, plannedWrite["appointmentId"] ?? ""), next, true);
}

const retryableCodes = ["ehr_unavailable", "ehr_timeout", "ehr_auth", "ehr_unknown_outcome"] as const;
const outcomeUnknown = (cause: unknown) =>
  new AppError("ehr_unknown_outcome", "The new time is booked, but the outcome of canceling the old one is not known.", { cause });

/** In a recovery, an earlier attempt may have cancelled the old one. */
async function replaceAppointment(run: Run, old: Appointment, next: Appointment, isRecovery = false): Promise<RunResult<Output>> {
  const about = {
    patientId: patientIdOf(run),
    detail: { action: "reschedule", ...createdDetail(run, next) },
    ...(next.status === "booked" ? await interpreterTask(run, next, "reschedule") : { task: visitRequestTask(next, "reschedule") }),
  };
  // The old time stays until the clinic confirms the new one.
  if (next.status !== "booked" && old.status === "booked")
    return { ...about, output: { result: "requested", appointment: await summarize(run, next), stays: await summarize(run, old) } };
  try {
    const isMarked = (await run.ehr.behavior({ signal: run.signal })).keepsIdentifiers;
    const { version, byUs } = await cancelAppointment(run, old, (before) => (isMarked ? markMoved(before, run.executionKey) : before));
    // Cancelled by someone else, who may have booked another time.
    if (!byUs && (isMarked ? movedByRequest(version) !== run.executionKey : !isRecovery)) throw changedConcurrently();
    return {
      ...about,
      output: { result: "rescheduled", appointment: await summarize(run, next), replaced: await summarize(run, version) },
      detail: { ...about.detail, ...confirmedDetail(next.status === "booked"), ...cancelledDetail(version) },
    };
  } catch (error) {
    if (isAppError(error, ...retryableCodes)) throw outcomeUnknown(error);
    // The old time stands, so the new one is cancelled; without our identifier, recovery does not take it for a booking.
    await cancelAppointment(run, next, withoutIdentifiers).catch((failure: unknown) => {
      throw outcomeUnknown(failure);
    });
    throw error;
  }
}
