import { AppError } from "@vitaline/core";
import { keys, update, type CountRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";

const windowSeconds = 15 * 60;
const firstDelaySeconds = 15;

/** Free attempts in a window of 15 minutes; each further one becomes free after twice the wait of the one before. */
const freeAttempts = { account: 10, address: 300 } as const;
export type Throttled = keyof typeof freeAttempts;

const extraAttempts = (elapsedSeconds: number): number => Math.floor(Math.log2(1 + elapsedSeconds / firstDelaySeconds));

const windowOf = (now: Date) => {
  const seconds = Math.floor(now.getTime() / 1000);
  const start = seconds - (seconds % windowSeconds);
  return { start, elapsed: seconds - start, end: start + windowSeconds };
};

export const throttleKey = (ctx: PlatformContext, kind: Throttled, subject: string) =>
  keys.throttle(kind, subject, String(windowOf(ctx.clock()).start));

/** Seconds until one more attempt is free. */
const waitSeconds = (elapsed: number): number => {
  const next = firstDelaySeconds * (2 ** (extraAttempts(elapsed) + 1) - 1);
  return Math.max(1, Math.min(next, windowSeconds) - elapsed);
};

/**
 * Takes one attempt before anything is checked, so that parallel guesses cannot slip through.
 * A refused attempt is not counted: a stranger can slow an account down, never lock it.
 */
export async function takeAttempt(ctx: PlatformContext, kind: Throttled, subject: string): Promise<void> {
  const { elapsed, end } = windowOf(ctx.clock());
  const allowed = freeAttempts[kind] + extraAttempts(elapsed);
  const taken = await ctx.platform.note<CountRow>(
    update(throttleKey(ctx, kind, subject), { add: { count: 1 }, set: { expiresAt: end } }, { lessThanOrAbsent: { count: allowed } }),
  );
  if (!taken)
    throw new AppError("too_many_requests", "Too many sign-in attempts. Please wait a little before trying again.", {
      retryAfterSeconds: waitSeconds(elapsed),
    });
}
