import type { CodeableConcept, Patient, RelatedPerson } from "fhir/r4.js";
import { clinicDate } from "../store/clinic-time.ts";
import type { Resource } from "../store/resource.ts";
import { testData } from "./patients.ts";

type WithId<T> = T & { id: string };

/** Ages are in whole years at seeding; the last one turns 18 within the year. */
const minors: Record<string, { ageYears: number; parent: string; phone: string }> = {
  "patient-1051": { ageYears: 2, parent: "Nora", phone: "(617) 555-0181" },
  "patient-1052": { ageYears: 9, parent: "Peter", phone: "(212) 555-0182" },
  "patient-1053": { ageYears: 15, parent: "Irma", phone: "(860) 555-0183" },
  "patient-1054": { ageYears: 17, parent: "Otto", phone: "(201) 555-0184" },
  "patient-1055": { ageYears: 7, parent: "Paula", phone: "(413) 555-0185" },
};
/** Custody of this one is in dispute. */
const inDispute = "patient-1055";

const specialCases: Record<string, (patient: Patient, now: Date) => Partial<Patient>> = {
  "patient-1061": ({ telecom = [] }, now) => ({
    telecom: [
      { system: "phone", use: "old", value: "(413) 555-0171", period: { end: clinicDate(now, -400) } },
      { system: "phone", use: "home", value: "(413) 555-0172", rank: 2 },
      { system: "phone", use: "work", value: "(413) 555-0173", rank: 3 },
      ...telecom.map((contact) => (contact.system === "phone" ? { ...contact, rank: 1 } : contact)),
      { system: "email", use: "old", value: "former.address@example.com", period: { end: clinicDate(now, -400) } },
    ],
  }),
  "patient-1062": ({ name = [] }, now) => ({
    name: [
      ...name,
      { use: "old", family: "Oldcombe", given: name[0]?.given ?? [], period: { end: clinicDate(now, -900) } },
      { use: "nickname", given: ["Ace"] },
    ],
  }),
  "patient-1063": ({ telecom = [] }) => ({ telecom: telecom.filter(({ system }) => system === "email") }),
};

export function specialPatient(patient: WithId<Patient>, now: Date): WithId<Patient> {
  const minor = minors[patient.id];
  return { ...patient, ...specialCases[patient.id]?.(patient, now), ...(minor && { birthDate: birthDateOf(minor.ageYears, now) }) };
}

const birthDateOf = (ageYears: number, now: Date) => clinicDate(now, -Math.round((ageYears + 0.5) * 365.25));

type Relation = "parent" | "guardian" | "aunt";
const roleSystem = "http://terminology.hl7.org/CodeSystem/v3-RoleCode";
const relationships: Record<Relation, CodeableConcept> = {
  parent: { coding: [{ system: roleSystem, code: "PRN", display: "parent" }], text: "Parent" },
  guardian: { coding: [{ system: roleSystem, code: "GUARD", display: "guardian" }], text: "Guardian" },
  aunt: { coding: [{ system: roleSystem, code: "AUNT", display: "aunt" }], text: "Aunt" },
};

/** People who may not speak for the child, or no longer. */
const others: Record<string, (now: Date) => Partial<RelatedPerson> & Person> = {
  "patient-1052": () => ({ relation: "parent", given: "Rupert", active: false }),
  "patient-1053": (now) => ({
    relation: "guardian",
    given: "Greta",
    period: { start: clinicDate(now, -900), end: clinicDate(now, -200) },
  }),
  "patient-1055": () => ({ relation: "aunt", given: "Asta" }),
};
const othersPhone = "(617) 555-0189";

/** A parent of each minor, others who are inactive, expired or no parent, and a custody flag. */
export function relatedPersons(patients: WithId<Patient>[], now: Date): Resource[] {
  return patients.flatMap((patient): Resource[] => {
    const minor = minors[patient.id];
    if (!minor) return [];
    const other = others[patient.id]?.(now);
    return [
      relatedPerson(patient, { relation: "parent", given: minor.parent }, minor.phone),
      ...(other ? [relatedPerson(patient, other, othersPhone, "-2")] : []),
      ...(patient.id === inDispute ? [custodyFlag(patient)] : []),
    ];
  });
}

type Person = { relation: Relation; given: string };
const relatedPerson = (
  { id, name = [] }: WithId<Patient>,
  { relation, given, ...more }: Partial<RelatedPerson> & Person,
  phone: string,
  suffix = "",
): RelatedPerson => ({
  resourceType: "RelatedPerson",
  id: id.replace("patient", "relatedperson") + suffix,
  meta: testData,
  active: true,
  patient: { reference: `Patient/${id}` },
  relationship: [relationships[relation]],
  name: [{ use: "official", family: name[0]?.family ?? "", given: [given] }],
  telecom: [{ system: "phone", use: "mobile", value: phone }],
  ...more,
});

const custodyFlag = ({ id }: WithId<Patient>): Resource => ({
  resourceType: "Flag",
  id: id.replace("patient", "flag"),
  meta: testData,
  status: "active",
  category: [{ coding: [{ system: "http://terminology.hl7.org/CodeSystem/flag-category", code: "admin", display: "Administrative" }] }],
  code: { text: "Custody dispute: refer callers to the office" },
  subject: { reference: `Patient/${id}` },
});

/** The minors whose parents may call without staff. */
export const servedMinors = Object.entries(minors)
  .filter(([id]) => id !== inDispute)
  .map(([id, { parent, phone }]) => ({ id, parent, phone }));
