import { newId } from "@vitaline/core";
import { type CallStateRow, claim, keys, type Place } from "@vitaline/store";
import type { Run } from "../sdk/run.ts";
import { quotaClaimOf, type QuotaClaim, claimQuota } from "../sdk/call-quota.ts";
import { scopedHash } from "../sdk/keyed-hash.ts";
import { type Person, identityHash } from "../patient/person.ts";

const name = "newPatient";
const stateMs = 4 * 3_600_000;

export const registrationClaimOf = ({ state, requestKey }: Pick<Run, "state" | "requestKey">): Place | undefined =>
  quotaClaimOf(state, name, requestKey);
export const hasRegistration = (state: CallStateRow | undefined): boolean => (state?.[name] ?? 0) > 0;

/**
 * Claims the call's one registration; undefined if another request has it. Its value is the id of the lead that the request may create.
 * Throws as `claimQuota`.
 */
export const claimRegistration = (run: Run): Promise<QuotaClaim | undefined> =>
  claimQuota(
    run,
    { key: keys.callState(run.call.callKey), name, limit: 1, lifeMs: stateMs, closedBy: "closedAt", beside: { level: 0 } },
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
  return (await claim(ctx.store, key, { owner, attempt: owner, nowMs, lifeMs: lockedMs, staleAfterMs: 0 })) === "ours";
}
