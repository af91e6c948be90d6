import { createHash, timingSafeEqual } from "node:crypto";
import type { Strategy } from "@vitaline/fhir-providers";
import type { Patient } from "fhir/r4.js";
import { familyForms, givenForms, namesOf } from "./names.ts";

/** Who somebody says to be; the date is yyyy-mm-dd. */
export type Person = { firstName: string; lastName: string; dateOfBirth: string };

const hash = (text: string): Buffer => createHash("sha256").update(text).digest();
/** Equal and not empty, in a time that does not tell how much of it is. */
export const same = (claimed: string, known: string): boolean => timingSafeEqual(hash(claimed), hash(known)) && claimed !== "";

/** Whether a chart is of somebody with this name and birth date; an EHR's search is too kind to be relied on. Looks at every name. */
export function isSamePerson({ firstName, lastName, dateOfBirth }: Person, patient: Patient): boolean {
  const names = namesOf(patient);
  const first = anyOf(
    givenForms(firstName),
    names.flatMap((name) => givenForms(name.firstName)),
  );
  const last = anyOf(
    familyForms(lastName),
    names.flatMap((name) => familyForms(name.lastName)),
  );
  return [first, last, same(dateOfBirth, patient.birthDate ?? "")].every(Boolean);
}

/** Compares each with each, whether or not one was found already. */
const anyOf = (claimed: string[], known: string[]): boolean =>
  claimed.flatMap((one) => known.map((other) => same(one, other))).includes(true);

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
export const paramsFor = ({ firstName, lastName, dateOfBirth }: Person, names: Strategy["names"]): Record<string, string> => {
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
export const narrowParamsFor = (person: Person, names: Strategy["names"]): Record<string, string> => {
  const { name: _any, ...params } = paramsFor(person, names);
  return { ...params, [names === "each" ? "family" : "name"]: searchable(person.lastName) };
};
