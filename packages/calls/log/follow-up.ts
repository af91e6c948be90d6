import { seal, unseal } from "@vitaline/aws";
import type { CallDetail, FollowUpResult, ListedCall } from "@vitaline/contract";
import { isAppError, notFound } from "@vitaline/core";
import { keys, nextVersion, retryOnStale, update, type Audit, type CallRow, type TenantContext, type Write } from "@vitaline/store";
import { toListedCall } from "./call-view.ts";

type FollowUpChange = { done: boolean; sealedNote?: string | undefined };
type SeenCall = { id: string; version: number };

/** Marks calls with one note, each on its own: one that another user has changed meanwhile stays as it is. Repeating it changes nothing. */
export async function followUpCalls(ctx: TenantContext, calls: readonly SeenCall[], note: string | undefined): Promise<FollowUpResult[]> {
  const sealedNote = await sealNote(ctx, note);
  const results: FollowUpResult[] = [];
  for (const { id, version } of calls) results.push(await followUpOne(ctx, { id, version }, note, sealedNote));
  return results;
}

const followUpOne = async (
  ctx: TenantContext,
  { id, version }: SeenCall,
  note: string | undefined,
  sealedNote: string | undefined,
): Promise<FollowUpResult> => {
  try {
    return { id, call: await writeFollowUp(ctx, id, { done: true, sealedNote }, version), code: null };
  } catch (error) {
    if (isAppError(error, "not_found")) return { id, call: null, code: "not_found" };
    if (!isAppError(error, "stale_version")) throw error;
    const call = await markedBefore(ctx, { id, version }, note);
    return call ? { id, call, code: null } : { id, call: null, code: "stale_version" };
  }
};

/** The call, if an earlier request of the same user, whose answer was lost, has marked it with this note. */
async function markedBefore(ctx: TenantContext, { id, version }: SeenCall, note: string | undefined): Promise<ListedCall | undefined> {
  const row = await ctx.store.get<CallRow>(keys.call(id));
  if (row?.followUp?.doneBy !== ctx.actor.id || row.version !== version + 1 || row.erasedAt) return undefined;
  const marked = await readFollowUp(ctx, row.followUp);
  return (marked?.note ?? "") === (note ?? "") ? toListedCall(row, ctx.clock()) : undefined;
}

const sealNote = async (ctx: TenantContext, note: string | undefined): Promise<string | undefined> =>
  note ? seal("phi", ctx.tenantId, note) : undefined;

/**
 * Marks a call as followed up, or undoes that. The note is sealed, as it may name a patient. `ifMatch` is the expected version.
 * AppError `not_found`, `stale_version`.
 */
export async function followUpCall(
  ctx: TenantContext,
  callKey: string,
  { done, note }: { done: boolean; note?: string },
  ifMatch?: number,
): Promise<ListedCall> {
  const change = { done, sealedNote: done ? await sealNote(ctx, note) : undefined };
  return retryOnStale(ifMatch, () => writeFollowUp(ctx, callKey, change, ifMatch));
}

const writeFollowUp = async (ctx: TenantContext, callKey: string, change: FollowUpChange, ifMatch?: number): Promise<ListedCall> => {
  const row = await ctx.store.get<CallRow>(keys.call(callKey));
  if (!row || row.erasedAt) throw notFound();
  const { write, audit, after } = followingUp(ctx, row, change, ifMatch);
  await ctx.store.commit([write], audit);
  return toListedCall(after, ctx.clock());
};

/** The write that marks a call as it was read, with its audit. AppError `stale_version`. */
export function followingUp(
  ctx: TenantContext,
  row: CallRow,
  { done, sealedNote }: FollowUpChange,
  ifMatch?: number,
): { write: Write; audit: Audit; after: CallRow } {
  const { version, asRead } = nextVersion(row, ifMatch);
  const { callKey } = row;
  const { followUp: _before, ...open } = row;
  const followUp = { doneAt: ctx.clock().toISOString(), doneBy: ctx.actor.id, ...(sealedNote ? { sealedNote } : {}) };
  const change = done ? { set: { followUp, version } } : { set: { version }, remove: ["followUp" as const] };
  return {
    write: update<CallRow>(keys.call(callKey), change, asRead),
    audit: {
      category: "patient_access",
      action: "call.followUp",
      resourceType: "Call",
      resourceId: callKey,
      callKey,
      detail: { done, version },
    },
    after: { ...open, ...(done ? { followUp } : {}), version },
  };
}

export async function readFollowUp(ctx: TenantContext, followUp: CallRow["followUp"]): Promise<CallDetail["followUp"]> {
  if (!followUp) return null;
  const { doneAt, doneBy, sealedNote } = followUp;
  return { doneAt, doneBy, note: sealedNote === undefined ? null : await unseal("phi", ctx.tenantId, sealedNote) };
}
