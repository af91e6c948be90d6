import { AppError, isAppError } from "@vitaline/core";
import type { Appointment, FhirResource, Parameters, Reference } from "fhir/r4.js";
import { patientOf, refuseAnothers } from "../patient/assert-own-patient.ts";
import type { Run } from "../sdk/run.ts";
import { actorsOf, overlaps, upcoming } from "./appointments.ts";
import type { Calendar, Offers, OpenSlot } from "./calendar.ts";
import { keeperOf } from "./booking-limits.ts";
import { isService, says, serviceName } from "./services.ts";
import { placeOf } from "./schedules.ts";

/**
 * The server proposes appointments and books one of them by its id, which is what stands for a time here. It says itself whether
 * the time is still free, and keeps no identifier of ours. Source: Epic on FHIR, STU3 Appointment.$find and Appointment.$book.
 */
export const findAndBook: Calendar = {
  async offers(run, { practitioner, service }, { from, until }, { isWanted, isPreferred = () => true, isEnough }) {
    patientIn(run);
    const visits = await upcoming(run).catch((error: unknown) => {
      if (isAppError(error, "ehr_forbidden", "ehr_unsupported", "ehr_invalid")) return [];
      throw error;
    });
    const keeper = keeperOf(run);
    const isFree = ({ start, end }: OpenSlot) => !visits.some((visit) => overlaps(visit, { start: new Date(start), end: new Date(end) }));
    const isMeant = (offer: OpenSlot) =>
      says([offer.practitioner], practitioner) &&
      isService([offer.service], service) &&
      isWanted(offer) &&
      isFree(offer) &&
      !run.ehr.isKept(offer.slotId, keeper);
    const all: OpenSlot[] = [];
    const offers = () => {
      const preferred = all.filter(isPreferred);
      return preferred.length > 0 ? preferred : all;
    };
    let next = from;
    for (let round = 0; round < mostRounds && next < until && !isEnough(all.filter(isPreferred)); round++) {
      const proposed = (await propose(run, next, until)).filter(({ start }) => Date.parse(start) >= next.getTime());
      all.push(...proposed.filter(isMeant));
      const latest = Math.max(0, ...proposed.map(({ start }) => Date.parse(start)));
      next = latest === 0 ? until : new Date(latest + 1);
    }
    const open = offers().toSorted((a, b) => Date.parse(a.start) - Date.parse(b.start));
    return { open, ...(next < until ? { searchedUntil: next } : {}) } satisfies Offers;
  },
  unknown: async () => undefined,
  about: async () => ({}),
  look: async (run, slotId) => ({
    async take() {
      const made = await run.ehr.scheduling.operation<FhirResource>(
        "Appointment",
        "book",
        parameters(
          { name: "patient", valueReference: { reference: `Patient/${patientOf(run)}` } },
          { name: "appointment", valueReference: { reference: `Appointment/${slotId}` } },
        ),
        { signal: run.writeSignal(), effect: "write" },
      );
      const appointment = made.find((one) => one.resourceType === "Appointment");
      if (!appointment) throw new AppError("ehr_unknown_outcome", "The answer to a booking holds no appointment.");
      refuseAnothers(run, actorsOf(appointment));
      return appointment;
    },
  }),
};

/** Servers tell the first times of a period, fifty or so; what was asked for may be among the later ones. */
const mostRounds = 5;

async function propose(run: Run, from: Date, until: Date): Promise<OpenSlot[]> {
  const found = await run.ehr.scheduling.operation<FhirResource>(
    "Appointment",
    "find",
    parameters({ name: "patient", valueReference: patientIn(run) }, ...between(from, until)),
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

/** Such a server looks for times of one patient: AppError `identity_required` while there is none, also where the tool asks nobody else. */
function patientIn({ state, providerId }: Run): Reference {
  if (!state?.patientId || state.providerId !== providerId) throw new AppError("identity_required", "Times are looked for a patient.");
  return { reference: `Patient/${state.patientId}` };
}

const offerOf = ({ id, start, end, participant, serviceType }: Appointment, names: Map<string, string | undefined>): OpenSlot[] => {
  if (id === undefined || start === undefined) return [];
  const actors = participant.flatMap(({ actor }) =>
    actor ? [{ ...actor, display: actor.display ?? names.get(actor.reference ?? "") }] : [],
  );
  const service = serviceName(serviceType);
  return [{ slotId: id, start, end: end ?? start, ...placeOf(actors), ...(service ? { service } : {}) }];
};

/** Of those who come along in the answer. */
function nameOf(one: FhirResource): string | undefined {
  if (one.resourceType === "Location") return one.name;
  if (one.resourceType !== "Practitioner") return undefined;
  const { text, prefix = [], given = [], family = "" } = one.name?.[0] ?? {};
  return text ?? [...prefix, ...given, family].join(" ").trim();
}
