import { keys, update, type Write } from "@vitaline/store";
import { forgottenRank } from "./rank.ts";

/**
 * Ends a call of whose end nobody has told: `unknown`, and counted from now on. A call that has ended stays as it is, and a late
 * word about this one still takes its place.
 */
export const presumedOver = (callKey: string, now: Date): Write =>
  update(
    keys.call(callKey),
    { set: { rank: forgottenRank, status: "unknown" }, setOnce: { countedAt: now.toISOString() } },
    { exists: true, lessThanOrAbsent: { rank: forgottenRank } },
  );
