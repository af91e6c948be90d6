import * as z from "zod/mini";
import { optionalText } from "../sdk/arguments.ts";

export const Input = z.object({
  payerName: optionalText(80).check(
    z.describe("The insurance company as the caller names it; the answer says whether it is the one on file"),
  ),
  memberId: optionalText(80).check(z.describe("The member ID as the caller reads it out; the answer says whether it is the one on file")),
});
export type Input = z.output<typeof Input>;

/** `endsOn` is as exact as the record: 2026-10-03, 2026-10 or 2026. */
export const CoverageOnFile = z.object({
  payer: z.optional(z.string()),
  plan: z.optional(z.string()),
  /** At most half of the id. */
  memberIdEndsIn: z.optional(z.string()),
  /** By the recorded dates. */
  period: z.enum(["current", "expired", "not_started"]),
  startsOn: z.optional(z.string()),
  endsOn: z.optional(z.string()),
  /** "not_checked" also if the insurer could not be asked. */
  insurerSays: z.enum(["in_force", "not_in_force", "not_checked"]),
});
export type CoverageOnFile = z.output<typeof CoverageOnFile>;

export const Output = z.object({
  /** Empty if the spoken payer is not on file, so that the real one is not revealed. */
  coverages: z.array(CoverageOnFile),
  payerMatches: z.optional(z.boolean()),
  memberIdMatches: z.optional(z.boolean()),
});
export type Output = z.output<typeof Output>;
