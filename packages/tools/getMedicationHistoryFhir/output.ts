import * as z from "zod/mini";

/** Days are as exact as the record: 2026-10-03, 2026-10 or 2026. What the record does not say is not there. */
export const Medication = z.object({
  name: z.string(),
  /** FHIR's own word: active, on-hold, stopped, completed, … */
  status: z.string(),
  /** Prescribed by somebody here, or only said by the patient or another source. */
  source: z.enum(["prescribed", "reported"]),
  dosage: z.optional(z.string()),
  prescriber: z.optional(z.string()),
  authoredOn: z.optional(z.string()),
  lastFilled: z.optional(z.string()),
  refillsLeft: z.optional(z.number()),
});
export type Medication = z.output<typeof Medication>;

export const Output = z.object({
  /** What was asked for, in the caller's words. */
  asked: z.optional(z.string()),
  activeOnly: z.boolean(),
  medications: z.array(Medication),
  /** How many more there are. */
  more: z.number(),
  /** Parts of the record that could not be read just now. */
  missing: z.array(z.enum(["reported", "fills"])),
});
export type Output = z.output<typeof Output>;
