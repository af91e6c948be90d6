import { AppError } from "@vitaline/core";
import { type CallStateRow, keys, update } from "@vitaline/store";
import type { Run } from "../sdk/run.ts";
import { scopedHash } from "../sdk/keyed-hash.ts";

/** The patient to whom a call is bound. */
export type Binding = Pick<CallStateRow, "patientId" | "providerId">;

const stateSeconds = 4 * 3600;
const bindingFields = ["patientId", "providerId", "person", "factors", "boundUntilMs"] as const;

/** Without a binding that has expired; other writes in the call can outlive it. */
export function withoutExpiredBinding(state: CallStateRow, nowMs: number): CallStateRow {
  if ((state.boundUntilMs ?? Infinity) > nowMs) return state;
  const { patientId: _patientId, providerId: _providerId, person: _person, factors: _factors, boundUntilMs: _until, ...rest } = state;
  return { ...rest, level: 0 };
}

export type AnsweredAttempt = NonNullable<CallStateRow["answered"]>[number];

export const bindingHash = ({ ctx, call }: Run, { providerId = "", patientId = "" }: Binding): string =>
  scopedHash("attempts", ctx.tenantId, ["bound", call.callKey, providerId, patientId]);

/** Whether the call was already bound to this patient when the attempt was answered. */
export function isStepUp(state: CallStateRow | undefined, { request, boundTo }: AnsweredAttempt): boolean {
  const answered = state?.answered ?? [];
  const at = answered.findIndex((one) => one.request === request);
  const before = (at < 0 ? answered : answered.slice(0, at)).findLast((one) => one.boundTo !== undefined);
  return boundTo !== undefined && before?.boundTo === boundTo;
}

/**
 * Records an attempt and its binding; of concurrent attempts, one succeeds. Level 0 removes the binding and the answers of that patient.
 * `only`: the binding the call must still have. AppError `in_progress` if the state has changed.
 */
export async function bindCall(
  { ctx, call, state }: Run,
  answer: AnsweredAttempt,
  { tries, level, ...bound }: Partial<CallStateRow>,
  only: Binding = {},
): Promise<void> {
  const earlier = (state?.answered ?? []).filter((one) => one.request !== answer.request && (level !== 0 || one.level === 0));
  const answered = [...earlier, answer].slice(-8);
  const nowMs = ctx.clock().getTime();
  const expiresAt = Math.floor(nowMs / 1000) + stateSeconds;
  const isProven = bound.patientId !== undefined;
  const triesNow = tries ?? state?.tries ?? 0;
  const written = await ctx.store.writeUnaudited<CallStateRow>(
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
        ...(level === 0 ? { remove: [...bindingFields] } : {}),
      },
      {
        ...(state?.tries === undefined ? {} : { equals: { tries: state.tries, ...only } }),
        absent: state?.tries === undefined ? ["tries", "closedAt"] : ["closedAt"],
      },
    ),
  );
  if (!written) throw new AppError("in_progress", "Another attempt in the same call was faster, or the call has ended.");
  cacheBinding(ctx.tenantId, call.callKey, written);
}

export async function unbindCall({ ctx, call, state }: Run): Promise<void> {
  const answered = (state?.answered ?? []).filter(({ level }) => level === 0);
  const { patientId = "", providerId = "" } = state ?? {};
  const written = await ctx.store.writeUnaudited<CallStateRow>(
    update<CallStateRow>(
      keys.callState(call.callKey),
      { set: { level: 0, answered }, remove: [...bindingFields] },
      { equals: { patientId, providerId } },
    ),
  );
  if (!written) throw new AppError("in_progress", "The call is now about another patient.");
  cacheBinding(ctx.tenantId, call.callKey, written);
}

/** Bindings last seen by this process: a guess for the first read, always verified. */
const bindingCache = new Map<string, Binding>();
const maxCachedCalls = 5000;

export const guessBinding = (tenantId: string, callKey: string): Binding | undefined => bindingCache.get(`${tenantId}/${callKey}`);

export function cacheBinding(tenantId: string, callKey: string, { patientId, providerId }: Binding): void {
  if (bindingCache.size >= maxCachedCalls) bindingCache.clear();
  bindingCache.set(`${tenantId}/${callKey}`, { patientId, providerId });
}
