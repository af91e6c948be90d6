import { seal, unseal } from "@vitaline/aws";
import type { CallDetail, FollowUpResult, ListedCall } from "@vitaline/contract";
import { isAppError, notFound } from "@vitaline/core";
import { keys, nextVersion, retryOnStale, update, type CallRow, type TenantContext } from "@vitaline/store";
import { toListedCall } from "./call-view.ts";

type Change = { done: boolean; note?: string };
type SeenCall = { id: string; version: number };

/** Marks calls with one note, each on its own: one that another user has changed meanwhile stays as it is. */
export async function followUpCalls(ctx: TenantContext, calls: readonly SeenCall[], note: string | undefined): Promise<FollowUpResult[]> {
  const followUp = await doneNow(ctx, note);
  const results: FollowUpResult[] = [];
  for (const { id, version } of calls) results.push(await followUpOne(ctx, id, version, followUp));
  return results;
}

const followUpOne = async (ctx: TenantContext, id: string, version: number, followUp: CallRow["followUp"]): Promise<FollowUpResult> => {
  try {
    return { id, call: await writeFollowUp(ctx, id, followUp, version), code: null };
  } catch (error) {
    if (isAppError(error, "not_found")) return { id, call: null, code: "not_found" };
    if (isAppError(error, "stale_version")) return { id, call: null, code: "stale_version" };
    throw error;
  }
};

const doneNow = async (ctx: TenantContext, note: string | undefined): Promise<NonNullable<CallRow["followUp"]>> => ({
  doneAt: ctx.clock().toISOString(),
  doneBy: ctx.actor.id,
  ...(note ? { sealedNote: await seal("phi", ctx.tenantId, note) } : {}),
});

/**
 * Marks a call as followed up, or undoes that. The note is sealed, as it may name a patient. `ifMatch` is the expected version.
 * AppError `not_found`, `stale_version`.
 */
export async function followUpCall(ctx: TenantContext, callKey: string, change: Change, ifMatch?: number): Promise<ListedCall> {
  const followUp = change.done ? await doneNow(ctx, change.note) : undefined;
  return retryOnStale(ifMatch, () => writeFollowUp(ctx, callKey, followUp, ifMatch));
}

const writeFollowUp = async (
  ctx: TenantContext,
  callKey: string,
  followUp: CallRow["followUp"],
  ifMatch: number | undefined,
): Promise<ListedCall> => {
  const row = await ctx.store.get<CallRow>(keys.call(callKey));
  if (!row || row.erasedAt) throw notFound();
  const { version, asRead } = nextVersion(row, ifMatch);
  const change = followUp ? { set: { followUp, version } } : { set: { version }, remove: ["followUp" as const] };
  await ctx.store.commit([update<CallRow>(keys.call(callKey), change, asRead)], {
    category: "patient_access",
    action: "call.followUp",
    resourceType: "Call",
    resourceId: callKey,
    callKey,
    detail: { done: followUp !== undefined, version },
  });
  return toListedCall({ ...row, followUp, version }, ctx.clock());
};

export async function readFollowUp(ctx: TenantContext, followUp: CallRow["followUp"]): Promise<CallDetail["followUp"]> {
  if (!followUp) return null;
  const { doneAt, doneBy, sealedNote } = followUp;
  return { doneAt, doneBy, note: sealedNote === undefined ? null : await unseal("phi", ctx.tenantId, sealedNote) };
}
