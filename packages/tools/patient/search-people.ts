import type { Patient } from "fhir/r4.js";
import type { ServerBehavior } from "@vitaline/fhir-providers";
import type { Run } from "../sdk/run.ts";
import type { Person } from "./person.ts";

/** More than this and the search is repeated by family name. */
export const maxCandidates = 50;
const maxNarrowed = 200;

/** One search by birth date and initials; a second one by family name if there are too many. undefined if those are too many as well. */
export async function searchPeople({ ctx, ehr, signal }: Run, person: Person): Promise<Patient[] | undefined> {
  const search = async (params: Record<string, string>, maxResources: number): Promise<Patient[]> => {
    const found = await ehr.search<Patient>("Patient", params, { signal, maxResources });
    return found.filter(({ resourceType }) => resourceType === "Patient");
  };
  const { names } = await ehr.behavior({ signal });
  const wide = await search(personSearchParams(person, names), maxCandidates);
  if (wide.length < maxCandidates) return wide;
  const narrow = await search(narrowSearchParams(person, names), maxNarrowed);
  if (narrow.length >= maxNarrowed) {
    ctx.log("warn", "identity.too_many_candidates", { count: narrow.length });
    return undefined;
  }
  const seen = new Set(narrow.map(({ id }) => id));
  return [...narrow, ...wide.filter(({ id }) => !seen.has(id))];
}

const searchable = (text: string): string => text.replace(/[,$|\\]+/g, " ").trim();

const initialOf = (name: string): string => /\p{L}/u.exec(name.normalize("NFC"))?.[0] ?? searchable(name);

/** Servers match by prefix: for "Aaron-Lee" the prefix is "Aaron". */
const beginningOf = (name: string): string => /\p{L}+/u.exec(name.normalize("NFC"))?.[0] ?? searchable(name);

/** For servers that do not fold accents as FHIR requires. */
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

const accentVariants = (initial: string): string[] => {
  const plain = initial.normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase();
  return [plain, ...(accented[plain] ?? "")];
};

/** As wide as the server allows; names are compared by us. */
const personSearchParams = ({ firstName, lastName, dateOfBirth }: Person, names: ServerBehavior["names"]): Record<string, string> => {
  switch (names) {
    case "each":
      return { family: initialOf(lastName), given: beginningOf(firstName), birthdate: dateOfBirth };
    case "one":
      return { name: initialOf(firstName), birthdate: dateOfBirth };
    case "any":
      return { name: [...new Set([firstName, lastName].map(initialOf).flatMap(accentVariants))].join(","), birthdate: dateOfBirth };
  }
};

const narrowSearchParams = (person: Person, names: ServerBehavior["names"]): Record<string, string> => {
  const { name: _any, ...params } = personSearchParams(person, names);
  return { ...params, [names === "each" ? "family" : "name"]: searchable(person.lastName) };
};
