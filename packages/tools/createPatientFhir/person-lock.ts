import { claim, keys } from "@vitaline/store";
import type { Run } from "../define-tool.ts";
import { hidden } from "../hidden.ts";
import { personMark } from "../verifyPatientIdentity/person-mark.ts";
import type { Person } from "../verifyPatientIdentity/person.ts";

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
