import * as z from "zod/mini";
import { addressFields, Email, Phone } from "../patient/contact-fields.ts";
import { maybeOneOf, maybeSaid } from "../sdk/arguments.ts";

/** What is to change; only what the caller has said in so many words. */
export const Input = z
  .object({
    phoneNumber: Phone,
    phoneType: maybeOneOf(["mobile", "home", "work"]).check(z.describe("Which of the phone numbers it is; the first one unless told")),
    email: Email,
    ...addressFields,
    preferredContact: maybeOneOf(["phone", "email"]).check(z.describe("How the patient would rather be reached")),
    firstName: maybeSaid().check(z.describe("Only when the caller asks to change a name: that is for the office to do")),
    lastName: maybeSaid().check(z.describe("As with the given name: only when the caller asks for it")),
    dateOfBirth: maybeSaid(60).check(z.describe("As with a name: only when the caller asks for it")),
  })
  .check(
    z.refine((fields) => Object.entries(fields).some(([name, value]) => name !== "phoneType" && value !== undefined), {
      path: ["phoneNumber"],
      error: "or the new email or postal address",
    }),
  );
export type Input = z.output<typeof Input>;

/** What identifies a patient is for staff to change, with papers in hand. */
export const changesIdentity = ({ firstName, lastName, dateOfBirth }: Input): boolean =>
  (firstName ?? lastName ?? dateOfBirth) !== undefined;

export const Changes = z.array(z.enum(["phone", "email", "address", "preference"]));

export const Output = z.discriminatedUnion("result", [
  z.object({ result: z.literal("updated"), changed: Changes }),
  z.object({ result: z.literal("unchanged") }),
  /** Names and birth dates are changed by staff. */
  z.object({ result: z.literal("in_person") }),
  /** Phone number or email address were changed as often as they may be in a day. */
  z.object({ result: z.literal("enough") }),
]);
export type Output = z.output<typeof Output>;
