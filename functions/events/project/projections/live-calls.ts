import { expireStaleCall } from "@vitaline/calls";
import { Call } from "@vitaline/contract";
import { keys, put, remove, type LiveCallRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import * as z from "zod/mini";
import type { Image } from "../../../lib/dynamodb-stream/stream-event.ts";

/** A change of the list of calls in progress. */
export type LiveCallChange = { tenantId: string; callKey: string } & (
  | { kind: "live"; call: Omit<LiveCallRow, "expiresAt"> }
  | { kind: "ended" }
  | { kind: "expired" }
);

/** A call without a reported end expires after this time, and is then closed as ended for an unknown reason. */
const maxCallSeconds = 6 * 3600;
/** OpenAI reports no end; its sessions last an hour at most, and our token for the call two. Source: OpenAI's page on Realtime sessions. */
const maxUnreportedSeconds = 2 * 3600;
const maxSecondsOf = (platform: Call["platform"]): number => (platform === "openai" ? maxUnreportedSeconds : maxCallSeconds);

const LiveCall = z.object({
  callKey: z.string(),
  platform: Call.shape.platform,
  startedAt: z.iso.datetime(),
  platformStartedAt: z.optional(z.iso.datetime()),
  status: z.enum(["queued", "ringing", "in_progress"]),
  officeId: z.optional(z.string()),
  agentId: z.optional(z.string()),
  direction: z.optional(z.enum(["inbound", "outbound"])),
  isTest: z.optional(z.literal(true)),
});

const parseLiveCall = (image: Image | undefined) => {
  const { success, data } = z.safeParse(LiveCall, image);
  return success && image?.["endSeenAt"] === undefined ? data : undefined;
};

/** undefined: the list does not change. */
export function liveCallChange(tenantId: string, before: Image | undefined, after: Image): LiveCallChange | undefined {
  const [old, call] = [parseLiveCall(before), parseLiveCall(after)];
  if (call) return JSON.stringify(old) === JSON.stringify(call) ? undefined : { tenantId, callKey: call.callKey, kind: "live", call };
  return old && { tenantId, callKey: old.callKey, kind: "ended" };
}

/** DynamoDB deleted the expired row of a call without a reported end. */
export const expiredLiveCall = (tenantId: string, before: Image): LiveCallChange => ({
  tenantId,
  callKey: z.parse(z.string(), before["callKey"]),
  kind: "expired",
});

/** Writes the last change of each call in the batch. Repeating it only extends a live call's expiry. */
export async function projectLiveCalls(ctx: PlatformContext, changes: readonly LiveCallChange[]): Promise<void> {
  const last = new Map(changes.map((change) => [`${change.tenantId}|${change.callKey}`, change]));
  const now = ctx.clock();
  const nowSeconds = Math.floor(now.getTime() / 1000);
  for (const change of last.values()) {
    const { tenantId, callKey, kind } = change;
    const store = ctx.platform.inTenant(tenantId);
    if (kind === "live") {
      const expiresAt = nowSeconds + maxSecondsOf(change.call.platform);
      await store.writeUnaudited(put(keys.liveCall(callKey), { ...change.call, expiresAt }));
    } else if (kind === "ended") await store.writeUnaudited(remove(keys.liveCall(callKey)));
    else await store.writeUnaudited(expireStaleCall(callKey, now));
  }
}
