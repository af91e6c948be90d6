import type { RunResult } from "../sdk/run.ts";
import { sentences } from "../speech/sentences.ts";
import type { Output } from "./schema.ts";

export const verified = (level: 1 | 2, attemptsLeft: number): Output => ({ verified: true, level, attemptsLeft });

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

export function speak({ verified: isVerified, level, attemptsLeft, about, codeSentTo, further }: Output): string {
  if (codeSentTo) return `I've sent a six-digit code to ${codeSentTo}. Please read it to me when you have it.`;
  if (isVerified && further)
    return level === 2
      ? "Thank you, that's all I need."
      : "Thank you, I have that already. Please tell me another detail that's on file, or I can send you a code.";
  if (isVerified)
    return level === 2 ? "Thank you. You're fully verified. How can I help you?" : "Thank you, you're verified. How can I help you?";
  if (about === "somebody_else")
    return "For a call about someone else, or about anyone under eighteen, someone at the office has to help. Let me connect you.";
  if (about === "code")
    return attemptsLeft === 0
      ? `${sentences.identity_not_verified} Let me connect you with someone at the office who can help.`
      : `${sentences.identity_not_verified} Please read me the six digits once more.`;
  if (attemptsLeft === 0) return sentences.identity_locked;
  if (about === "detail") return `${sentences.identity_not_verified} Please tell me that once more, or another detail that's on file.`;
  return `${sentences.identity_not_verified} Please check your full name, date of birth and the other details, and tell me them once more.`;
}
