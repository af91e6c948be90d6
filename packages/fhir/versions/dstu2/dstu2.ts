import type { Condition } from "fhir/r4.js";
import { defineVersion } from "../convert/version.ts";
import { allergy, condition, observation } from "./clinical.ts";
import { appointment, location, organization, patient, practitioner, practitionerIdOf, rolesOf, schedule, slot } from "./administration.ts";
import { communication } from "./communication.ts";
import { coverage, eligibilityRequest, eligibilityResponse } from "./financial.ts";
import { medication, medicationDispense, medicationOrder, medicationStatement } from "./medications.ts";
import {
  appointmentSlot,
  withoutSystem,
  coverageStatus,
  mapAlternatives,
  type SearchRule,
  type SearchRules,
} from "../convert/search-rules.ts";

const is = (...names: string[]): SearchRule => ({ names });
const code = (...names: string[]): SearchRule => ({ names, value: withoutSystem });
const none = is();
/** Clinical resources name the patient so, whatever the search. */
const subject = is("patient", "subject");

/** Each word of an allergy's state in the one list that DSTU2 has. */
const allergyStates: Readonly<Record<string, string>> = { active: "active,unconfirmed,confirmed" };
const allergyState = (value: string): string =>
  mapAlternatives(withoutSystem(value), (one) => (Object.hasOwn(allergyStates, one) ? (allergyStates[one] ?? one) : one));

/**
 * DSTU2 has no list of problems as such: whoever asks for it gets all but what belongs to one visit alone. Some servers answer
 * only who names a category, so all are named, with Epic's own. https://hl7.org/fhir/DSTU2/valueset-condition-category.html
 */
const conditionCategory: SearchRule = {
  names: ["category"],
  value: () => "complaint,symptom,finding,diagnosis,problem",
  keep: (resource, value) => {
    const held = ((resource as Condition).category ?? []).flatMap(({ coding = [] }) => coding.map((one) => one.code));
    const asked = withoutSystem(value).split(",");
    return held.length === 0 || held.some((one) => asked.includes(one ?? "")) || !held.includes("encounter-diagnosis");
  },
};

/** What DSTU2 calls otherwise, or leaves to us. https://hl7.org/fhir/DSTU2/searchparam-registry.html */
const search: SearchRules = {
  byType: {
    AllergyIntolerance: {
      "clinical-status": { names: ["status"], value: allergyState },
      "verification-status": none,
      code: is("substance"),
      recorder: is("recorder"),
      asserter: is("reporter"),
    },
    Appointment: { slot: appointmentSlot, "service-type": none, "appointment-type": none, "reason-code": none },
    Condition: {
      subject,
      category: conditionCategory,
      "clinical-status": code("clinicalstatus", "clinicalStatus"),
      "verification-status": none,
      "recorded-date": is("date-recorded"),
      "onset-date": is("onset"),
    },
    Coverage: {
      patient: is("patient", "beneficiary", "subscriber"),
      beneficiary: is("beneficiary", "patient", "subscriber"),
      payor: is("issuer"),
      status: coverageStatus,
    },
    Observation: { category: code("category") },
    MedicationDispense: { subject },
    MedicationRequest: {
      subject,
      intent: none,
      authoredon: is("datewritten"),
      date: none,
      requester: is("prescriber"),
    },
    MedicationStatement: { subject, effective: is("effectivedate"), category: none },
    Patient: { "general-practitioner": is("careprovider") },
    PractitionerRole: {
      _id: { names: ["_id"], value: (value) => mapAlternatives(value, practitionerIdOf) },
      active: none,
      practitioner: { names: ["_id"], value: (value) => mapAlternatives(value, (one) => one.replace(/^.*\//, "")) },
      "practitioner.name": is("name"),
      "practitioner.family": is("family"),
      "practitioner.given": is("given"),
      "practitioner.identifier": is("identifier"),
    },
    Schedule: { active: none, "service-type": is("type"), "service-category": is("type"), specialty: none },
    Slot: {
      status: code("fb-type"),
      "service-type": is("slot-type"),
      "appointment-type": is("slot-type"),
      "service-category": none,
      specialty: none,
    },
    CoverageEligibilityRequest: { status: none },
    CoverageEligibilityResponse: { status: none },
  },
  unknown: ["_total", "_elements"],
  sort: (name, descending) => [descending ? "_sort:desc" : "_sort:asc", name],
};

/** https://hl7.org/fhir/DSTU2 */
export const dstu2 = defineVersion({
  fhirVersion: "DSTU2",
  mediaType: "application/json+fhir",
  converters: [
    ...[patient, practitioner, location, organization, schedule, slot, appointment],
    ...[condition, allergy, observation, medicationOrder, medication, medicationStatement, medicationDispense],
    ...[coverage, eligibilityRequest, eligibilityResponse, communication],
  ],
  within: { type: "PractitionerRole", native: "Practitioner", idOf: practitionerIdOf, taken: rolesOf },
  search,
});
