import type { Call, Retention } from "@vitaline/contract";
import { keys, update, type CallRow, type Write } from "@vitaline/store";
import { endsOf } from "./ends.ts";
import { underWayRank } from "./rank.ts";

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
