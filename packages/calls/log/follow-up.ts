import { seal, unseal } from "@vitaline/aws";
import type { CallDetail, ListedCall } from "@vitaline/contract";
import { notFound } from "@vitaline/core";
import { keys, nextVersion, retryOnStale, update, type Audit, type CallRow, type TenantContext, type Write } from "@vitaline/store";
import { toListedCall } from "./call-view.ts";

type Change = { done: boolean; note?: string };

/**
 * Marks a call as followed up, or undoes that. The note is sealed, as it may name a patient. `ifMatch` is the expected version.
 * AppError `not_found`, `stale_version`.
 */
export async function followUpCall(ctx: TenantContext, callKey: string, change: Change, ifMatch?: number): Promise<ListedCall> {
  const sealedNote = change.done && change.note ? await seal("phi", ctx.tenantId, change.note) : undefined;
  return retryOnStale(ifMatch, async () => {
    const row = await ctx.store.get<CallRow>(keys.call(callKey));
    if (!row || row.erasedAt) throw notFound();
    const { write, audit, after } = followingUp(ctx, row, { done: change.done, sealedNote }, ifMatch);
    await ctx.store.commit([write], audit);
    return toListedCall(after);
  });
}

/** The write that marks a call as it was read, with its audit. AppError `stale_version`. */
export function followingUp(
  ctx: TenantContext,
  row: CallRow,
  { done, sealedNote }: { done: boolean; sealedNote?: string | undefined },
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
