import { AppError, isAppError } from "@vitaline/core";
import type { Condition } from "./write.ts";

type Versioned = { version?: number };

/**
 * The version after a row's own, and the condition that nobody was faster. A row without one is in its first.
 * `ifMatch` is what the caller has seen; AppError `stale_version` when the row has moved on since.
 */
export function nextVersion({ version }: Versioned, ifMatch: number | undefined): { version: number; asRead: Condition } {
  const current = version ?? 1;
  if (ifMatch !== undefined && ifMatch !== current) throw changedMeanwhile();
  const asRead: Condition = version === undefined ? { exists: true, absent: ["version"] } : { exists: true, equals: { version } };
  return { version: current + 1, asRead };
}

export const changedMeanwhile = (): AppError =>
  new AppError("stale_version", "Somebody else has changed this in the meantime. Please look at it again, then repeat your change.");

const maxTries = 5;

/**
 * Runs a change of what it reads itself; when somebody else was faster, again on a fresh read. With `ifMatch` the caller
 * has said what they saw, so they are told instead: AppError `stale_version`.
 */
export async function onFreshRead<T>(ifMatch: number | undefined, change: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await change();
    } catch (error) {
      if (!isAppError(error, "stale_version")) throw error;
      if (ifMatch !== undefined || tries === maxTries) throw changedMeanwhile();
    }
  }
}
