export const demoClientId = "vitaline-demo";

const reads = [
  "Practitioner",
  "PractitionerRole",
  "Organization",
  "Location",
  "Group",
  "RelatedPerson",
  "Schedule",
  "Condition",
  "AllergyIntolerance",
  "Observation",
  "Medication",
  "MedicationRequest",
  "MedicationDispense",
  "MedicationStatement",
  "Coverage",
  "CoverageEligibilityResponse",
];
/** What older versions of FHIR call otherwise. */
const olderNames = ["system/MedicationOrder.rs", "system/EligibilityRequest.crs", "system/EligibilityResponse.rs"];

/** What the platform's tools need here, and no more, at servers of every version. */
export const demoScopes = [
  "system/Patient.crus",
  "system/Appointment.crus",
  "system/Slot.rs",
  "system/Communication.crs",
  "system/CommunicationRequest.crs",
  "system/CoverageEligibilityRequest.crs",
  ...reads.map((type) => `system/${type}.rs`),
  ...olderNames,
].join(" ");
