import type { HumanName, Patient, Period } from "fhir/r4.js";
import { createHash, timingSafeEqual } from "node:crypto";
import { familyNameForms, normalizeFamilyName, firstGivenName, givenNameForms } from "../nlu/names.ts";
import { isScopedHash, scopedHash, scopedHashes } from "../sdk/keyed-hash.ts";

/** A period that ends on a date lasts until the date is over in every time zone. */
const endOf = (end: string): number => Date.parse(end) + (end.includes("T") ? 0 : 1.5 * 86_400_000);

/** For a name, identifier, contact point or address. */
export const isCurrent = ({ use, period }: { use?: string; period?: Period }, now: Date): boolean =>
  use !== "old" && !(period?.end !== undefined && endOf(period.end) < now.getTime());

/** `dateOfBirth` is yyyy-mm-dd. */
export type Person = { firstName: string; lastName: string; dateOfBirth: string };

/** All combinations of given and family names: a nickname often has no family name, a maiden name no given name. */
export const namesOf = ({ name = [] }: Patient): { firstName: string; lastName: string }[] => {
  const parts = name.map(partsOf);
  const families = parts.flatMap(({ lastName }) => (lastName === "" ? [] : [lastName]));
  const paired = parts.filter(({ firstName, lastName }) => firstName !== "" && lastName !== "");
  const all = parts.flatMap(({ firstName }) => (firstName === "" ? [] : families.map((lastName) => ({ firstName, lastName }))));
  return [...paired, ...all];
};

/** Source: FHIR R4, HumanName. With text alone, the family name stands before a comma, or last. */
const partsOf = ({ given = [], family = "", text = "" }: HumanName): { firstName: string; lastName: string } => {
  if (given.length > 0 || family !== "") return { firstName: given.join(" "), lastName: family };
  const [before = "", after] = text.split(",");
  if (after !== undefined) return { firstName: after.trim(), lastName: before.trim() };
  const [first = "", ...rest] = before.trim().split(/\s+/);
  return { firstName: first, lastName: rest.join(" ") };
};

const hash = (text: string): Buffer => createHash("sha256").update(text).digest();
/** Constant-time comparison; empty strings never match. */
export const timingSafeSame = (claimed: string, known: string): boolean => timingSafeEqual(hash(claimed), hash(known)) && claimed !== "";

/** Compares every name in constant time; an EHR's own search matches too loosely. */
export function matchesPerson({ firstName, lastName, dateOfBirth }: Person, patient: Patient): boolean {
  const names = namesOf(patient);
  const first = anyMatch(
    givenNameForms(firstName),
    names.flatMap((name) => givenNameForms(name.firstName)),
  );
  const last = anyMatch(
    familyNameForms(lastName),
    names.flatMap((name) => familyNameForms(name.lastName)),
  );
  return [first, last, timingSafeSame(dateOfBirth, patient.birthDate ?? "")].every(Boolean);
}

const anyMatch = (claimed: string[], known: string[]): boolean =>
  claimed.flatMap((one) => known.map((other) => timingSafeSame(one, other))).includes(true);

const identityParts = ({ firstName, lastName, dateOfBirth }: Person): string[] => [
  firstGivenName(firstName),
  normalizeFamilyName(lastName),
  dateOfBirth,
];

/** Keyed hash of a verified name and birth date. */
export const identityHash = (tenantId: string, person: Person): string => scopedHash("person", tenantId, identityParts(person));

export const isIdentityHash = (mark: string | undefined, tenantId: string, person: Person): boolean =>
  isScopedHash(mark, "person", tenantId, identityParts(person));

/** By the chart's first name; undefined without a name. */
export const chartIdentityHash = (tenantId: string, patient: Patient): string | undefined => chartIdentityHashes(tenantId, patient)[0];

export const hasIdentityHash = (tenantId: string, mark: string, patient: Patient): boolean =>
  chartIdentityHashes(tenantId, patient)
    .map((one) => timingSafeSame(one, mark))
    .includes(true);

const chartIdentityHashes = (tenantId: string, patient: Patient): string[] =>
  namesOf(patient).flatMap((name) => scopedHashes("person", tenantId, identityParts({ ...name, dateOfBirth: patient.birthDate ?? "" })));
