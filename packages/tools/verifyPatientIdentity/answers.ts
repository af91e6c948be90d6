import type { RunResult } from "../sdk/run.ts";
import type { Output } from "./schema.ts";

/** `firstName`: as the caller said it. */
export const verified = (level: 1 | 2, attemptsLeft: number, firstName?: string): Output => ({
  verified: true,
  level,
  attemptsLeft,
  ...(firstName ? { firstName } : {}),
});

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
