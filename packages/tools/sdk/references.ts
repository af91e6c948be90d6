import type { Identifier } from "fhir/r4.js";

/** "Slot" and the id of "https://ehr.example/r4/Slot/17/_history/2" or "Slot/17". */
export const idIn = (reference: string | undefined, type: string): string | undefined =>
  new RegExp(`(?:^|/)${type}/([A-Za-z0-9._-]+)(?:/_history/[^/]+)?$`).exec(reference ?? "")?.[1];

/** Marks what a request has made, so that it can be found again by whoever has lost the answer. */
export const requestSystem = "urn:vitaline:tool-request";

/** The key of the request that has made a resource, if one of ours has. */
export const requestOf = ({ identifier = [] }: { identifier?: Identifier[] }): string | undefined =>
  identifier.find(({ system }) => system === requestSystem)?.value;
