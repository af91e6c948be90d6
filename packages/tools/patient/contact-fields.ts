import { contactOf } from "@vitaline/messages";
import * as z from "zod/mini";
import { maybeSaid } from "../sdk/arguments.ts";
import { stateCode } from "../speech/spoken-address.ts";
import { digitsOf, normalZip } from "../speech/spoken-digits.ts";
import { tidy } from "../speech/speech-text.ts";

/** E.164 of a number as it was said or typed; one without a country is of the clinics' own. undefined for what is no whole number. */
export const phoneFrom = (text: string): string | undefined =>
  contactOf("sms", `${text.trim().startsWith("+") ? "+" : ""}${digitsOf(text)}`);

const signs: readonly [said: RegExp, sign: string][] = [
  [/\s+at\s+(?!.*@)/g, "@"],
  [/\s+(?:dot|point)\s+/g, "."],
  [/\s+underscore\s+/g, "_"],
  [/\s+(?:dash|hyphen|minus)\s+/g, "-"],
  [/\s+plus\s+/g, "+"],
];

/** "Jane dot Roe at example dot com" → "jane.roe@example.com"; undefined for what is no address. */
export function emailFrom(text: string): string | undefined {
  const plain = ` ${text.normalize("NFKC").toLowerCase()} `;
  const written = signs.reduce((line, [said, sign]) => line.replace(said, sign), plain).replace(/\s+/g, "");
  return z.safeParse(z.email(), written).data;
}

/** A field that is understood or asked for again; may be missing. */
const understood = <Value>(max: number, read: (text: string) => Value | undefined, wanted: string) =>
  z.pipe(
    maybeSaid(max),
    z.transform((text: string | undefined, issues): Value | undefined => {
      const value = text === undefined ? undefined : read(text);
      if (text !== undefined && value === undefined) issues.issues.push({ code: "custom", input: text, message: wanted });
      return value;
    }),
  );

export const Phone = understood(60, phoneFrom, "with the area code").check(
  z.describe("Phone number with area code, in digits or as it was spoken"),
);
export const Email = understood(254, emailFrom, "such as name at example dot com").check(
  z.describe("Email address, as written or as spoken"),
);

const zipFrom = (text: string): string | undefined => {
  const digits = digitsOf(text);
  if (digits.length === 9) return `${digits.slice(0, 5)}-${digits.slice(5)}`;
  const zip = normalZip(text).toUpperCase();
  return /^(\d{5}|(?=.*\d)[A-Z0-9]{4,8})$/.test(zip) ? zip : undefined;
};

const words = (text: string): string | undefined => tidy(text) || undefined;

/** An address in parts or in one line; whatever was said of it. */
export const addressFields = {
  street: understood(200, words, "is missing").check(z.describe("House number, street and unit")),
  city: understood(100, words, "is missing").check(z.describe("City or town, by its name")),
  state: understood(60, (text) => stateCode(text) ?? words(text), "is missing").check(z.describe("State, by name or by its two letters")),
  zipCode: understood(40, zipFrom, "with five digits").check(z.describe("Zip code, in digits or as it was spoken")),
  address: understood(300, words, "is missing").check(z.describe("The whole address in one line, if it was not said in parts")),
};
