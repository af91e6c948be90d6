import { AppError, isAppError } from "@vitaline/core";
import type { Appointment, FhirResource, Parameters, Reference } from "fhir/r4.js";
import { assertMadeForPatient, patientIdOf } from "../patient/chart.ts";
import { bookingNote } from "../patient/patient-language.ts";
import type { Run } from "../sdk/run.ts";
import { actorReferences, noteOwnVisits, overlaps, spanOf, reservationOwner, upcomingAppointments } from "./appointments.ts";
import type { SlotSource, FreeSlots, OpenSlot } from "./slot-source.ts";
import { matchesPlace } from "../nlu/who/read-place.ts";
import { isMeantDoctor, matchesService, serviceName } from "./matching.ts";
import { cacheActor, doctorAndPlace, isActor, withDisplay } from "./schedules.ts";

/**
 * The server proposes appointments and books one by its id; it keeps no identifier of ours. Source: Epic on FHIR, STU3 Appointment.$find
 * and Appointment.$book.
 */
export const findAndBook: SlotSource = {
  canReadSlot: false,
  async search(run, query, { from, until }, { isWanted, isPreferred = () => true, isEnough }) {
    requirePatient(run);
    const visits = await upcomingAppointments(run).catch((error: unknown) => {
      if (isAppError(error, "ehr_forbidden", "ehr_unsupported", "ehr_invalid")) return [];
      throw error;
    });
    noteOwnVisits(run, visits);
    const owner = reservationOwner(run);
    const visitSpans = visits.map(spanOf);
    const isFree = (offer: OpenSlot) => !visitSpans.some((visit) => overlaps(visit, spanOf(offer)));
    const isMeant = ({ offer, references }: Proposal) =>
      isMeantDoctor(query, { names: [offer.practitioner], genders: offer.gender ? [offer.gender] : [], references }) &&
      matchesService([offer.service], query.service) &&
      matchesPlace([offer.location, offer.city], query.location) &&
      isWanted(offer) &&
      isFree(offer) &&
      !run.ehr.isReservedByOther(offer.slotId, owner);
    const all: OpenSlot[] = [];
    const seen: Proposal[] = [];
    proposalsOf.set(run, seen);
    const offers = () => {
      const preferred = all.filter(isPreferred);
      return preferred.length > 0 ? preferred : all;
    };
    let next = from;
    for (let round = 0; round < maxRounds && next < until && !isEnough(all.filter(isPreferred)); round++) {
      const proposed = (await propose(run, next, until)).filter(({ offer }) => Date.parse(offer.start) >= next.getTime());
      seen.push(...proposed);
      all.push(...proposed.filter(isMeant).map(({ offer }) => offer));
      const latest = Math.max(0, ...proposed.map(({ offer }) => Date.parse(offer.start)));
      next = latest === 0 ? until : new Date(latest + 1);
    }
    const open = offers().toSorted((a, b) => Date.parse(a.start) - Date.parse(b.start));
    return { slots: open, ...(next < until ? { searchedUntil: next } : {}) } satisfies FreeSlots;
  },
  async unmatched(run, { gender, location }) {
    const offers = (proposalsOf.get(run) ?? []).map(({ offer }) => offer);
    if (offers.length === 0) return undefined;
    if (!offers.some((offer) => matchesPlace([offer.location, offer.city], location)))
      return { term: "location", places: [...new Set(offers.flatMap((offer) => offer.location ?? offer.city ?? []))] };
    return gender !== undefined && offers.every((offer) => offer.gender === undefined) ? { term: "gender" } : undefined;
  },
  describeSlot: async () => ({}),
  prepareBooking: async (run, slotId) => ({
    async book() {
      const note = await bookingNote(run);
      const made = await run.ehr.schedulingClient.operation<FhirResource>(
        "Appointment",
        "book",
        parameters(
          { name: "patient", valueReference: { reference: `Patient/${patientIdOf(run)}` } },
          { name: "appointment", valueReference: { reference: `Appointment/${slotId}` } },
          ...(note ? [{ name: "appointmentNote", valueString: note }] : []),
        ),
        { signal: run.writeSignal(), effect: "write" },
      );
      const appointment = made.find((one) => one.resourceType === "Appointment");
      if (!appointment) throw new AppError("ehr_unknown_outcome", "The answer to the booking contains no appointment.");
      assertMadeForPatient(run, actorReferences(appointment));
      return { ...appointment, participant: appointment.participant ?? [] };
    },
  }),
};

/** Servers return about fifty proposals at once. */
const maxRounds = 5;

type Proposal = { offer: OpenSlot; references: (string | undefined)[] };
/** Of the last search of a run. */
const proposalsOf = new WeakMap<Run, Proposal[]>();

async function propose(run: Run, from: Date, until: Date): Promise<Proposal[]> {
  const found = await run.ehr.schedulingClient.operation<FhirResource>(
    "Appointment",
    "find",
    parameters({ name: "patient", valueReference: requirePatient(run) }, ...between(from, until)),
    { signal: run.signal },
  );
  for (const one of found.filter(isActor)) cacheActor(run, one);
  return found
    .flatMap((one) => (one.resourceType === "Appointment" ? proposalOf(run, one) : []))
    .filter(({ offer }) => Date.parse(offer.start) < until.getTime());
}

type Parameter = NonNullable<Parameters["parameter"]>[number];
const parameters = (...parameter: Parameter[]): Parameters => ({ resourceType: "Parameters", parameter });
const between = (from: Date, until: Date): Parameter[] => [
  { name: "startTime", valueDateTime: from.toISOString() },
  { name: "endTime", valueDateTime: until.toISOString() },
];

/** AppError `identity_required`: this server searches only for a known patient. */
function requirePatient({ state, providerId }: Run): Reference {
  if (!state?.patientId || state.providerId !== providerId)
    throw new AppError("identity_required", "This record system searches times only for a verified patient.");
  return { reference: `Patient/${state.patientId}` };
}

function proposalOf(run: Run, { id, start, end, participant, serviceType }: Appointment): Proposal[] {
  if (id === undefined || start === undefined) return [];
  const actors = participant.flatMap(({ actor }) => (actor ? withDisplay(run, actor) : []));
  const service = serviceName(serviceType);
  const offer = { slotId: id, start, end: end ?? start, ...doctorAndPlace(run, actors), ...(service ? { service } : {}) };
  return [{ offer, references: actors.map(({ reference }) => reference) }];
}
