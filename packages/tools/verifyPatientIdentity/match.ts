import { createHash, timingSafeEqual } from "node:crypto";
import type { Patient } from "fhir/r4.js";
import type { Claim } from "./claim.ts";
import { familyName, firstGiven } from "./names.ts";
import { normalPhone, normalRecordNumber, normalZip } from "./phones.ts";

/** What can be matched beside name and birth date; two of them make a caller known well. */
export type Factor = "phone" | "zip" | "mrn" | "email";

const hash = (text: string): Buffer => createHash("sha256").update(text).digest();
/** Equal and not empty, in a time that does not tell how much of it is. */
const same = (claimed: string, known: string): boolean => timingSafeEqual(hash(claimed), hash(known)) && claimed !== "";
/** Looks at every value, whether or not one was found already. */
const among = (claimed: string, known: string[]): boolean => known.map((value) => same(claimed, value)).includes(true);

const normalEmail = (text: string): string => text.normalize("NFKC").toLowerCase().replaceAll(" ", "");

const contacts = ({ telecom = [] }: Patient, system: "phone" | "email"): string[] =>
  telecom.flatMap((contact) => (contact.system === system && contact.use !== "old" && contact.value ? [contact.value] : []));

const typeSystem = "http://terminology.hl7.org/CodeSystem/v2-0203";
/** Systems of social security, driver licence, Medicare and insurance member numbers, as URI or OID. */
const notOfRecords = /us-ssn|us-mbi|us-medicare|2\.16\.840\.1\.113883\.4\.(?:1|3(?:\.\d+)*|572)$|licen[cs]e|member|subscriber|insurance/i;

/** The numbers of a patient's record; no other number that a patient has may be a way in. Without a type only one that stands alone. */
const recordNumbers = ({ identifier = [] }: Patient, now: Date): string[] =>
  identifier
    .filter(({ use, period }) => use !== "old" && !(period?.end !== undefined && endOf(period.end) < now.getTime()))
    .filter(({ type, system = "" }) =>
      type === undefined
        ? identifier.length === 1 && !notOfRecords.test(system)
        : (type.coding ?? []).some((coding) => coding.system === typeSystem && coding.code === "MR"),
    )
    .flatMap(({ value }) => value ?? []);
/** A period that ends on a day lasts until that day is over everywhere. */
const endOf = (end: string): number => Date.parse(end) + (end.includes("T") ? 0 : 1.5 * 86_400_000);

const factors: Record<
  Factor,
  { claimed: (claim: Claim) => string | undefined; known: (patient: Patient, now: Date) => string[]; normal: (text: string) => string }
> = {
  phone: { claimed: ({ phoneNumber }) => phoneNumber, known: (patient) => contacts(patient, "phone"), normal: normalPhone },
  zip: {
    claimed: ({ zipCode }) => zipCode,
    known: ({ address = [] }) => address.flatMap(({ use, postalCode }) => (postalCode && use !== "old" ? [postalCode] : [])),
    normal: normalZip,
  },
  mrn: {
    claimed: ({ medicalRecordNumber }) => medicalRecordNumber,
    known: recordNumbers,
    normal: normalRecordNumber,
  },
  email: { claimed: ({ email }) => email, known: (patient) => contacts(patient, "email"), normal: normalEmail },
};

const isNamed = (claim: Claim, { name = [] }: Patient): boolean =>
  name
    .map(({ given = [], family = "" }) => {
      const first = same(firstGiven(claim.firstName), firstGiven(given.join(" ")));
      const last = same(familyName(claim.lastName), familyName(family));
      return first && last;
    })
    .includes(true);

/** The factors claimed, if the patient is who the caller claims to be in every one of them; an EHR's search is too kind to be relied on. */
export function matchedFactors(claim: Claim, patient: Patient, now: Date): Factor[] | undefined {
  const claimed = (Object.keys(factors) as Factor[]).filter((factor) => factors[factor].claimed(claim) !== undefined);
  const agrees = claimed.map((factor) => {
    const { claimed: claimedValue, known, normal } = factors[factor];
    return among(normal(claimedValue(claim) ?? ""), known(patient, now).map(normal));
  });
  const isWho = [isNamed(claim, patient), same(claim.dateOfBirth, patient.birthDate ?? ""), ...agrees];
  return isWho.includes(false) || claimed.length === 0 ? undefined : claimed;
}

const restricted = new Set(["R", "V"]);

/** A chart that a voice agent may act on: of a living, current patient, and not marked as confidential. */
export const isOpenChart = ({ active, deceasedBoolean, deceasedDateTime, link = [], meta }: Patient): boolean =>
  active !== false &&
  !deceasedBoolean &&
  deceasedDateTime === undefined &&
  !link.some(({ type }) => type === "replaced-by") &&
  !meta?.security?.some(({ code }) => code !== undefined && restricted.has(code));
