import { AppError, errorFields } from "@vitaline/core";
import { keys, update, type CallRequestsRow, type Condition } from "@vitaline/store";
import type { Run } from "./define-tool.ts";

const keptSeconds = 24 * 3600;
/** A run that began longer ago than this has died on the way. */
const abandonedAfterMs = 30_000;

/**
 * Takes one of a call's places for things of a kind, for this request; undefined when there is none left. It is the request's claim as
 * well: AppError `in_progress` while the same request, delivered twice, is at it in another environment. One write unit, and one more to
 * give it back when nothing can have come of it.
 */
export async function takePlace(run: Run, kind: string, most: number): Promise<{ giveBack(): Promise<void> } | undefined> {
  const { ctx, call, requestKey, triedBy } = run;
  const key = keys.callRequests(call.callKey, kind);
  const request = `r_${requestKey}`;
  const nowMs = ctx.clock().getTime();
  const expiresAt = Math.ceil(nowMs / 1000) + keptSeconds;
  const take = (add: Record<string, number>, when: Condition) =>
    ctx.store.note<CallRequestsRow>(update<CallRequestsRow>(key, { add, set: { [request]: nowMs, expiresAt } }, when));
  const giveBack = async (): Promise<void> =>
    void (await ctx.store
      .note(update<CallRequestsRow>(key, { add: { count: -1 }, remove: [request] }, { equals: { [request]: nowMs } }))
      .catch((error: unknown) => ctx.log("warn", "tool.place_kept", errorFields(error))));

  if (await take({ count: 1 }, { absent: [request], lessThanOrAbsent: { count: most } })) return { giveBack };
  const sinceMs = (await ctx.store.get<CallRequestsRow>(key))?.[request];
  if (sinceMs === undefined) return undefined;
  const isOver = triedBy !== undefined || nowMs - sinceMs > abandonedAfterMs;
  if (isOver && (await take({ count: 0 }, { equals: { [request]: sinceMs } }))) return { giveBack };
  throw new AppError("in_progress", "The same request is being worked on.");
}
