import { Email, type MessageChannel } from "@vitaline/contract";
import type { TenantRow } from "@vitaline/store";
import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import * as z from "zod/mini";

/** For numbers without a country code. */
const defaultCountry = "US";
/** US territories with country codes of their own. */
const territories = ["PR", "GU", "VI", "AS", "MP"];

/** The normalized contact: an E.164 phone number ("+16175550142") or a lower-case email address; undefined if invalid. */
export function normalizeContact(channel: MessageChannel, text: string): string | undefined {
  if (channel === "email") return z.safeParse(Email, text).data;
  const number = parsePhoneNumberFromString(text, defaultCountry);
  return number?.isValid() ? number.number : undefined;
}

/** E.164 for a number as people write it; internal extensions keep their digits. */
export const dialableNumber = (phone: string): string => normalizeContact("sms", phone) ?? phone.replace(/\D/g, "");

/** Whether the number's country is one that the tenant selected; by default, the country of the tenant's own phone number. */
export function isTextAllowed({ policies, contactPhone }: Pick<TenantRow, "policies" | "contactPhone">, number: string): boolean {
  const countryOf = (phone: string) => parsePhoneNumberFromString(phone, defaultCountry)?.country;
  const selected: string[] = policies?.textCountries ?? [countryOf(contactPhone ?? "") ?? defaultCountry];
  const country = countryOf(number);
  return country !== undefined && [...selected, ...(selected.includes("US") ? territories : [])].includes(country);
}

/** The part of a contact that may be spoken: the last two digits, or the first letter. */
export const contactHint = (channel: MessageChannel, contact: string): string =>
  channel === "sms" ? contact.slice(-2) : contact.slice(0, 1).toUpperCase();
