import type { HumanName, Patient } from "fhir/r4.js";
import { createHash, timingSafeEqual } from "node:crypto";
import { familyForms, familyName, firstGiven, givenForms } from "../speech/names.ts";
import { hidden } from "../sdk/keyed-hash.ts";

/** Given and family names of a chart, every one with every other: a nickname often stands without its family name, a maiden name without a given one. */
const namesOf = ({ name = [] }: Patient): { firstName: string; lastName: string }[] => {
  const parts = name.map(partsOf);
  const families = parts.flatMap(({ lastName }) => (lastName === "" ? [] : [lastName]));
  const paired = parts.filter(({ firstName, lastName }) => firstName !== "" && lastName !== "");
  const all = parts.flatMap(({ firstName }) => (firstName === "" ? [] : families.map((lastName) => ({ firstName, lastName }))));
  return [...paired, ...all];
};

/** Source: FHIR R4, HumanName: the text may stand alone, with the family name before a comma, or last. */
const partsOf = ({ given = [], family = "", text = "" }: HumanName): { firstName: string; lastName: string } => {
  if (given.length > 0 || family !== "") return { firstName: given.join(" "), lastName: family };
  const [before = "", after] = text.split(",");
  if (after !== undefined) return { firstName: after.trim(), lastName: before.trim() };
  const [first = "", ...rest] = before.trim().split(/\s+/);
  return { firstName: first, lastName: rest.join(" ") };
};

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

/** Keyed, of a name and birth date as they were verified. */
export const personMark = (tenantId: string, { firstName, lastName, dateOfBirth }: Person): string =>
  hidden("person", tenantId, [firstGiven(firstName), familyName(lastName), dateOfBirth]);

/** The mark of whom a chart is of, by its first name; undefined for a chart without one. */
export const markOf = (tenantId: string, patient: Patient): string | undefined => marksOf(tenantId, patient)[0];

/** Whether a chart is of somebody with the name and birth date of the mark. Looks at every name. */
export const isMarked = (tenantId: string, mark: string, patient: Patient): boolean =>
  marksOf(tenantId, patient)
    .map((one) => same(one, mark))
    .includes(true);

const marksOf = (tenantId: string, patient: Patient): string[] =>
  namesOf(patient).map((name) => personMark(tenantId, { ...name, dateOfBirth: patient.birthDate ?? "" }));
