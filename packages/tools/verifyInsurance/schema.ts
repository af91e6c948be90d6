import * as z from "zod/mini";
import { maybeSaid } from "../sdk/arguments.ts";

export const Input = z.object({
  payerName: maybeSaid(80).check(z.describe("The insurance company as the caller names it; the answer says whether it is the one on file")),
  memberId: maybeSaid(80).check(z.describe("The member ID as the caller reads it out; the answer says whether it is the one on file")),
});
export type Input = z.output<typeof Input>;

/** `endsOn` is as exact as the record: 2026-10-03, 2026-10 or 2026. */
export const OnFile = z.object({
  payer: z.optional(z.string()),
  plan: z.optional(z.string()),
  /** The last characters, never more than half of it. */
  memberIdEndsIn: z.optional(z.string()),
  /** By the dates on file alone. */
  period: z.enum(["current", "expired", "not_started"]),
  startsOn: z.optional(z.string()),
  endsOn: z.optional(z.string()),
  /** What the insurer itself answered; "not_checked" also where it could not be asked. */
  insurerSays: z.enum(["in_force", "not_in_force", "not_checked"]),
});
export type OnFile = z.output<typeof OnFile>;

export const Output = z.object({
  /** Empty also where the payer that the caller named is not on file: what is, is not given away. */
  coverages: z.array(OnFile),
  payerMatches: z.optional(z.boolean()),
  memberIdMatches: z.optional(z.boolean()),
});
export type Output = z.output<typeof Output>;
