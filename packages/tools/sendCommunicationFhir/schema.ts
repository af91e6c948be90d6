import * as z from "zod/mini";
import { optionalEnum, optionalText, requiredText } from "../sdk/arguments.ts";

export const categories = [
  "refill_request",
  "clinical_question",
  "appointment_request",
  "billing_question",
  "callback_request",
  "other",
] as const;
export type Category = (typeof categories)[number];

export const Input = z.object({
  category: z.pipe(
    optionalEnum(categories).check(z.describe("What kind of request it is; other unless told")),
    z.transform((category: Category | undefined): Category => category ?? "other"),
  ),
  message: requiredText(1000).check(z.describe("The caller's request in their own words, one to three sentences")),
  medicationName: optionalText(200).check(z.describe("For a refill: the medication, as getMedicationHistoryFhir names it")),
  urgency: optionalEnum(["routine", "urgent"]).check(z.describe("routine unless the caller says that it cannot wait")),
});
export type Input = z.output<typeof Input>;

export const Output = z.object({ result: z.enum(["sent", "limit"]), category: z.enum(categories), urgent: z.boolean() });
export type Output = z.output<typeof Output>;
