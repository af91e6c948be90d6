import type { Call, Retention } from "@vitaline/contract";
import { type CallRow, endAfter, keys, update, type Write } from "@vitaline/store";
import { forgottenRank, underWayRank } from "./rank.ts";

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

/** The shortest period there is: a start farther back than that is a platform's mistake, or of a call from before it was connected. */
const believedMs = 30 * 86_400_000;

type Start = Pick<CallRow, "startedAt" | "keptFrom">;

/** When a call and its texts are over, by its tenant's periods: counted from its start. */
export const endsOf = ({ startedAt, keptFrom = startedAt }: Start, { calls, transcripts }: Pick<Retention, "calls" | "transcripts">) => ({
  expiresAt: endAfter(keptFrom, calls),
  textsUntil: endAfter(keptFrom, Math.min(calls, transcripts)),
});

/** The same for the first word of a call, with the time from which they are counted: a later word does not change them, whatever start it tells. */
export function firstEndsOf(
  startedAt: string,
  now: Date,
  retention: Retention,
): Required<Pick<CallRow, "expiresAt" | "textsUntil" | "keptFrom">> {
  const isBelieved = now.getTime() - Date.parse(startedAt) < believedMs;
  const keptFrom = isBelieved ? startedAt : now.toISOString();
  return { keptFrom, ...endsOf({ startedAt, keptFrom }, retention) };
}

/** When the texts of a call were over, for a reader at an instant; undefined while they are there. */
export const textsOverAt = ({ textsUntil }: Pick<CallRow, "textsUntil">, now: Date): string | undefined =>
  textsUntil !== undefined && textsUntil * 1000 <= now.getTime() ? new Date(textsUntil * 1000).toISOString() : undefined;

/**
 * The call's place in the list of calls, written by whoever hears of the call first and never moved: a list that is
 * being paged must not lose or repeat a call. The start as it was known then is part of the place, so it is fixed with it; what
 * the platform says of the start is a fact of its own (`platformStartedAt`).
 */
export const placeOf = (
  tenantId: string,
  callKey: string,
  startedAt: string,
): Pick<CallRow, "callKey" | "startedAt" | "gsi1pk" | "gsi1sk"> => ({
  callKey,
  startedAt,
  gsi1pk: keys.tenantPartitions.calls(tenantId),
  gsi1sk: `${startedAt}#${callKey}`,
});

export type CallOfToolRuns = { callKey: string; platform: Call["platform"]; officeId?: string; firstRunAt: string; tools: string[] };

/** What tool runs say of their call: it exists, it is under way, it used these tools. The same write again changes nothing, nor does one to an erased call. */
export const usedTools = (
  tenantId: string,
  { callKey, platform, officeId, firstRunAt, tools }: CallOfToolRuns,
  retention: Retention,
): Write =>
  update(
    keys.call(callKey),
    {
      setOnce: {
        ...placeOf(tenantId, callKey, firstRunAt),
        ...endsOf({ startedAt: firstRunAt }, retention),
        keptFrom: firstRunAt,
        platform,
        officeId,
        rank: underWayRank,
        status: "in_progress",
        forwarded: false,
      },
      add: { toolsUsed: new Set(tools) },
    },
    { absent: ["erasedAt"] },
  );
