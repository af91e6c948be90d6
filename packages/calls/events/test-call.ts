import type { Call } from "@vitaline/contract";
import { newId, notFound } from "@vitaline/core";
import { type CallRow, countWithinHour, create, keys, type TenantContext, tenantRetention, tenantTimeZone } from "@vitaline/store";
import { initialRetentionEnds, inProgressRank, listPosition } from "./call-row.ts";
import { recordCallEvent } from "./record.ts";

const hourMs = 3_600_000;
const maxTestCallsAnHour = 30;
/** As long as a call. */
const stateHours = 2;

/**
 * Begins a call that is marked as a test before any tool runs in it; only calls that begin here are, so that no caller's call can be kept
 * out of the totals. AppError `too_many_requests`.
 */
export async function startTestCall(ctx: TenantContext, platform: Call["platform"]): Promise<{ callId: string; id: string }> {
  const now = ctx.clock();
  await requireQuota(ctx, now);
  const callId = `${keys.testCallPrefix}${newId(now.getTime())}`;
  const callKey = keys.callKeyOf(platform, callId);
  const startedAt = now.toISOString();
  const [timeZone, retention] = [await tenantTimeZone(ctx), await tenantRetention(ctx)];
  const row: CallRow = {
    ...listPosition({ tenantId: ctx.tenantId, timeZone }, callKey, startedAt),
    ...initialRetentionEnds(startedAt, now, retention),
    ...{ platform, platformCallId: callId, platformStartedAt: startedAt, rank: inProgressRank, status: "in_progress" },
    ...{ forwarded: false, hasSignals: true, isTest: true },
  };
  const expiresAt = Math.floor((now.getTime() + stateHours * hourMs) / 1000);
  await ctx.store.commit(
    [create(keys.callState(callKey), { level: 0, tries: 0, isTest: true, expiresAt }), create(keys.call(callKey), row)],
    { category: "api_call", action: "testCall.start", resourceType: "Call", resourceId: callKey, callKey, detail: { platform } },
  );
  return { callId, id: callKey };
}

/** AppError `not_found` for a call that did not begin as a test. */
export async function endTestCall(ctx: TenantContext, { platform, callId }: { platform: Call["platform"]; callId: string }): Promise<void> {
  const row = await ctx.store.get<CallRow>(keys.call(keys.callKeyOf(platform, callId)));
  if (!row?.isTest) throw notFound();
  const endedAt = ctx.clock().toISOString();
  await recordCallEvent(ctx, { platform, callId, status: "completed", startedAt: row.startedAt, endedAt });
}

const requireQuota = async (ctx: TenantContext, now: Date): Promise<void> => {
  const keyOf = (hour: string) => keys.counter("test-call", ctx.actor.id, hour);
  const refusal = "Too many test calls in one hour. Please try again later.";
  await countWithinHour(ctx.store, keyOf, { limit: maxTestCallsAnHour, now, refusal });
};
