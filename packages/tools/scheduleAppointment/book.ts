import { dayIn, errorFields } from "@vitaline/core";
import type { Appointment } from "fhir/r4.js";
import { isInScope } from "../patient/call-patient.ts";
import { patientIdOf, patientNameIn } from "../patient/chart.ts";
import { interpreterOnBooking } from "../patient/patient-language.ts";
import type { RunResult, Run } from "../sdk/run.ts";
import { createdDetail, assertServerBooks, failingAsUnknownOutcome, summarize } from "./appointments-of-caller.ts";
import type { OpenSlot, SlotCriteria, SlotSource } from "../scheduling/slot-source.ts";
import { findOpenSlots, nearestSlots, rememberOffers, slotSourceOf, spreadSlots } from "../scheduling/offers.ts";
import { isForGeneralVisit } from "../scheduling/matching.ts";
import { reserveForCall } from "../scheduling/appointments.ts";
import {
  type Alternative,
  alternativesTo,
  askForTime,
  closedDay,
  type VisitToMove,
  generalServicePreference,
  slotCriteriaOf,
  withInstead,
  withVisitToMove,
} from "./find.ts";
import type { Input, Instead, Output } from "./schema.ts";
import { instantIn } from "../nlu/calendar.ts";
import { type LimitReached, type AlreadyBooked, type SlotUnavailable, type Undecided, bookSlot } from "./book-slot.ts";

export const book = async (run: Run, input: Input): Promise<RunResult<Output>> => {
  await assertServerBooks(run);
  const outcome = await bookSlot(run, input, { action: "book" });
  if ("existing" in outcome) return alreadyBookedResult(run, outcome, "book");
  if ("limit" in outcome) return limitResult(run, outcome);
  if ("choose" in outcome) return chooseResult(run, outcome, "book");
  if ("unclear" in outcome) return askForTime(outcome.unclear, "book", outcome.isTooFar);
  return "taken" in outcome
    ? offerAlternatives(run, input, outcome, "book")
    : failingAsUnknownOutcome(() => bookedResult(run, outcome.made, outcome.reachedLimit));
};

export async function bookedResult(run: Run, appointment: Appointment, reachedLimit?: "call" | "patient"): Promise<RunResult<Output>> {
  const summary = await summarize(run, appointment);
  return appointment.status === "booked"
    ? {
        output: { result: "booked", appointment: summary, ...(reachedLimit ? { isLast: true as const } : {}) },
        patientId: patientIdOf(run),
        detail: { action: "book", booked: true, ...createdDetail(run, appointment) },
        ...(await interpreterTask(run, appointment, "book")),
      }
    : {
        output: { result: "requested", appointment: summary },
        patientId: patientIdOf(run),
        detail: { action: "book", ...createdDetail(run, appointment) },
        task: await visitRequestTask(run, appointment, "book"),
      };
}

export const visitRequestTask = async (
  run: Run,
  { id, start }: Appointment,
  action: "book" | "reschedule",
): Promise<RunResult<Output>["task"]> => ({
  kind: "visit_request",
  about: { action, ...(await patientNameIn(run)), ...(id ? { appointmentId: id } : {}), ...(start ? { start } : {}) },
});

/** At servers that take no comment with a booking. */
export async function interpreterTask(
  run: Run,
  { id, start }: Appointment,
  action: "book" | "reschedule",
): Promise<Pick<RunResult<Output>, "task">> {
  const { appointmentBody } = await run.ehr.behavior({ signal: run.signal });
  const interpreter = appointmentBody === "full" ? undefined : await interpreterOnBooking(run);
  if (!interpreter) return {};
  const about = { action, interpreter, ...(await patientNameIn(run)), ...(id ? { appointmentId: id } : {}), ...(start ? { start } : {}) };
  return { task: { kind: "interpreter", about } };
}

export const alreadyBookedResult = async (
  run: Run,
  { existing, overlaps }: AlreadyBooked,
  action: "book" | "reschedule",
): Promise<RunResult<Output>> => ({
  output: { result: "already", appointment: await summarize(run, existing), ...(overlaps ? { overlaps } : {}) },
  code: "duplicate",
  patientId: patientIdOf(run),
  detail: { action },
});

export const limitResult = (run: Run, { limit }: LimitReached): RunResult<Output> => ({
  output: { result: "enough", of: limit },
  code: "not_doable",
  patientId: patientIdOf(run),
  detail: { action: "book" },
});

export async function chooseResult(
  run: Run,
  { choose: slots, isBeyond }: Undecided,
  action: "book" | "reschedule",
): Promise<RunResult<Output>> {
  await rememberOffers(run, slots);
  return {
    output: { result: "choose", slots, ...(isBeyond ? { isBeyond } : {}) },
    code: "not_doable",
    patientId: patientIdOf(run),
    detail: { action },
  };
}

/** Enough to offer different times to concurrent callers. */
const minAlternatives = 12;

/** Offers times of the same day, provider and service. If another call took the slot, the first alternative is reserved for this call. */
export async function offerAlternatives(
  run: Run,
  input: Input,
  taken: SlotUnavailable,
  action: "book" | "reschedule",
  moved?: VisitToMove,
): Promise<RunResult<Output>> {
  const { slots, instead } = await findAlternatives(run, input, taken, moved).catch((error: unknown): Alternatives => {
    run.ctx.log("warn", "tool.no_alternatives", errorFields(error));
    return { slots: [] };
  });
  const { slotId, start } = taken;
  const takenSlot = slotId === undefined ? undefined : { slotId, start: start?.toISOString() ?? "", end: "" };
  await rememberOffers(run, slots, takenSlot);
  const day = taken.start && dayIn(run.timeZone, taken.start);
  const closedOn = day && closedDay(run, [{ from: day, until: day }]);
  const isNoOpening = taken.slotId === undefined;
  return {
    output: {
      result: "taken",
      slots,
      ...(isNoOpening ? { isNoOpening } : {}),
      ...(isNoOpening && closedOn ? { closedOn } : {}),
      ...withInstead(slots.length > 0 ? instead : undefined),
    },
    code: "slot_taken",
    patientId: patientIdOf(run),
    detail: { action },
  };
}

type Alternatives = { slots: OpenSlot[]; instead?: Instead | undefined };

async function findAlternatives(
  run: Run,
  input: Input,
  { start, chosenStart, slotId, lockedByOther }: SlotUnavailable,
  moved: VisitToMove | undefined,
): Promise<Alternatives> {
  const { timeZone } = run;
  const slotSource = slotSourceOf(await run.ehr.behavior({ signal: run.signal }));
  const takenSlot =
    slotId === undefined
      ? {}
      : await slotSource.describeSlot(run, slotId).catch(() => ({}) as Awaited<ReturnType<SlotSource["describeSlot"]>>);
  const near = chosenStart ?? start ?? takenSlot.start;
  const callerQuery = withVisitToMove(await slotCriteriaOf(run, input), moved);
  const hasCallerQuery = Object.values(callerQuery).some((one) => one !== undefined);
  const found = await firstFound(run, { near, slotId }, [
    ...(takenSlot.schedule === undefined ? [] : [{ query: { ...callerQuery, schedule: takenSlot.schedule } }]),
    ...(hasCallerQuery || takenSlot.service === undefined ? [] : [{ query: { service: takenSlot.service } }]),
    { query: callerQuery },
    ...(moved?.doctors ? withAnotherDoctor(callerQuery, moved) : alternativesTo(callerQuery, undefined)),
    ...withGeneralVisits(callerQuery, moved),
  ]);
  let { open } = moved && !isInScope(run.state?.actsFor, "clinical") ? { open: found.open.map(withoutDoctor) } : found;
  for (;;) {
    const chosen = near ? nearestSlots(open, timeZone, near) : spreadSlots(open, timeZone);
    const [first] = chosen;
    if (!first || !lockedByOther || (await reserveForCall(run, first))) return { slots: chosen, instead: found.instead };
    open = open.filter((one) => one !== first);
  }
}

/** The same doctor at another place, then other doctors. */
function withAnotherDoctor(query: SlotCriteria, { service }: VisitToMove): Alternative[] {
  const anyPlace = { query: { ...query, location: undefined }, instead: "location" as const };
  const others = { query: { service, location: query.location }, instead: "visitDoctor" as const };
  if (query.location === undefined) return [others];
  return [anyPlace, others, { ...others, query: { service } }];
}

/** A visit that a general practitioner sees, where no calendar has one of that name. */
function withGeneralVisits({ location }: SlotCriteria, moved: VisitToMove | undefined): Alternative[] {
  if (moved?.service === undefined || !isForGeneralVisit(moved.service)) return [];
  const told = withInstead(moved.doctors && "visitDoctor");
  return location === undefined
    ? [{ query: {}, ...told }]
    : [
        { query: { location }, ...told },
        { query: {}, ...told },
      ];
}

/** Doctor and place can tell a proxy without access to the record what the visit is for. */
const withoutDoctor = ({ slotId, start, end }: OpenSlot): OpenSlot => ({ slotId, start, end });

/** From the same schedule, else the same service, else any; finally with another doctor or at another place than the caller asked for. */
async function firstFound(
  run: Run,
  { near, slotId }: { near?: Date | undefined; slotId?: string | undefined },
  alternatives: Alternative[],
): Promise<{ open: OpenSlot[]; instead?: Instead | undefined }> {
  const { timeZone } = run;
  const notBefore = near && instantIn(timeZone, dayIn(timeZone, near), 0);
  for (const { query, instead } of alternatives) {
    const { slots: open } = await findOpenSlots(run, query, {
      notBefore,
      isPreferred: generalServicePreference(query),
      excludedSlotId: slotId,
      minCount: minAlternatives,
    });
    if (open.length > 0) return { open, instead };
  }
  return { open: [] };
}
