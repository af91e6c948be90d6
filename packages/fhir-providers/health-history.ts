import type { FhirHealth } from "@vitaline/contract";
import type { FhirCheck, FhirHealthRow } from "@vitaline/store";

/** So many checks are kept; where nobody asks for more, that is nearly the last two hours. */
const mostChecks = 20;

const checkIn = ({ checkedAt, status, ms }: FhirHealthRow): FhirCheck => [Date.parse(checkedAt), status === "healthy", ms];

/** A row from before there were histories knows its own check. */
const historyIn = (row: FhirHealthRow): FhirCheck[] => row.history ?? [checkIn(row)];

/** The last checks with one more among them, oldest first; those of a connection before it was changed are of another one. */
export const historyWith = (before: FhirHealthRow | undefined, found: FhirHealthRow): FhirCheck[] => {
  const check = checkIn(found);
  const earlier = before?.connection === found.connection ? historyIn(before) : [];
  // A write that was done and not heard of is tried again: the check is there already.
  const others = earlier.filter((one) => one.some((value, at) => value !== check[at]));
  return [...others, check].toSorted(([one], [other]) => one - other).slice(-mostChecks);
};

/** The same in the contract's words; nothing of a connection that was never checked. */
export const toldHistory = (row: FhirHealthRow | undefined): FhirHealth["history"] =>
  (row ? historyIn(row) : []).map(([atMs, isHealthy, ms]) => ({
    at: new Date(atMs).toISOString(),
    status: isHealthy ? "healthy" : "unhealthy",
    ms,
  }));
