import { AppError, dayMs, sha256In, errorFields, isAppError, notFound, awaitAllThenThrow } from "@vitaline/core";
import type { Appointment, Identifier } from "fhir/r4.js";
import { type CallStateRow, type Condition, keys, update } from "@vitaline/store";
import { isConfidential, patientIdOf, referencedId } from "../patient/chart.ts";
import { isInScope } from "../patient/call-patient.ts";
import { type Run, executionKeyIn, requestSystem } from "../sdk/run.ts";
import type { OpenSlot } from "./slot-source.ts";

export const canSearchAppointments = async ({ ehr, signal }: Run): Promise<boolean> =>
  (await ehr.capability({ signal })).supports("Appointment", "search-type");

const upcomingStates = new Set<Appointment["status"]>(["booked", "pending", "proposed"]);

export const isUpcoming = ({ status }: Appointment): boolean => upcomingStates.has(status);

const voidStates = new Set<Appointment["status"]>(["cancelled", "noshow", "entered-in-error"]);

export const isVoid = ({ status }: Appointment): boolean => voidStates.has(status);

/** A year of dialysis or daily therapy: a part of them would hide the next one. */
const maxAppointments = 400;

/** Confidential appointments do not exist for a proxy without access to the record. */
export const isShownTo = ({ state }: Pick<Run, "state">, appointment: Appointment): boolean =>
  isInScope(state?.actsFor, "clinical") || !isConfidential(appointment);

/** Some servers require an end date. */
const maxAheadMs = 3 * 366 * dayMs;

/** Marks an appointment that was moved, to tell it from a plain cancellation. */
const movedSystem = "urn:vitaline:tool-moved";

export const movedByRequest = ({ identifier = [] }: Appointment): string | undefined =>
  identifier.find(({ system }) => system === movedSystem)?.value;

export const markMoved = (appointment: Appointment, executionKey: string): Appointment => ({
  ...appointment,
  identifier: [
    ...(appointment.identifier ?? []).filter(({ system }) => system !== movedSystem),
    { system: movedSystem, value: executionKey },
  ],
});

/** Marks appointments of one call by a hash, to count them. */
const callSystem = "urn:vitaline:call";

/** FHIR allows no empty list. */
export const withoutIdentifiers = ({ identifier = [], ...appointment }: Appointment): Appointment => {
  const others = identifier.filter(({ system }) => system !== requestSystem && system !== callSystem);
  return others.length > 0 ? { ...appointment, identifier: others } : appointment;
};

/** Servers may leave out participants, also where R4 requires them. */
export const actorReferences = ({ participant }: Partial<Pick<Appointment, "participant">>): (string | undefined)[] =>
  (participant ?? []).map(({ actor }) => actor?.reference);

export const isForPatient = ({ participant }: Appointment, patientId: string): boolean =>
  participant.some(({ actor }) => referencedId(actor?.reference, "Patient") === patientId);

type Span = { startMs: number; endMs: number };

/** An appointment without an end has no length; one without a start overlaps nothing. */
export function spanOf({ start, end }: { start?: string | undefined; end?: string | undefined }): Span {
  const startMs = Date.parse(start ?? "");
  return { startMs, endMs: Date.parse(end ?? "") || startMs };
}

/** Adjacent ones do not overlap. */
export const overlaps = (one: Span, other: Span): boolean =>
  one.startMs === other.startMs || (one.startMs < other.endMs && other.startMs < one.endMs);

/** The patient's coming appointments, the next first; empty if the server has no search. */
export async function upcomingAppointments(run: Run): Promise<Appointment[]> {
  const now = run.ctx.clock();
  const patientId = patientIdOf(run);
  if (!(await canSearchAppointments(run))) return [];
  const until = new Date(now.getTime() + maxAheadMs);
  const found = await run.ehr.search<Appointment>(
    "Appointment",
    { patient: `Patient/${patientId}`, date: [`ge${now.toISOString()}`, `lt${until.toISOString()}`] },
    { signal: run.signal, maxResources: maxAppointments },
  );
  return found
    .filter(
      (one) =>
        one.resourceType === "Appointment" &&
        isUpcoming(one) &&
        isForPatient(one, patientId) &&
        Date.parse(one.start ?? "") >= now.getTime(),
    )
    .toSorted((a, b) => Date.parse(a.start ?? "") - Date.parse(b.start ?? ""));
}

/** Those that a search for times came upon. */
const ownVisits = new WeakMap<Pick<Run, "state">, Appointment[]>();

/** So that an answer about a time can tell the patient of their visit then. */
export const noteOwnVisits = (run: Pick<Run, "state">, visits: readonly Appointment[]): void =>
  void ownVisits.set(run, [...(ownVisits.get(run) ?? []), ...visits]);

/** Whether the search for times came upon a coming visit of the patient that begins then. */
export const hasOwnVisitAt = (run: Pick<Run, "state">, at: Date): boolean =>
  (ownVisits.get(run) ?? []).some((one) => isUpcoming(one) && isShownTo(run, one) && Date.parse(one.start ?? "") === at.getTime());

/** AppError `not_found` if it is missing or another patient's. */
export async function readOwnAppointment(run: Run, appointmentId: string): Promise<Appointment> {
  const appointment = await run.ehr
    .read<Appointment>("Appointment", appointmentId, { signal: run.signal })
    .catch(async (error: unknown) => {
      if (!isAppError(error, "ehr_not_found", "ehr_forbidden")) throw error;
      // Reports a closed chart as such.
      await run.chart();
      throw notFound();
    });
  if (!isForPatient(appointment, patientIdOf(run))) throw notFound();
  return appointment;
}

/** Appointments that one call may book for a patient; a parent may call for several children. */
const maxPerCall = 3;
/** Upcoming appointments of a patient that were booked by phone, where the server shows which were. */
const maxPerPatient = 5;

export const callIdentifier = ({ ctx, call }: Run): Identifier => ({
  system: callSystem,
  value: sha256In("appointment-call", ctx.tenantId, call.callKey).slice(0, 40),
});

export const reservationOwner = (run: Run): string => `call:${callIdentifier(run).value}`;

/** Holds an offered slot for this call in place of an earlier one. False if another call has it. */
export async function reserveForCall(run: Run, { slotId }: OpenSlot): Promise<boolean> {
  const { ctx, call } = run;
  if (!(await run.ehr.reserveSlot(slotId, reservationOwner(run)))) return false;
  await awaitAllThenThrow([
    ctx.store.writeUnaudited(update<CallStateRow>(keys.callState(call.callKey), { set: { reservedSlotId: slotId } }, { exists: true })),
    cancelCallReservation(run, slotId),
  ]);
  return true;
}

export async function cancelCallReservation(run: Run, except?: string): Promise<void> {
  const reserved = run.state?.reservedSlotId;
  if (reserved !== undefined && reserved !== except) await run.ehr.cancelSlotReservation(reserved, reservationOwner(run));
}

const isOfCall = (run: Run, { identifier = [] }: Appointment): boolean =>
  identifier.some(({ system, value }) => system === callSystem && value === callIdentifier(run).value);

type Limit = NonNullable<CallStateRow["bookingLimit"]>;

/** Keeps whether the limit is reached, so that a later search for times says so first. One write unit where it has changed. */
export async function noteLimit({ ctx, call, state }: Pick<Run, "ctx" | "call" | "state">, limit: Limit | undefined): Promise<void> {
  if (limit === state?.bookingLimit) return;
  const change = limit ? { set: { bookingLimit: limit } } : { remove: ["bookingLimit" as const] };
  await ctx.store
    .writeUnaudited(update<CallStateRow>(keys.callState(call.callKey), change, { equals: { patientId: state?.patientId ?? "" } }))
    .catch((error: unknown) => ctx.log("warn", "tool.limit_not_kept", errorFields(error)));
}

const countOf = ({ state }: Pick<Run, "state">) => `countedBookings_${state?.patientId ?? ""}` as const;

/** undefined below the limits. `justCounted`: by this run, since it has read the call's state. */
export function limitReached(run: Run, upcoming: readonly Appointment[], justCounted = 0): Limit | undefined {
  const countedInCall = (run.state?.[countOf(run)] ?? 0) + justCounted;
  const bookedInCall = Math.max(upcoming.filter((one) => isOfCall(run, one)).length, countedInCall);
  if (bookedInCall >= maxPerCall) return "call";
  return upcoming.filter((one) => executionKeyIn(one) !== undefined).length >= maxPerPatient ? "patient" : undefined;
}

/** Where appointments cannot be searched or keep no identifiers, a call's own bookings cannot be told from the patient's other visits. */
export async function mustCountInCallState(run: Run): Promise<boolean> {
  const { keepsIdentifiers } = await run.ehr.behavior({ signal: run.signal });
  return !keepsIdentifiers || !(await canSearchAppointments(run));
}

/** Counts one more booking before it is made; `release` undoes it. One write unit. AppError `in_progress` during another booking. */
export async function countBooking({
  ctx,
  call,
  state,
  executionKey,
}: Pick<Run, "ctx" | "call" | "state" | "executionKey">): Promise<{ release(): Promise<void> }> {
  const key = keys.callState(call.callKey);
  const count = countOf({ state });
  const counted = state?.[count];
  const asRead: Condition = { exists: true, ...(counted === undefined ? { absent: [count] } : { equals: { [count]: counted } }) };
  const counting = { add: { [count]: 1 }, set: { lastCountedExecutionKey: executionKey } };
  const isCounted =
    (await ctx.store.writeUnaudited(update<CallStateRow>(key, counting, asRead))) !== undefined ||
    // The client sends a write again when its answer was lost.
    (await ctx.store.get(key))?.lastCountedExecutionKey === executionKey;
  if (!isCounted) throw new AppError("in_progress", "Another appointment is being made in this call.");
  return {
    release: () =>
      ctx.store.writeUnaudited(update<CallStateRow>(key, { add: { [count]: -1 } }, { exists: true })).then(
        () => {},
        // A count that stays too high does no harm.
        (error: unknown) => ctx.log("warn", "tool.booking_kept", errorFields(error)),
      ),
  };
}
