import type { Patient } from "fhir/r4.js";

/** A small seeded generator (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** FNV-1a. Seeding by name keeps values independent of the order of other names. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  return hash >>> 0;
}

export const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

/** Common given names, invented family names. */
const femaleNames =
  "Ada Bianca Clara Delia Elena Fiona Greta Hanna Irene Joyce Karina Lydia Marta Nadia Odette Paula Rosa Sylvia Teresa Vera".split(" ");
const maleNames =
  "Aaron Boris Cedric Dario Edgar Felix Gavin Hugo Ivan Jonas Kenneth Leon Marcus Nolan Oscar Pavel Ruben Simon Tobias Victor".split(" ");

const starts = ["Alder", "Briar", "Cedar", "Dun", "Elm", "Fern", "Garn", "Hazel", "Kel", "Lark", "Marl", "Thorn"];
const ends = ["wick", "combe", "stead", "mere"];
const familyNames = starts.flatMap((start) => ends.map((end) => start + end));

const streets = [
  "Sample Street",
  "Placeholder Avenue",
  "Fixture Lane",
  "Example Road",
  "Mock Orchard Way",
  "Specimen Court",
  "Draft Hill Drive",
];
const towns = [
  { city: "Sampleton", state: "MA", postalCode: "02199" },
  { city: "Mockford", state: "MA", postalCode: "01099" },
  { city: "Exampleville", state: "NY", postalCode: "10099" },
  { city: "Fixture Falls", state: "CT", postalCode: "06099" },
  { city: "Placeholder", state: "NJ", postalCode: "07099" },
];
const areaCodes = ["617", "212", "860", "201", "413"];

const mrnSystem = "https://sandbox-ehr.example/mrn";
/** FHIR's tag for test data. */
export const testData = {
  tag: [{ system: "http://terminology.hl7.org/CodeSystem/v3-ActReason", code: "HTEST", display: "test health data" }],
};

const patientCount = 200;
const givenNames = femaleNames.flatMap((female, index) => [female, maleNames[index]!]);
const two = (value: number) => String(value).padStart(2, "0");

/** No two share a name, a phone number or an MRN; the last three are closed charts. */
export function generatePatients(seed: number): (Patient & { id: string })[] {
  const random = seededRandom(seed);
  return Array.from({ length: patientCount }, (_, index) => ({ ...generatePatient(index, random), ...closedCharts[patientCount - index] }));
}

function generatePatient(index: number, random: () => number): Patient & { id: string } {
  const given = givenNames[index % givenNames.length]!;
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

const closedCharts: Record<number, Partial<Patient>> = {
  3: { deceasedBoolean: true },
  2: { active: false },
  1: { active: false, link: [{ type: "replaced-by", other: { reference: "Patient/patient-1001" } }] },
};
