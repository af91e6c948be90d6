import { olderVersion } from "../older.ts";
import type { Version } from "../version.ts";
import { allergyIntolerance, condition, criticalities, observation } from "./clinical.ts";
import { coverage, flag, group, organization, patient, patientToR4, practitioner, relatedPerson } from "./people.ts";
import { medication, medicationDispense, medicationOrder, medicationStatement } from "./medication.ts";
import { communication, communicationRequest, communicationRequestToR4, communicationToR4 } from "./messages.ts";
import { appointment, appointmentToR4, location, schedule, slot, slotToR4 } from "./scheduling.ts";
import { shapes } from "./shapes.ts";

const inverted = (codes: Record<string, string>) => Object.fromEntries(Object.entries(codes).map(([ours, theirs]) => [theirs, ours]));

/**
 * http://hl7.org/fhir/DSTU2. Its EligibilityRequest names neither patient nor coverage, so it is not supported. Coverage has no search by
 * patient there; like most servers, this one adds it.
 */
export const dstu2: Version = olderVersion({
  name: "DSTU2",
  fhirVersion: "1.0.2",
  mediaType: "application/json+fhir",
  outward: {
    Patient: patient,
    RelatedPerson: relatedPerson,
    Flag: flag,
    Practitioner: practitioner,
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
    MedicationRequest: medicationOrder,
    MedicationDispense: medicationDispense,
    MedicationStatement: medicationStatement,
    Coverage: coverage,
    Communication: communication,
    CommunicationRequest: communicationRequest,
  },
  renamed: { MedicationRequest: "MedicationOrder" },
  inward: {
    Patient: patientToR4,
    Appointment: appointmentToR4,
    Slot: slotToR4,
    Communication: communicationToR4,
    CommunicationRequest: communicationRequestToR4,
  },
  shapes,
  sortsByModifier: true,
  joinedParams: {
    Practitioner: {
      specialty: ["PractitionerRole", "specialty", "practitioner"],
      location: ["PractitionerRole", "location", "practitioner"],
      organization: ["PractitionerRole", "organization", "practitioner"],
    },
  },
  paramNames: {
    RelatedPerson: { family: null, given: null, relationship: null },
    Flag: { subject: null },
    Practitioner: { active: null },
    Schedule: { "service-type": "type", specialty: null },
    Slot: { "service-type": "slot-type", specialty: null, status: "fb-type" },
    Appointment: { slot: null, specialty: null, "service-type": null },
    Condition: {
      subject: null,
      "clinical-status": { name: "clinicalstatus", codes: { relapse: "recurrence" } },
      "verification-status": null,
      category: { name: "category", codes: { diagnosis: "problem-list-item" } },
      "onset-date": "onset",
      "recorded-date": "date-recorded",
    },
    AllergyIntolerance: {
      "clinical-status": "status",
      "verification-status": null,
      code: "substance",
      criticality: { name: "criticality", codes: inverted(criticalities) },
    },
    Medication: { status: null },
    MedicationRequest: { subject: null, intent: null, authoredon: "datewritten", requester: "prescriber" },
    MedicationDispense: { subject: null },
    MedicationStatement: { subject: null, effective: "effectivedate" },
    Coverage: { beneficiary: null, payor: "issuer", status: null },
    CommunicationRequest: { authored: "requested" },
  },
});
