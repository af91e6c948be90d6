import { allDone, AppError, isAppError } from "@vitaline/core";
import type { FhirClient } from "@vitaline/fhir";
import type { Ehr } from "@vitaline/fhir-providers";
import type { CallStateRow } from "@vitaline/store";
import type { FhirResource, Patient, Reference } from "fhir/r4.js";
import { idIn, requestOf } from "../sdk/references.ts";
import { isMarked } from "./person.ts";

/** Whose chart it is, and by which name and birth date that was found. */
type Verified = { tenantId: string; patientId: string; person: string | undefined };

export const verifiedIn = (tenantId: string, state: Pick<CallStateRow, "patientId" | "person"> | undefined): Verified => ({
  tenantId,
  patientId: state?.patientId ?? "",
  person: state?.person,
});

/**
 * An EHR for one verified patient: beside the first request to it the patient's chart is read, and nothing is written before that is
 * known to be open still. `chart` is that reading; AppError `ehr_forbidden` when it was closed since the patient was verified.
 * Whatever is read or written is what was asked for: AppError `ehr_invalid` for another record in its place.
 */
export function withOpenChart(ehr: Ehr, verified: Verified, signal: AbortSignal): { ehr: Ehr; chart(): Promise<Patient> } {
  let reading: Promise<Patient> | undefined;
  const chart = (): Promise<Patient> => (reading ??= readOpen(ehr, verified, signal));
  const guarded = <Client extends FhirClient>(client: Client): Client => ({
    ...client,
    read: async (type, id, ...more) => asAsked((await allDone([chart(), client.read(type, id, ...more)]))[1], id, verified),
    search: async (...asked) => (await allDone([chart(), client.search(...asked)]))[1],
    create: async (...asked) => (await chart(), client.create(...asked)),
    update: async (resource, ...more) => {
      requireOwn([resource], verified);
      await chart();
      return asAsked(await client.update(resource, ...more), resource.id, verified);
    },
    change: async (before, after, ...more) => {
      requireOwn([before, after], verified);
      await chart();
      return asAsked(await client.change(before, after, ...more), before.id, verified);
    },
    transaction: async (...asked) => (await chart(), client.transaction(...asked)),
    operation: async (...asked) => (await chart(), client.operation(...asked)),
  });
  return { ehr: { ...guarded(ehr), scheduling: guarded(ehr.scheduling) }, chart };
}

const anothers = () => new AppError("ehr_invalid", "The record system answered with another record than was asked for.");

/**
 * Some servers know a record by several ids and answer with the one they prefer: that will do for the verified person's own chart,
 * which stays the one that was verified, and for what names them as its patient.
 */
function asAsked<T extends FhirResource>(found: T, id: string | undefined, { tenantId, patientId, person }: Verified): T {
  if (found.id === id) return found;
  if (found.resourceType !== "Patient") {
    if (patientsOf(found).includes(patientId)) return found;
    throw anothers();
  }
  if (id !== patientId || person === undefined || !isMarked(tenantId, person, found)) throw anothers();
  return { ...found, id };
}

/** Nobody else's chart is written to, and nothing under another id than it was read by. */
function requireOwn(written: FhirResource[], { patientId }: Verified): void {
  const [first] = written;
  for (const one of written) if (one.id !== first?.id || (one.resourceType === "Patient" && one.id !== patientId)) throw anothers();
}

type OfPatient = { subject?: Reference; patient?: Reference; beneficiary?: Reference; participant?: { actor?: Reference }[] };

/** The patients that a resource names as its own. */
function patientsOf(one: FhirResource): string[] {
  const { subject, patient, beneficiary, participant = [] } = one as OfPatient;
  return [subject, patient, beneficiary, ...participant.map(({ actor }) => actor)].flatMap(
    (reference) => idIn(reference?.reference, "Patient") ?? [],
  );
}

/** A chart that is gone is as good as closed. */
async function readOpen(ehr: Ehr, verified: Verified, signal: AbortSignal): Promise<Patient> {
  const { patientId } = verified;
  const found = await ehr.read<Patient>("Patient", patientId, { signal }).catch((error: unknown) => {
    if (isAppError(error, "ehr_not_found")) return undefined;
    throw error;
  });
  const patient = found && asAsked(found, patientId, verified);
  if (!patient || !isOpenChart(patient)) throw new AppError("ehr_forbidden", "The chart was closed since the patient was verified.");
  return patient;
}

const restricted = new Set(["R", "V"]);

/**
 * Whether a chart was made by phone and nobody at the clinic has confirmed it yet, by taking our mark off. Whoever could verify with what
 * they have just made up would learn from it who is a patient: for those no chart is made, and their own number is another.
 */
export const isUnconfirmed = (patient: Patient): boolean => requestOf(patient) !== undefined;

/** A chart that stands for nobody any more: it was merged into another one, or taken out of use. */
export const isRetired = ({ active, link = [] }: Patient): boolean => active === false || link.some(({ type }) => type === "replaced-by");

/** A chart that a voice agent may act on: of a living, current patient whom the clinic knows, and not marked as confidential. */
export const isOpenChart = (patient: Patient): boolean => {
  const { deceasedBoolean, deceasedDateTime, meta } = patient;
  return (
    !isUnconfirmed(patient) &&
    !isRetired(patient) &&
    !deceasedBoolean &&
    deceasedDateTime === undefined &&
    !meta?.security?.some(({ code }) => code !== undefined && restricted.has(code))
  );
};
