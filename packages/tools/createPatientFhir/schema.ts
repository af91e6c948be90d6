import * as z from "zod/mini";
import { readBirthDate } from "../speech/spoken-date.ts";
import { addressFields, Email, Phone } from "../patient/contact-fields.ts";
import { maybeOneOf, said } from "../sdk/arguments.ts";
import { familyName, firstGiven } from "../speech/names.ts";

const firstName = said().check(
  z.refine((text) => firstGiven(text) !== "", "is missing"),
  z.describe("Given name, as the caller spells it"),
);
const lastName = said().check(
  z.refine((text) => familyName(text) !== "", "is missing"),
  z.describe("Family name, as the caller spells it"),
);

const dateOfBirth = z.pipe(said(60), z.transform(readBirthDate));

/** Who wants to become a patient, and how to reach them. */
export const Input = z
  .object({
    firstName,
    lastName,
    dateOfBirth: dateOfBirth.check(z.describe("Date of birth, as it was spoken or as yyyy-mm-dd")),
    phoneNumber: Phone,
    email: Email,
    ...addressFields,
    gender: maybeOneOf(["female", "male", "other", "unknown"]).check(z.describe("Administrative gender, if the caller says it")),
  })
  .check(z.refine(({ phoneNumber, email }) => Boolean(phoneNumber ?? email), { path: ["phoneNumber"], error: "or an email address" }));
export type Input = z.output<typeof Input>;

/** What is not told: whether there was such a patient before. */
export const Output = z.object({ result: z.enum(["received", "once", "limit", "unsupported"]) });
export type Output = z.output<typeof Output>;
