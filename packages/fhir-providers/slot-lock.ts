import { keys, put, remove } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";

/** Longer than a booking may take, and than the search for one of unknown outcome; a crashed booking frees its slot by itself. */
const slotLockSeconds = 120;
/** As long as a caller may think about another time that is offered. */
const keptSeconds = 60;
const mostListed = 100;
/** A request that locked a slot longer ago than this has died on the way: no deadline is that long. */
const liveSeconds = 30;

export type SlotLock = "ours" | "theirs" | "busy";
/** `after`: a request of the owner that has ended; `keptBy`: under which name the slot was kept for the owner. */
export type LockOptions = { after?: string | undefined; keptBy?: string | undefined };

/** Keeps a slot for a caller who has been told of it, a minute long, and lists it for those who look for times. False while another call has it. */
export async function keepSlot(ctx: PlatformContext, providerId: string, slotId: string, keeper: string): Promise<boolean> {
  const nowSeconds = Math.floor(ctx.clock().getTime() / 1000);
  const row = { owner: keeper, requestId: ctx.requestId, expiresAt: nowSeconds + keptSeconds };
  const key = keys.slotLock(providerId, slotId);
  const isKept =
    (await ctx.platform.note(put(key, row, { lessThanOrAbsent: { expiresAt: nowSeconds } }))) ??
    (await ctx.platform.note(put(key, row, { equals: { owner: keeper } })));
  if (!isKept) return false;
  const list = keys.keptSlots(providerId);
  const known = await ctx.platform.get(list);
  // A call keeps one time
  const others = (known?.slots ?? []).filter((one) => one.expiresAt > nowSeconds && one.keeper !== keeper).slice(-mostListed);
  const slots = [...others, { slotId, keeper, expiresAt: row.expiresAt }];
  await ctx.platform.note(put(list, { slots, expiresAt: row.expiresAt }));
  return true;
}

/**
 * Keeps a slot of an EHR for one owner and one request of it, whatever tenant books there. The same owner may come again by
 * the same request, by one after `after` (a request that has ended), or when the one before must have died; two requests of
 * one owner are never in at once, whatever environment they run in. Expired locks count as free though DynamoDB deletes them later.
 */
export async function lockSlot(
  ctx: PlatformContext,
  providerId: string,
  slotId: string,
  owner: string,
  { after, keptBy }: LockOptions = {},
): Promise<SlotLock> {
  const { requestId } = ctx;
  const key = keys.slotLock(providerId, slotId);
  const nowSeconds = Math.floor(ctx.clock().getTime() / 1000);
  const row = { owner, requestId, expiresAt: nowSeconds + slotLockSeconds };
  if (await ctx.platform.note(put(key, row, { lessThanOrAbsent: { expiresAt: nowSeconds } }))) return "ours";
  const held = await ctx.platform.get(key);
  // It was given back in this moment: whoever asks again gets it.
  if (!held) return "busy";
  if (held.owner !== owner && held.owner !== keptBy) return "theirs";
  const hasEnded = held.owner === keptBy || [requestId, after].includes(held.requestId) || held.expiresAt < row.expiresAt - liveSeconds;
  const asRead = { equals: { owner: held.owner, requestId: held.requestId, expiresAt: held.expiresAt } };
  return hasEnded && (await ctx.platform.note(put(key, row, asRead))) ? "ours" : "busy";
}

/** Gives up what is kept for a caller, also in the list. */
export async function giveUpSlot(ctx: PlatformContext, providerId: string, slotId: string, keeper: string): Promise<void> {
  await unlockSlot(ctx, providerId, slotId, keeper);
  const list = keys.keptSlots(providerId);
  const known = await ctx.platform.get(list);
  const slots = known?.slots.filter((one) => one.slotId !== slotId || one.keeper !== keeper);
  if (known && slots && slots.length < known.slots.length) await ctx.platform.note(put(list, { ...known, slots }));
}

/** Gives a slot back; a lock that somebody else holds by now stays. */
export async function releaseSlot(ctx: PlatformContext, providerId: string, slotId: string, owner: string): Promise<void> {
  await ctx.platform.note(remove(keys.slotLock(providerId, slotId), { equals: { owner, requestId: ctx.requestId } }));
}

/** Gives a slot back whose appointment was cancelled; `madeBy` is who booked it, where the appointment tells. */
export async function unlockSlot(ctx: PlatformContext, providerId: string, slotId: string, madeBy: string | undefined): Promise<void> {
  await ctx.platform.note(remove(keys.slotLock(providerId, slotId), madeBy === undefined ? undefined : { equals: { owner: madeBy } }));
}
