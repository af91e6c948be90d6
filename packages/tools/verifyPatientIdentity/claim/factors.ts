import type { Patient } from "fhir/r4.js";
import { normalizePhone, normalizeRecordNumber, normalizeZip } from "../../nlu/digits.ts";
import { normalizeName } from "../../nlu/names.ts";
import { leadingNumber } from "../../nlu/numbers.ts";
import { isCurrent, matchesPerson, timingSafeSame } from "../../patient/person.ts";
import type { Claim, Details } from "../schema.ts";

/** Spellings of street types; callers may omit the type. */
const streetTypes: Record<string, string[]> = {
  street: ["street", "st"],
  avenue: ["avenue", "ave", "av"],
  road: ["road", "rd"],
  drive: ["drive", "dr"],
  lane: ["lane", "ln"],
  court: ["court", "ct"],
  boulevard: ["boulevard", "blvd"],
  place: ["place", "pl"],
  circle: ["circle", "cir"],
  terrace: ["terrace", "ter"],
  parkway: ["parkway", "pkwy"],
  highway: ["highway", "hwy"],
  square: ["square", "sq"],
  way: ["way"],
  trail: ["trail", "trl"],
};
const streetTypeOf = new Map(Object.entries(streetTypes).flatMap(([type, spellings]) => spellings.map((spelling) => [spelling, type])));

const longForms: Record<string, string> = {
  n: "north",
  s: "south",
  e: "east",
  w: "west",
  mt: "mount",
  first: "1st",
  second: "2nd",
  third: "3rd",
  fourth: "4th",
  fifth: "5th",
  sixth: "6th",
  seventh: "7th",
  eighth: "8th",
  ninth: "9th",
  tenth: "10th",
};
/** Words that follow the street. */
const units = new Set([
  "apt",
  "apartment",
  "unit",
  "suite",
  "ste",
  "floor",
  "fl",
  "room",
  "rm",
  "number",
  "no",
  "flat",
  "building",
  "bldg",
]);

/**
 * House number and street: "12 Oak St., Apt 4, Springfield" and "one two Oak" → "12 oak"; "" without both. The street type is ignored.
 */
export function addressKey(address: string): string {
  const parts = address.split(/[,;\n]/);
  const [number, ...rest] = splitNumber(parts.slice(0, parts.findIndex((part) => /\p{L}/u.test(part)) + 1).join(" "));
  const street: string[] = [];
  for (const word of rest) {
    if (units.has(word) || /^\d+$/.test(word)) break;
    if (street.length > 0 && streetTypeOf.has(word)) break;
    street.push(street.length === 0 && word === "st" ? "saint" : (longForms[word] ?? word));
  }
  return number && street.length > 0 ? `${number} ${street.join("")}` : "";
}

function splitNumber(part: string): string[] {
  const words = normalizeName(part).split(" ");
  const [, lettered, letter = ""] = /^(\d+)([a-z])$/.exec(words[0] ?? "") ?? [];
  const [digits, rest] = lettered ? [lettered, words.slice(1)] : leadingNumber(words);
  return digits === "" ? [] : [digits.replace(/^0+/, "") + letter, ...rest];
}

export type Factor = "phone" | "zip" | "address" | "mrn" | "email";

/** Compares every value, to keep the time constant. */
const includesSafely = (claimed: string, known: string[]): boolean => known.map((value) => timingSafeSame(claimed, value)).includes(true);

const normalizeEmail = (text: string): string => text.normalize("NFKC").toLowerCase().replaceAll(" ", "");

const contacts = ({ telecom = [] }: Patient, system: "phone" | "email", now: Date): string[] =>
  telecom.flatMap((contact) => (contact.system === system && isCurrent(contact, now) && contact.value ? [contact.value] : []));

const typeSystem = "http://terminology.hl7.org/CodeSystem/v2-0203";
/** Social security, driver license, Medicare and insurance numbers, as URI or OID. */
const nonRecordSystems =
  /us-ssn|us-mbi|us-medicare|2\.16\.840\.1\.113883\.4\.(?:1|3(?:\.\d+)*|572)$|licen[cs]e|member|subscriber|insurance/i;

/** Only medical record numbers; without a type, only a single identifier. */
export const recordNumbers = ({ identifier = [] }: Patient, now: Date): string[] =>
  identifier
    .filter((one) => isCurrent(one, now))
    .filter(({ type, system = "" }) =>
      type === undefined
        ? identifier.length === 1 && !nonRecordSystems.test(system)
        : (type.coding ?? []).some((coding) => coding.system === typeSystem && coding.code === "MR"),
    )
    .flatMap(({ value }) => value ?? []);

const addresses = ({ address = [] }: Patient, now: Date) => address.filter((one) => isCurrent(one, now));

const factors: Record<
  Factor,
  { claimed: (claim: Details) => string | undefined; known: (patient: Patient, now: Date) => string[]; normalize: (text: string) => string }
> = {
  phone: { claimed: ({ phoneNumber }) => phoneNumber, known: (patient, now) => contacts(patient, "phone", now), normalize: normalizePhone },
  zip: {
    claimed: ({ zipCode }) => zipCode,
    known: (patient, now) => addresses(patient, now).flatMap(({ postalCode }) => postalCode ?? []),
    normalize: normalizeZip,
  },
  address: {
    claimed: ({ address }) => address,
    known: (patient, now) => addresses(patient, now).flatMap(({ line = [], text }) => (line.length > 0 ? line : (text ?? []))),
    normalize: addressKey,
  },
  mrn: {
    claimed: ({ medicalRecordNumber }) => medicalRecordNumber,
    known: recordNumbers,
    normalize: normalizeRecordNumber,
  },
  email: { claimed: ({ email }) => email, known: (patient, now) => contacts(patient, "email", now), normalize: normalizeEmail },
};

/** undefined unless person and all claimed factors match; an EHR's own search matches too loosely. */
export function matchedFactors(claim: Claim, patient: Patient, now: Date): Factor[] | undefined {
  const matched = matchedDetails(claim, patient, now);
  return matchesPerson(claim, patient) ? matched : undefined;
}

export function matchedDetails(claim: Details, patient: Patient, now: Date): Factor[] | undefined {
  const claimed = (Object.keys(factors) as Factor[]).filter((factor) => factors[factor].claimed(claim) !== undefined);
  const agrees = claimed.map((factor) => {
    const { claimed: claimedValue, known, normalize } = factors[factor];
    return includesSafely(normalize(claimedValue(claim) ?? ""), known(patient, now).map(normalize));
  });
  return agrees.includes(false) || claimed.length === 0 ? undefined : claimed;
}

/** A street implies its zip code, so they count as one. */
export const distinctFactors = (matched: readonly string[]): number =>
  new Set(matched.map((factor) => (factor === "zip" ? "address" : factor))).size;
