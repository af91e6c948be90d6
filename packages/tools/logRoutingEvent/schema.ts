import * as z from "zod/mini";
import { LeadReason, RoutingOutcome, RoutingReason } from "@vitaline/contract";
import { Email } from "../patient/contact-fields.ts";
import { tidyText } from "../nlu/tidy-text.ts";
import { optionalEnum, optionalText, requiredText } from "../sdk/arguments.ts";
import { digitsOf } from "../nlu/digits.ts";

const fewestDigits = 7;

/** Also extensions and foreign numbers. */
const CallbackNumber = z.pipe(
  optionalText(60),
  z.transform((text: string | undefined, issues): string | undefined => {
    const isNumber = text === undefined || digitsOf(text).length >= fewestDigits;
    if (!isNumber) issues.issues.push({ code: "custom", input: text, message: "with the area code" });
    return text === undefined || !isNumber ? undefined : tidyText(text).slice(0, 40);
  }),
);

const maybeTidy = (max: number) =>
  z.pipe(
    optionalText(max),
    z.transform((text: string | undefined): string | undefined => (text === undefined ? undefined : tidyText(text) || undefined)),
  );

export const Input = z
  .object({
    reason: requiredText(200).check(z.describe("Why, in a few words: billing, refill, new patient, wants to speak with a person …")),
    outcome: z.pipe(
      optionalEnum(RoutingOutcome.options).check(z.describe("What is about to become of the call; transferred unless told")),
      z.transform((outcome: RoutingOutcome | undefined): RoutingOutcome => outcome ?? "transferred"),
    ),
    destination: maybeTidy(100).check(z.describe("To whom the caller asked to be put through, if they named a desk or a department")),
    callerName: maybeTidy(200).check(z.describe("For a callback: the caller's name")),
    callbackNumber: CallbackNumber.check(z.describe("For a callback: the number to call")),
    email: Email,
    leadReason: optionalEnum(LeadReason.options).check(z.describe("For a callback: what it is about")),
    note: maybeTidy(1000).check(z.describe("For a callback: what staff should know, such as the best time to call")),
  })
  .check(
    z.refine(({ callerName, callbackNumber, email }) => !(callbackNumber ?? email) || callerName !== undefined, {
      path: ["callerName"],
      error: "is missing",
    }),
    z.refine(
      ({ callerName, callbackNumber, email, outcome }) => !callerName || Boolean(callbackNumber ?? email) || outcome !== "callback",
      {
        path: ["callbackNumber"],
        error: "is missing",
      },
    ),
  );
export type Input = z.output<typeof Input>;

export const isLead = ({ callbackNumber, email }: Input): boolean => (callbackNumber ?? email) !== undefined;

export const Output = z.object({
  reason: RoutingReason,
  outcome: RoutingOutcome,
  /** In dialing order; empty if no one is on duty. */
  destinations: z.array(z.object({ label: z.string(), phone: z.string() })),
  /** null while the office is open. */
  opensAt: z.nullable(z.object({ at: z.string(), timeZone: z.string() })),
  /** A lead was stored for the office. */
  noted: z.boolean(),
  /** No lead was stored: this call, or this caller or key in this hour, has reached its limit. */
  full: z.optional(z.enum(["call", "hour"])),
});
export type Output = z.output<typeof Output>;
