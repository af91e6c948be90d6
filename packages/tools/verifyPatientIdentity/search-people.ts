import type { Patient } from "fhir/r4.js";
import type { Run } from "../define-tool.ts";
import { narrowParamsFor, paramsFor, type Person } from "./person.ts";

/** Of so many people with one birth date and beginnings of names nobody needs a second page; beyond it they are looked for by family name. */
export const mostCandidates = 50;
const mostNarrowed = 200;

/**
 * Everybody who could be meant, for whoever compares then: one search, and a second one by the whole family name when there were more
 * than the first may bring. undefined when these are too many as well: whoever was not seen is neither there nor not there.
 */
export async function searchPeople({ ctx, ehr, signal }: Run, person: Person): Promise<Patient[] | undefined> {
  const search = async (params: Record<string, string>, maxResources: number): Promise<Patient[]> => {
    const found = await ehr.search<Patient>("Patient", params, { signal, maxResources });
    return found.filter(({ resourceType }) => resourceType === "Patient");
  };
  const { names } = await ehr.strategy({ signal });
  const wide = await search(paramsFor(person, names), mostCandidates);
  if (wide.length < mostCandidates) return wide;
  const narrow = await search(narrowParamsFor(person, names), mostNarrowed);
  if (narrow.length >= mostNarrowed) {
    ctx.log("warn", "identity.too_many_candidates", { count: narrow.length });
    return undefined;
  }
  const seen = new Set(narrow.map(({ id }) => id));
  return [...narrow, ...wide.filter(({ id }) => !seen.has(id))];
}
