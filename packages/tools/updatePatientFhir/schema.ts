import * as z from "zod/mini";
import { addressFields, Email, Phone } from "../patient/contact-fields.ts";
import { optionalEnum, optionalText } from "../sdk/arguments.ts";

export const Input = z
  .object({
    phoneNumber: Phone,
    phoneType: optionalEnum(["mobile", "home", "work"]).check(
      z.describe("Which of the phone numbers it is; needed if several are on file"),
    ),
    email: Email,
    ...addressFields,
    preferredContact: optionalEnum(["phone", "email"]).check(z.describe("How the patient would rather be reached")),
    firstName: optionalText().check(z.describe("Only if the caller wants it changed: the office does that")),
    lastName: optionalText().check(z.describe("As firstName")),
    dateOfBirth: optionalText(60).check(z.describe("As firstName")),
  })
  .check(
    z.refine((fields) => Object.entries(fields).some(([name, value]) => name !== "phoneType" && value !== undefined), {
      path: ["phoneNumber"],
      error: "or the new email or postal address",
    }),
  );
export type Input = z.output<typeof Input>;

export const changesIdentity = ({ firstName, lastName, dateOfBirth }: Input): boolean =>
  (firstName ?? lastName ?? dateOfBirth) !== undefined;

export const Changes = z.array(z.enum(["phone", "email", "address", "preference"]));

export const Output = z.discriminatedUnion("result", [
  z.object({ result: z.literal("updated"), changed: Changes }),
  z.object({ result: z.literal("unchanged") }),
  /** Names and birth dates are changed by staff. */
  z.object({ result: z.literal("in_person") }),
  /** The daily limit of phone and email changes. */
  z.object({ result: z.literal("enough") }),
]);
export type Output = z.output<typeof Output>;
