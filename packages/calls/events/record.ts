import type { Retention } from "@vitaline/contract";
import { allDone, AppError } from "@vitaline/core";
import { type CallRow, keys, type TenantContext, tenantRetention, update } from "@vitaline/store";
import * as z from "zod/mini";
import { firstEndsOf, placeOf } from "./call-row.ts";
import { secondsBetween } from "./sanitize.ts";
import { dueErasure } from "./erase-row.ts";
import { CallEvent, CallHead, line, type ParsedCallEvent } from "./call-event.ts";
import { hasEnded, rankOf } from "./rank.ts";
import { type SealedTexts, sealTexts } from "./sealed-content.ts";

/** How long a late tool call of an ended call is still known as one. */
const closedSeconds = 24 * 3600;

/** Ends the identity that was proven in a call. A call without a state gets a closed one: its id must not begin anew. */
async function closeState(ctx: TenantContext, callKey: string): Promise<void> {
  const now = ctx.clock();
  await ctx.store.note(
    update(
      keys.callState(callKey),
      {
        set: { closedAt: now.toISOString(), expiresAt: Math.floor(now.getTime() / 1000) + closedSeconds },
        setOnce: { level: 0, tries: 0 },
      },
      { absent: ["closedAt"] },
    ),
  );
}

/**
 * Takes in what a voice platform says about a call; events may repeat and come in any order. An event of a higher rank
 * sets what it names. One of the same or a lower rank fills only what is still missing, and `forwarded` where it says so.
 * "unchanged": everything in it was known. An ended call's proven identity ends first, also
 * when the rest of the event is not understood or cannot be kept.
 *
 * Cost: one conditional update, 2 write units with its index; an end 1 more; texts a put of one file. Only an event that comes
 * late or again reads, and the first of a tenant in an instance and minute, for how long the call is kept.
 * AppError `invalid_request` for what is no event, `unavailable` when AWS cannot take it now: the platform sends it again.
 */
export async function recordCallEvent(ctx: TenantContext, given: CallEvent): Promise<"recorded" | "unchanged"> {
  const { platform, callId, status } = parse(CallHead, given);
  const callKey = keys.callKeyOf(platform, callId);
  const [retention] = await allDone([tenantRetention(ctx), hasEnded(rankOf({ status })) ? closeState(ctx, callKey) : undefined]);
  const event = parse(CallEvent, given);
  const rank = rankOf(event);
  const facts = factsOf(event, ctx.clock(), await sealTexts(ctx, callKey, rank, event, retention));
  if (await raise(ctx, { callKey, rank, retention }, event, facts)) return "recorded";
  return fill(ctx, callKey, event, facts);
}

type Facts = Partial<CallRow>;

const parse = <S extends z.ZodMiniType>(schema: S, given: CallEvent): z.output<S> => {
  const { success, data, error } = z.safeParse(schema, given);
  if (!success) throw new AppError("invalid_request", "The call report is not understood.", { cause: error });
  return data;
};

const factsOf = (event: ParsedCallEvent, now: Date, texts: SealedTexts): Facts => {
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
    forwarded: _forwarded,
    ...rest
  } = event;
  return {
    platformCallId: line(callId),
    platformStartedAt: startedAt !== undefined && Date.parse(startedAt) <= now.getTime() ? startedAt : undefined,
    durationSeconds: secondsBetween(startedAt, event.endedAt),
    ...defined(rest),
    ...texts,
  };
};

const defined = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;

/** For the place in the list: the platform's word, else reckoned from the end; never in the future, where it would head the list for good. */
const startOf = (now: Date, { startedAt, endedAt, durationSeconds = 0 }: ParsedCallEvent): string => {
  const startMs = startedAt ? Date.parse(startedAt) : (endedAt ? Date.parse(endedAt) : now.getTime()) - durationSeconds * 1000;
  return new Date(Math.min(startMs, now.getTime())).toISOString();
};

/** The first event of a call, or the first of its rank; undefined when the row is as far or farther. */
const raise = (
  ctx: TenantContext,
  { callKey, rank, retention }: { callKey: string; rank: number; retention: Retention },
  event: ParsedCallEvent,
  facts: Facts,
): Promise<CallRow | undefined> => {
  const { platform, status, forwarded } = event;
  const now = ctx.clock();
  const startedAt = startOf(now, event);
  return ctx.store.note<CallRow>(
    update(
      keys.call(callKey),
      {
        set: { ...facts, rank, status, forwarded: forwarded || undefined },
        setOnce: {
          ...placeOf(ctx.tenantId, callKey, startedAt),
          ...firstEndsOf(startedAt, now, retention),
          platform,
          status: status ? undefined : "unknown",
          forwarded: forwarded ? undefined : false,
          countedAt: hasEnded(rank) ? now.toISOString() : undefined,
        },
      },
      { lessThanOrAbsent: { rank } },
    ),
  );
};

const fill = async (
  ctx: TenantContext,
  callKey: string,
  { forwarded }: ParsedCallEvent,
  facts: Facts,
): Promise<"recorded" | "unchanged"> => {
  const row = await ctx.store.get<CallRow>(keys.call(callKey));
  if (row?.erasureId) return eraseAgain(ctx, row.erasureId);
  const missing = Object.fromEntries(
    Object.entries(facts).filter(([name, value]) => value !== undefined && row?.[name as keyof CallRow] === undefined),
  );
  const nowForwarded = forwarded && !row?.forwarded;
  if (Object.keys(missing).length === 0 && !nowForwarded) return "unchanged";
  const change = { setOnce: missing, set: { forwarded: nowForwarded || undefined } };
  if (await ctx.store.note(update(keys.call(callKey), change, { exists: true, absent: ["erasedAt"] }))) return "recorded";
  const erased = await ctx.store.get<CallRow>(keys.call(callKey));
  return erased?.erasureId ? eraseAgain(ctx, erased.erasureId) : "recorded";
};

/** The texts of the event were put into the bucket before it was known that the call is erased. */
const eraseAgain = async (ctx: TenantContext, erasureId: string): Promise<"unchanged"> => {
  await ctx.store.note(dueErasure(ctx.tenantId, erasureId, ctx.clock().toISOString()));
  return "unchanged";
};
