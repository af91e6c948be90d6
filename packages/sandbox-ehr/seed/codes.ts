import type { CodeableConcept, Coding } from "fhir/r4.js";

const snomed = "http://snomed.info/sct";
const icd10 = "http://hl7.org/fhir/sid/icd-10-cm";
const rxNorm = "http://www.nlm.nih.gov/research/umls/rxnorm";
const loinc = "http://loinc.org";
export const ucum = "http://unitsofmeasure.org";

export const concept = (text: string, ...coding: Coding[]): CodeableConcept => ({ coding, text });

const problem = (text: string, snomedCode: string, snomedName: string, icdCode: string): CodeableConcept =>
  concept(text, { system: snomed, code: snomedCode, display: snomedName }, { system: icd10, code: icdCode });

export const problems = {
  diabetes: problem("Type 2 diabetes", "44054006", "Diabetes mellitus type 2", "E11.9"),
  hypertension: problem("High blood pressure", "59621000", "Essential hypertension", "I10"),
  cholesterol: problem("High cholesterol", "55822004", "Hyperlipidemia", "E78.5"),
  asthma: problem("Asthma", "195967001", "Asthma", "J45.909"),
  reflux: problem("Acid reflux", "235595009", "Gastroesophageal reflux disease", "K21.9"),
  hypothyroidism: problem("Underactive thyroid", "40930008", "Hypothyroidism", "E03.9"),
  kneeArthritis: problem("Arthritis of the knee", "239873007", "Osteoarthritis of knee", "M17.9"),
  migraine: problem("Migraine", "37796009", "Migraine", "G43.909"),
  depression: problem("Depression", "35489007", "Depressive disorder", "F32.A"),
  hayFever: problem("Hay fever", "367498001", "Seasonal allergic rhinitis", "J30.2"),
  eczema: problem("Eczema", "24079001", "Atopic dermatitis", "L20.9"),
  bronchitis: problem("Acute bronchitis", "10509002", "Acute bronchitis", "J20.9"),
  urinaryInfection: problem("Urinary tract infection", "68566005", "Urinary tract infectious disease", "N39.0"),
  strepThroat: problem("Strep throat", "43878008", "Streptococcal sore throat", "J02.0"),
  earInfection: problem("Ear infection", "3110003", "Acute otitis media", "H66.90"),
} satisfies Record<string, CodeableConcept>;
export type Problem = keyof typeof problems;

interface Allergen {
  code: CodeableConcept;
  category: "food" | "medication" | "environment";
}

export const allergens = {
  penicillin: { category: "medication", code: concept("Penicillin", { system: rxNorm, code: "7980", display: "penicillin G" }) },
  sulfonamide: {
    category: "medication",
    code: concept("Sulfa drugs", { system: snomed, code: "763875007", display: "Product containing sulfonamide" }),
  },
  aspirin: { category: "medication", code: concept("Aspirin", { system: rxNorm, code: "1191", display: "aspirin" }) },
  codeine: { category: "medication", code: concept("Codeine", { system: rxNorm, code: "2670", display: "codeine" }) },
  peanut: { category: "food", code: concept("Peanuts", { system: snomed, code: "762952008", display: "Peanut" }) },
  shellfish: { category: "food", code: concept("Shellfish", { system: snomed, code: "735029006", display: "Shellfish" }) },
  latex: { category: "environment", code: concept("Latex", { system: snomed, code: "111088007", display: "Latex" }) },
} satisfies Record<string, Allergen>;
export type AllergenName = keyof typeof allergens;
export const noKnownAllergy = concept("No known allergies", { system: snomed, code: "716186003", display: "No known allergy" });

export const reactions = {
  hives: concept("Hives", { system: snomed, code: "126485001", display: "Urticaria" }),
  rash: concept("Rash", { system: snomed, code: "271807003", display: "Eruption of skin" }),
  anaphylaxis: concept("Anaphylaxis", { system: snomed, code: "39579001", display: "Anaphylaxis" }),
  nausea: concept("Nausea", { system: snomed, code: "422587007", display: "Nausea" }),
} satisfies Record<string, CodeableConcept>;
export type Reaction = keyof typeof reactions;

interface Drug {
  code: CodeableConcept;
  directions: string;
  pieces: number;
  days: number;
}
const drug = (text: string, code: string, display: string, directions: string, pieces = 30, days = 30): Drug => ({
  code: concept(text, { system: rxNorm, code, display }),
  directions,
  pieces,
  days,
});

export const drugs = {
  metformin: drug("Metformin 500 mg", "861007", "metformin hydrochloride 500 MG Oral Tablet", "Take 1 tablet twice a day with meals", 60),
  lisinopril: drug("Lisinopril 10 mg", "314076", "lisinopril 10 MG Oral Tablet", "Take 1 tablet once a day", 90, 90),
  amlodipine: drug("Amlodipine 5 mg", "197361", "amlodipine 5 MG Oral Tablet", "Take 1 tablet once a day"),
  atorvastatin: drug("Atorvastatin 40 mg", "259255", "atorvastatin 40 MG Oral Tablet", "Take 1 tablet at bedtime", 90, 90),
  albuterol: drug(
    "Albuterol inhaler",
    "745752",
    "200 ACTUAT albuterol 0.09 MG/ACTUAT Metered Dose Inhaler",
    "Take 2 puffs every 4 to 6 hours as needed",
    1,
  ),
  cetirizine: drug("Cetirizine 5 mg", "1014676", "cetirizine hydrochloride 5 MG Oral Tablet", "Take 1 tablet once a day as needed"),
  levothyroxine: drug("Levothyroxine 50 mcg", "10582", "levothyroxine", "Take 1 tablet in the morning on an empty stomach", 90, 90),
  sertraline: drug("Sertraline 50 mg", "312941", "sertraline 50 MG Oral Tablet", "Take 1 tablet once a day"),
  omeprazole: drug("Omeprazole 20 mg", "198051", "omeprazole 20 MG Delayed Release Oral Capsule", "Take 1 capsule before breakfast"),
  ibuprofen: drug("Ibuprofen 200 mg", "310965", "ibuprofen 200 MG Oral Tablet", "Take 1 tablet every 6 hours as needed with food", 60),
  amoxicillin: drug(
    "Amoxicillin 500 mg",
    "308191",
    "amoxicillin 500 MG Oral Capsule",
    "Take 1 capsule three times a day for 10 days",
    30,
    10,
  ),
} satisfies Record<string, Drug>;
export type DrugName = keyof typeof drugs;

interface Measurement {
  code: CodeableConcept;
  category: "vital-signs" | "laboratory";
  unit: string;
  unitCode: string;
  low?: number;
  high?: number;
}
const measured = (text: string, code: string, display: string): CodeableConcept => concept(text, { system: loinc, code, display });

export const bloodPressure = {
  panel: measured("Blood pressure", "85354-9", "Blood pressure panel with all children optional"),
  systolic: measured("Systolic blood pressure", "8480-6", "Systolic blood pressure"),
  diastolic: measured("Diastolic blood pressure", "8462-4", "Diastolic blood pressure"),
  unit: "mmHg",
  unitCode: "mm[Hg]",
};

export const measurements = {
  weight: { category: "vital-signs", code: measured("Weight", "29463-7", "Body weight"), unit: "kg", unitCode: "kg" },
  height: { category: "vital-signs", code: measured("Height", "8302-2", "Body height"), unit: "cm", unitCode: "cm" },
  heartRate: {
    category: "vital-signs",
    code: measured("Heart rate", "8867-4", "Heart rate"),
    unit: "beats/min",
    unitCode: "/min",
    low: 60,
    high: 100,
  },
  a1c: {
    category: "laboratory",
    code: measured("Hemoglobin A1c", "4548-4", "Hemoglobin A1c/Hemoglobin.total in Blood"),
    unit: "%",
    unitCode: "%",
    low: 4,
    high: 5.6,
  },
  totalCholesterol: {
    category: "laboratory",
    code: measured("Total cholesterol", "2093-3", "Cholesterol [Mass/volume] in Serum or Plasma"),
    unit: "mg/dL",
    unitCode: "mg/dL",
    high: 200,
  },
  ldl: {
    category: "laboratory",
    code: measured("LDL cholesterol", "13457-7", "Cholesterol in LDL [Mass/volume] in Serum or Plasma by calculation"),
    unit: "mg/dL",
    unitCode: "mg/dL",
    high: 130,
  },
  tsh: {
    category: "laboratory",
    code: measured("TSH", "3016-3", "Thyrotropin [Units/volume] in Serum or Plasma"),
    unit: "mIU/L",
    unitCode: "m[IU]/L",
    low: 0.4,
    high: 4.5,
  },
} satisfies Record<string, Measurement>;
export type MeasurementName = keyof typeof measurements;
export const measurementOf = (name: MeasurementName): Measurement => measurements[name];
