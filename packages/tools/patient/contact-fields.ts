import { normalizeContact } from "@vitaline/messages";
import * as z from "zod/mini";
import type { ContactPoint, Patient } from "fhir/r4.js";
import type { MessageChannel } from "@vitaline/contract";
import { optionalText } from "../sdk/arguments.ts";
import { stateCode } from "../nlu/address.ts";
import { digitsOf, normalizeZip } from "../nlu/digits.ts";
import { tidyText } from "../nlu/tidy-text.ts";
import { isCurrent } from "./person.ts";

const systems: Record<MessageChannel, ContactPoint["system"][]> = { sms: ["sms", "phone"], email: ["email"] };

/** Numbers or addresses on file in order of preference: mobile phones first, then by rank. */
export function contactPointsFor({ telecom = [] }: Patient, channel: MessageChannel, now: Date): string[] {
  const current = telecom.filter((one) => systems[channel].includes(one.system) && isCurrent(one, now));
  const place = ({ rank = Infinity, system, use }: ContactPoint): [number, number] => [system === "sms" || use === "mobile" ? 0 : 1, rank];
  const sorted = current.toSorted((a, b) => {
    const [[kindA, rankA], [kindB, rankB]] = [place(a), place(b)];
    return kindA === kindB ? (rankA === rankB ? 0 : rankA - rankB) : kindA - kindB;
  });
  return [...new Set(sorted.flatMap(({ value = "" }) => normalizeContact(channel, value) ?? []))];
}

/** E.164, with the clinics' country as default; undefined if incomplete. */
export const parsePhone = (text: string): string | undefined =>
  normalizeContact("sms", `${text.trim().startsWith("+") ? "+" : ""}${digitsOf(text)}`);

const emailSigns: readonly [said: RegExp, sign: string][] = [
  [/\s+at\s+(?!.*@)/g, "@"],
  [/\s+(?:dot|point)\s+/g, "."],
  [/\s+underscore\s+/g, "_"],
  [/\s+(?:dash|hyphen|minus)\s+/g, "-"],
  [/\s+plus\s+/g, "+"],
];

/** "Jane dot Roe at example dot com" → "jane.roe@example.com". */
export function parseEmail(text: string): string | undefined {
  const plain = ` ${text.normalize("NFKC").toLowerCase()} `;
  const written = emailSigns.reduce((line, [said, sign]) => line.replace(said, sign), plain).replace(/\s+/g, "");
  return z.safeParse(z.email(), written).data;
}

/** An optional field; unreadable values are reported as an issue. */
const spokenField = <Value>(max: number, read: (text: string) => Value | undefined, wanted: string) =>
  z.pipe(
    optionalText(max),
    z.transform((text: string | undefined, issues): Value | undefined => {
      const value = text === undefined ? undefined : read(text);
      if (text !== undefined && value === undefined) issues.issues.push({ code: "custom", input: text, message: wanted });
      return value;
    }),
  );

export const Phone = spokenField(60, parsePhone, "with the area code").check(z.describe("Phone number with area code"));
export const Email = spokenField(254, parseEmail, "such as name at example dot com").check(
  z.describe("Email address, as written or as spoken"),
);

const parseZip = (text: string): string | undefined => {
  const digits = digitsOf(text);
  if (digits.length === 9) return `${digits.slice(0, 5)}-${digits.slice(5)}`;
  const zip = normalizeZip(text).toUpperCase();
  return /^(\d{5}|(?=.*\d)[A-Z0-9]{4,8})$/.test(zip) ? zip : undefined;
};

const spokenWords = (text: string): string | undefined => tidyText(text) || undefined;

export const addressFields = {
  street: spokenField(200, spokenWords, "is missing").check(z.describe("House number, street and unit")),
  city: spokenField(100, spokenWords, "is missing").check(z.describe("City or town, by its name")),
  state: spokenField(60, (text) => stateCode(text) ?? spokenWords(text), "is missing").check(
    z.describe("State, by name or by its two letters"),
  ),
  zipCode: spokenField(40, parseZip, "with five digits").check(z.describe("Zip code")),
  address: spokenField(300, spokenWords, "is missing").check(z.describe("The whole address, if not said in parts")),
};
