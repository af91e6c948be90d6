import type { MessageChannel } from "@vitaline/contract";
import { contactOf } from "@vitaline/messages";
import type { ContactPoint, Patient } from "fhir/r4.js";
import { isCurrent } from "../is-current.ts";

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
