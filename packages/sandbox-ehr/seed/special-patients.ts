import type { Patient } from "fhir/r4.js";
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
};

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

export function relatedPersons(patients: WithId<Patient>[]): Resource[] {
  return patients.flatMap((patient): Resource[] => {
    const minor = minors[patient.id];
    if (!minor) return [];
    return [
      {
        resourceType: "RelatedPerson",
        id: patient.id.replace("patient", "relatedperson"),
        meta: testData,
        active: true,
        patient: { reference: `Patient/${patient.id}` },
        relationship: [
          { coding: [{ system: "http://terminology.hl7.org/CodeSystem/v3-RoleCode", code: "PRN", display: "parent" }], text: "Parent" },
        ],
        name: [{ use: "official", family: patient.name?.[0]?.family ?? "", given: [minor.parent] }],
        telecom: [{ system: "phone", use: "mobile", value: minor.phone }],
      },
    ];
  });
}
