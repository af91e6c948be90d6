import { AppError, isAppError, notFound } from "@vitaline/core";
import type { Appointment, AppointmentParticipant, Reference } from "fhir/r4.js";
import { patientIdOf, referencedId } from "../patient/chart.ts";
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
  failingAsUnknownOutcome,
  requireSinglePatient,
  summarize,
  summarizeMoved,
} from "./appointments-of-caller.ts";
import { isUpcoming, markMoved, movedByRequest, readOwnAppointment, withoutIdentifiers } from "../scheduling/appointments.ts";
import { alreadyBookedResult, chooseResult, interpreterTask, limitResult, offerAlternatives, visitRequestTask } from "./book.ts";
import { askForTime, type VisitToMove } from "./find.ts";
import { slotSourceOf } from "../scheduling/offers.ts";
import { doctorKey, serviceName } from "../scheduling/matching.ts";
import { withActorNames } from "../scheduling/schedules.ts";
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
  const moved = namesDoctorOrService(input) ? undefined : await visitOf(run, old);
  const next = await bookSlot(run, input, { action: "reschedule", appointmentId: old.id ?? "" }, moved);
  if ("existing" in next) return alreadyBookedResult(run, next, "reschedule");
  if ("limit" in next) return limitResult(run, next);
  if ("choose" in next) return chooseResult(run, next, "reschedule");
  if ("unclear" in next) return askForTime(next.unclear, "reschedule", next.isTooFar);
  if ("taken" in next) {
    const service = moved && (moved.service ?? (await serviceOfSlot(run, old)));
    return offerAlternatives(run, input, next, "reschedule", moved && { ...moved, ...(service !== undefined && { service }) });
  }
  return replaceAppointment(run, old, next.made);
}

const namesDoctorOrService = ({ practitioner, gender, service, wantsUsualDoctor, acceptsAnyDoctor }: Input): boolean =>
  [practitioner, gender, service].some((one) => one !== undefined) || wantsUsualDoctor || acceptsAnyDoctor;

/** Who sees the patient: not who referred them, declined or assists beside a primary performer. */
function doctorsIn({ participant }: Appointment): Reference[] {
  const isOfType = (type: string, { type: types = [] }: AppointmentParticipant) =>
    types.some(({ coding = [] }) => coding.some(({ code }) => code === type));
  const all = participant.filter(
    (one) => doctorKey(one.actor?.reference) !== undefined && one.status !== "declined" && !isOfType("REF", one),
  );
  const primary = all.filter((one) => isOfType("PPRF", one));
  return (primary.length > 0 ? primary : all).flatMap(({ actor }) => actor ?? []);
}

/** Many servers tell what a visit is for at the slot or its schedule alone. */
async function serviceOfSlot(run: Run, { slot = [] }: Appointment): Promise<string | undefined> {
  const [slotId] = slot.flatMap(({ reference }) => referencedId(reference, "Slot") ?? []);
  if (slotId === undefined) return undefined;
  const slotSource = slotSourceOf(await run.ehr.behavior({ signal: run.signal }));
  const described = await slotSource.describeSlot(run, slotId).catch(() => undefined);
  return described?.service;
}

async function visitOf(run: Run, appointment: Appointment): Promise<VisitToMove> {
  const [named = appointment] = await withActorNames(run, [appointment]);
  const actors = doctorsIn(named);
  const service = serviceName(appointment.serviceType) ?? (actors.length > 0 ? undefined : await serviceOfSlot(run, appointment));
  return {
    id: appointment.id,
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
  const about = await failingAsUnknownOutcome(async () => ({
    patientId: patientIdOf(run),
    detail: { action: "reschedule", ...createdDetail(run, next) },
    ...(next.status === "booked"
      ? await interpreterTask(run, next, "reschedule")
      : { task: await visitRequestTask(run, next, "reschedule") }),
  }));
  // The old time stays until the clinic confirms the new one.
  if (next.status !== "booked" && old.status === "booked")
    return failingAsUnknownOutcome(async () => ({
      ...about,
      output: { result: "requested", appointment: await summarizeMoved(run, next, old), stays: await summarize(run, old) },
    }));
  try {
    const isMarked = (await run.ehr.behavior({ signal: run.signal })).keepsIdentifiers;
    const { version, byUs } = await cancelAppointment(run, old, (before) => (isMarked ? markMoved(before, run.executionKey) : before));
    // Cancelled by someone else, who may have booked another time.
    if (!byUs && (isMarked ? movedByRequest(version) !== run.executionKey : !isRecovery)) throw changedConcurrently();
    return {
      ...about,
      output: { result: "rescheduled", appointment: await summarizeMoved(run, next, old), replaced: await summarize(run, version) },
      detail: { ...about.detail, ...confirmedDetail(next.status === "booked"), ...cancelledDetail(version) },
    };
  } catch (error) {
    if (isAppError(error, ...retryableCodes)) throw outcomeUnknown(error);
    const isChanged = isAppError(error, "ehr_conflict");
    if (!isChanged && (await readOwnAppointment(run, old.id ?? "").catch(() => undefined))?.status !== old.status)
      throw outcomeUnknown(error);
    // The old time stands, so the new one is cancelled; without our identifier, recovery does not take it for a booking.
    await cancelAppointment(run, next, withoutIdentifiers).catch((failure: unknown) => {
      throw outcomeUnknown(failure);
    });
    throw error;
  }
}
