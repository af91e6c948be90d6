import type { ErrorCode } from "@vitaline/core";
import type { RunResult } from "../sdk/run.ts";
import type { Output } from "./schema.ts";

/** `firstName`: as the caller said it. */
export const verified = (level: 1 | 2, attemptsLeft: number, firstName?: string): Output => ({
  verified: true,
  level,
  attemptsLeft,
  ...(firstName ? { firstName } : {}),
});

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
