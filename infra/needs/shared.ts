import type { Needs } from "./types.ts";

export const session = ["SESSION#*", "USER#*", "TENANT#*#CONFIG"] as const;
/** Checking the session and updating its idle timer. */
export const signedIn = { http: true, sessionKey: "verify", audits: true } as const satisfies Needs;

/** Opening an EHR: provider and token rows, slot locks, its secret or the platform's signature, and encrypted bookings. */
export const ehr = {
  reads: ["PLATFORM#FHIR", "FHIR#*", "PLATFORM#KEYS"],
  writes: ["FHIR#*", "PLATFORM#KEYUSE"],
  deletes: ["FHIR#*#SLOT#*"],
} as const satisfies Needs;
/** Changed contact points, leads and tasks. */
export const callResults = {
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

/** Messages to patients: recent ones, opt-outs, deferred ones. */
export const messages = {
  reads: ["TENANT#*#SEND#*", "TENANT#*#OPTOUT", "PLATFORM#OUTGOING#*"],
  writes: ["TENANT#*#SEND#*", "TENANT#*#OPTOUT", "PLATFORM#OUTGOING#*"],
  deletes: ["TENANT#*#SEND#*", "TENANT#*#OPTOUT"],
} as const satisfies Needs;
export const sending = { mail: "files", sms: true } as const satisfies Needs;
