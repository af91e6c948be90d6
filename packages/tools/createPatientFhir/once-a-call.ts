import { AppError, newId } from "@vitaline/core";
import { keys, update, type CallStateRow, type Condition } from "@vitaline/store";
import type { Run } from "../define-tool.ts";

const stateSeconds = 4 * 3600;
/** A run that began longer ago than this has died on the way. */
const abandonedAfterMs = 30_000;

/**
 * Takes the call's one place for a new patient, for this request, and gives the id of the lead that it may leave; undefined when another
 * request has it. One write unit where it is free.
 * AppError `in_progress` while the same request, delivered twice, is at it in another environment; `forbidden` when the call has ended.
 */
export async function takeTurn({ ctx, call, requestKey, triedBy }: Run): Promise<{ leadId: string } | undefined> {
  const nowMs = ctx.clock().getTime();
  const take = (when: Condition): Promise<CallStateRow | undefined> =>
    ctx.store.note<CallStateRow>(
      update<CallStateRow>(
        keys.callState(call.callKey),
        {
          set: {
            newPatient: requestKey,
            newPatientBy: ctx.requestId,
            newPatientAtMs: nowMs,
            expiresAt: Math.floor(nowMs / 1000) + stateSeconds,
          },
          setOnce: { level: 0, newPatientLead: newId(nowMs) },
        },
        when,
      ),
    );
  const taken = await take({ absent: ["newPatient", "closedAt"] });
  if (taken) return placeIn(taken);
  const state = await ctx.store.get<CallStateRow>(keys.callState(call.callKey));
  if (state?.closedAt) throw new AppError("forbidden", "The call has ended.");
  if (state?.newPatient !== requestKey) return undefined;
  const { newPatientBy = "", newPatientAtMs = 0 } = state;
  const isOver = newPatientBy === triedBy || nowMs - newPatientAtMs > abandonedAfterMs;
  if (newPatientBy === ctx.requestId) return placeIn(state);
  const again = isOver ? await take({ equals: { newPatientBy }, absent: ["closedAt"] }) : undefined;
  if (again) return placeIn(again);
  throw new AppError("in_progress", "The same request is being worked on.");
}

const placeIn = ({ newPatientLead = "" }: CallStateRow): { leadId: string } => ({ leadId: newPatientLead });

/** What this request was answered stays its answer, without another row for that. One write unit. */
export async function markDone({ ctx, call, requestKey }: Run): Promise<void> {
  await ctx.store.note(
    update<CallStateRow>(keys.callState(call.callKey), { set: { newPatientDone: true } }, { equals: { newPatient: requestKey } }),
  );
}

/** Gives the place back, when nothing can have come of it. */
export async function giveTurnBack({ ctx, call }: Run): Promise<void> {
  await ctx.store.note(
    update<CallStateRow>(
      keys.callState(call.callKey),
      { remove: ["newPatient", "newPatientBy", "newPatientAtMs", "newPatientLead"] },
      { equals: { newPatientBy: ctx.requestId } },
    ),
  );
}
