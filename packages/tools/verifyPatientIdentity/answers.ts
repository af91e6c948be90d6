import type { ErrorCode } from "@vitaline/core";
import type { RunResult } from "../sdk/run.ts";
import { sentences } from "../speech/sentences.ts";
import type { Output } from "./schema.ts";

export const verified = (level: 1 | 2, attemptsLeft: number): Output => ({ verified: true, level, attemptsLeft });

const withoutAttempt = (about: NonNullable<Output["about"]>, code: ErrorCode): RunResult<Output> => ({
  output: { verified: false, level: 0, attemptsLeft: 0, about },
  code,
});

/** Answered before any search, so it reveals nothing and costs no attempt. */
export const handedOver = withoutAttempt("somebody_else", "identity_locked");
export const onHold = withoutAttempt("on_hold", "identity_locked");
export const stillMissing = (about: "patient_details" | "caller_details"): RunResult<Output> => withoutAttempt(about, "invalid_arguments");

/** The answer is the same for any mismatch, whether or not the patient exists. */
export const notVerified = (attemptsLeft: number): RunResult<Output> => ({
  output: { verified: false, level: 0, attemptsLeft },
  code: attemptsLeft === 0 ? "identity_locked" : "identity_not_verified",
});

/** The caller keeps `level`. */
export const notSteppedUp = (about: "code" | "detail", level: Output["level"], left: number): RunResult<Output> => {
  const attemptsLeft = Math.max(0, left);
  return {
    output: { verified: false, level, attemptsLeft, about },
    code: attemptsLeft === 0 ? "identity_locked" : "identity_not_verified",
  };
};

export function speak({ verified: isVerified, level, attemptsLeft, about, codeSentTo, further, scope }: Output): string {
  if (codeSentTo) return `I've sent a six-digit code to ${codeSentTo}. Please read it to me when you have it.`;
  if (isVerified && further)
    return level === 2
      ? "Thank you, that's all I need."
      : "Thank you, I have that already. Please tell me another detail that's on file, or I can send you a code.";
  if (isVerified && scope === "no_clinical")
    return "Thank you, you're verified. I can help with appointments, insurance and messages to the office.";
  if (isVerified && scope === "appointments") return "Thank you, you're verified. I can help with appointments.";
  if (isVerified)
    return level === 2 ? "Thank you. You're fully verified. How can I help you?" : "Thank you, you're verified. How can I help you?";
  if (about === "somebody_else")
    return "For a call about someone else, or about anyone under eighteen, someone at the office has to help. Let me connect you.";
  if (about === "patient_details")
    return "Please tell me the patient's full name and date of birth, and a phone number, zip code or street address on file.";
  if (about === "caller_details") return "May I have your own full name, and your phone number or date of birth as the clinic has it?";
  if (about === "on_hold") return "Someone at the office has to help with this. Let me connect you.";
  if (about === "code")
    return attemptsLeft === 0
      ? `${sentences.identity_not_verified} Let me connect you with someone at the office who can help.`
      : `${sentences.identity_not_verified} Please read me the six digits once more.`;
  if (attemptsLeft === 0) return sentences.identity_locked;
  if (about === "detail") return `${sentences.identity_not_verified} Please tell me that once more, or another detail that's on file.`;
  return `${sentences.identity_not_verified} Please check your full name, date of birth and the other details, and tell me them once more.`;
}
