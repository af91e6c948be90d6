import type { Identifier } from "fhir/r4.js";

/** The id of "https://ehr.example/r4/Slot/17/_history/2" or "Slot/17". */
export const referencedId = (reference: string | undefined, type: string): string | undefined =>
  new RegExp(`(?:^|/)${type}/([A-Za-z0-9._-]+)(?:/_history/[^/]+)?$`).exec(reference ?? "")?.[1];

/** Identifier of resources made by a request, to find them after a lost answer. */
export const requestSystem = "urn:vitaline:tool-request";

export const executionKeyIn = ({ identifier = [] }: { identifier?: Identifier[] }): string | undefined =>
  identifier.find(({ system }) => system === requestSystem)?.value;
