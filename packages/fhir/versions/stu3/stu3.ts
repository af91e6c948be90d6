import { appointmentSlot, coded, coverageStatus, named, type SearchRules } from "../convert/search-rules.ts";
import { defineVersion } from "../convert/version.ts";
import { appointment, flag, location, patient, relatedPerson, schedule, slot } from "./administration.ts";
import { allergy, condition, observation } from "./clinical.ts";
import { communication } from "./communication.ts";
import { coverage, eligibilityRequest, eligibilityResponse } from "./financial.ts";
import { medication, medicationDispense, medicationRequest, medicationStatement } from "./medications.ts";

const byPatient = named("patient", "subject");

/** https://hl7.org/fhir/STU3/searchparameter-registry.html */
const search: SearchRules = {
  byType: {
    AllergyIntolerance: { "clinical-status": coded("clinical-status"), "verification-status": coded("verification-status") },
    Appointment: { slot: appointmentSlot, "reason-code": named("reason"), "based-on": named("incomingreferral") },
    Condition: {
      "clinical-status": coded("clinical-status"),
      "verification-status": coded("verification-status"),
      category: coded("category"),
      "recorded-date": named("asserted-date"),
      encounter: named("encounter", "context"),
    },
    Coverage: { patient: named("patient", "beneficiary"), status: coverageStatus },
    Observation: { category: coded("category") },
    MedicationDispense: { patient: byPatient, encounter: named("context") },
    MedicationRequest: { encounter: named("context") },
    Schedule: { "service-type": named("type"), "service-category": named("type") },
    Slot: { "service-type": named("slot-type", "service-type"), "appointment-type": named("slot-type", "appointment-type") },
    Communication: { topic: named() },
  },
  unsupported: ["_total", "_elements"],
  sort: (name, descending) => ["_sort", descending ? `-${name}` : name],
};

/** https://hl7.org/fhir/STU3 */
export const stu3 = defineVersion({
  fhirVersion: "STU3",
  mediaType: "application/fhir+json",
  converters: [
    ...[patient, relatedPerson, flag, location, schedule, slot, appointment],
    ...[condition, allergy, observation, medicationRequest, medication, medicationStatement, medicationDispense],
    ...[coverage, eligibilityRequest, eligibilityResponse, communication],
  ],
  search,
});
