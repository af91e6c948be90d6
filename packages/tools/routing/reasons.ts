import type { LeadReason, RoutingReason } from "@vitaline/contract";
import { normalizeName } from "../nlu/names.ts";

/** The first match counts. */
const reasonPatterns: readonly [reason: RoutingReason, words: RegExp][] = [
  ["emergency", /\b(?:emergenc|urgent care now|911|ambulance|life threat)/],
  ["prescription", /\b(?:refill|prescri|medication|medicine|pharmac|drug|pills?\b)/],
  ["insurance", /\b(?:insur|coverage|copay|deductible|eligib|prior auth)/],
  ["billing", /\b(?:bill|invoice|payment|pay\b|statement|charge|refund|balance)/],
  ["records", /\b(?:records?\b|chart|release of|transfer of files|documents?|forms?\b|letter)/],
  ["new_patient", /\b(?:new patient|new_patient|register|registration|sign up|become a patient|enrol)/],
  ["appointment", /\b(?:appointment|schedul|reschedul|cancel|booking|book\b|visit|slot)/],
  ["clinical", /\b(?:clinical|nurse|symptom|test result|results?\b|lab|pain|sick|medical|doctor|advice|diagnos|triage)/],
  ["person", /\b(?:person|human|operator|representative|someone|somebody|receptionist|front desk|staff|agent|manager|complain)/],
];

export function reasonFrom(text: string): RoutingReason {
  const plain = normalizeName(text);
  return reasonPatterns.find(([, words]) => words.test(plain))?.[0] ?? "other";
}

const leadReasons: Partial<Record<RoutingReason, LeadReason>> = {
  appointment: "appointment",
  prescription: "prescription",
  billing: "billing",
  insurance: "insurance",
  records: "records",
  new_patient: "new_patient",
};
export const leadReasonOf = (reason: RoutingReason): LeadReason => leadReasons[reason] ?? "other";
