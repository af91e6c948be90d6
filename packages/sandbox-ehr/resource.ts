import type { FhirResource } from "fhir/r4.js";

/** The resource types this server holds. */
export const resourceTypes = ["Patient", "Practitioner", "PractitionerRole", "Location", "Schedule", "Slot", "Appointment"] as const;
export type ResourceType = (typeof resourceTypes)[number];

export type ResourceOf<T extends ResourceType> = Extract<FhirResource, { resourceType: T }>;
export type Resource = ResourceOf<ResourceType>;

/** A resource as the store keeps it: with an id, a version counted from 1 and the time of its last change. */
export type Stored<T extends ResourceType = ResourceType> = ResourceOf<T> & {
  id: string;
  meta: { versionId: string; lastUpdated: string };
};

export const isResourceType = (name: string): name is ResourceType => resourceTypes.some((type) => type === name);

/** "Slot/abc" and "http://host/r4/Slot/abc/_history/2" both point at Slot abc. */
export function parseReference(reference: string | undefined): { type: string; id: string } | undefined {
  const match = /(?:^|\/)([A-Z][A-Za-z]+)\/([A-Za-z0-9.-]{1,64})(?:\/_history\/[^/]+)?$/.exec(reference ?? "");
  return match?.[1] && match[2] ? { type: match[1], id: match[2] } : undefined;
}
