import type { ContactPoint, Patient, Period } from "fhir/r4.js";
import type { MessageChannel } from "@vitaline/contract";
import { contactOf } from "@vitaline/messages";

/** A period that ends on a day lasts until that day is over everywhere. */
const endOf = (end: string): number => Date.parse(end) + (end.includes("T") ? 0 : 1.5 * 86_400_000);

/** Of a name, an identifier, a contact point or an address: neither replaced nor of the past. */
export const isCurrent = ({ use, period }: { use?: string; period?: Period }, now: Date): boolean =>
  use !== "old" && !(period?.end !== undefined && endOf(period.end) < now.getTime());

const systems: Record<MessageChannel, ContactPoint["system"][]> = { sms: ["sms", "phone"], email: ["email"] };

/** Where a patient can be written to by what is on file, the likeliest to arrive first: a text at a mobile phone, then by their own rank. */
export function onFile({ telecom = [] }: Patient, channel: MessageChannel, now: Date): string[] {
  const current = telecom.filter((one) => systems[channel].includes(one.system) && isCurrent(one, now));
  const place = ({ rank = Infinity, system, use }: ContactPoint): [number, number] => [system === "sms" || use === "mobile" ? 0 : 1, rank];
  const sorted = current.toSorted((a, b) => {
    const [[kindA, rankA], [kindB, rankB]] = [place(a), place(b)];
    return kindA === kindB ? (rankA === rankB ? 0 : rankA - rankB) : kindA - kindB;
  });
  return [...new Set(sorted.flatMap(({ value = "" }) => contactOf(channel, value) ?? []))];
}
