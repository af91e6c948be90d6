import * as z from "zod/mini";
import { readBirthDate } from "../speech/spoken-date.ts";
import { maybeOneOf, maybeSaid } from "../sdk/arguments.ts";
import { addressKey } from "./address-key.ts";
import { firstGiven, normalName } from "../speech/names.ts";
import type { Person } from "../patient/person.ts";
import { digitsOf } from "../speech/spoken-digits.ts";

/** Who the caller says to be. */
export type Claim = Person & Details;

/** What beside name and birth date is on file. */
export type Details = {
  phoneNumber?: string | undefined;
  zipCode?: string | undefined;
  address?: string | undefined;
  medicalRecordNumber?: string | undefined;
  email?: string | undefined;
};

const codeDigits = 6;
export type Channel = "sms" | "email";

/** What is asked: to be recognised, to be known better by a further detail, to get a one-time code, to have one checked; or it is no caller's own matter. */
export type Input =
  | { does: "claim"; claim: Claim }
  | { does: "further"; details: Details }
  | { does: "sendCode"; channel: Channel }
  | { does: "checkCode"; code: string }
  | { does: "handOver" };

const BirthDate = z.pipe(
  maybeSaid(60),
  z.transform((text: string | undefined, issues): string | undefined => (text === undefined ? undefined : readBirthDate(text, issues))),
);

const Fields = z.object({
  firstName: maybeSaid().check(z.describe("The patient's first name, as the caller says it")),
  lastName: maybeSaid().check(z.describe("The patient's last name, as the caller says it")),
  dateOfBirth: BirthDate.check(z.describe("The patient's date of birth, as yyyy-mm-dd or with the month by its name")),
  phoneNumber: maybeSaid(60).check(z.describe("Phone number on file")),
  zipCode: maybeSaid(20).check(z.describe("Zip code on file")),
  address: maybeSaid(300).check(z.describe("House number and street on file, as it was spoken")),
  medicalRecordNumber: maybeSaid(60).check(z.describe("Medical record number, of this clinic")),
  email: maybeSaid(254).check(z.describe("Email address on file")),
  callingFor: maybeOneOf(["self", "child", "other"]).check(z.describe("Whom the call is about")),
  sendCode: maybeOneOf(["sms", "email"]).check(z.describe("Only after the caller is verified: send a one-time code there")),
  code: maybeSaid(60).check(z.describe("The one-time code as the caller reads it out")),
});
type Fields = z.output<typeof Fields>;

const streetNeeded = "with house number and street";
const lacksStreet = ({ address }: Details): boolean => address !== undefined && addressKey(address) === "";
const hasDetail = ({ phoneNumber, zipCode, address, medicalRecordNumber, email }: Details): boolean =>
  [phoneNumber, zipCode, address, medicalRecordNumber, email].some((detail) => detail !== undefined);

/** Which fields of a claim are missing, and how that is said. */
function missingIn({ firstName = "", lastName = "", dateOfBirth, ...factors }: Fields): [field: string, problem: string][] {
  const missing: [string, string][] = [
    ...(normalName(firstName) === "" || firstGiven(firstName) === "" ? [["firstName", "is missing"] as [string, string]] : []),
    ...(normalName(lastName) === "" ? [["lastName", "is missing"] as [string, string]] : []),
    ...(dateOfBirth === undefined ? [["dateOfBirth", "is missing"] as [string, string]] : []),
  ];
  if (missing.length > 0) return missing;
  if (lacksStreet(factors)) return [["address", streetNeeded]];
  return hasDetail(factors) ? [] : [["phoneNumber", "or the zip code or medical record number on file"]];
}

export const Input = z.pipe(
  Fields,
  z.transform((fields: Fields, issues): Input => {
    const refuse = (field: string, message: string) => void issues.issues.push({ code: "custom", input: fields, path: [field], message });
    const { callingFor, sendCode, code, firstName = "", lastName = "", dateOfBirth = "", ...factors } = fields;
    if (callingFor === "child" || callingFor === "other") return { does: "handOver" };
    if (code !== undefined) {
      const digits = digitsOf(code);
      if (digits.length !== codeDigits) refuse("code", "with its six digits");
      return { does: "checkCode", code: digits };
    }
    if (sendCode !== undefined) return { does: "sendCode", channel: sendCode };
    const isNameless = [fields.firstName, fields.lastName, fields.dateOfBirth].every((one) => one === undefined);
    if (isNameless && hasDetail(factors)) {
      if (lacksStreet(factors)) refuse("address", streetNeeded);
      return { does: "further", details: factors };
    }
    for (const [field, problem] of missingIn(fields)) refuse(field, problem);
    return { does: "claim", claim: { firstName, lastName, dateOfBirth, ...factors } };
  }),
);

export const Output = z.object({
  verified: z.boolean(),
  level: z.literal([0, 1, 2]),
  attemptsLeft: z.number(),
  /** `code`, `detail`: it was the one-time code, or one further detail, that was tried. `somebody_else`: the call is not about the caller, or about a minor. */
  about: z.optional(z.enum(["code", "detail", "somebody_else"])),
  /** Where a one-time code went: as much of it as may be said. */
  codeSentTo: z.optional(z.string()),
  /** The caller was verified before, and has said something more. */
  further: z.optional(z.boolean()),
});
export type Output = z.output<typeof Output>;
