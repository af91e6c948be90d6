import { abandonedAfterMs, acquireLock, keys, put, releaseLock, remove } from "@vitaline/store";
import type { EhrRegistryContext } from "@vitaline/store/scoped.ts";

/** Longer than a booking and the search after an unknown outcome; frees the slot of a crashed booking. */
const lockedMs = 120_000;
const reservedMs = 60_000;
const maxListed = 100;

export type SlotLockOutcome = "acquired" | "taken" | "busy" | "unknown";
/**
 * `endedAttemptId`: a request of the owner that has ended; `reservationOwner`: the call that reserved the
 * slot for the owner; `ownerGroup`: shared by the requests for one patient in one call.
 */
export type LockOptions = { endedAttemptId?: string | undefined; reservationOwner?: string | undefined; ownerGroup?: string | undefined };

/** Reserves an offered slot for a caller for a minute and lists it for other searches. False while another call has it. */
export async function reserveSlot(ctx: EhrRegistryContext, providerId: string, slotId: string, owner: string): Promise<boolean> {
  const nowMs = ctx.clock().getTime();
  // All requests of one call share the reservation.
  const request = { owner, attempt: owner, nowMs, lifeMs: reservedMs, staleAfterMs: 0 };
  if ((await acquireLock(ctx.platform, keys.slotLock(providerId, slotId), request)) !== "acquired") return false;
  const expiresAt = Math.ceil((nowMs + reservedMs) / 1000);
  const list = keys.reservedSlots(providerId);
  const known = await ctx.platform.get(list);
  // A call reserves one slot at a time.
  const others = (known?.slots ?? []).filter((one) => one.expiresAt > nowMs / 1000 && one.owner !== owner).slice(-maxListed);
  await ctx.platform.writeUnaudited(put(list, { slots: [...others, { slotId, owner, expiresAt }], expiresAt }));
  return true;
}

/**
 * Locks a slot for one request of an owner, across all tenants of the EHR. The owner may lock it again with the same request, with a new
 * one that names the last as `endedAttemptId`, or when the last must have died; two requests of one owner never hold it at once.
 * "unknown": an earlier request of the `ownerGroup` left it locked, as it could not tell whether it had booked.
 */
export const lockSlot = (
  ctx: EhrRegistryContext,
  providerId: string,
  slotId: string,
  owner: string,
  { endedAttemptId, reservationOwner, ownerGroup }: LockOptions = {},
): Promise<SlotLockOutcome> =>
  acquireLock(ctx.platform, keys.slotLock(providerId, slotId), {
    owner,
    attempt: ctx.requestId,
    endedAttemptId,
    handedOverBy: reservationOwner,
    ownerGroup,
    nowMs: ctx.clock().getTime(),
    lifeMs: lockedMs,
    staleAfterMs: abandonedAfterMs,
  });

export async function cancelSlotReservation(ctx: EhrRegistryContext, providerId: string, slotId: string, owner: string): Promise<void> {
  await clearSlotLock(ctx, providerId, slotId, owner);
  const list = keys.reservedSlots(providerId);
  const known = await ctx.platform.get(list);
  const slots = known?.slots.filter((one) => one.slotId !== slotId || one.owner !== owner);
  if (known && slots && slots.length < known.slots.length) await ctx.platform.writeUnaudited(put(list, { ...known, slots }));
}

/** Releases this request's lock; a lock of another owner stays. */
export const releaseSlotLock = (ctx: EhrRegistryContext, providerId: string, slotId: string, owner: string): Promise<void> =>
  releaseLock(ctx.platform, keys.slotLock(providerId, slotId), { owner, attempt: ctx.requestId });

/** Unlocks the slot of a cancelled appointment; `madeBy`: the owner that booked it, if known. */
export async function clearSlotLock(
  ctx: EhrRegistryContext,
  providerId: string,
  slotId: string,
  madeBy: string | undefined,
): Promise<void> {
  const key = keys.slotLock(providerId, slotId);
  await (madeBy === undefined ? ctx.platform.writeUnaudited(remove(key)) : releaseLock(ctx.platform, key, { owner: madeBy }));
}
