import type { ContactPoint, Patient, Period } from "fhir/r4.js";
import type { MessageChannel } from "@vitaline/contract";
import { normalizeContact } from "@vitaline/messages";

/** A period that ends on a date lasts until the date is over in every time zone. */
const endOf = (end: string): number => Date.parse(end) + (end.includes("T") ? 0 : 1.5 * 86_400_000);

/** For a name, identifier, contact point or address. */
export const isCurrent = ({ use, period }: { use?: string; period?: Period }, now: Date): boolean =>
  use !== "old" && !(period?.end !== undefined && endOf(period.end) < now.getTime());

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
