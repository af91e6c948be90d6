import { AppError, isAppError } from "@vitaline/core";
import type { Appointment, FhirResource, Parameters, Reference } from "fhir/r4.js";
import { assertOwnPatient, patientIdOf } from "../patient/own-patient.ts";
import { bookingNote } from "../patient/patient-language.ts";
import type { Run } from "../sdk/run.ts";
import { actorReferences, overlaps, reservationHolder, upcomingAppointments } from "./appointments.ts";
import type { Calendar, FreeSlots, OpenSlot } from "./calendar.ts";
import { matchesService, matchesSpoken, serviceName } from "./services.ts";
import { practitionerAndLocation } from "./actors.ts";

/**
 * The server proposes appointments and books one by its id; it keeps no identifier of ours. Source: Epic on FHIR, STU3 Appointment.$find
 * and Appointment.$book.
 */
export const findAndBook: Calendar = {
  async offers(run, { practitioner, service }, { from, until }, { isWanted, isPreferred = () => true, isEnough }) {
    requirePatient(run);
    const visits = await upcomingAppointments(run).catch((error: unknown) => {
      if (isAppError(error, "ehr_forbidden", "ehr_unsupported", "ehr_invalid")) return [];
      throw error;
    });
    const holder = reservationHolder(run);
    const isFree = ({ start, end }: OpenSlot) => !visits.some((visit) => overlaps(visit, { start: new Date(start), end: new Date(end) }));
    const isMeant = (offer: OpenSlot) =>
      matchesSpoken([offer.practitioner], practitioner) &&
      matchesService([offer.service], service) &&
      isWanted(offer) &&
      isFree(offer) &&
      !run.ehr.isReservedByOther(offer.slotId, holder);
    const all: OpenSlot[] = [];
    const offers = () => {
      const preferred = all.filter(isPreferred);
      return preferred.length > 0 ? preferred : all;
    };
    let next = from;
    for (let round = 0; round < maxRounds && next < until && !isEnough(all.filter(isPreferred)); round++) {
      const proposed = (await propose(run, next, until)).filter(({ start }) => Date.parse(start) >= next.getTime());
      all.push(...proposed.filter(isMeant));
      const latest = Math.max(0, ...proposed.map(({ start }) => Date.parse(start)));
      next = latest === 0 ? until : new Date(latest + 1);
    }
    const open = offers().toSorted((a, b) => Date.parse(a.start) - Date.parse(b.start));
    return { open, ...(next < until ? { searchedUntil: next } : {}) } satisfies FreeSlots;
  },
  unmatched: async () => undefined,
  describeSlot: async () => ({}),
  requireFree: async (run, slotId) => ({
    async book() {
      const note = await bookingNote(run);
      const made = await run.ehr.scheduling.operation<FhirResource>(
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
      assertOwnPatient(run, actorReferences(appointment));
      return appointment;
    },
  }),
};

/** Servers return about fifty proposals at once. */
const maxRounds = 5;

async function propose(run: Run, from: Date, until: Date): Promise<OpenSlot[]> {
  const found = await run.ehr.scheduling.operation<FhirResource>(
    "Appointment",
    "find",
    parameters({ name: "patient", valueReference: requirePatient(run) }, ...between(from, until)),
    { signal: run.signal },
  );
  const names = new Map(found.map((one) => [`${one.resourceType}/${one.id}`, nameOf(one)]));
  return found
    .flatMap((one) => (one.resourceType === "Appointment" ? offerOf(one, names) : []))
    .filter(({ start }) => Date.parse(start) < until.getTime());
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

const offerOf = ({ id, start, end, participant, serviceType }: Appointment, names: Map<string, string | undefined>): OpenSlot[] => {
  if (id === undefined || start === undefined) return [];
  const actors = participant.flatMap(({ actor }) =>
    actor ? [{ ...actor, display: actor.display ?? names.get(actor.reference ?? "") }] : [],
  );
  const service = serviceName(serviceType);
  return [{ slotId: id, start, end: end ?? start, ...practitionerAndLocation(actors), ...(service ? { service } : {}) }];
};

function nameOf(one: FhirResource): string | undefined {
  if (one.resourceType === "Location") return one.name;
  if (one.resourceType !== "Practitioner") return undefined;
  const { text, prefix = [], given = [], family = "" } = one.name?.[0] ?? {};
  return text ?? [...prefix, ...given, family].join(" ").trim();
}
