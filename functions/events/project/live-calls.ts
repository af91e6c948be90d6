import { presumedOver } from "@vitaline/calls";
import { Call } from "@vitaline/contract";
import { keys, put, remove, type LiveCallRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import * as z from "zod/mini";

/** What becomes of a call's place among those that are going on. */
export type LiveChange = { tenantId: string; callKey: string } & (
  | { kind: "going"; call: Omit<LiveCallRow, "expiresAt"> }
  | { kind: "ended" }
  | { kind: "forgotten" }
);

/** A call of which no end is heard in so long is over; its platform has lost it. */
const longestSeconds = 6 * 3600;

const LiveCall = z.object({
  callKey: z.string(),
  platform: Call.shape.platform,
  startedAt: z.iso.datetime(),
  platformStartedAt: z.optional(z.iso.datetime()),
  status: z.enum(["queued", "ringing", "in_progress"]),
  officeId: z.optional(z.string()),
  agentId: z.optional(z.string()),
  direction: z.optional(z.enum(["inbound", "outbound"])),
});

type Image = Record<string, unknown>;
const going = (image: Image | undefined) => {
  const { success, data } = z.safeParse(LiveCall, image);
  return success && image?.["countedAt"] === undefined ? data : undefined;
};

/** undefined: nothing that is shown of calls in progress has changed. */
export function liveChange(tenantId: string, before: Image | undefined, after: Image): LiveChange | undefined {
  const [was, is] = [going(before), going(after)];
  if (is) return JSON.stringify(was) === JSON.stringify(is) ? undefined : { tenantId, callKey: is.callKey, kind: "going", call: is };
  return was && { tenantId, callKey: was.callKey, kind: "ended" };
}

/** A row that had expired was deleted, so nobody has said how the call ended. */
export const forgottenCall = (tenantId: string, before: Image): LiveChange => ({
  tenantId,
  callKey: z.parse(z.string(), before["callKey"]),
  kind: "forgotten",
});

/** Keeps the list of calls in progress; the last word of a batch about a call is the one that is written. Written again, a call only stays longer. */
export async function noteLiveCalls(ctx: PlatformContext, changes: readonly LiveChange[]): Promise<void> {
  const last = new Map(changes.map((change) => [`${change.tenantId}|${change.callKey}`, change]));
  const now = ctx.clock();
  const expiresAt = Math.floor(now.getTime() / 1000) + longestSeconds;
  for (const change of last.values()) {
    const { tenantId, callKey, kind } = change;
    const store = ctx.platform.inTenant(tenantId);
    if (kind === "going") await store.note(put(keys.liveCall(callKey), { ...change.call, expiresAt }));
    else if (kind === "ended") await store.note(remove(keys.liveCall(callKey)));
    else await store.note(presumedOver(callKey, now));
  }
}
