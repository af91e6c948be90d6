import { AppError } from "@vitaline/core";
import { keys, remove, update, type CountRow, type Write } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";

const windowSeconds = 15 * 60;
const firstDelaySeconds = 15;

/**
 * Free attempts in a window of 15 minutes; each further one becomes free after twice the wait of the one before.
 * Guessers spend the attempts of their own address, so that a stranger cannot keep a person out; `account` counts the
 * failures from everywhere, for the guesser with many addresses.
 */
const freeAttempts = { accountFromAddress: 10, address: 300, account: 100 } as const;
type Throttled = keyof typeof freeAttempts;

const extraAttempts = (elapsedSeconds: number): number => Math.floor(Math.log2(1 + elapsedSeconds / firstDelaySeconds));

const windowOf = (now: Date) => {
  const seconds = Math.floor(now.getTime() / 1000);
  const start = seconds - (seconds % windowSeconds);
  return { start, elapsed: seconds - start, end: start + windowSeconds };
};

const throttleKey = (ctx: PlatformContext, kind: Throttled, subject: string) =>
  keys.throttle(kind, subject, String(windowOf(ctx.clock()).start));
const fromHere = ({ clientAddress }: PlatformContext, email: string): string => `${email} ${clientAddress}`;

/** Seconds until one more attempt is free. */
const waitSeconds = (elapsed: number): number => {
  const next = firstDelaySeconds * (2 ** (extraAttempts(elapsed) + 1) - 1);
  return Math.max(1, Math.min(next, windowSeconds) - elapsed);
};

const tooMany = (elapsed: number) =>
  new AppError("too_many_requests", "Too many sign-in attempts. Please wait a little before trying again.", {
    retryAfterSeconds: waitSeconds(elapsed),
  });

/** Taken before anything is checked, so that parallel guesses cannot slip through. A refused attempt is not counted. */
const take = async (ctx: PlatformContext, kind: Throttled, subject: string): Promise<void> => {
  const { elapsed, end } = windowOf(ctx.clock());
  const allowed = freeAttempts[kind] + extraAttempts(elapsed);
  const taken = await ctx.platform.note<CountRow>(
    update(throttleKey(ctx, kind, subject), { add: { count: 1 }, set: { expiresAt: end } }, { lessThanOrAbsent: { count: allowed } }),
  );
  if (!taken) throw tooMany(elapsed);
};

const refuseExhausted = async (ctx: PlatformContext, email: string): Promise<void> => {
  const { elapsed } = windowOf(ctx.clock());
  const row = await ctx.platform.get(throttleKey(ctx, "account", email));
  if ((row?.count ?? 0) >= freeAttempts.account + extraAttempts(elapsed)) throw tooMany(elapsed);
};

/** What an attempt to sign in takes, to be awaited together; each is AppError `too_many_requests` when there is no more. */
export const takeAttempt = (ctx: PlatformContext, email: string): Promise<void>[] => [
  take(ctx, "accountFromAddress", fromHere(ctx, email)),
  take(ctx, "address", ctx.clientAddress),
  refuseExhausted(ctx, email),
];

/** After a refusal. */
export async function countFailure(ctx: PlatformContext, email: string): Promise<void> {
  const { end } = windowOf(ctx.clock());
  await ctx.platform.note(update(throttleKey(ctx, "account", email), { add: { count: 1 }, set: { expiresAt: end } }));
}

/** After a success: this person's own attempts are theirs again. */
export const clearAttempts = (ctx: PlatformContext, email: string): Write =>
  remove(throttleKey(ctx, "accountFromAddress", fromHere(ctx, email)));
