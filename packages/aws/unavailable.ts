import { AppError, isRetryable } from "@vitaline/core";

/** Turns a transient AWS error or a timeout into AppError `unavailable`; any other error (denied, malformed) is returned unchanged. */
export const asUnavailable = (error: unknown): unknown =>
  isRetryable(error) || (error instanceof Error && error.name === "AbortError")
    ? new AppError("unavailable", "A part of the platform could not be reached. Please try again in a moment.", {
        cause: error,
        retryAfterSeconds: 2,
      })
    : error;
