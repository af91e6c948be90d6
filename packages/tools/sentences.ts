import type { ErrorCode } from "@vitaline/core";

const outage =
  "I'm sorry, I'm having trouble reaching the clinic's record system right now. Please try again in a few minutes, or I can connect you with the office.";
const ourOutage =
  "I'm sorry, I'm having a technical problem at the moment. Please try again in a minute, or I can connect you with the office.";
const misunderstood = "I didn't get that quite right. Could you tell me once more what you need?";
const notAllowed = "That isn't something I can do. I can connect you with the office instead.";

/** One sentence per code, for a caller on the phone: no codes, no names of systems, nothing about any record. */
export const sentences: Readonly<Record<ErrorCode, string>> = {
  invalid_request: misunderstood,
  invalid_json: misunderstood,
  unauthenticated: notAllowed,
  invalid_credentials: notAllowed,
  session_expired: notAllowed,
  forbidden: "This call has already ended, so nothing more can be done in it.",
  not_found: "I couldn't find that.",
  method_not_allowed: notAllowed,
  duplicate: "That has already been done.",
  stale_version: "Something changed while I was working on that. Let me try once more.",
  payload_too_large: misunderstood,
  unsupported_media_type: misunderstood,
  not_doable: "I'm not able to do that here. I can connect you with the office instead.",
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
  ehr_conflict: "That was changed by somebody else at the same moment. Shall I try again?",
  ehr_invalid: "The clinic's record system gave me an answer I can't use. I can connect you with the office.",
  ehr_unsupported: "The clinic's record system doesn't support that. I can connect you with the office.",
  ehr_unknown_outcome:
    "I couldn't confirm whether that went through. I'm checking it; please don't book again until you hear from us or have called the office.",
  identity_required:
    "Before I can do that, I need to verify who I'm speaking with: your full name, your date of birth, and your phone number, zip code or medical record number on file.",
  identity_not_verified: "I couldn't verify that information.",
  identity_locked: "I'm not able to verify your identity on this call. Let me connect you with someone at the office who can help.",
  slot_taken: "That time has just been taken.",
  in_progress: "I'm still working on that; one moment please.",
  unknown_tool: "That isn't something I can help with on this call.",
  invalid_arguments: "I need a little more information to do that.",
};

const inWords = (field: string): string => field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Which of our own fields are missing or wrong, in words; what was in them is never repeated. */
export function sentenceForFields(fields: Record<string, string>): string {
  const wrong = Object.entries(fields).map(([field, problem]) =>
    field === "arguments" ? "details" : problem.startsWith("is ") ? inWords(field) : `${inWords(field)} (${problem})`,
  );
  return wrong.length === 0 ? sentences.invalid_arguments : `To do that I still need the ${wrong.join(", the ")}.`;
}
