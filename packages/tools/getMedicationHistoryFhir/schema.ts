import * as z from "zod/mini";
import { optionalText } from "../sdk/arguments.ts";

const yes = new Set(["true", "yes", "1"]);
const maybeYes = z.pipe(
  z.nullish(z.union([z.boolean(), z.string().check(z.maxLength(10))], "is missing")),
  z.transform(
    (said: boolean | string | null | undefined): boolean =>
      said === true ||
      yes.has(
        String(said ?? "")
          .trim()
          .toLowerCase(),
      ),
  ),
);
z.globalRegistry.add(maybeYes, { type: "boolean", description: "True for what is prescribed now, without what has ended" });

export const Input = z.object({
  medicationName: optionalText(80).check(z.describe("The medication the caller names, also in part; all of them when left out")),
  activeOnly: z.optional(maybeYes),
});
export type Input = z.output<typeof Input>;

/** Dates are as exact as the record: 2026-10-03, 2026-10 or 2026. */
export const Medication = z.object({
  name: z.string(),
  /** The FHIR status: active, on-hold, stopped, completed, … */
  status: z.string(),
  /** Prescribed here, or reported by the patient or another source. */
  source: z.enum(["prescribed", "reported"]),
  dosage: z.optional(z.string()),
  prescriber: z.optional(z.string()),
  authoredOn: z.optional(z.string()),
  lastFilled: z.optional(z.string()),
  refillsLeft: z.optional(z.number()),
});
export type Medication = z.output<typeof Medication>;

export const Output = z.object({
  asked: z.optional(z.string()),
  activeOnly: z.boolean(),
  medications: z.array(Medication),
  more: z.number(),
  /** Parts that could not be read in time, or not whole. */
  missing: z.array(z.enum(["prescribed", "reported", "fills"])),
});
export type Output = z.output<typeof Output>;
