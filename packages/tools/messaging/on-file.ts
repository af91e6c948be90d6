import type { MessageChannel } from "@vitaline/contract";
import { contactOf } from "@vitaline/messages";
import type { ContactPoint, Patient } from "fhir/r4.js";
import { isCurrent } from "../is-current.ts";

const systems: Record<MessageChannel, ContactPoint["system"][]> = { sms: ["sms", "phone"], email: ["email"] };

/** Where a patient can be written to by what is on file, the place they prefer first: their own rank, then a mobile phone. */
export function onFile({ telecom = [] }: Patient, channel: MessageChannel, now: Date): string[] {
  const current = telecom.filter((one) => systems[channel].includes(one.system) && isCurrent(one, now));
  const place = ({ rank = Infinity, system, use }: ContactPoint): [number, number] => [rank, system === "sms" || use === "mobile" ? 0 : 1];
  const sorted = current.toSorted((a, b) => {
    const [[rankA, kindA], [rankB, kindB]] = [place(a), place(b)];
    return rankA === rankB ? kindA - kindB : rankA - rankB;
  });
  return [...new Set(sorted.flatMap(({ value = "" }) => contactOf(channel, value) ?? []))];
}
