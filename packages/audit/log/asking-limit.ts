import type { Context } from "@vitaline/core";
import { countWithinHour, type CountRow, type Store } from "@vitaline/store";
import type { Key } from "@vitaline/store/keys.ts";

/** Of one user, reports and exports together: each reads whole logs. */
const maxAskedAnHour = 60;

export type AskedCounter = {
  store: Pick<Store<never>, "writeUnaudited">;
  keyOf(userId: string, hour: string): Key<CountRow>;
};

/** AppError `too_many_requests`. */
export async function countAsked({ actor, clock }: Context, { store, keyOf }: AskedCounter): Promise<void> {
  const refusal = "You have asked for many reports in the last hour. Please try again later.";
  await countWithinHour(store, (hour) => keyOf(actor.id, hour), { limit: maxAskedAnHour, now: clock(), refusal });
}
