import * as z from "zod/mini";
import { LeadReason, RoutingOutcome, RoutingReason } from "@vitaline/contract";
import { Email } from "../patient/contact-fields.ts";
import { tidy } from "../speech/speech-text.ts";
import { maybeOneOf, maybeSaid, said } from "../sdk/arguments.ts";
import { digitsOf } from "../speech/spoken-digits.ts";

const fewestDigits = 7;

/** Any number that somebody can be called back at, also an extension or one of another country. */
const CallbackNumber = z.pipe(
  maybeSaid(60),
  z.transform((text: string | undefined, issues): string | undefined => {
    const isNumber = text === undefined || digitsOf(text).length >= fewestDigits;
    if (!isNumber) issues.issues.push({ code: "custom", input: text, message: "with the area code" });
    return text === undefined || !isNumber ? undefined : tidy(text).slice(0, 40);
  }),
);

const maybeTidy = (max: number) =>
  z.pipe(
    maybeSaid(max),
    z.transform((text: string | undefined): string | undefined => (text === undefined ? undefined : tidy(text) || undefined)),
  );

/** Which way a call goes; with a name and a number, somebody who wants to be found again. */
export const Input = z
  .object({
    reason: said(200).check(z.describe("Why, in a few words: billing, refill, new patient, wants to speak with a person …")),
    outcome: z.pipe(
      maybeOneOf(RoutingOutcome.options).check(z.describe("What is about to become of the call; transferred unless told")),
      z.transform((outcome: RoutingOutcome | undefined): RoutingOutcome => outcome ?? "transferred"),
    ),
    destination: maybeTidy(100).check(z.describe("To whom the caller asked to be put through, if they named a desk or a department")),
    callerName: maybeTidy(200).check(z.describe("For a callback: the caller's name")),
    callbackNumber: CallbackNumber.check(z.describe("For a callback: the number to call")),
    email: Email,
    leadReason: maybeOneOf(LeadReason.options).check(z.describe("For a callback: what it is about")),
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

/** Whoever can be reached wants to be found again. */
export const isLead = ({ callbackNumber, email }: Input): boolean => (callbackNumber ?? email) !== undefined;

export const Output = z.object({
  reason: RoutingReason,
  outcome: RoutingOutcome,
  /** To whom the call is to be put through, in the order to be tried; empty when nobody is on duty, or when it goes another way. */
  destinations: z.array(z.object({ label: z.string(), phone: z.string() })),
  /** When the office opens again, if it is closed now. */
  opensAt: z.nullable(z.object({ at: z.string(), timeZone: z.string() })),
  /** Somebody will find name and number in the list of those who want to be found again. */
  noted: z.boolean(),
  /** Nothing was noted: the call, or this caller or key in this hour, has left as many as it may. */
  full: z.optional(z.enum(["call", "hour"])),
});
export type Output = z.output<typeof Output>;
