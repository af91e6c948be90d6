import type { AllergenName, DrugName, MeasurementName, Problem, Reaction } from "./codes.ts";

export interface Prescription {
  drug: DrugName;
  status: "active" | "completed" | "stopped";
  writtenDaysAgo: number;
  refills: number;
  as: "code" | "reference" | "contained";
  filledDaysAgo: number[];
}

export interface Insurance {
  payer: number;
  plan: string;
  status: "active" | "cancelled";
  startedDaysAgo: number;
  /** Absent: open-ended; negative: ends in the future. */
  endedDaysAgo?: number;
  copayDollars: number;
}

/** Source data of one patient's record; chart-resources.ts turns it into FHIR. */
export interface Chart {
  problems: { problem: Problem; status: "active" | "resolved"; sinceDays: number }[];
  /** An empty list is "not asked"; "none known" is a recorded answer. */
  allergies: { allergen: AllergenName; reaction: Reaction; high?: boolean; resolved?: boolean }[] | "none known";
  visits: { daysAgo: number; systolic: number; diastolic: number; weightKg: number; heartRate: number }[];
  labs: { test: MeasurementName; daysAgo: number; value: number }[];
  prescriptions: Prescription[];
  ownMedicines: { drug: DrugName; sinceDays: number }[];
  insurance: Insurance[];
  messages: { daysAgo: number; text: string }[];
}
