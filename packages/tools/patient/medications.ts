import { awaitAllThenThrow, isAppError } from "@vitaline/core";
import type { Ehr } from "@vitaline/fhir-providers";
import type { CodeableConcept, Dosage, Medication, MedicationRequest, Reference, Resource } from "fhir/r4.js";
import { conceptText, spokenLine, uncutLine } from "../speech/speech-text.ts";

export type MedicationReference = {
  contained?: Resource[] | undefined;
  medicationCodeableConcept?: CodeableConcept | undefined;
  medicationReference?: Reference | undefined;
};

export const unnamedMedication = "a medication the record does not name";
const maxReads = 10;

/** Relative references only; an absolute one may be another server's. */
const idOf = (reference: string | undefined): string | undefined =>
  /^Medication\/([A-Za-z0-9._-]{1,64})(?:\/_history\/[^/]+)?$/.exec(reference ?? "")?.[1];

const isMedication = (one: Resource): one is Medication => one.resourceType === "Medication";

function ownName({ contained = [], medicationCodeableConcept, medicationReference }: MedicationReference): string | undefined {
  const { reference = "" } = medicationReference ?? {};
  const inside = reference.startsWith("#") ? contained.filter(isMedication).find(({ id }) => id === reference.slice(1)) : undefined;
  return conceptText(medicationCodeableConcept) ?? conceptText(inside?.code);
}

/** Resolves names from the resource, its contained resources, `beside`, or else one read per medication. A missing name is no error. */
export async function readMedicationNames(
  ehr: Pick<Ehr, "read">,
  all: readonly MedicationReference[],
  beside: readonly Resource[],
  signal: AbortSignal,
): Promise<(one: MedicationReference) => string> {
  const known = new Map(beside.filter(isMedication).map(({ id, code }) => [id, conceptText(code)]));
  const unknown = all.flatMap((one) => {
    const id = idOf(one.medicationReference?.reference);
    return ownName(one) === undefined && !one.medicationReference?.display && id !== undefined && !known.has(id) ? [id] : [];
  });
  await awaitAllThenThrow(
    [...new Set(unknown)].slice(0, maxReads).map(async (id) => {
      const medication = await ehr.read<Medication>("Medication", id, { signal }).catch((error: unknown) => {
        if (isAppError(error)) return undefined;
        throw error;
      });
      known.set(id, conceptText(medication?.code));
    }),
  );
  return (one) =>
    ownName(one) ??
    known.get(idOf(one.medicationReference?.reference)) ??
    spokenLine(one.medicationReference?.display) ??
    unnamedMedication;
}

const notOrdered = new Set<string>(["proposal", "plan", "option"]);
const notMeant = new Set<string>(["entered-in-error", "draft"]);

/** Excludes proposals, drafts, errors and "do not take". */
export const isOrder = (one: MedicationRequest): boolean =>
  one.resourceType === "MedicationRequest" && !notOrdered.has(one.intent) && !notMeant.has(one.status) && one.doNotPerform !== true;

/** In the order of its steps; undefined unless every step is told whole. https://hl7.org/fhir/R4/dosage.html */
export function dosageOf(dosages: Dosage[] = []): string | undefined {
  const isOrdered = dosages.every(({ sequence }) => sequence !== undefined);
  const ordered = isOrdered ? dosages.toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0)) : dosages;
  const steps = ordered.map(({ sequence, text, patientInstruction }, index) => {
    const line = uncutLine(text ?? patientInstruction);
    if (line === undefined || index === 0) return line;
    return isOrdered && sequence !== ordered[index - 1]?.sequence ? `; then ${line}` : `; ${line}`;
  });
  return steps.includes(undefined) ? undefined : uncutLine(steps.join(""));
}
