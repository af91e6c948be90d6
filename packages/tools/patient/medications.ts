import { allDone, isAppError } from "@vitaline/core";
import type { Ehr } from "@vitaline/fhir-providers";
import type { CodeableConcept, Dosage, Medication, MedicationRequest, Reference, Resource } from "fhir/r4.js";
import { conceptText, lineOf } from "../speech/speech-text.ts";

/** What names a medication in one of the ways that FHIR has. */
export type Naming = {
  contained?: Resource[] | undefined;
  medicationCodeableConcept?: CodeableConcept | undefined;
  medicationReference?: Reference | undefined;
};

export const unnamed = "a medication the record does not name";
const mostReads = 10;

/** A medication of this server; an absolute address could be anybody's. */
const idOf = (reference: string | undefined): string | undefined =>
  /^Medication\/([A-Za-z0-9._-]{1,64})(?:\/_history\/[^/]+)?$/.exec(reference ?? "")?.[1];

const isMedication = (one: Resource): one is Medication => one.resourceType === "Medication";

/** The name as far as the resource itself brings it. */
function ownName({ contained = [], medicationCodeableConcept, medicationReference }: Naming): string | undefined {
  const { reference = "" } = medicationReference ?? {};
  const inside = reference.startsWith("#") ? contained.filter(isMedication).find(({ id }) => id === reference.slice(1)) : undefined;
  return conceptText(medicationCodeableConcept) ?? conceptText(inside?.code);
}

/**
 * What each of these is called: by itself, by what it contains, by what came `beside` it, else by reading the medication, each once.
 * No name is a reason to fail; references to elsewhere are not followed.
 */
export async function readNames(
  ehr: Pick<Ehr, "read">,
  all: readonly Naming[],
  beside: readonly Resource[],
  signal: AbortSignal,
): Promise<(one: Naming) => string> {
  const known = new Map(beside.filter(isMedication).map(({ id, code }) => [id, conceptText(code)]));
  const unknown = all.flatMap((one) => {
    const id = idOf(one.medicationReference?.reference);
    return ownName(one) === undefined && !one.medicationReference?.display && id !== undefined && !known.has(id) ? [id] : [];
  });
  await allDone(
    [...new Set(unknown)].slice(0, mostReads).map(async (id) => {
      const medication = await ehr.read<Medication>("Medication", id, { signal }).catch((error: unknown) => {
        if (isAppError(error)) return undefined;
        throw error;
      });
      known.set(id, conceptText(medication?.code));
    }),
  );
  return (one) =>
    ownName(one) ?? known.get(idOf(one.medicationReference?.reference)) ?? lineOf(one.medicationReference?.display) ?? unnamed;
}

const notOrdered = new Set<string>(["proposal", "plan", "option"]);
const notMeant = new Set<string>(["entered-in-error", "draft"]);

/** Whether somebody has prescribed it: not what was only proposed, written by mistake, or is not to be taken. */
export const isOrder = (one: MedicationRequest): boolean =>
  one.resourceType === "MedicationRequest" && !notOrdered.has(one.intent) && !notMeant.has(one.status) && one.doNotPerform !== true;

/** How to take it, in the prescriber's words. */
export const dosageOf = (dosages: Dosage[] = []): string | undefined =>
  lineOf(dosages.flatMap(({ text, patientInstruction }) => text ?? patientInstruction ?? []).join("; then "));
