import { allDone, isAppError } from "@vitaline/core";
import type { SearchParams } from "@vitaline/fhir";
import type { Strategy } from "@vitaline/fhir-providers";
import type { Appointment, Schedule, Slot } from "fhir/r4.js";
import type { Run } from "../sdk/run.ts";
import { idIn } from "../sdk/references.ts";
import { actorsOf, isFor, isUndone, overlaps } from "./appointments.ts";
import type { OpenSlot } from "./calendar.ts";

/** A time that a server calls free. */
export type Candidate = { offer: OpenSlot; startMs: number; endMs: number; schedule: Schedule | undefined };

/** A visit that began longer ago than this is over. */
const longestMs = 4 * 3_600_000;
const maxAppointments = 400;

const practitionersOf = (schedule: Schedule | undefined): string[] =>
  (schedule?.actor ?? []).flatMap(({ reference }) => idIn(reference, "Practitioner") ?? []);

/** The caller, where they are verified at this record system. */
const knownPatient = ({ state, providerId }: Run): string | undefined => (state?.providerId === providerId ? state?.patientId : undefined);

/**
 * The candidates that no appointment holds, as many servers leave a slot free when an appointment takes it, and at which a verified caller
 * has no visit. One request where all have practitioners; `further` marks it as one of several.
 */
export async function withoutHeld(run: Run, candidates: Candidate[], strategy: Strategy, further: boolean): Promise<Candidate[]> {
  const ways = await waysToAsk(run, candidates, strategy);
  const isOfPractitioners = candidates.every(({ schedule }) => practitionersOf(schedule).length > 0);
  const held = await allDone((isOfPractitioners ? ways.slice(0, 1) : ways).map((way) => search(run, way, further)));
  const patient = knownPatient(run);
  const isElsewhere = (visit: Appointment, { startMs, endMs }: Candidate) =>
    patient !== undefined && isFor(visit, patient) && overlaps(visit, { start: new Date(startMs), end: new Date(endMs) });
  return candidates.filter((one) => !held.flat().some((visit) => holds(visit, one) || isElsewhere(visit, one)));
}

/** Whether an appointment holds a slot that is about to be taken. Two requests at most. */
export async function isHeld(run: Run, slot: Slot & { id: string }, schedule: Schedule | undefined, strategy: Strategy): Promise<boolean> {
  const offer = { slotId: slot.id, start: slot.start, end: slot.end };
  const candidate = { offer, startMs: Date.parse(slot.start), endMs: Date.parse(slot.end), schedule };
  const found = await allDone((await waysToAsk(run, [candidate], strategy)).map((way) => search(run, way)));
  return found.flat().some((appointment) => holds(appointment, candidate));
}

/**
 * Searches for appointments at these times: of their practitioners, and by slot. None for a server that does not tell, or whose slots
 * are computed from its appointments.
 */
async function waysToAsk(run: Run, candidates: Candidate[], { slotRules }: Strategy): Promise<SearchParams[]> {
  const { ehr, signal } = run;
  const { supports, searchParams } = await ehr.capability({ signal });
  if (slotRules === "strict" || candidates.length === 0 || !supports("Appointment", "search-type")) return [];
  const params = searchParams("Appointment");
  const startMs = Math.min(...candidates.map((one) => one.startMs)) - longestMs;
  const endMs = Math.max(...candidates.map((one) => one.endMs));
  const date = [`ge${new Date(startMs).toISOString()}`, `lt${new Date(endMs).toISOString()}`];
  const practitioners = [...new Set(candidates.flatMap(({ schedule }) => practitionersOf(schedule)))];
  const patient = knownPatient(run);
  const isByActor = params.includes("actor") && params.includes("date") && practitioners.length > 0;
  // Before R4 there is no search by slot: they are sorted out of what there is at that time.
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

/** A search that the server refuses tells nothing: it has to know itself what is free. */
const search = async ({ ehr, signal }: Run, params: SearchParams, further = false): Promise<Appointment[]> => {
  const found = await ehr
    .search<Appointment>("Appointment", params, { signal, maxResources: maxAppointments, ...(further ? { further } : {}) })
    .catch((error: unknown) => {
      if (isAppError(error, "ehr_forbidden", "ehr_unsupported", "ehr_invalid")) return [];
      throw error;
    });
  return found.filter((one) => one.resourceType === "Appointment" && !isUndone(one) && one.status !== "waitlist");
};

/** By its slot, or because one of the same practitioners is busy then. */
function holds(appointment: Appointment, { offer, startMs, endMs, schedule }: Candidate): boolean {
  if ((appointment.slot ?? []).some(({ reference }) => idIn(reference, "Slot") === offer.slotId)) return true;
  const isThen = overlaps(appointment, { start: new Date(startMs), end: new Date(endMs) });
  const busy = actorsOf(appointment).map((reference) => idIn(reference, "Practitioner"));
  return isThen && practitionersOf(schedule).some((id) => busy.includes(id));
}
