import type { Appointment, Coverage } from "fhir/r4.js";
import { among, bare, type SearchRule, type SearchRules } from "../search-names.ts";

const is = (...names: string[]): SearchRule => ({ names });
const code = (...names: string[]): SearchRule => ({ names, value: bare });
const patient = is("patient", "subject");

/** An appointment's slots are not asked for before R4, so they are looked at here. */
export const appointmentSlot: SearchRule = {
  names: ["slot"],
  keep: (resource, value) => {
    const ids = value.split(",").map((one) => one.replace(/^.*\//, ""));
    return ((resource as Appointment).slot ?? []).some(({ reference }) => ids.includes(reference?.replace(/^.*\//, "") ?? ""));
  },
};
export const coverageStatus: SearchRule = { names: ["status"], keep: (resource, value) => among(value, (resource as Coverage).status) };

/** What STU3 calls otherwise, or leaves to us. https://hl7.org/fhir/STU3/searchparameter-registry.html */
export const search: SearchRules = {
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
    MedicationDispense: { patient, encounter: is("context") },
    MedicationRequest: { encounter: is("context") },
    Schedule: { "service-type": is("type"), "service-category": is("type") },
    Slot: { "service-type": is("slot-type", "service-type"), "appointment-type": is("slot-type", "appointment-type") },
    Communication: { topic: is() },
  },
  unknown: ["_total", "_elements"],
  sort: (name, descending) => ["_sort", descending ? `-${name}` : name],
};
