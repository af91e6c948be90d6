import { keys, put, remove } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";

/** Longer than a booking may take, and than the search for one of unknown outcome; a crashed booking frees its slot by itself. */
const slotLockSeconds = 120;

/**
 * Keeps a slot of an EHR for one owner, whatever tenant books there: true when it is ours, also when it was before.
 * Expired locks count as free though DynamoDB deletes them later.
 */
export async function lockSlot(ctx: PlatformContext, providerId: string, slotId: string, owner: string): Promise<boolean> {
  const key = keys.slotLock(providerId, slotId);
  const nowSeconds = Math.floor(ctx.clock().getTime() / 1000);
  const row = { owner, expiresAt: nowSeconds + slotLockSeconds };
  const taken = await ctx.platform.note(put(key, row, { lessThanOrAbsent: { expiresAt: nowSeconds } }));
  return taken !== undefined || (await ctx.platform.note(put(key, row, { equals: { owner } }))) !== undefined;
}

/** Gives a slot back; a lock that somebody else holds by now stays. */
export async function releaseSlot(ctx: PlatformContext, providerId: string, slotId: string, owner: string): Promise<void> {
  await ctx.platform.note(remove(keys.slotLock(providerId, slotId), { equals: { owner } }));
}
