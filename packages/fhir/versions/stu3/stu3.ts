import { defineVersion } from "../convert/version.ts";
import { allergy, condition, observation } from "./clinical.ts";
import { appointment, location, patient, schedule, slot } from "./administration.ts";
import { communication } from "./communication.ts";
import { coverage, eligibilityRequest, eligibilityResponse } from "./financial.ts";
import { medication, medicationDispense, medicationRequest, medicationStatement } from "./medications.ts";
import { appointmentSlot, withoutSystem, coverageStatus, type SearchRule, type SearchRules } from "../convert/search-rules.ts";

const is = (...names: string[]): SearchRule => ({ names });
const code = (...names: string[]): SearchRule => ({ names, value: withoutSystem });
const byPatient = is("patient", "subject");

/** What STU3 calls otherwise, or leaves to us. https://hl7.org/fhir/STU3/searchparameter-registry.html */
const search: SearchRules = {
  byType: {
    AllergyIntolerance: { "clinical-status": code("clinical-status"), "verification-status": code("verification-status") },
    Appointment: { slot: appointmentSlot, "reason-code": is("reason"), "based-on": is("incomingreferral") },
    Condition: {
      "clinical-status": code("clinical-status"),
      "verification-status": code("verification-status"),
      category: code("category"),
      "recorded-date": is("asserted-date"),
      encounter: is("encounter", "context"),
    },
    Coverage: { patient: is("patient", "beneficiary"), status: coverageStatus },
    Observation: { category: code("category") },
    MedicationDispense: { patient: byPatient, encounter: is("context") },
    MedicationRequest: { encounter: is("context") },
    Schedule: { "service-type": is("type"), "service-category": is("type") },
    Slot: { "service-type": is("slot-type", "service-type"), "appointment-type": is("slot-type", "appointment-type") },
    Communication: { topic: is() },
  },
  unknown: ["_total", "_elements"],
  sort: (name, descending) => ["_sort", descending ? `-${name}` : name],
};

/** https://hl7.org/fhir/STU3 */
export const stu3 = defineVersion({
  fhirVersion: "STU3",
  mediaType: "application/fhir+json",
  converters: [
    ...[patient, location, schedule, slot, appointment],
    ...[condition, allergy, observation, medicationRequest, medication, medicationStatement, medicationDispense],
    ...[coverage, eligibilityRequest, eligibilityResponse, communication],
  ],
  search,
});
