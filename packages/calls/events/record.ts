import type { Retention } from "@vitaline/contract";
import { awaitAllThenThrow, AppError } from "@vitaline/core";
import { type CallRow, keys, type TenantContext, tenantRetention, tenantTimeZone, update } from "@vitaline/store";
import * as z from "zod/mini";
import { hasEnded, hasReport, initialRetentionEnds, listPosition, rankOf } from "./call-row.ts";
import { secondsBetween } from "./sanitize.ts";
import { dueErasure } from "./erase-row.ts";
import { CallEvent, CallHead, truncateLine, type ParsedCallEvent } from "./call-event.ts";
import { isCutShort } from "./outcome.ts";
import { otherPartyOf } from "./other-party.ts";
import { type SealedFiles, sealContent } from "./sealed-content.ts";

/**
 * Records a voice platform's report of a call. Events may repeat and arrive in any order. An event of a higher rank sets all its
 * fields; one of the same or a lower rank fills only missing fields and may set `forwarded` and `soughtStaff`. "unchanged" means it added nothing.
 * An ended call's verified identity ends first, even if the rest of the event is invalid or cannot be stored.
 *
 * Cost: one conditional update (2 write units with its index), one more for an end, one more for the length of a call whose start and
 * end came apart without one, and one put for sealed content. Reads happen only for a late or repeated event, and once per tenant,
 * instance and minute for the retention periods.
 * Throws AppError `invalid_request`, and `unavailable` when AWS does not accept it: the platform then sends it again.
 */
export async function recordCallEvent(ctx: TenantContext, given: CallEvent): Promise<"recorded" | "unchanged"> {
  const { platform, callId, status } = parse(CallHead, given);
  const callKey = keys.callKeyOf(platform, callId);
  const [retention] = await awaitAllThenThrow([
    tenantRetention(ctx),
    hasEnded(rankOf({ status })) ? closeCallState(ctx, callKey) : undefined,
  ]);
  const event = parse(CallEvent, given);
  const rank = rankOf(event);
  const files = await sealContent(ctx, callKey, rank, event, retention);
  const fields = { ...rowFields(event, ctx.clock(), files), ...otherPartyOf(ctx.tenantId, event) };
  const written = await writeHigherRank(ctx, { callKey, rank, retention }, event, fields);
  if (written) {
    if (hasReport(rank) || !reportsLength.has(platform)) await writeLength(ctx, written);
    return "recorded";
  }
  return fillMissing(ctx, callKey, event, fields);
}

const parse = <S extends z.ZodMiniType>(schema: S, given: CallEvent): z.output<S> => {
  const { success, data, error } = z.safeParse(schema, given);
  if (!success) throw new AppError("invalid_request", "The call report could not be read.", { cause: error });
  return data;
};

/** How long a late tool call is still recognized as belonging to an ended call. */
const closedSeconds = 24 * 3600;

/** Ends the identity verified in a call. Creates a closed state if there is none, so that the call id cannot be used again. */
async function closeCallState(ctx: TenantContext, callKey: string): Promise<void> {
  const now = ctx.clock();
  await ctx.store.writeUnaudited(
    update(
      keys.callState(callKey),
      {
        set: { callEndedAt: now.toISOString(), expiresAt: Math.floor(now.getTime() / 1000) + closedSeconds },
        setOnce: { level: 0, tries: 0 },
      },
      { absent: ["callEndedAt"] },
    ),
  );
}

type RowFields = Partial<CallRow>;

const rowFields = (event: ParsedCallEvent, now: Date, files: SealedFiles): RowFields => {
  const {
    platform: _platform,
    callId,
    status: _status,
    startedAt,
    summary: _summary,
    transcript: _transcript,
    callerNumber: _callerNumber,
    calledNumber: _calledNumber,
    forwardedTo: _forwardedTo,
    analysis: _analysis,
    scores: _scores,
    forwarded: _forwarded,
    transferTried,
    ...rest
  } = event;
  return {
    platformCallId: truncateLine(callId),
    platformStartedAt: startedAt !== undefined && Date.parse(startedAt) <= now.getTime() ? startedAt : undefined,
    durationSeconds: secondsBetween(startedAt, event.endedAt),
    soughtStaff: transferTried || undefined,
    cutShort: event.endedReason === undefined ? undefined : isCutShort(event.endedReason),
    ...omitUndefined(rest),
    ...files,
  };
};

const omitUndefined = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;

/** The reported start, else computed from the end; never in the future, which would keep the call at the top of the list. */
const estimateStart = (now: Date, { startedAt, endedAt, durationSeconds = 0 }: ParsedCallEvent): string => {
  const startMs = startedAt ? Date.parse(startedAt) : (endedAt ? Date.parse(endedAt) : now.getTime()) - durationSeconds * 1000;
  return new Date(Math.min(startMs, now.getTime())).toISOString();
};

/** Writes an event that has a higher rank than the row, or creates the row; undefined if the row has the same or a higher rank. */
const writeHigherRank = async (
  ctx: TenantContext,
  { callKey, rank, retention }: { callKey: string; rank: number; retention: Retention },
  event: ParsedCallEvent,
  fields: RowFields,
): Promise<CallRow | undefined> => {
  const { platform, status, forwarded } = event;
  const now = ctx.clock();
  const startedAt = estimateStart(now, event);
  const timeZone = await tenantTimeZone(ctx);
  return ctx.store.writeUnaudited<CallRow>(
    update(
      keys.call(callKey),
      {
        set: { ...fields, rank, status, forwarded: forwarded || undefined },
        setOnce: {
          ...listPosition({ tenantId: ctx.tenantId, timeZone }, callKey, startedAt),
          ...initialRetentionEnds(startedAt, now, retention),
          platform,
          hasSignals: true,
          status: status ? undefined : "unknown",
          forwarded: forwarded ? undefined : false,
          endSeenAt: hasEnded(rank) ? now.toISOString() : undefined,
        },
      },
      { lessThanOrAbsent: { rank } },
    ),
  );
};

/** Of a call whose start and end came in two events without a length: totals and bills read it from the row. */
const missingLength = ({ durationSeconds, platformStartedAt, endedAt }: Partial<CallRow>): RowFields => {
  const seconds = durationSeconds === undefined ? secondsBetween(platformStartedAt, endedAt) : undefined;
  return seconds === undefined ? {} : { durationSeconds: seconds };
};

/** Their report follows the end, with the length. */
const reportsLength: ReadonlySet<CallRow["platform"]> = new Set(["vapi", "retellai", "elevenlabs"]);

const writeLength = async (ctx: TenantContext, row: CallRow): Promise<void> => {
  const setOnce = missingLength(row);
  if (setOnce.durationSeconds === undefined) return;
  await ctx.store.writeUnaudited(update(keys.call(row.callKey), { setOnce }, { exists: true, absent: ["erasedAt"] }));
};

const fillMissing = async (
  ctx: TenantContext,
  callKey: string,
  { forwarded }: ParsedCallEvent,
  fields: RowFields,
): Promise<"recorded" | "unchanged"> => {
  const row = await ctx.store.get<CallRow>(keys.call(callKey));
  if (row?.erasureId) return scheduleErasure(ctx, row.erasureId);
  const reported: RowFields = Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value !== undefined && row?.[name as keyof CallRow] === undefined),
  );
  const missing = { ...reported, ...missingLength({ ...row, ...reported }) };
  const nowForwarded = forwarded && !row?.forwarded;
  // events/retain writes `false` where the tool runs do not show it.
  const nowSought = fields.soughtStaff === true && row?.soughtStaff === false;
  if (Object.keys(missing).length === 0 && !nowForwarded && !nowSought) return "unchanged";
  const change = { setOnce: missing, set: { forwarded: nowForwarded || undefined, soughtStaff: nowSought || undefined } };
  if (await ctx.store.writeUnaudited(update(keys.call(callKey), change, { exists: true, absent: ["erasedAt"] }))) return "recorded";
  const erased = await ctx.store.get<CallRow>(keys.call(callKey));
  return erased?.erasureId ? scheduleErasure(ctx, erased.erasureId) : "recorded";
};

/** The event's content was stored in the bucket before the call was known to be erased. */
const scheduleErasure = async (ctx: TenantContext, erasureId: string): Promise<"unchanged"> => {
  await ctx.store.writeUnaudited(dueErasure(ctx.tenantId, erasureId, ctx.clock().toISOString()));
  return "unchanged";
};
