import type { Chart } from "./chart.ts";

/**
 * Independent of the seed:
 *
 * | patient | problems              | allergies         | prescriptions (active first)                                 | insurance            |
 * |---------|-----------------------|-------------------|--------------------------------------------------------------|----------------------|
 * | 1001    | diabetes, pressure, … | penicillin (high) | metformin, lisinopril, atorvastatin (no refills); amoxicillin | active               |
 * | 1002    | asthma, hay fever     | peanuts, latex    | albuterol; ibuprofen stopped                                 | active, one expired  |
 * | 1003    | thyroid               | none known        | levothyroxine                                                | expired only         |
 * | 1004    | depression, reflux    | sulfa drugs       | sertraline; omeprazole stopped                               | active, two payers   |
 * | 1005    | arthritis             | aspirin           | none; ibuprofen of their own                                 | none                 |
 * | 1006    | none                  | never asked       | none                                                         | active               |
 */
export const demoCharts: Record<string, Chart> = {
  "patient-1001": {
    problems: [
      { problem: "diabetes", status: "active", sinceDays: 2200 },
      { problem: "hypertension", status: "active", sinceDays: 3100 },
      { problem: "cholesterol", status: "active", sinceDays: 1900 },
      { problem: "bronchitis", status: "resolved", sinceDays: 300 },
    ],
    allergies: [{ allergen: "penicillin", reaction: "hives", high: true }],
    visits: [
      { daysAgo: 20, systolic: 138, diastolic: 86, weightKg: 82.5, heartRate: 74 },
      { daysAgo: 110, systolic: 142, diastolic: 88, weightKg: 83.6, heartRate: 78 },
      { daysAgo: 205, systolic: 146, diastolic: 91, weightKg: 84.4, heartRate: 80 },
      { daysAgo: 330, systolic: 151, diastolic: 94, weightKg: 85.1, heartRate: 77 },
    ],
    labs: [
      { test: "a1c", daysAgo: 20, value: 7.1 },
      { test: "a1c", daysAgo: 110, value: 7.4 },
      { test: "a1c", daysAgo: 205, value: 7.9 },
      { test: "totalCholesterol", daysAgo: 110, value: 188 },
      { test: "ldl", daysAgo: 110, value: 104 },
    ],
    prescriptions: [
      { drug: "metformin", status: "active", writtenDaysAgo: 110, refills: 3, as: "code", filledDaysAgo: [75, 45, 15] },
      { drug: "lisinopril", status: "active", writtenDaysAgo: 110, refills: 2, as: "reference", filledDaysAgo: [108, 18] },
      { drug: "atorvastatin", status: "active", writtenDaysAgo: 200, refills: 0, as: "contained", filledDaysAgo: [198, 108, 18] },
      { drug: "amoxicillin", status: "completed", writtenDaysAgo: 300, refills: 0, as: "code", filledDaysAgo: [300] },
    ],
    ownMedicines: [],
    insurance: [{ payer: 0, plan: "Choice PPO", status: "active", startedDaysAgo: 700, copayDollars: 25 }],
    messages: [{ daysAgo: 18, text: "Your lab results are ready. Please call us if you have questions." }],
  },
  "patient-1002": {
    problems: [
      { problem: "asthma", status: "active", sinceDays: 5000 },
      { problem: "hayFever", status: "active", sinceDays: 4000 },
      { problem: "strepThroat", status: "resolved", sinceDays: 150 },
    ],
    allergies: [
      { allergen: "peanut", reaction: "anaphylaxis", high: true },
      { allergen: "latex", reaction: "rash" },
    ],
    visits: [
      { daysAgo: 35, systolic: 118, diastolic: 76, weightKg: 71.2, heartRate: 70 },
      { daysAgo: 240, systolic: 121, diastolic: 78, weightKg: 70.4, heartRate: 72 },
    ],
    labs: [{ test: "totalCholesterol", daysAgo: 240, value: 171 }],
    prescriptions: [
      { drug: "albuterol", status: "active", writtenDaysAgo: 35, refills: 5, as: "reference", filledDaysAgo: [34] },
      { drug: "ibuprofen", status: "stopped", writtenDaysAgo: 240, refills: 0, as: "code", filledDaysAgo: [239] },
    ],
    ownMedicines: [{ drug: "cetirizine", sinceDays: 400 }],
    insurance: [
      { payer: 1, plan: "Essential HMO", status: "active", startedDaysAgo: 300, endedDaysAgo: -400, copayDollars: 15 },
      { payer: 0, plan: "Choice PPO", status: "cancelled", startedDaysAgo: 1100, endedDaysAgo: 301, copayDollars: 25 },
    ],
    messages: [],
  },
  "patient-1003": {
    problems: [{ problem: "hypothyroidism", status: "active", sinceDays: 2600 }],
    allergies: "none known",
    visits: [{ daysAgo: 60, systolic: 112, diastolic: 70, weightKg: 64.0, heartRate: 66 }],
    labs: [
      { test: "tsh", daysAgo: 60, value: 3.1 },
      { test: "tsh", daysAgo: 320, value: 5.2 },
    ],
    prescriptions: [{ drug: "levothyroxine", status: "active", writtenDaysAgo: 60, refills: 3, as: "contained", filledDaysAgo: [59] }],
    ownMedicines: [],
    insurance: [{ payer: 2, plan: "Basic Care", status: "active", startedDaysAgo: 800, endedDaysAgo: 40, copayDollars: 40 }],
    messages: [],
  },
  "patient-1004": {
    problems: [
      { problem: "depression", status: "active", sinceDays: 900 },
      { problem: "reflux", status: "active", sinceDays: 1300 },
      { problem: "urinaryInfection", status: "resolved", sinceDays: 260 },
    ],
    allergies: [{ allergen: "sulfonamide", reaction: "rash" }],
    visits: [{ daysAgo: 90, systolic: 126, diastolic: 80, weightKg: 77.8, heartRate: 81 }],
    labs: [
      { test: "totalCholesterol", daysAgo: 90, value: 214 },
      { test: "ldl", daysAgo: 90, value: 139 },
    ],
    prescriptions: [
      { drug: "sertraline", status: "active", writtenDaysAgo: 90, refills: 1, as: "code", filledDaysAgo: [89, 58, 28] },
      { drug: "omeprazole", status: "stopped", writtenDaysAgo: 400, refills: 0, as: "reference", filledDaysAgo: [399] },
    ],
    ownMedicines: [],
    insurance: [
      { payer: 0, plan: "Choice PPO", status: "active", startedDaysAgo: 500, copayDollars: 25 },
      { payer: 2, plan: "Basic Care", status: "active", startedDaysAgo: 500, copayDollars: 0 },
    ],
    messages: [],
  },
  "patient-1005": {
    problems: [{ problem: "kneeArthritis", status: "active", sinceDays: 1500 }],
    allergies: [
      { allergen: "aspirin", reaction: "nausea" },
      { allergen: "codeine", reaction: "nausea", resolved: true },
    ],
    visits: [{ daysAgo: 140, systolic: 133, diastolic: 82, weightKg: 79.3, heartRate: 72 }],
    labs: [],
    prescriptions: [],
    ownMedicines: [{ drug: "ibuprofen", sinceDays: 200 }],
    insurance: [],
    messages: [],
  },
  "patient-1006": {
    problems: [],
    allergies: [],
    visits: [],
    labs: [],
    prescriptions: [],
    ownMedicines: [],
    insurance: [{ payer: 1, plan: "Essential HMO", status: "active", startedDaysAgo: 90, copayDollars: 15 }],
    messages: [],
  },
};
