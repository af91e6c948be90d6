import type { ErrorCode } from "@vitaline/core";
import { speakList } from "./speech-text.ts";

const outage =
  "I'm sorry, I'm having trouble reaching the clinic's record system right now. Please try again in a few minutes, or I can connect you with the office.";
const ourOutage =
  "I'm sorry, I'm having a technical problem at the moment. Please try again in a minute, or I can connect you with the office.";
const misunderstood = "I didn't get that quite right. Could you tell me once more what you need?";
const notAllowed = "That isn't something I can do. I can connect you with the office instead.";

/** One sentence per error code, without codes, system names or record data. */
export const sentences: Readonly<Record<ErrorCode, string>> = {
  invalid_request: misunderstood,
  invalid_json: misunderstood,
  unauthenticated: notAllowed,
  invalid_credentials: notAllowed,
  session_expired: notAllowed,
  totp_required: notAllowed,
  password_change_required: notAllowed,
  totp_enrolment_required: notAllowed,
  read_only: notAllowed,
  forbidden: "This call has already ended, so nothing more can be done in it.",
  tenant_inactive: "This line is not in service right now. Please call the office directly.",
  not_found: "I couldn't find that.",
  method_not_allowed: notAllowed,
  duplicate: "That has already been done.",
  stale_version: "Something changed while I was working on that. Let me try once more.",
  payload_too_large: misunderstood,
  unsupported_media_type: misunderstood,
  not_doable: "I'm not able to do that here. I can connect you with the office instead.",
  confirmation_required: "I need a clear yes before I change that.",
  too_many_requests: "There is a lot going on right now. Please give me a moment and ask again.",
  unavailable: ourOutage,
  deadline_exceeded: "That is taking longer than it should, so I stopped. Shall I try again, or connect you with the office?",
  outbound_refused: outage,
  outbound_timeout: outage,
  outbound_unreachable: outage,
  outbound_too_large: outage,
  outbound_redirect: outage,
  ehr_not_configured: "I don't have access to this clinic's record system, so I can't do that. I can connect you with the office.",
  ehr_unavailable: outage,
  ehr_timeout: outage,
  ehr_auth: outage,
  ehr_forbidden: "The clinic's record system doesn't let me do that. I can connect you with the office.",
  ehr_not_found: "I couldn't find that in the clinic's records.",
  ehr_conflict: "That was changed by someone else at the same moment. Shall I try again?",
  ehr_invalid: "The clinic's record system gave me an answer I can't use. I can connect you with the office.",
  ehr_unsupported: "The clinic's record system doesn't support that. I can connect you with the office.",
  ehr_unknown_outcome:
    "I couldn't confirm whether that went through. I'm checking it; please don't ask for it again before you have checked with the office.",
  ehr_not_allowed: "That isn't allowed by this connection to the clinic's record system. I can connect you with the office.",
  opted_out: "That contact has asked not to get messages from us, so I can't send it there. I can connect you with the office.",
  contact_not_on_file:
    "I can only send that to a phone number or email address that is on file. I can connect you with the office to change it.",
  message_failed: "I couldn't send that message. I can try again, or connect you with the office.",
  voice_platform_auth: ourOutage,
  voice_platform_rate_limited: ourOutage,
  voice_platform_unavailable: ourOutage,
  voice_platform_invalid: ourOutage,
  agent_inactive: "This line is not in service right now. Please call the office directly.",
  identity_required:
    "Before I can do that, I need to verify who I'm speaking with: your full name, your date of birth, and your phone number, zip code or medical record number on file.",
  identity_not_verified: "I couldn't verify that information.",
  identity_locked: "I'm not able to verify your identity on this call. Let me connect you with someone at the office who can help.",
  proxy_not_allowed: "I can only go into that with the patient. I can connect you with the office instead.",
  emergency: "If this is an emergency, please hang up and call 911 right now.",
  slot_taken: "That time has just been taken.",
  in_progress: "I'm still working on that; one moment please.",
  unknown_tool: "That isn't something I can help with on this call.",
  invalid_arguments: "I need a little more information to do that.",
};

const details = {
  phone: "phone number",
  zip: "zip code",
  mrn: "medical record number",
  email: "the email address on file",
} as const;

/** For a verified caller who needs one more factor. */
export function sentenceForOneMore(factors: readonly string[]): string {
  const known = factors.includes("address") ? [...factors, "zip"] : factors;
  const others = (Object.keys(details) as (keyof typeof details)[]).filter((factor) => !known.includes(factor));
  const names = others.map((factor) => details[factor]);
  return `For that I need one more detail: your ${names.slice(0, -1).join(", ")} or ${names.at(-1) ?? ""}; or I can send you a code.`;
}

const fieldInWords = (field: string): string => field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Details about the caller, spoken with "your". */
const callerFields: Readonly<Record<string, string>> = {
  firstName: "first name",
  lastName: "last name",
  dateOfBirth: "date of birth",
  phoneNumber: "phone number",
  email: "email address",
  address: "street address",
  street: "street address",
  city: "city",
  state: "state",
  zipCode: "zip code",
  medicalRecordNumber: "medical record number",
  callerName: "name",
  callerPhone: "phone number",
  callerBirthDate: "date of birth",
  callbackNumber: "callback number",
};

export function sentenceForFields(fields: Record<string, string>): string {
  const names = Object.keys(fields).map((field) => (field === "arguments" ? "details" : field));
  const yours = names.flatMap((field) => callerFields[field] ?? []);
  const others = names.filter((field) => !Object.hasOwn(callerFields, field)).map(fieldInWords);
  const all = [...yours.map((name, at) => (at === 0 ? `your ${name}` : name)), ...others.map((name) => `the ${name}`)];
  return all.length === 0 ? sentences.invalid_arguments : `To do that I still need ${speakList(all, { most: all.length })}.`;
}
