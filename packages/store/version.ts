import { AppError, isAppError } from "@vitaline/core";
import type { Condition } from "./verbs/write.ts";

type Versioned = { version?: number };

/**
 * The next version of a row, and the condition that no other writer was faster. A row without a version has version 1.
 * `ifMatch`: the version that the caller has seen; AppError `stale_version` when the row has changed since.
 */
export function nextVersion({ version }: Versioned, ifMatch: number | undefined): { version: number; asRead: Condition } {
  const current = version ?? 1;
  if (ifMatch !== undefined && ifMatch !== current) throw staleVersion();
  const asRead: Condition = version === undefined ? { exists: true, absent: ["version"] } : { exists: true, equals: { version } };
  return { version: current + 1, asRead };
}

export const staleVersion = (): AppError =>
  new AppError("stale_version", "This was changed by another user in the meantime. Review it, then repeat your change.");

const maxTries = 5;

/**
 * Runs a read-modify-write, and repeats it when another writer was faster. With `ifMatch` it is not repeated: AppError
 * `stale_version`.
 */
export async function retryOnStale<T>(ifMatch: number | undefined, change: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await change();
    } catch (error) {
      if (!isAppError(error, "stale_version")) throw error;
      if (ifMatch !== undefined || tries === maxTries) throw staleVersion();
    }
  }
}
