import { Email, type MessageChannel } from "@vitaline/contract";
import type { TenantRow } from "@vitaline/store";
import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import * as z from "zod/mini";

/** Numbers without a country are of this one. */
const defaultCountry = "US";

/**
 * A phone number in E.164 form ("+16175550142"), or an email address in lower case: the one spelling in which contacts are
 * compared, kept and sent to. Undefined for what is neither.
 */
export function contactOf(channel: MessageChannel, text: string): string | undefined {
  if (channel === "email") return z.safeParse(Email, text).data;
  const number = parsePhoneNumberFromString(text, defaultCountry);
  return number?.isValid() ? number.number : undefined;
}

/** Countries of their own in the telephone's eyes, and at home for a clinic of the United States. */
const territories = ["PR", "GU", "VI", "AS", "MP"];

/** Whether the tenant lets texts go to a number of this country: by its own choice, else to the country of its own telephone alone. */
export function mayText({ policies, contactPhone }: Pick<TenantRow, "policies" | "contactPhone">, number: string): boolean {
  const countryOf = (phone: string) => parsePhoneNumberFromString(phone, defaultCountry)?.country;
  const chosen: string[] = policies?.textCountries ?? [countryOf(contactPhone ?? "") ?? defaultCountry];
  const country = countryOf(number);
  return country !== undefined && [...chosen, ...(chosen.includes("US") ? territories : [])].includes(country);
}

/** As much of a contact as may be said: the last two digits, or the first letter. */
export const hintOf = (channel: MessageChannel, contact: string): string =>
  channel === "sms" ? contact.slice(-2) : contact.slice(0, 1).toUpperCase();
