import type { AllergyIntolerance, CodeableConcept, Condition, MedicationRequest } from "fhir/r4.js";
import { conceptText } from "../speech/speech-text.ts";
import type { Read } from "./chart-reader.ts";
import { dosageOf, isOrder, readNames } from "../patient/medications.ts";

const present = new Set(["active", "recurrence", "relapse"]);
const denied = new Set(["refuted", "entered-in-error"]);

const codes = ({ coding = [] }: CodeableConcept = {}): string[] => coding.flatMap(({ code }) => code ?? []);

/** Whether a record's own status says that it still counts; what says nothing does. */
const isPresent = ({ clinicalStatus, verificationStatus }: Pick<Condition, "clinicalStatus" | "verificationStatus">): boolean => {
  const clinical = codes(clinicalStatus);
  return (
    (clinical.length === 0 || clinical.some((code) => present.has(code))) && !codes(verificationStatus).some((code) => denied.has(code))
  );
};

/** A diagnosis of one visit is no condition any more unless it says so. */
const isOneVisits = ({ category = [], clinicalStatus }: Condition): boolean => {
  const categories = category.flatMap((one) => codes(one));
  return categories.length > 0 && categories.every((code) => code === "encounter-diagnosis") && codes(clinicalStatus).length === 0;
};

const mostConditions = 500;
/**
 * What the patient has, each name once: recurrences and relapses too, and what has no category. The status is looked at here, as servers
 * take several of them in different ways.
 */
export const readConditions: Read = async ({ ehr, signal, search, own }) => {
  const { conditionsNeedCategory } = await ehr.strategy({ signal });
  const found = await search<Condition>("Condition", conditionsNeedCategory ? { category: "problem-list-item" } : {}, mostConditions);
  const conditions = found.filter(({ resourceType }) => resourceType === "Condition");
  const names = own(conditions, ({ subject }) => subject)
    .filter((one) => isPresent(one) && !isOneVisits(one))
    .map(({ code }) => conceptText(code) ?? "a condition without a name");
  return { conditions: [...new Set(names)] };
};

/** SNOMED CT and its children as servers use them: no known allergy, drug allergy, food allergy, environmental allergy, latex allergy. */
const noneKnown = new Set(["716186003", "409137002", "429625007", "428607008", "1003774007"]);
const saysNone = (one: AllergyIntolerance): boolean =>
  Boolean(one.code?.coding?.some(({ code }) => noneKnown.has(code ?? ""))) || /^no known\b/i.test(nameOf(one) ?? "");

const nameOf = ({ code, reaction = [] }: AllergyIntolerance): string | undefined =>
  conceptText(code) ?? reaction.map(({ substance }) => conceptText(substance)).find((name) => name !== undefined);

const mostAllergies = 500;
/** Active allergies with what they do, in words; and whether "none" was recorded. */
export const readAllergies: Read = async ({ search, own }) => {
  // A search by status would leave out those that have none.
  const found = await search<AllergyIntolerance>("AllergyIntolerance", {}, mostAllergies);
  const allergies = found.filter(({ resourceType }) => resourceType === "AllergyIntolerance");
  const present = own(allergies, ({ patient }) => patient).filter(isPresent);
  const real = present.filter((one) => !saysNone(one));
  const none = present.find(saysNone);
  return {
    allergies: real.map((one) => ({
      to: nameOf(one) ?? "something the record does not name",
      reactions: [
        ...new Set((one.reaction ?? []).flatMap(({ manifestation }) => manifestation.flatMap((concept) => conceptText(concept) ?? []))),
      ],
    })),
    // Beside an allergy, an old "none known" is not repeated.
    ...(none && real.length === 0 ? { noKnownAllergies: nameOf(none) ?? "No known allergies" } : {}),
  };
};

/** What is prescribed now, each medication once. */
export const readMedications: Read = async ({ ehr, signal, search, own }) => {
  const found = await search<MedicationRequest>("MedicationRequest", { status: "active", _include: "MedicationRequest:medication" });
  const requests = found.filter(({ resourceType }) => resourceType === "MedicationRequest");
  const orders = own(requests, ({ subject }) => subject).filter((one) => isOrder(one) && one.status === "active");
  const nameOf = await readNames(ehr, orders, found, signal);
  const medications = orders.map((one) => {
    const dosage = dosageOf(one.dosageInstruction);
    return { name: nameOf(one), ...(dosage ? { dosage } : {}) };
  });
  return { medications: [...new Map(medications.map((one) => [`${one.name}\n${one.dosage}`, one])).values()] };
};
