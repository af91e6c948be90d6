import type { Patient } from "fhir/r4.js";
import { isCurrent } from "../patient/contact-points.ts";
import type { Claim, Details } from "./schema.ts";
import { addressKey } from "./address-key.ts";
import { isSamePerson, same } from "../patient/person.ts";
import { normalPhone, normalRecordNumber, normalZip } from "../speech/spoken-digits.ts";

/** What can be matched beside name and birth date; two of them make a caller known well. */
export type Factor = "phone" | "zip" | "address" | "mrn" | "email";

/** Looks at every value, whether or not one was found already. */
const among = (claimed: string, known: string[]): boolean => known.map((value) => same(claimed, value)).includes(true);

const normalEmail = (text: string): string => text.normalize("NFKC").toLowerCase().replaceAll(" ", "");

const contacts = ({ telecom = [] }: Patient, system: "phone" | "email", now: Date): string[] =>
  telecom.flatMap((contact) => (contact.system === system && isCurrent(contact, now) && contact.value ? [contact.value] : []));

const typeSystem = "http://terminology.hl7.org/CodeSystem/v2-0203";
/** Systems of social security, driver licence, Medicare and insurance member numbers, as URI or OID. */
const notOfRecords = /us-ssn|us-mbi|us-medicare|2\.16\.840\.1\.113883\.4\.(?:1|3(?:\.\d+)*|572)$|licen[cs]e|member|subscriber|insurance/i;

/** The numbers of a patient's record; no other number that a patient has may be a way in. Without a type only one that stands alone. */
const recordNumbers = ({ identifier = [] }: Patient, now: Date): string[] =>
  identifier
    .filter((one) => isCurrent(one, now))
    .filter(({ type, system = "" }) =>
      type === undefined
        ? identifier.length === 1 && !notOfRecords.test(system)
        : (type.coding ?? []).some((coding) => coding.system === typeSystem && coding.code === "MR"),
    )
    .flatMap(({ value }) => value ?? []);

const addresses = ({ address = [] }: Patient, now: Date) => address.filter((one) => isCurrent(one, now));

const factors: Record<
  Factor,
  { claimed: (claim: Details) => string | undefined; known: (patient: Patient, now: Date) => string[]; normal: (text: string) => string }
> = {
  phone: { claimed: ({ phoneNumber }) => phoneNumber, known: (patient, now) => contacts(patient, "phone", now), normal: normalPhone },
  zip: {
    claimed: ({ zipCode }) => zipCode,
    known: (patient, now) => addresses(patient, now).flatMap(({ postalCode }) => postalCode ?? []),
    normal: normalZip,
  },
  address: {
    claimed: ({ address }) => address,
    known: (patient, now) => addresses(patient, now).flatMap(({ line = [], text }) => (line.length > 0 ? line : (text ?? []))),
    normal: addressKey,
  },
  mrn: {
    claimed: ({ medicalRecordNumber }) => medicalRecordNumber,
    known: recordNumbers,
    normal: normalRecordNumber,
  },
  email: { claimed: ({ email }) => email, known: (patient, now) => contacts(patient, "email", now), normal: normalEmail },
};

/** The factors claimed, if the patient is who the caller claims to be in every one of them; an EHR's search is too kind to be relied on. */
export function matchedFactors(claim: Claim, patient: Patient, now: Date): Factor[] | undefined {
  const matched = matchedDetails(claim, patient, now);
  return isSamePerson(claim, patient) ? matched : undefined;
}

/** The same of somebody who is known already. */
export function matchedDetails(claim: Details, patient: Patient, now: Date): Factor[] | undefined {
  const claimed = (Object.keys(factors) as Factor[]).filter((factor) => factors[factor].claimed(claim) !== undefined);
  const agrees = claimed.map((factor) => {
    const { claimed: claimedValue, known, normal } = factors[factor];
    return among(normal(claimedValue(claim) ?? ""), known(patient, now).map(normal));
  });
  return agrees.includes(false) || claimed.length === 0 ? undefined : claimed;
}

/** Whoever knows the street of a house knows its zip code: they count as one. */
export const distinctFactors = (matched: readonly string[]): number =>
  new Set(matched.map((factor) => (factor === "zip" ? "address" : factor))).size;
