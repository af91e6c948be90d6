import type { Address } from "fhir/r4.js";
import { contactOf } from "@vitaline/messages";
import * as z from "zod/mini";
import { maybeSaid } from "./parse-args.ts";
import { stateCode, withoutState } from "./us-states.ts";
import { digitsOf, normalZip } from "./verifyPatientIdentity/phones.ts";

/** As it is written: without signs that nobody sees, and with capitals where all was said in one case. */
export function tidy(text: string): string {
  const plain = text
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  if (plain.length < 3 || (plain !== plain.toLowerCase() && plain !== plain.toUpperCase())) return plain;
  return plain.toLowerCase().replace(/(^|[\s\-('’])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());
}

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
type AddressSaid = { street?: string; city?: string; state?: string; zipCode?: string; address?: string };

/** "12 Main Street, Apartment 3, Springfield, Illinois 62704" in its parts, as many as there are. */
export function addressParts(line: string): AddressSaid {
  const [, before = line, zip] = /^(.*?)[,\s]*\b(\d{5}(?:-\d{4})?)$/.exec(line) ?? [];
  const [place, state] = withoutState(before.replace(/[,\s]+$/, ""));
  const parts = place
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
  const city = parts.length > 1 ? parts.pop() : undefined;
  return {
    ...(parts.length > 0 ? { street: tidy(parts.join(", ")) } : {}),
    ...(city ? { city: tidy(city) } : {}),
    ...(state ? { state } : {}),
    ...(zip ? { zipCode: zip } : {}),
  };
}

/** As FHIR has it; undefined when nothing was said of it. What was said in parts goes before what is in the line. */
export function addressFrom({ address, ...said }: AddressSaid): Address | undefined {
  const parts = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) as AddressSaid;
  const { street, city, state, zipCode } = { ...(address ? addressParts(address) : {}), ...parts };
  if (!street && !city && !state && !zipCode) return undefined;
  return {
    ...(street ? { line: [street] } : {}),
    ...(city ? { city } : {}),
    ...(state ? { state } : {}),
    ...(zipCode ? { postalCode: zipCode } : {}),
  };
}
