import type { AllergenName, DrugName, MeasurementName, Problem, Reaction } from "./codes.ts";

export interface Prescription {
  drug: DrugName;
  status: "active" | "completed" | "stopped";
  /** Days before the charts were written, here and below. */
  writtenDaysAgo: number;
  refills: number;
  /** How the prescription names its drug. */
  as: "code" | "reference" | "contained";
  filledDaysAgo: number[];
}

export interface Insurance {
  /** Index into the payers. */
  payer: number;
  plan: string;
  status: "active" | "cancelled";
  startedDaysAgo: number;
  /** None: has no end; negative: ends in the future. */
  endedDaysAgo?: number;
  copayDollars: number;
}

/** What the record of one patient says, in few words; chart-resources.ts writes it out as FHIR. */
export interface Chart {
  problems: { problem: Problem; status: "active" | "resolved"; sinceDays: number }[];
  /** An empty list is a record that does not know; "none known" one that has asked. */
  allergies: { allergen: AllergenName; reaction: Reaction; high?: boolean; resolved?: boolean }[] | "none known";
  visits: { daysAgo: number; systolic: number; diastolic: number; weightKg: number; heartRate: number }[];
  labs: { test: MeasurementName; daysAgo: number; value: number }[];
  prescriptions: Prescription[];
  /** Bought without a prescription. */
  ownMedicines: { drug: DrugName; sinceDays: number }[];
  insurance: Insurance[];
  messages: { daysAgo: number; text: string }[];
}
