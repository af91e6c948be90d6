import * as z from "zod/mini";
import { addressFields, Email, Phone } from "../contact-fields.ts";
import { maybeOneOf, maybeSaid } from "../parse-args.ts";

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
