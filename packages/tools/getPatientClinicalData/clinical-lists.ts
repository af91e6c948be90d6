import { AppError } from "@vitaline/core";
import type { AllergyIntolerance, CodeableConcept, Condition, MedicationRequest } from "fhir/r4.js";
import { conceptText } from "../speech/speech-text.ts";
import { maxOfAType, type ReadCategory } from "./chart-reader.ts";
import { dosageOf, isOrder, readMedicationNames } from "../patient/medications.ts";

const present = new Set(["active", "recurrence", "relapse"]);
const denied = new Set(["refuted", "entered-in-error"]);

const codes = ({ coding = [] }: CodeableConcept = {}): string[] => coding.flatMap(({ code }) => code ?? []);

/** An entry without a status counts as present. */
const isPresent = ({ clinicalStatus, verificationStatus }: Pick<Condition, "clinicalStatus" | "verificationStatus">): boolean => {
  const clinical = codes(clinicalStatus);
  return (
    (clinical.length === 0 || clinical.some((code) => present.has(code))) && !codes(verificationStatus).some((code) => denied.has(code))
  );
};

/** A diagnosis that is only considered is not told as one. */
const considered = new Set(["unconfirmed", "provisional", "differential"]);
const isEstablished = ({ verificationStatus }: Condition): boolean => !codes(verificationStatus).some((code) => considered.has(code));
/** By its end, where it has no status. */
const hasEnded = ({ clinicalStatus, ...one }: Condition): boolean =>
  codes(clinicalStatus).length === 0 &&
  Object.entries(one).some(([field, value]) => field.startsWith("abatement") && (value as unknown) !== false);

/** A visit diagnosis without a clinical status is not a current condition. */
const isEncounterDiagnosis = ({ category = [], clinicalStatus }: Condition): boolean => {
  const categories = category.flatMap((one) => codes(one));
  return categories.length > 0 && categories.every((code) => code === "encounter-diagnosis") && codes(clinicalStatus).length === 0;
};

const maxConditions = 500;
/** The status is filtered here, because servers search several statuses in different ways. */
export const readConditions: ReadCategory = async ({ ehr, signal, search, own }) => {
  const { conditionsNeedCategory } = await ehr.behavior({ signal });
  const found = await search<Condition>("Condition", conditionsNeedCategory ? { category: "problem-list-item" } : {}, maxConditions);
  const conditions = found.filter(({ resourceType }) => resourceType === "Condition");
  const names = own(conditions, ({ subject }) => subject)
    .filter((one) => isPresent(one) && isEstablished(one) && !hasEnded(one) && !isEncounterDiagnosis(one))
    .map(({ code }) => conceptText(code) ?? "a condition without a name");
  return { conditions: [...new Set(names)] };
};

/** SNOMED CT: no known allergy, drug allergy, food allergy, environmental allergy, latex allergy. */
const noneKnownCodes = new Set(["716186003", "409137002", "429625007", "428607008", "1003774007"]);
const isNoneKnown = (one: AllergyIntolerance): boolean =>
  Boolean(one.code?.coding?.some(({ code }) => noneKnownCodes.has(code ?? ""))) || /^no known\b/i.test(nameOf(one) ?? "");

const nameOf = ({ code, reaction = [] }: AllergyIntolerance): string | undefined =>
  conceptText(code) ?? reaction.map(({ substance }) => conceptText(substance)).find((name) => name !== undefined);

const maxAllergies = 500;
export const readAllergies: ReadCategory = async ({ search, own }) => {
  // A status search would omit "no known allergies", which have none.
  const found = await search<AllergyIntolerance>("AllergyIntolerance", {}, maxAllergies);
  const allergies = found.filter(({ resourceType }) => resourceType === "AllergyIntolerance");
  const present = own(allergies, ({ patient }) => patient).filter(isPresent);
  const real = present.filter((one) => !isNoneKnown(one));
  const none = present.find(isNoneKnown);
  return {
    allergies: real.map((one) => ({
      to: nameOf(one) ?? "something the record does not name",
      reactions: [
        ...new Set((one.reaction ?? []).flatMap(({ manifestation }) => manifestation.flatMap((concept) => conceptText(concept) ?? []))),
      ],
    })),
    // "None known" is outdated beside an actual allergy.
    ...(none && real.length === 0 ? { noKnownAllergies: nameOf(none) ?? "No known allergies" } : {}),
  };
};

export const readMedications: ReadCategory = async ({ ehr, signal, search, own }) => {
  const found = await search<MedicationRequest>("MedicationRequest", { status: "active", _include: "MedicationRequest:medication" });
  const requests = found.filter(({ resourceType }) => resourceType === "MedicationRequest");
  if (requests.length >= maxOfAType) throw new AppError("ehr_invalid", "The record system has more prescriptions than can be read.");
  const orders = own(requests, ({ subject }) => subject).filter((one) => isOrder(one) && one.status === "active");
  const nameOf = await readMedicationNames(ehr, orders, found, signal);
  const medications = orders.map((one) => {
    const dosage = dosageOf(one.dosageInstruction);
    return { name: nameOf(one), ...(dosage ? { dosage } : {}) };
  });
  return { medications: [...new Map(medications.map((one) => [`${one.name}\n${one.dosage}`, one])).values()] };
};
