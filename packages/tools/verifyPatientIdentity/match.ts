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

/** Social security numbers must not be a way in. */
const isMedicalRecord = ({ type, system }: NonNullable<Patient["identifier"]>[number]): boolean =>
  !type?.coding?.some(({ code }) => code === "SS" || code === "SB") && system !== "http://hl7.org/fhir/sid/us-ssn";

const factors: Record<
  Factor,
  { claimed: (claim: Claim) => string | undefined; known: (patient: Patient) => string[]; normal: (text: string) => string }
> = {
  phone: { claimed: ({ phoneNumber }) => phoneNumber, known: (patient) => contacts(patient, "phone"), normal: normalPhone },
  zip: {
    claimed: ({ zipCode }) => zipCode,
    known: ({ address = [] }) => address.flatMap(({ use, postalCode }) => (postalCode && use !== "old" ? [postalCode] : [])),
    normal: normalZip,
  },
  mrn: {
    claimed: ({ medicalRecordNumber }) => medicalRecordNumber,
    known: ({ identifier = [] }) => identifier.filter(isMedicalRecord).flatMap(({ value }) => value ?? []),
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
export function matchedFactors(claim: Claim, patient: Patient): Factor[] | undefined {
  const claimed = (Object.keys(factors) as Factor[]).filter((factor) => factors[factor].claimed(claim) !== undefined);
  const agrees = claimed.map((factor) => {
    const { claimed: claimedValue, known, normal } = factors[factor];
    return among(normal(claimedValue(claim) ?? ""), known(patient).map(normal));
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
