import { keys, put, type PersonLockRow } from "@vitaline/store";
import type { Run } from "../define-tool.ts";
import { hidden } from "../hidden.ts";
import { personMark } from "../verifyPatientIdentity/person-mark.ts";
import type { Person } from "../verifyPatientIdentity/person.ts";

/** Longer than any run: whoever gets it afterwards finds the chart by a search. It is never given back. */
const lockSeconds = 60;

/**
 * Keeps a person for one call, so that several which register them at once make one chart. The same call may come again. False when
 * another call is at it. One write unit; whoever reads the row learns no name.
 */
export async function lockPerson({ ctx, call, providerId = "" }: Run, person: Person): Promise<boolean> {
  const nowMs = ctx.clock().getTime();
  const key = keys.personLock(hidden("person", ctx.tenantId, [providerId, personMark(ctx.tenantId, person)]));
  const untilMs = nowMs + lockSeconds * 1000;
  const row: PersonLockRow = { owner: call.callKey, untilMs, expiresAt: Math.ceil(untilMs / 1000) };
  if (await ctx.store.note(put<PersonLockRow>(key, row, { lessThanOrAbsent: { untilMs: nowMs } }))) return true;
  return (await ctx.store.get<PersonLockRow>(key))?.owner === call.callKey;
}
