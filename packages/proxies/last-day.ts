import { dayIn, dayMs } from "@vitaline/core";
import { keys, type TenantContext } from "@vitaline/store";

const maxDays = 5 * 366;

/** An approval ends at midnight after its last day in the organization's time zone, in whichever office the call is. */
export const isOver = (validUntil: string, timeZone: string, now: Date): boolean => validUntil < dayIn(timeZone, now);

/** The first and the last day that an approval given now may end on. One read. */
export async function possibleLastDays({ store, clock }: Pick<TenantContext, "store" | "clock">): Promise<{ first: string; last: string }> {
  const { timeZone = "UTC" } = (await store.get(keys.tenantConfig())) ?? {};
  const now = clock();
  return { first: dayIn(timeZone, now), last: dayIn(timeZone, new Date(now.getTime() + maxDays * dayMs)) };
}
