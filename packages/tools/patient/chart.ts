import { AppError, awaitAllThenThrow, isAppError } from "@vitaline/core";
import type { FhirClient } from "@vitaline/fhir";
import type { Ehr } from "@vitaline/fhir-providers";
import type { CallStateRow } from "@vitaline/store";
import type { FhirResource, Patient, Reference, Resource } from "fhir/r4.js";
import { executionKeyIn, type Run } from "../sdk/run.ts";
import { displayName } from "../speech/speech-text.ts";
import { hasIdentityHash } from "./person.ts";

const form = /(?:^|\/)([A-Za-z]+)\/([A-Za-z0-9._-]+)(?:\/_history\/[^/]+)?$/;

/** The id of "https://ehr.example/r4/Slot/17/_history/2" or "Slot/17". */
export function referencedId(reference: string | undefined, type: string): string | undefined {
  if (!reference?.includes(type)) return undefined;
  const [, named, id] = form.exec(reference) ?? [];
  return named === type ? id : undefined;
}

/** The verified patient's id; only tools of level 1 or 2 have one. */
export const patientIdOf = ({ state }: Run): string => {
  if (!state?.patientId) throw new Error("This tool runs without a verified patient");
  return state.patientId;
};

/** For a staff task, which is made without a name where the chart cannot be read, or was closed since. */
export async function patientNameIn(run: Run): Promise<{ name?: string }> {
  const name = await run.chart().then(
    (chart) => displayName(chart.name),
    () => undefined,
  );
  return name === undefined ? {} : { name };
}

export function isOtherPatients(run: Run, references: readonly (string | undefined)[]): boolean {
  const patients = references.flatMap((reference) => referencedId(reference, "Patient") ?? []);
  return patients.length > 0 && !patients.includes(patientIdOf(run));
}

/** AppError `ehr_invalid` if the resource belongs to another patient. */
export function assertOwnPatient(run: Run, references: readonly (string | undefined)[]): void {
  if (isOtherPatients(run, references)) throw new AppError("ehr_invalid", "The record system answered with another patient's record.");
}

/** After a write. AppError `ehr_unknown_outcome`: what was written, and for whom, is not known. */
export function assertMadeForPatient(run: Run, references: readonly (string | undefined)[]): void {
  if (isOtherPatients(run, references))
    throw new AppError("ehr_unknown_outcome", "The record system answered a write with another patient's record.");
}

/**
 * Filters the patient's resources, since servers may ignore search parameters. AppError `ehr_invalid` if all belong to others or one has
 * no owner: then the true result is unknown.
 */
export function ownResources<T>(found: readonly T[], subjectOf: (one: T) => Reference | undefined, patientId: string): T[] {
  const whose = found.map((one) => referencedId(subjectOf(one)?.reference, "Patient"));
  const own = found.filter((_, index) => whose[index] === patientId);
  if (whose.includes(undefined) || (own.length === 0 && found.length > 0))
    throw new AppError("ehr_invalid", "The record system answered with records of other patients.");
  // https://hl7.org/fhir/R4/extensibility.html#modifierExtension: it may turn the meaning around, and none is known to us.
  if (own.some((one) => ((one as { modifierExtension?: unknown[] }).modifierExtension?.length ?? 0) > 0))
    throw new AppError("ehr_invalid", "A record has a modifier that is not understood.");
  return own;
}

type VerifiedPatient = { tenantId: string; patientId: string; identityHash: string | undefined };

export const verifiedPatientIn = (
  tenantId: string,
  state: Pick<CallStateRow, "patientId" | "identityHash"> | undefined,
): VerifiedPatient => ({
  tenantId,
  patientId: state?.patientId ?? "",
  identityHash: state?.identityHash,
});

/**
 * Guards an EHR for one patient: reads the chart beside the first request, and before any write. AppError `ehr_forbidden` if the chart
 * was closed since verification, `ehr_invalid` if the server answers with another record.
 */
export function withChartCheck(ehr: Ehr, verified: VerifiedPatient, signal: AbortSignal): { ehr: Ehr; chart(): Promise<Patient> } {
  let reading: Promise<Patient> | undefined;
  const chart = (): Promise<Patient> => (reading ??= readOpenChart(ehr, verified, signal));
  const guarded = <Client extends FhirClient>(client: Client): Client => ({
    ...client,
    read: async (type, id, ...more) =>
      requireRequested((await awaitAllThenThrow([chart(), client.read(type, id, ...more)]))[1], id, verified),
    search: async (...args) => (await awaitAllThenThrow([chart(), client.search(...args)]))[1],
    create: async (...args) => (await chart(), client.create(...args)),
    update: async (resource, ...more) => {
      requireOwn([resource], verified);
      await chart();
      return requireRequested(await client.update(resource, ...more), resource.id, verified);
    },
    change: async (before, after, ...more) => {
      requireOwn([before, after], verified);
      await chart();
      return requireRequested(await client.change(before, after, ...more), before.id, verified);
    },
    transaction: async (...args) => (await chart(), client.transaction(...args)),
    operation: async (...args) => (await chart(), client.operation(...args)),
  });
  return { ehr: { ...guarded(ehr), schedulingClient: guarded(ehr.schedulingClient) }, chart };
}

const wrongRecord = () => new AppError("ehr_invalid", "The record system answered with a different record.");

/**
 * Servers with several ids per record may answer under their preferred id. That is accepted for the patient's own chart and for resources
 * that name the patient.
 */
function requireRequested<T extends FhirResource>(
  found: T,
  id: string | undefined,
  { tenantId, patientId, identityHash }: VerifiedPatient,
): T {
  if (found.id === id) return found;
  if (found.resourceType !== "Patient") {
    if (patientsOf(found).includes(patientId)) return found;
    throw wrongRecord();
  }
  if (id !== patientId || identityHash === undefined || !hasIdentityHash(tenantId, identityHash, found)) throw wrongRecord();
  return { ...found, id };
}

/** Writes go only to the patient's own chart, under the id it was read by. */
function requireOwn(written: FhirResource[], { patientId }: VerifiedPatient): void {
  const [first] = written;
  for (const one of written) if (one.id !== first?.id || (one.resourceType === "Patient" && one.id !== patientId)) throw wrongRecord();
}

type OfPatient = { subject?: Reference; patient?: Reference; beneficiary?: Reference; participant?: { actor?: Reference }[] };

function patientsOf(one: FhirResource): string[] {
  const { subject, patient, beneficiary, participant = [] } = one as OfPatient;
  return [subject, patient, beneficiary, ...participant.map(({ actor }) => actor)].flatMap(
    (reference) => referencedId(reference?.reference, "Patient") ?? [],
  );
}

/** A missing chart counts as closed. */
async function readOpenChart(ehr: Ehr, verified: VerifiedPatient, signal: AbortSignal): Promise<Patient> {
  const { patientId } = verified;
  const found = await ehr.read<Patient>("Patient", patientId, { signal }).catch((error: unknown) => {
    if (isAppError(error, "ehr_not_found")) return undefined;
    throw error;
  });
  const patient = found && requireRequested(found, patientId, verified);
  if (!patient || !isOpenChart(patient)) throw new AppError("ehr_forbidden", "The chart was closed since the patient was verified.");
  return patient;
}

const restricted = new Set(["R", "V"]);

/**
 * Registered by phone and not yet confirmed by staff, who remove our identifier. Verifying against such a chart would reveal who is a
 * patient.
 */
export const isUnconfirmed = (patient: Patient): boolean => executionKeyIn(patient) !== undefined;

/** Merged into another chart, or inactive. */
export const isRetired = ({ active, link = [] }: Patient): boolean => active === false || link.some(({ type }) => type === "replaced-by");

/** Labeled as restricted or very restricted. https://terminology.hl7.org/CodeSystem-v3-Confidentiality.html */
export const isConfidential = ({ meta }: Resource): boolean =>
  meta?.security?.some(({ code }) => code !== undefined && restricted.has(code)) ?? false;

/** Confirmed, active, of a living patient, and not confidential. */
export const isOpenChart = (patient: Patient): boolean => {
  const { deceasedBoolean, deceasedDateTime } = patient;
  return !isUnconfirmed(patient) && !isRetired(patient) && !deceasedBoolean && deceasedDateTime === undefined && !isConfidential(patient);
};
