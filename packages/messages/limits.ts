import { digest } from "@vitaline/core";
import { keys, type SentToRow } from "@vitaline/store";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * How many messages may go: to one contact, about one patient, in one call, and from one tenant, which is far more than a clinic's callers ask for.
 * Those to a contact are counted strictly, in the row that the sending takes. Those of a patient, a call and a tenant are counted behind it, by
 * what the audit tells, so that a message costs no write more; they lag by a second.
 */
export const limits = {
  toContactAnHour: 5,
  toContactADay: 10,
  waitingForContact: 3,
  aboutPatientADay: 12,
  inCall: 10,
  fromTenantAnHour: 2000,
} as const;

/** Whether a contact has had enough. */
export const hadEnough = (sends: SentToRow["sends"], nowMs: number): boolean => {
  const within = (ms: number): number => sends.filter(({ atMs }) => nowMs - atMs < ms).length;
  return within(hourMs) >= limits.toContactAnHour || within(dayMs) >= limits.toContactADay;
};

/** Where the messages of a call are counted; no call is longer than the row lives. */
export const countOfCall = (callKey: string) => keys.attempts("messages-of-call", callKey, "all");
/** Where the messages about a patient of the tenant, on the day of an instant, are counted. */
export const countOfPatient = (patientId: string, at: Date) =>
  keys.attempts("messages-of-patient", digest("messages-of-patient", patientId).slice(0, 20), at.toISOString().slice(0, 10));
/** Where the messages of a tenant in the hour of an instant are counted. */
export const countOfTenant = (at: Date) => keys.attempts("messages-of-tenant", "", String(Math.floor(at.getTime() / hourMs)));

/** Places in which messages may wait for one contact at one opening: as many as there may be. */
export const placesFor = (tenantId: string, contact: string): string[] =>
  Array.from({ length: limits.waitingForContact }, (_, place) => `${digest("waits", tenantId, contact).slice(0, 20)}-${place}`);
