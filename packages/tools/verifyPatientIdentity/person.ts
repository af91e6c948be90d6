import { createHash, timingSafeEqual } from "node:crypto";
import type { Patient } from "fhir/r4.js";
import { familyName, firstGiven } from "./names.ts";

/** Who somebody says to be; the date is yyyy-mm-dd. */
export type Person = { firstName: string; lastName: string; dateOfBirth: string };

const hash = (text: string): Buffer => createHash("sha256").update(text).digest();
/** Equal and not empty, in a time that does not tell how much of it is. */
export const same = (claimed: string, known: string): boolean => timingSafeEqual(hash(claimed), hash(known)) && claimed !== "";

/** Whether a chart is of somebody with this name and birth date; an EHR's search is too kind to be relied on. Looks at every name. */
export function isSamePerson({ firstName, lastName, dateOfBirth }: Person, { name = [], birthDate = "" }: Patient): boolean {
  const named = name.map(({ given = [], family = "" }) => {
    const first = same(firstGiven(firstName), firstGiven(given.join(" ")));
    const last = same(familyName(lastName), familyName(family));
    return first && last;
  });
  return [named.includes(true), same(dateOfBirth, birthDate)].every(Boolean);
}

/** Without the characters that have a meaning in a search. */
const searchable = (text: string): string => text.replace(/[,$|\\]+/g, " ").trim();
const initialOf = (name: string): string => /\p{L}/u.exec(name.normalize("NFC"))?.[0] ?? searchable(name);
/** Only as far as the first letters go: of "Aaron-Lee" the first name is Aaron, and servers look for what a name begins with. */
const beginningOf = (name: string): string => /\p{L}+/u.exec(name.normalize("NFC"))?.[0] ?? searchable(name);

/** A search for everybody who could be meant: servers compare names with their apostrophes, so "OBrien" finds "O'Brien" only by what both begin with. */
export const paramsFor = ({ firstName, lastName, dateOfBirth }: Person): Record<"family" | "given" | "birthdate", string> => ({
  family: initialOf(lastName),
  given: beginningOf(firstName),
  birthdate: dateOfBirth,
});

/** The same with the whole family name as it was said, for when these are too many. */
export const narrowParamsFor = (person: Person): Record<"family" | "given" | "birthdate", string> => ({
  ...paramsFor(person),
  family: searchable(person.lastName),
});
