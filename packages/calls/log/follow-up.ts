import { seal, unseal } from "@vitaline/aws";
import type { CallDetail, ListedCall } from "@vitaline/contract";
import { notFound } from "@vitaline/core";
import { keys, nextVersion, retryOnStale, update, type CallRow, type TenantContext } from "@vitaline/store";
import { toListedCall } from "./call-view.ts";

type Change = { done: boolean; note?: string };

/**
 * Marks a call as followed up, or undoes that. The note is sealed, as it may name a patient. `ifMatch` is the expected version.
 * AppError `not_found`, `stale_version`.
 */
export async function followUpCall(ctx: TenantContext, callKey: string, change: Change, ifMatch?: number): Promise<ListedCall> {
  const sealedNote = change.done && change.note ? await seal("phi", ctx.tenantId, change.note) : undefined;
  const followUp = change.done ? { doneAt: ctx.clock().toISOString(), doneBy: ctx.actor.id, sealedNote } : undefined;
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
  return toListedCall({ ...row, followUp, version });
};

export async function readFollowUp(ctx: TenantContext, followUp: CallRow["followUp"]): Promise<CallDetail["followUp"]> {
  if (!followUp) return null;
  const { doneAt, doneBy, sealedNote } = followUp;
  return { doneAt, doneBy, note: sealedNote === undefined ? null : await unseal("phi", ctx.tenantId, sealedNote) };
}
