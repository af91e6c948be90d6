import * as z from "zod/mini";
import { parseBirthDate } from "../nlu/birth-date.ts";
import { addressFields, Email, Phone } from "../patient/contact-fields.ts";
import { optionalEnum, requiredText } from "../sdk/arguments.ts";
import { normalizeFamilyName, firstGivenName } from "../nlu/names.ts";

const firstName = requiredText().check(
  z.refine((text) => firstGivenName(text) !== "", "is missing"),
  z.describe("Given name, as the caller spells it"),
);
const lastName = requiredText().check(
  z.refine((text) => normalizeFamilyName(text) !== "", "is missing"),
  z.describe("Family name, as the caller spells it"),
);

const dateOfBirth = z.pipe(requiredText(60), z.transform(parseBirthDate));

export const Input = z
  .object({
    firstName,
    lastName,
    dateOfBirth: dateOfBirth.check(z.describe("Date of birth, as spoken or as yyyy-mm-dd")),
    phoneNumber: Phone,
    email: Email,
    ...addressFields,
    gender: optionalEnum(["female", "male", "other", "unknown"]).check(z.describe("Administrative gender, if the caller says it")),
  })
  .check(z.refine(({ phoneNumber, email }) => Boolean(phoneNumber ?? email), { path: ["phoneNumber"], error: "or an email address" }));
export type Input = z.output<typeof Input>;

/** Does not tell whether the patient existed before. */
export const Output = z.object({ result: z.enum(["received", "once", "limit", "unsupported"]) });
export type Output = z.output<typeof Output>;
