import { newId } from "@vitaline/core";
import { type CallStateRow, claim, keys, type Place } from "@vitaline/store";
import type { Run } from "../sdk/run.ts";
import { placeOfRequest, type TakenPlace, takePlace } from "../sdk/call-quota.ts";
import { hidden } from "../sdk/keyed-hash.ts";
import { type Person, personMark } from "../patient/person.ts";

const name = "newPatient";
const stateMs = 4 * 3_600_000;

/** The call's place for a new patient, if this request has it. */
export const placeOf = ({ state, requestKey }: Pick<Run, "state" | "requestKey">): Place | undefined =>
  placeOfRequest(state, name, requestKey);
/** Whether a request of the call has it. */
export const isTaken = (state: CallStateRow | undefined): boolean => (state?.[name] ?? 0) > 0;

/**
 * Takes the call's one place for a new patient, for this request; its value is the id of the lead that it may leave. undefined when
 * another request has it. It is in the call's state, which each run reads first. AppErrors as takePlace.
 */
export const takeTurn = (run: Run): Promise<TakenPlace | undefined> =>
  takePlace(
    run,
    { key: keys.callState(run.call.callKey), name, limit: 1, lifeMs: stateMs, closedBy: "closedAt", beside: { level: 0 } },
    newId(run.ctx.clock().getTime()),
  );

/** Longer than any run: the next one finds the chart by a search. It is never given back. */
const lockedMs = 60_000;

/**
 * Keeps a person for one call, so that several which register them at once make one chart. The same call may come again. False when
 * another call is at it. One write unit; the row tells no name.
 */
export async function lockPerson({ ctx, call, providerId = "" }: Run, person: Person): Promise<boolean> {
  const key = keys.personLock(hidden("person", ctx.tenantId, [providerId, personMark(ctx.tenantId, person)]));
  const [owner, nowMs] = [call.callKey, ctx.clock().getTime()];
  return (await claim(ctx.store, key, { owner, attempt: owner, nowMs, lifeMs: lockedMs, staleAfterMs: 0 })) === "ours";
}
