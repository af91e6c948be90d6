import type { FhirResource, Reference } from "fhir/r4.js";

export const resourceTypes = [
  "Patient",
  "RelatedPerson",
  "Flag",
  "Practitioner",
  "PractitionerRole",
  "Organization",
  "Location",
  "Group",
  "Schedule",
  "Slot",
  "Appointment",
  "Condition",
  "AllergyIntolerance",
  "Observation",
  "Medication",
  "MedicationRequest",
  "MedicationDispense",
  "MedicationStatement",
  "Coverage",
  "CoverageEligibilityRequest",
  "CoverageEligibilityResponse",
  "Communication",
  "CommunicationRequest",
] as const;
export type ResourceType = (typeof resourceTypes)[number];

export type ResourceOf<T extends ResourceType> = Extract<FhirResource, { resourceType: T }>;
export type Resource = ResourceOf<ResourceType>;

export type Stored<T extends ResourceType = ResourceType> = ResourceOf<T> & {
  id: string;
  meta: { versionId: string; lastUpdated: string };
};

export const isResourceType = (name: string): name is ResourceType => resourceTypes.some((type) => type === name);

export const creatableTypes: readonly ResourceType[] = [
  "Patient",
  "Appointment",
  "Communication",
  "CommunicationRequest",
  "CoverageEligibilityRequest",
];
export const updatableTypes: readonly ResourceType[] = [...creatableTypes, "Slot"];
export const patchableTypes: readonly ResourceType[] = ["Patient", "Appointment", "Slot"];

/** "Slot/abc" and "http://host/r4/Slot/abc/_history/2" both refer to Slot abc. */
export function parseReference(reference: string | undefined): { type: string; id: string } | undefined {
  const match = /(?:^|\/)([A-Z][A-Za-z]+)\/([A-Za-z0-9.-]{1,64})(?:\/_history\/[^/]+)?$/.exec(reference ?? "");
  return match?.[1] && match[2] ? { type: match[1], id: match[2] } : undefined;
}

export function patientIdOf(resource: Resource): string | undefined {
  if (resource.resourceType === "Patient") return resource.id;
  if (resource.resourceType === "Appointment") {
    return resource.participant.flatMap(({ actor }) => patientIn(actor) ?? [])[0];
  }
  const about =
    "subject" in resource ? resource.subject : "patient" in resource ? resource.patient : "beneficiary" in resource && resource.beneficiary;
  return about ? patientIn(about) : undefined;
}

function patientIn(reference: Reference | undefined): string | undefined {
  const target = parseReference(reference?.reference);
  return target?.type === "Patient" ? target.id : undefined;
}
