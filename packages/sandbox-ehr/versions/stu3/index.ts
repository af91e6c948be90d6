import type * as r3 from "fhir/r3.js";
import type * as r4 from "fhir/r4.js";
import { olderVersion } from "../older.ts";
import type { Version } from "../version.ts";
import { allergyIntolerance, condition, observation } from "./clinical.ts";
import { coverage, eligibilityRequest, eligibilityRequestToR4, eligibilityResponse } from "./insurance.ts";
import { medication, medicationDispense, medicationRequest, medicationStatement } from "./medication.ts";
import { communication, communicationRequest, communicationRequestToR4, communicationToR4 } from "./messages.ts";
import { flag, group, organization, patient, practitioner, practitionerRole, relatedPerson } from "./people.ts";
import { appointment, appointmentToR4, location, schedule, slot, slotToR4 } from "./scheduling.ts";
import { shapes } from "./shapes.ts";

/** http://hl7.org/fhir/STU3 */
export const stu3: Version = olderVersion({
  name: "STU3",
  fhirVersion: "3.0.2",
  mediaType: "application/fhir+json",
  outward: {
    Patient: patient,
    RelatedPerson: relatedPerson,
    Flag: flag,
    Practitioner: practitioner,
    PractitionerRole: practitionerRole,
    Organization: organization,
    Location: location,
    Group: group,
    Schedule: schedule,
    Slot: slot,
    Appointment: appointment,
    Condition: condition,
    AllergyIntolerance: allergyIntolerance,
    Observation: observation,
    Medication: medication,
    MedicationRequest: medicationRequest,
    MedicationDispense: medicationDispense,
    MedicationStatement: medicationStatement,
    Coverage: coverage,
    CoverageEligibilityRequest: eligibilityRequest,
    CoverageEligibilityResponse: eligibilityResponse,
    Communication: communication,
    CommunicationRequest: communicationRequest,
  },
  renamed: { CoverageEligibilityRequest: "EligibilityRequest", CoverageEligibilityResponse: "EligibilityResponse" },
  inward: {
    Patient: (one: r3.Patient) => one as r4.Patient,
    Appointment: appointmentToR4,
    Slot: slotToR4,
    Communication: communicationToR4,
    CommunicationRequest: communicationRequestToR4,
    EligibilityRequest: eligibilityRequestToR4,
  },
  shapes,
  joinedParams: {},
  sortsByModifier: false,
  paramNames: {
    RelatedPerson: { family: null, given: null, relationship: null },
    Schedule: { "service-type": "type", specialty: null },
    Slot: { "service-type": "slot-type", specialty: null },
    Appointment: { slot: null, specialty: null },
    Condition: { "recorded-date": "asserted-date" },
    Coverage: { patient: null, status: null },
    CoverageEligibilityRequest: { status: null },
    CoverageEligibilityResponse: { patient: null, status: null },
  },
});
