import { ProxyScope } from "@vitaline/contract";
import * as z from "zod/mini";
import { parseBirthDate } from "../nlu/birth-date.ts";
import { optionalEnum, optionalText } from "../sdk/arguments.ts";
import { addressKey } from "./claim/factors.ts";
import { firstGivenName, normalizeName } from "../nlu/names.ts";
import type { SaidPatient } from "./claim/spoken-for.ts";
import type { Speaker } from "../proxy/speaker.ts";
import type { Person } from "../patient/person.ts";
import { digitsOf } from "../nlu/digits.ts";

export type Claim = Person & Details;

export type Details = {
  phoneNumber?: string | undefined;
  zipCode?: string | undefined;
  address?: string | undefined;
  medicalRecordNumber?: string | undefined;
  email?: string | undefined;
};

const codeDigits = 6;
export type Channel = "sms" | "email";

export type Input =
  | { action: "claim"; claim: Claim; callingFor?: "self" | undefined }
  /** Absent: details of the patient, or of the caller, are still missing. */
  | { action: "claimFor"; said: SaidPatient; claim?: Claim | undefined; speaker?: Speaker | undefined }
  | { action: "further"; details: Details }
  | { action: "sendCode"; channel: Channel }
  | { action: "checkCode"; code: string };

const BirthDate = z.pipe(
  optionalText(60),
  z.transform((text: string | undefined, issues): string | undefined => (text === undefined ? undefined : parseBirthDate(text, issues))),
);

const Fields = z.object({
  firstName: optionalText().check(z.describe("The patient's first name, as the caller says it")),
  lastName: optionalText().check(z.describe("The patient's last name, as the caller says it")),
  dateOfBirth: BirthDate.check(z.describe("The patient's date of birth, as yyyy-mm-dd or with the month spelled out")),
  phoneNumber: optionalText(60).check(z.describe("Phone number on file")),
  zipCode: optionalText(20).check(z.describe("Zip code on file")),
  address: optionalText(300).check(z.describe("House number and street on file, as spoken")),
  medicalRecordNumber: optionalText(60).check(z.describe("Medical record number at this clinic")),
  email: optionalText(254).check(z.describe("Email address on file")),
  callingFor: optionalEnum(["self", "child", "other"]).check(z.describe("Who the call is about")),
  callerName: optionalText().check(z.describe("With callingFor child or other: the caller's own full name")),
  callerPhone: optionalText(60).check(z.describe("The caller's own phone number")),
  callerBirthDate: BirthDate.check(z.describe("Or the caller's own date of birth")),
  sendCode: optionalEnum(["sms", "email"]).check(z.describe("Only after the caller is verified: send a one-time code there")),
  code: optionalText(60).check(z.describe("The one-time code as the caller reads it out")),
});
type Fields = z.output<typeof Fields>;

const streetNeeded = "with house number and street";
const lacksStreet = ({ address }: Details): boolean => address !== undefined && addressKey(address) === "";
const hasDetail = ({ phoneNumber, zipCode, address, medicalRecordNumber, email }: Details): boolean =>
  [phoneNumber, zipCode, address, medicalRecordNumber, email].some((detail) => detail !== undefined);

function missingIn({ firstName = "", lastName = "", dateOfBirth, ...factors }: Fields): [field: string, problem: string][] {
  const missing: [string, string][] = [
    ...(normalizeName(firstName) === "" || firstGivenName(firstName) === "" ? [["firstName", "is missing"] as [string, string]] : []),
    ...(normalizeName(lastName) === "" ? [["lastName", "is missing"] as [string, string]] : []),
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
    const { callingFor, callerName, callerPhone, callerBirthDate, sendCode, code, ...rest } = fields;
    const { firstName = "", lastName = "", dateOfBirth = "", ...factors } = rest;
    const claim: Claim = { firstName, lastName, dateOfBirth, ...factors };
    const isNameless = [fields.firstName, fields.lastName, fields.dateOfBirth].every((one) => one === undefined);
    // A model repeats callingFor beside a code or a single detail.
    const isFurther = isNameless && callerName === undefined && (code !== undefined || sendCode !== undefined || hasDetail(factors));
    const isForOther =
      !isFurther && (callingFor === "child" || callingFor === "other" || (callingFor !== "self" && callerName !== undefined));
    if (isForOther) {
      const isDetailed = callerPhone !== undefined || callerBirthDate !== undefined;
      return {
        action: "claimFor",
        said: { firstName, dateOfBirth },
        ...(missingIn(fields).length === 0 ? { claim } : {}),
        ...(callerName !== undefined && isDetailed
          ? { speaker: { name: callerName, phone: callerPhone, birthDate: callerBirthDate } }
          : {}),
      };
    }
    if (code !== undefined) {
      const digits = digitsOf(code);
      if (digits.length !== codeDigits) refuse("code", "with its six digits");
      return { action: "checkCode", code: digits };
    }
    if (sendCode !== undefined) return { action: "sendCode", channel: sendCode };
    if (isNameless && hasDetail(factors)) {
      if (lacksStreet(factors)) refuse("address", streetNeeded);
      return { action: "further", details: factors };
    }
    for (const [field, problem] of missingIn(fields)) refuse(field, problem);
    return { action: "claim", claim, ...(callingFor === "self" ? { callingFor } : {}) };
  }),
);

export const Output = z.object({
  verified: z.boolean(),
  level: z.literal([0, 1, 2]),
  attemptsLeft: z.number(),
  /**
   * `code`, `detail`: the wrong part. `somebody_else`: the call is not about the caller, or about a minor. `patient_details`,
   * `caller_details`: still missing to speak for someone else. `on_hold`: staff must take the call.
   */
  about: z.optional(z.enum(["code", "detail", "somebody_else", "patient_details", "caller_details", "on_hold"])),
  /** What a caller who speaks for the patient may know and do. */
  scope: z.optional(ProxyScope),
  /** Masked: the last two digits of a number, the first letter of an address. */
  codeSentTo: z.optional(z.object({ channel: z.enum(["sms", "email"]), hint: z.string() })),
  firstName: z.optional(z.string()),
  /** The caller was already verified and gave one more detail. */
  further: z.optional(z.boolean()),
});
export type Output = z.output<typeof Output>;
