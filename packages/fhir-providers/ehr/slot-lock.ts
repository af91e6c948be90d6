import { abandonedAfterMs, claim, keys, put, release, remove } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";

/** Longer than a booking may take, and than the search for one of unknown outcome; a crashed booking frees its slot by itself. */
const lockedMs = 120_000;
/** As long as a caller may think about another time that is offered. */
const keptMs = 60_000;
const mostListed = 100;

export type SlotLock = "ours" | "theirs" | "busy";
/** `after`: a request of the owner that has ended; `keptBy`: under which name the slot was kept for the owner. */
export type LockOptions = { after?: string | undefined; keptBy?: string | undefined };

/** Keeps a slot for a caller who has been told of it, a minute long, and lists it for those who look for times. False while another call has it. */
export async function keepSlot(ctx: PlatformContext, providerId: string, slotId: string, keeper: string): Promise<boolean> {
  const nowMs = ctx.clock().getTime();
  // All requests of the call keep it together.
  const asked = { owner: keeper, attempt: keeper, nowMs, lifeMs: keptMs, staleAfterMs: 0 };
  if ((await claim(ctx.platform, keys.slotLock(providerId, slotId), asked)) !== "ours") return false;
  const expiresAt = Math.ceil((nowMs + keptMs) / 1000);
  const list = keys.keptSlots(providerId);
  const known = await ctx.platform.get(list);
  // A call keeps one time
  const others = (known?.slots ?? []).filter((one) => one.expiresAt > nowMs / 1000 && one.keeper !== keeper).slice(-mostListed);
  await ctx.platform.note(put(list, { slots: [...others, { slotId, keeper, expiresAt }], expiresAt }));
  return true;
}

/**
 * Keeps a slot of an EHR for one owner and one request of it, whatever tenant books there. The same owner may come again by
 * the same request, by one after `after` (a request that has ended), or when the one before must have died; two requests of
 * one owner are never in at once, whatever environment they run in.
 */
export const lockSlot = (
  ctx: PlatformContext,
  providerId: string,
  slotId: string,
  owner: string,
  { after, keptBy }: LockOptions = {},
): Promise<SlotLock> =>
  claim(ctx.platform, keys.slotLock(providerId, slotId), {
    owner,
    attempt: ctx.requestId,
    endedAttempt: after,
    from: keptBy,
    nowMs: ctx.clock().getTime(),
    lifeMs: lockedMs,
    staleAfterMs: abandonedAfterMs,
  });

/** Gives up what is kept for a caller, also in the list. */
export async function giveUpSlot(ctx: PlatformContext, providerId: string, slotId: string, keeper: string): Promise<void> {
  await unlockSlot(ctx, providerId, slotId, keeper);
  const list = keys.keptSlots(providerId);
  const known = await ctx.platform.get(list);
  const slots = known?.slots.filter((one) => one.slotId !== slotId || one.keeper !== keeper);
  if (known && slots && slots.length < known.slots.length) await ctx.platform.note(put(list, { ...known, slots }));
}

/** Gives a slot back; a lock that somebody else holds by now stays. */
export const releaseSlot = (ctx: PlatformContext, providerId: string, slotId: string, owner: string): Promise<void> =>
  release(ctx.platform, keys.slotLock(providerId, slotId), { owner, attempt: ctx.requestId });

/** Gives a slot back whose appointment was cancelled; `madeBy` is who booked it, where the appointment tells. */
export async function unlockSlot(ctx: PlatformContext, providerId: string, slotId: string, madeBy: string | undefined): Promise<void> {
  const key = keys.slotLock(providerId, slotId);
  await (madeBy === undefined ? ctx.platform.note(remove(key)) : release(ctx.platform, key, { owner: madeBy }));
}
