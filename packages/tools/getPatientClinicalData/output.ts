import * as z from "zod/mini";
import { categories } from "./input.ts";

/** The last value of one kind; `date` is as exact as the record: 2026-10-03, 2026-10 or 2026. */
export const Measured = z.object({ name: z.string(), value: z.string(), unit: z.optional(z.string()), date: z.optional(z.string()) });
export type Measured = z.output<typeof Measured>;

export const Allergy = z.object({ to: z.string(), reactions: z.array(z.string()) });
export type Allergy = z.output<typeof Allergy>;

const Medication = z.object({ name: z.string(), dosage: z.optional(z.string()) });
export type Medication = z.output<typeof Medication>;

/** What the record says, a part for each category that was asked for and could be read. */
export const Found = z.object({
  conditions: z.optional(z.array(z.string())),
  allergies: z.optional(z.array(Allergy)),
  /** That somebody has asked and there are none, in the words of the record. */
  noKnownAllergies: z.optional(z.string()),
  vitals: z.optional(z.array(Measured)),
  labs: z.optional(z.array(Measured)),
  medications: z.optional(z.array(Medication)),
});
export type Found = z.output<typeof Found>;

export const Output = z.extend(Found, {
  /** Not answered in time, or not at all. */
  missing: z.array(z.enum(categories)),
  /** The record system does not have these. */
  notSupported: z.array(z.enum(categories)),
});
export type Output = z.output<typeof Output>;
