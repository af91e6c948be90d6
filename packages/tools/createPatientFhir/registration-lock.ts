import { newId } from "@vitaline/core";
import { type CallStateRow, acquireLock, keys, type QuotaUnit } from "@vitaline/store";
import type { Run } from "../sdk/run.ts";
import { takenQuotaOf, type TakenQuota, takeQuota } from "../sdk/call-quota.ts";
import { scopedHash } from "../sdk/keyed-hash.ts";
import { type Person, identityHash } from "../patient/person.ts";

const name = "newPatient";
const stateMs = 4 * 3_600_000;

export const takenRegistration = ({ state, executionKey }: Pick<Run, "state" | "executionKey">): QuotaUnit | undefined =>
  takenQuotaOf(state, name, executionKey);
export const hasRegistration = (state: CallStateRow | undefined): boolean => (state?.[name] ?? 0) > 0;

/**
 * Claims the call's one registration; undefined if another request has it. Its value is the id of the lead that the request may create.
 * Throws as `takeQuota`.
 */
export const takeRegistration = (run: Run): Promise<TakenQuota | undefined> =>
  takeQuota(
    run,
    { key: keys.callState(run.call.callKey), name, limit: 1, lifeMs: stateMs, closedBy: "callEndedAt", beside: { level: 0 } },
    newId(run.ctx.clock().getTime()),
  );

/** Longer than any run; the next run finds the chart by search. It expires and is never released. */
const lockedMs = 60_000;

/**
 * Locks a person for one call, so that concurrent registrations create one chart. False if another call holds the lock. One write unit.
 */
export async function lockPerson({ ctx, call, providerId = "" }: Run, person: Person): Promise<boolean> {
  const key = keys.personLock(scopedHash("person", ctx.tenantId, [providerId, identityHash(ctx.tenantId, person)]));
  const [owner, nowMs] = [call.callKey, ctx.clock().getTime()];
  return (await acquireLock(ctx.store, key, { owner, attempt: owner, nowMs, lifeMs: lockedMs, staleAfterMs: 0 })) === "acquired";
}
