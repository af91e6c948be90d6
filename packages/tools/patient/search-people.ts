import type { Patient } from "fhir/r4.js";
import type { Strategy } from "@vitaline/fhir-providers";
import type { Run } from "../sdk/run.ts";
import type { Person } from "./person.ts";

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

/** Without the characters that have a meaning in a search. */
const searchable = (text: string): string => text.replace(/[,$|\\]+/g, " ").trim();

const initialOf = (name: string): string => /\p{L}/u.exec(name.normalize("NFC"))?.[0] ?? searchable(name);

/** Only as far as the first letters go: of "Aaron-Lee" the first name is Aaron, and servers look for what a name begins with. */
const beginningOf = (name: string): string => /\p{L}+/u.exec(name.normalize("NFC"))?.[0] ?? searchable(name);

/** For servers that do not take an "E" for an "É", as FHIR has them do. */
const accented: Record<string, string> = {
  A: "ÁÀÂÄÃÅ",
  C: "ÇČĆ",
  D: "ĐÐ",
  E: "ÉÈÊË",
  I: "ÍÎÏİ",
  L: "Ł",
  N: "Ñ",
  O: "ÓÒÔÖÕØ",
  S: "ŠŚ",
  U: "ÚÙÛÜ",
  Y: "ÝŸ",
  Z: "ŽŻ",
};

const writtenAs = (initial: string): string[] => {
  const plain = initial.normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase();
  return [plain, ...(accented[plain] ?? "")];
};

/**
 * A search for everybody who could be meant, by birth date and the beginning of a name, as far as the server lets it be left open
 * which: names are compared by us.
 */
const paramsFor = ({ firstName, lastName, dateOfBirth }: Person, names: Strategy["names"]): Record<string, string> => {
  switch (names) {
    case "each":
      return { family: initialOf(lastName), given: beginningOf(firstName), birthdate: dateOfBirth };
    case "one":
      return { name: initialOf(firstName), birthdate: dateOfBirth };
    case "any":
      return { name: [...new Set([firstName, lastName].map(initialOf).flatMap(writtenAs))].join(","), birthdate: dateOfBirth };
  }
};

/** The same with the whole family name as it was said, for when these are too many. */
const narrowParamsFor = (person: Person, names: Strategy["names"]): Record<string, string> => {
  const { name: _any, ...params } = paramsFor(person, names);
  return { ...params, [names === "each" ? "family" : "name"]: searchable(person.lastName) };
};
