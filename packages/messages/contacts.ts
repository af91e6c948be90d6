import { Email, type MessageChannel } from "@vitaline/contract";
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

/** As much of a contact as may be said: the last two digits, or the first letter. */
export const hintOf = (channel: MessageChannel, contact: string): string =>
  channel === "sms" ? contact.slice(-2) : contact.slice(0, 1).toUpperCase();
