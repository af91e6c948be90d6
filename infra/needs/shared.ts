import type { Needs } from "./types.ts";

export const session = ["SESSION#*", "USER#*", "TENANT#*#CONFIG"] as const;
/** What every route for a person does first: check the session, and move its idle clock. */
export const signedIn = { http: true, sessionKey: "verify", audits: true } as const satisfies Needs;

/** What an open EHR takes: its provider and token rows, slot locks, its secret or the platform's signature, and what is sealed of a booking. */
export const ehr = {
  reads: ["PLATFORM#FHIR", "FHIR#*", "PLATFORM#KEYS"],
  writes: ["FHIR#*", "PLATFORM#KEYUSE"],
  deletes: ["FHIR#*#SLOT#*"],
} as const satisfies Needs;
/** Beside calls and their EHR: which contact points were changed in calls, leads, and tasks. */
export const besideCalls = {
  reads: ["TENANT#*#CHANGED#*"],
  writes: ["TENANT#*#CHANGED#*", "TENANT#*#LEADS", "TENANT#*#TASKS"],
} as const satisfies Needs;
export const ehrAccess = {
  seals: ["phi", "fhir-token"],
  opens: ["phi", "fhir-token"],
  fhirSecrets: "use",
  platformKeys: "sign",
  outbound: true,
} as const satisfies Needs;

/** Messages to patients: what was sent lately and who wants none, what waits for its time, and the two ways out. */
export const messages = {
  reads: ["TENANT#*#SEND#*", "TENANT#*#OPTOUT", "PLATFORM#OUTGOING#*"],
  writes: ["TENANT#*#SEND#*", "TENANT#*#OPTOUT", "PLATFORM#OUTGOING#*"],
  deletes: ["TENANT#*#SEND#*", "TENANT#*#OPTOUT"],
} as const satisfies Needs;
export const messaging = { mail: "files", sms: true } as const satisfies Needs;
