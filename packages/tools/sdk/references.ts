import type { Identifier } from "fhir/r4.js";

const form = /(?:^|\/)([A-Za-z]+)\/([A-Za-z0-9._-]+)(?:\/_history\/[^/]+)?$/;

/** The id of "https://ehr.example/r4/Slot/17/_history/2" or "Slot/17". */
export function referencedId(reference: string | undefined, type: string): string | undefined {
  if (!reference?.includes(type)) return undefined;
  const [, named, id] = form.exec(reference) ?? [];
  return named === type ? id : undefined;
}

/** Identifier of resources made by a request, to find them after a lost answer. */
export const requestSystem = "urn:vitaline:tool-request";

export const executionKeyIn = ({ identifier = [] }: { identifier?: Identifier[] }): string | undefined =>
  identifier.find(({ system }) => system === requestSystem)?.value;
