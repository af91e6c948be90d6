import { keys, put, type AccountLockRow, type Write } from "@vitaline/store";
import { locks, partitions } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";

/** Until when sign-ins of a user are refused; undefined for one that is over. */
export const lockedUntil = (ctx: PlatformContext, lock: AccountLockRow | undefined): string | undefined =>
  lock && lock.until > ctx.clock().toISOString() ? lock.until : undefined;

/** Until when sign-ins are refused, by user: of those whose are. One Query, of as many rows as there are locks within 15 minutes. */
export async function readLocks(ctx: PlatformContext): Promise<Map<string, string>> {
  const { rows } = await ctx.platform.query<AccountLockRow>(partitions.userDirectory, { prefix: locks });
  return new Map(rows.flatMap((lock) => (lockedUntil(ctx, lock) === undefined ? [] : [[lock.id, lock.until]])));
}

const seconds = (ms: number): number => Math.ceil(ms / 1000);

/** What lists say of a user for whom the next sign-in is free after so many seconds. Nothing is refused by it: the attempts are counted elsewhere. */
export function locked(ctx: PlatformContext, userId: string, forSeconds: number): Write {
  const untilMs = ctx.clock().getTime() + forSeconds * 1000;
  return put(keys.accountLock(userId), { id: userId, until: new Date(untilMs).toISOString(), expiresAt: seconds(untilMs) });
}

/** Nothing is in a user's way any more: by no clock. */
export const unlocked = (ctx: PlatformContext, userId: string): Write =>
  put(keys.accountLock(userId), { id: userId, until: new Date(0).toISOString(), expiresAt: seconds(ctx.clock().getTime()) });
