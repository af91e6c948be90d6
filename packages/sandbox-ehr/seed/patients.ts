import type { Patient } from "fhir/r4.js";
import { areaCodes, familyNames, femaleNames, maleNames, streets, towns } from "./names.ts";
import { pick, seededRandom } from "./random.ts";

const mrnSystem = "https://sandbox-ehr.example/mrn";
/** The standard mark of made-up health data. */
export const testData = {
  tag: [{ system: "http://terminology.hl7.org/CodeSystem/v3-ActReason", code: "HTEST", display: "test health data" }],
};

const patientCount = 200;
const givenNames = femaleNames.flatMap((female, index) => [female, maleNames[index]!]);
const two = (value: number) => String(value).padStart(2, "0");

/** All patients of the sandbox. No two share a name, a phone number or an MRN; the last three are closed charts. */
export function generatePatients(seed: number): (Patient & { id: string })[] {
  const random = seededRandom(seed);
  return Array.from({ length: patientCount }, (_, index) => ({ ...generatePatient(index, random), ...closedCharts[patientCount - index] }));
}

function generatePatient(index: number, random: () => number): Patient & { id: string } {
  const given = givenNames[index % givenNames.length]!;
  // The step keeps the pairs of given and family name unique over all patients.
  const family = familyNames[(index * 7 + Math.floor(index / givenNames.length)) % familyNames.length]!;
  const birthDate = `${1940 + Math.floor(random() * 65)}-${two(1 + Math.floor(random() * 12))}-${two(1 + Math.floor(random() * 28))}`;
  const { city, state, postalCode } = pick(random, towns);
  const areaCode = areaCodes[index % areaCodes.length]!;
  const line = `555-01${two(Math.floor(index / areaCodes.length))}`;
  return {
    resourceType: "Patient",
    id: `patient-${1001 + index}`,
    meta: testData,
    active: true,
    identifier: [
      {
        use: "usual",
        type: { coding: [{ system: "http://terminology.hl7.org/CodeSystem/v2-0203", code: "MR" }], text: "Medical record number" },
        system: mrnSystem,
        value: `MRN${70_001 + index * 7}`,
      },
    ],
    name: [{ use: "official", family, given: [given, pick(random, ["A.", "J.", "M.", "R."])] }],
    gender: femaleNames.includes(given) ? "female" : "male",
    birthDate,
    telecom: [
      { system: "phone", use: "mobile", value: random() < 0.5 ? `(${areaCode}) ${line}` : `+1 ${areaCode}-${line}` },
      { system: "email", value: `${given}.${family}@example.com`.toLowerCase() },
    ],
    address: [
      { use: "home", line: [`${1 + Math.floor(random() * 980)} ${pick(random, streets)}`], city, state, postalCode, country: "US" },
    ],
  };
}

/** Charts that no agent may act on, by their place from the end of the list. */
const closedCharts: Record<number, Partial<Patient>> = {
  3: { deceasedBoolean: true },
  2: { active: false },
  1: { active: false, link: [{ type: "replaced-by", other: { reference: "Patient/patient-1001" } }] },
};
