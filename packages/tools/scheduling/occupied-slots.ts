import { isAppError, awaitAllThenThrow } from "@vitaline/core";
import type { SearchParams } from "@vitaline/fhir";
import type { ServerBehavior } from "@vitaline/fhir-providers";
import type { Appointment, Schedule, Slot } from "fhir/r4.js";
import type { Run } from "../sdk/run.ts";
import { referencedId } from "../sdk/references.ts";
import { actorReferences, isForPatient, isVoid, noteOwnVisits, overlaps, spanOf } from "./appointments.ts";
import type { OpenSlot } from "./slot-source.ts";

export type Candidate = { offer: OpenSlot; startMs: number; endMs: number; schedule: Schedule | undefined };

/** Earlier visits are over. */
const maxVisitMs = 4 * 3_600_000;

const maxAppointments = 400;

const practitionersOf = (schedule: Schedule | undefined): string[] =>
  (schedule?.actor ?? []).flatMap(({ reference }) => referencedId(reference, "Practitioner") ?? []);

const verifiedPatientId = ({ state, providerId }: Run): string | undefined =>
  state?.providerId === providerId ? state?.patientId : undefined;

/**
 * Drops candidates taken by an appointment, since many servers leave such slots free, and those at which the verified caller is busy. One
 * request if all have practitioners; `logAsRepeat` marks a repeated search.
 */
export async function withoutOccupied(
  run: Run,
  candidates: Candidate[],
  server: ServerBehavior,
  logAsRepeat: boolean,
): Promise<Candidate[]> {
  const searches = await occupancySearches(run, candidates, server);
  const isOfPractitioners = candidates.every(({ schedule }) => practitionersOf(schedule).length > 0);
  const found = await awaitAllThenThrow(
    (isOfPractitioners ? searches.slice(0, 1) : searches).map((params) => searchAppointments(run, params, logAsRepeat)),
  );
  const patient = verifiedPatientId(run);
  if (patient !== undefined)
    noteOwnVisits(
      run,
      found.flat().filter((visit) => isForPatient(visit, patient)),
    );
  const visits = found.flat().map((visit) => ({ ...occupancyOf(visit), isOwn: patient !== undefined && isForPatient(visit, patient) }));
  return candidates.filter((one) => !visits.some((visit) => occupies(visit, one) || (visit.isOwn && overlaps(visit, one))));
}

/** At most two requests. */
export async function isOccupied(
  run: Run,
  slot: Slot & { id: string },
  schedule: Schedule | undefined,
  server: ServerBehavior,
): Promise<boolean> {
  const offer = { slotId: slot.id, start: slot.start, end: slot.end };
  const candidate = { offer, startMs: Date.parse(slot.start), endMs: Date.parse(slot.end), schedule };
  const found = await awaitAllThenThrow(
    (await occupancySearches(run, [candidate], server)).map((params) => searchAppointments(run, params)),
  );
  return found.flat().some((appointment) => occupies(occupancyOf(appointment), candidate));
}

/** Searches by practitioner and by slot. None if slots are computed from appointments, or cannot be searched. */
async function occupancySearches(run: Run, candidates: Candidate[], { slotsReflectAppointments }: ServerBehavior): Promise<SearchParams[]> {
  const { ehr, signal } = run;
  const { supports, searchParams } = await ehr.capability({ signal });
  if (slotsReflectAppointments || candidates.length === 0 || !supports("Appointment", "search-type")) return [];
  const params = searchParams("Appointment");
  const startMs = Math.min(...candidates.map((one) => one.startMs)) - maxVisitMs;
  const endMs = Math.max(...candidates.map((one) => one.endMs));
  const date = [`ge${new Date(startMs).toISOString()}`, `lt${new Date(endMs).toISOString()}`];
  const practitioners = [...new Set(candidates.flatMap(({ schedule }) => practitionersOf(schedule)))];
  const patient = verifiedPatientId(run);
  const isByActor = params.includes("actor") && params.includes("date") && practitioners.length > 0;
  // Before R4 there is no slot search: results of the same time are filtered here.
  const bySlot = { slot: candidates.map(({ offer }) => `Slot/${offer.slotId}`).join(","), ...(ehr.fhirVersion === "R4" ? {} : { date }) };
  return [
    ...(isByActor
      ? [
          {
            actor: [...practitioners.map((id) => `Practitioner/${id}`), ...(patient ? [`Patient/${patient}`] : [])].join(","),
            date,
            _count: String(maxAppointments),
          },
        ]
      : []),
    ...(params.includes("slot") ? [bySlot] : []),
  ];
}

/** A refused search means that the server manages free slots itself. */
const searchAppointments = async ({ ehr, signal }: Run, params: SearchParams, logAsRepeat = false): Promise<Appointment[]> => {
  const found = await ehr
    .search<Appointment>("Appointment", params, { signal, maxResources: maxAppointments, ...(logAsRepeat ? { logAsRepeat } : {}) })
    .catch((error: unknown) => {
      if (isAppError(error, "ehr_forbidden", "ehr_unsupported", "ehr_invalid")) return [];
      throw error;
    });
  return found.filter((one) => one.resourceType === "Appointment" && !isVoid(one) && one.status !== "waitlist");
};

type Occupancy = { slotIds: (string | undefined)[]; practitioners: (string | undefined)[]; startMs: number; endMs: number };

const occupancyOf = (appointment: Appointment): Occupancy => ({
  slotIds: (appointment.slot ?? []).map(({ reference }) => referencedId(reference, "Slot")),
  practitioners: actorReferences(appointment).map((reference) => referencedId(reference, "Practitioner")),
  ...spanOf(appointment),
});

/** By its slot, or by a busy practitioner. */
const occupies = (visit: Occupancy, candidate: Candidate): boolean =>
  visit.slotIds.includes(candidate.offer.slotId) ||
  (overlaps(visit, candidate) && practitionersOf(candidate.schedule).some((id) => visit.practitioners.includes(id)));
