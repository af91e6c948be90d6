import { sha256In, dayMs, utcDate } from "@vitaline/core";
import { keys, type SentToRow } from "@vitaline/store";

const hourMs = 3_600_000;

/**
 * Maximum numbers of messages, far above the normal use of a clinic. Those to a contact are counted strictly, in the row that a send
 * claims. Those of a patient, a call and a tenant are counted from the audit, without an additional write, about a second late.
 */
export const limits = {
  toContactAnHour: 5,
  toContactADay: 10,
  waitingForContact: 3,
  aboutPatientADay: 12,
  inCall: 10,
  fromTenantAnHour: 2000,
} as const;

export const isContactLimited = (sends: SentToRow["sends"], nowMs: number): boolean => {
  const countWithin = (ms: number): number => sends.filter(({ atMs }) => nowMs - atMs < ms).length;
  return countWithin(hourMs) >= limits.toContactAnHour || countWithin(dayMs) >= limits.toContactADay;
};

/** Key of the counter; it lives longer than any call. */
export const callCounterKey = (callKey: string) => keys.counter("messages-of-call", callKey, "all");
/** Key of the counter for the UTC day of an instant. */
export const patientCounterKey = (patientId: string, at: Date) =>
  keys.counter("messages-of-patient", sha256In("messages-of-patient", patientId).slice(0, 20), utcDate(at));
/** Key of the counter for the hour of an instant. */
export const tenantCounterKey = (at: Date) => keys.counter("messages-of-tenant", "", String(Math.floor(at.getTime() / hourMs)));

/** Row ids of the messages that may wait for a contact until one opening. */
export const waitingRowIds = (tenantId: string, contact: string): string[] =>
  Array.from({ length: limits.waitingForContact }, (_, index) => `${sha256In("waits", tenantId, contact).slice(0, 20)}-${index}`);
