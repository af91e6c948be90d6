import type { Condition } from "fhir/r4.js";
import {
  appointmentSlot,
  coded,
  coverageStatus,
  mapAlternatives,
  named,
  type SearchRule,
  type SearchRules,
  withoutSystem,
} from "../convert/search-rules.ts";
import { defineVersion } from "../convert/version.ts";
import {
  appointment,
  extractRoles,
  flag,
  location,
  organization,
  patient,
  practitioner,
  relatedPerson,
  rolePractitionerId,
  schedule,
  slot,
} from "./administration.ts";
import { allergy, condition, observation } from "./clinical.ts";
import { communication } from "./communication.ts";
import { coverage, eligibilityRequest, eligibilityResponse } from "./financial.ts";
import { medication, medicationDispense, medicationOrder, medicationStatement } from "./medications.ts";

const unsupported = named();
/** The first that the server lists is used. */
const subject = named("patient", "subject");

/** DSTU2 has one `status` list for the clinical and the verification status. */
const allergyStatuses: Readonly<Record<string, string>> = { active: "active,unconfirmed,confirmed" };
const allergyStatus = (value: string): string =>
  mapAlternatives(withoutSystem(value), (one) => (Object.hasOwn(allergyStatuses, one) ? (allergyStatuses[one] ?? one) : one));

/**
 * DSTU2 has no problem-list category: a search gets everything except encounter diagnoses. Some servers require a category, so all are
 * sent, including Epic's own. https://hl7.org/fhir/DSTU2/valueset-condition-category.html
 */
const conditionCategory: SearchRule = {
  names: ["category"],
  value: () => "complaint,symptom,finding,diagnosis,problem",
  filter: (resource, value) => {
    const codes = ((resource as Condition).category ?? []).flatMap(({ coding = [] }) => coding.map((one) => one.code));
    const wanted = withoutSystem(value).split(",");
    return codes.length === 0 || codes.some((one) => wanted.includes(one ?? "")) || !codes.includes("encounter-diagnosis");
  },
};

/** https://hl7.org/fhir/DSTU2/searchparam-registry.html */
const search: SearchRules = {
  byType: {
    AllergyIntolerance: {
      "clinical-status": { names: ["status"], value: allergyStatus },
      "verification-status": unsupported,
      code: named("substance"),
      recorder: named("recorder"),
      asserter: named("reporter"),
    },
    Appointment: { slot: appointmentSlot, "service-type": unsupported, "appointment-type": unsupported, "reason-code": unsupported },
    Condition: {
      subject,
      category: conditionCategory,
      "clinical-status": coded("clinicalstatus", "clinicalStatus"),
      "verification-status": unsupported,
      "recorded-date": named("date-recorded"),
      "onset-date": named("onset"),
    },
    Coverage: {
      patient: named("patient", "beneficiary", "subscriber"),
      beneficiary: named("beneficiary", "patient", "subscriber"),
      payor: named("issuer"),
      status: coverageStatus,
    },
    Observation: { category: coded("category") },
    MedicationDispense: { subject },
    MedicationRequest: {
      subject,
      intent: unsupported,
      authoredon: named("datewritten"),
      date: unsupported,
      requester: named("prescriber"),
    },
    MedicationStatement: { subject, effective: named("effectivedate"), category: unsupported },
    Patient: { "general-practitioner": named("careprovider") },
    PractitionerRole: {
      _id: { names: ["_id"], value: (value) => mapAlternatives(value, rolePractitionerId) },
      active: unsupported,
      practitioner: { names: ["_id"], value: (value) => mapAlternatives(value, (one) => one.replace(/^.*\//, "")) },
      "practitioner.name": named("name"),
      "practitioner.family": named("family"),
      "practitioner.given": named("given"),
      "practitioner.identifier": named("identifier"),
    },
    Schedule: { active: unsupported, "service-type": named("type"), "service-category": named("type"), specialty: unsupported },
    Slot: {
      status: coded("fb-type"),
      "service-type": named("slot-type"),
      "appointment-type": named("slot-type"),
      "service-category": unsupported,
      specialty: unsupported,
    },
    CoverageEligibilityRequest: { status: unsupported },
    CoverageEligibilityResponse: { status: unsupported },
  },
  unsupported: ["_total", "_elements"],
  sort: (name, descending) => [descending ? "_sort:desc" : "_sort:asc", name],
};

/** https://hl7.org/fhir/DSTU2 */
export const dstu2 = defineVersion({
  fhirVersion: "DSTU2",
  mediaType: "application/json+fhir",
  converters: [
    ...[patient, relatedPerson, flag, practitioner, location, organization, schedule, slot, appointment],
    ...[condition, allergy, observation, medicationOrder, medication, medicationStatement, medicationDispense],
    ...[coverage, eligibilityRequest, eligibilityResponse, communication],
  ],
  embedded: { type: "PractitionerRole", host: "Practitioner", hostId: rolePractitionerId, extract: extractRoles },
  search,
});
