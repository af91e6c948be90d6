import { AppError } from "@vitaline/core";
import { type CallStateRow, keys, update } from "@vitaline/store";
import type { Run } from "../sdk/run.ts";
import { hidden } from "../sdk/keyed-hash.ts";

const stateSeconds = 4 * 3600;
const binding = ["patientId", "providerId", "person", "factors", "boundUntilMs"] as const;

/** The state without an identity that has ended: other acts in the call keep the row for longer. */
export function withoutEnded(state: CallStateRow, nowMs: number): CallStateRow {
  if ((state.boundUntilMs ?? Infinity) > nowMs) return state;
  const { patientId: _patientId, providerId: _providerId, person: _person, factors: _factors, boundUntilMs: _until, ...rest } = state;
  return { ...rest, level: 0 };
}

export type Answered = NonNullable<CallStateRow["answered"]>[number];

/** The patient of a call, in a form that tells nobody who it is. */
export const boundMark = ({ ctx, call }: Run, { providerId = "", patientId = "" }: Bound): string =>
  hidden("attempts", ctx.tenantId, ["bound", call.callKey, providerId, patientId]);

/** Whether the call was bound to this very patient already when this was answered. */
export function isFurther(state: CallStateRow | undefined, { request, boundTo }: Answered): boolean {
  const answered = state?.answered ?? [];
  const at = answered.findIndex((one) => one.request === request);
  const before = (at < 0 ? answered : answered.slice(0, at)).findLast((one) => one.boundTo !== undefined);
  return boundTo !== undefined && before?.boundTo === boundTo;
}

/**
 * Of attempts made at once in one call only one counts and is answered; the others learn nothing. Level 0 gives the binding up, and with it
 * what was answered of it. `only`: as long as the call is about this patient.
 */
export async function remember(
  { ctx, call, state }: Run,
  answer: Answered,
  { tries, level, ...bound }: Partial<CallStateRow>,
  only: Bound = {},
): Promise<void> {
  const earlier = (state?.answered ?? []).filter((one) => one.request !== answer.request && (level !== 0 || one.level === 0));
  const answered = [...earlier, answer].slice(-8);
  const nowMs = ctx.clock().getTime();
  const expiresAt = Math.floor(nowMs / 1000) + stateSeconds;
  const isProven = bound.patientId !== undefined;
  const triesNow = tries ?? state?.tries ?? 0;
  const written = await ctx.store.note<CallStateRow>(
    update<CallStateRow>(
      keys.callState(call.callKey),
      {
        set: {
          ...bound,
          ...(isProven ? { boundUntilMs: nowMs + stateSeconds * 1000 } : {}),
          ...(level === undefined ? {} : { level }),
          tries: triesNow,
          answered,
          expiresAt,
        },
        ...(level === undefined ? { setOnce: { level: 0 } } : {}),
        ...(level === 0 ? { remove: [...binding] } : {}),
      },
      {
        ...(state?.tries === undefined ? {} : { equals: { tries: state.tries, ...only } }),
        absent: state?.tries === undefined ? ["tries", "closedAt"] : ["closedAt"],
      },
    ),
  );
  if (!written) throw new AppError("in_progress", "Another attempt in the same call was faster, or the call has ended.");
  rememberBound(ctx.tenantId, call.callKey, written);
}

/** The call is about nobody any more. */
export async function unbind({ ctx, call, state }: Run): Promise<void> {
  const answered = (state?.answered ?? []).filter(({ level }) => level === 0);
  const { patientId = "", providerId = "" } = state ?? {};
  const written = await ctx.store.note<CallStateRow>(
    update<CallStateRow>(
      keys.callState(call.callKey),
      { set: { level: 0, answered }, remove: [...binding] },
      { equals: { patientId, providerId } },
    ),
  );
  if (!written) throw new AppError("in_progress", "The call is about another patient by now.");
  rememberBound(ctx.tenantId, call.callKey, written);
}

/** The patient to whom a call is bound, if it is. */
export type Bound = Pick<CallStateRow, "patientId" | "providerId">;

/** To whom calls were bound when this process last knew: only a guess of which row to read in the first trip, and never believed. */
const known = new Map<string, Bound>();
const mostCalls = 5000;

export const guessBound = (tenantId: string, callKey: string): Bound | undefined => known.get(`${tenantId}/${callKey}`);

export function rememberBound(tenantId: string, callKey: string, { patientId, providerId }: Bound): void {
  if (known.size >= mostCalls) known.clear();
  known.set(`${tenantId}/${callKey}`, { patientId, providerId });
}
