import { allDone, AppError, networkOf } from "@vitaline/core";
import { type CountRow, countWithin, keys, remove, update, type Write } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { asUser, locked, readUser, tenantNameOf, unlocked } from "@vitaline/users";
import type { User } from "@vitaline/contract";

const windowSeconds = 15 * 60;
const firstDelaySeconds = 15;

/**
 * Free attempts in a window of 15 minutes; each further one becomes free after twice the wait of the one before.
 * Guessers spend the attempts of their own address, so that a stranger cannot keep a person out; `account` counts the
 * failures from everywhere, for the guesser with many addresses, and does not hold where the person signed in last. Mails that a stranger
 * can cause are counted apart: from one address they are refused, from everywhere no more are sent.
 */
const freeAttempts = {
  accountFromAddress: 10,
  address: 300,
  account: 100,
  mailToAccountFromAddress: 3,
  mailToAccount: 3,
  mailFromAddress: 30,
} as const;
type Throttled = keyof typeof freeAttempts;

const extraAttempts = (elapsedSeconds: number): number => Math.floor(Math.log2(1 + elapsedSeconds / firstDelaySeconds));

const windowOf = (now: Date) => {
  const seconds = Math.floor(now.getTime() / 1000);
  const start = seconds - (seconds % windowSeconds);
  return { start, elapsed: seconds - start, end: start + windowSeconds };
};

const throttleKey = (ctx: PlatformContext, kind: Throttled, subject: string) =>
  keys.throttle(kind, subject, String(windowOf(ctx.clock()).start));
const fromHere = ({ clientAddress }: Pick<PlatformContext, "clientAddress">, email: string): string =>
  `${email} ${networkOf(clientAddress)}`;

/** Seconds until one more attempt is free. */
const waitSeconds = (elapsed: number): number => {
  const next = firstDelaySeconds * (2 ** (extraAttempts(elapsed) + 1) - 1);
  return Math.max(1, Math.min(next, windowSeconds) - elapsed);
};

const tooMany = (elapsed: number, of = "sign-in attempts") =>
  new AppError("too_many_requests", `Too many ${of}. Please wait a little before trying again.`, {
    retryAfterSeconds: waitSeconds(elapsed),
  });

/** Taken before anything is checked, so that parallel guesses cannot slip through. A refused attempt is not counted. */
const isTaken = async (ctx: PlatformContext, kind: Throttled, subject: string): Promise<boolean> => {
  const { elapsed, end } = windowOf(ctx.clock());
  const limits = { count: freeAttempts[kind] + extraAttempts(elapsed) };
  return (await countWithin(ctx.platform, throttleKey(ctx, kind, subject), { limits, expiresAt: end })) !== undefined;
};

const take = async (ctx: PlatformContext, kind: Throttled, subject: string, of?: string): Promise<void> => {
  if (!(await isTaken(ctx, kind, subject))) throw tooMany(windowOf(ctx.clock()).elapsed, kind.startsWith("mail") ? "requests" : of);
};

const refuseExhausted = async (ctx: PlatformContext, email: string): Promise<void> => {
  const { elapsed } = windowOf(ctx.clock());
  const row = await ctx.platform.get(throttleKey(ctx, "account", email));
  if ((row?.count ?? 0) < freeAttempts.account + extraAttempts(elapsed)) return;
  if (!(await isWhereTheySignedIn(ctx, email))) throw tooMany(elapsed);
};

/** Whether the account's last sign-in came from here. */
const isWhereTheySignedIn = async (ctx: PlatformContext, email: string): Promise<boolean> => {
  const userId = (await ctx.platform.get(keys.email(email)))?.userId;
  const entry = userId === undefined ? undefined : await ctx.platform.get(keys.userDirectory(userId));
  return entry?.lastNetwork === networkOf(ctx.clientAddress);
};

/** What an attempt to sign in takes, to be awaited together; each is AppError `too_many_requests` when there is no more. */
export const takeAttempt = (ctx: PlatformContext, email: string): Promise<void>[] => [
  take(ctx, "accountFromAddress", fromHere(ctx, email)),
  take(ctx, "address", networkOf(ctx.clientAddress)),
  refuseExhausted(ctx, email),
];

/**
 * What a request for a mail takes: whether or not somebody has the address. False when the account was mailed to as often as it may
 * be: the links of those mails still work, so that a stranger's requests keep nobody from theirs. AppError `too_many_requests`.
 */
export async function takeMail(ctx: PlatformContext, email: string): Promise<boolean> {
  await allDone([take(ctx, "mailToAccountFromAddress", fromHere(ctx, email)), take(ctx, "mailFromAddress", networkOf(ctx.clientAddress))]);
  return isTaken(ctx, "mailToAccount", email);
}

/** What an attempt to use a mailed link takes. */
export const takeLink = (ctx: PlatformContext): Promise<void> => take(ctx, "address", networkOf(ctx.clientAddress), "requests");

/** Nobody's id: an unknown address costs the same reads and writes as a known one. */
export const nobody = "0".repeat(26);

type Tried = { id: string; email: string };

const isSpent = (ctx: PlatformContext, kind: Throttled, row: CountRow | undefined): boolean =>
  (row?.count ?? 0) >= freeAttempts[kind] + extraAttempts(windowOf(ctx.clock()).elapsed);

const lock = (ctx: PlatformContext, { id }: Tried): Promise<unknown> =>
  ctx.platform.note(locked(ctx, id, waitSeconds(windowOf(ctx.clock()).elapsed)));

const attemptsFromHere = (ctx: PlatformContext, { email }: Tried): Promise<CountRow | undefined> =>
  ctx.platform.get(throttleKey(ctx, "accountFromAddress", fromHere(ctx, email)));

/**
 * After a refusal. Whence it came is noted, so that an administrator can clear the way; and of the last attempt that was free,
 * that the account is locked for a while.
 */
export async function countFailure(ctx: PlatformContext, tried: Tried): Promise<void> {
  const change = { add: { count: 1, addresses: new Set([networkOf(ctx.clientAddress)]) }, set: { expiresAt: windowOf(ctx.clock()).end } };
  const [everywhere, here] = await allDone([
    ctx.platform.note<CountRow>(update(throttleKey(ctx, "account", tried.email), change)),
    attemptsFromHere(ctx, tried),
  ]);
  if (isSpent(ctx, "accountFromAddress", here) || isSpent(ctx, "account", everywhere)) await lock(ctx, tried);
}

/** After an attempt that was no failure and is not given back: that it was the last one that was free. */
export async function countTaken(ctx: PlatformContext, tried: Tried): Promise<void> {
  if (isSpent(ctx, "accountFromAddress", await attemptsFromHere(ctx, tried))) await lock(ctx, tried);
}

/** After a success: this person's own attempts are theirs again. */
export const clearAttempts = (ctx: PlatformContext, email: string): Write =>
  remove(throttleKey(ctx, "accountFromAddress", fromHere(ctx, email)));

/** Everything that stands in an account's way, from every address whence somebody failed. */
async function clearAllAttempts(ctx: PlatformContext, email: string): Promise<Write> {
  const account = throttleKey(ctx, "account", email);
  const { addresses } = (await ctx.platform.get(account)) ?? {};
  const from = [...(addresses ?? [])].map((clientAddress) => throttleKey(ctx, "accountFromAddress", fromHere({ clientAddress }, email)));
  await allDone([...from, codesKey(ctx, email)].map((key) => ctx.platform.note(remove(key))));
  return remove(account);
}

const daySeconds = 86_400;
/** Wrong codes of a second factor, in a day and from everywhere: whoever gets so far knows the password. */
const wrongCodesADay = 20;

const codesKey = (ctx: PlatformContext, email: string) =>
  keys.throttle("codes", email, String(Math.floor(ctx.clock().getTime() / 1000 / daySeconds)));

/** AppError `too_many_requests` when an account's codes were guessed at too often today, unless its last sign-in came from here. One read. */
export async function refuseCodes(ctx: PlatformContext, email: string): Promise<void> {
  const row = await ctx.platform.get<CountRow>(codesKey(ctx, email));
  if ((row?.count ?? 0) < wrongCodesADay || (await isWhereTheySignedIn(ctx, email))) return;
  const seconds = Math.floor(ctx.clock().getTime() / 1000);
  throw new AppError("too_many_requests", "Too many wrong codes today. Please try again tomorrow, or ask an administrator.", {
    retryAfterSeconds: daySeconds - (seconds % daySeconds),
  });
}

/** Counts a wrong code; true for the one that is the last of the day. */
export async function countWrongCode(ctx: PlatformContext, email: string): Promise<boolean> {
  const expiresAt = Math.floor(ctx.clock().getTime() / 1000) + 2 * daySeconds;
  const row = await ctx.platform.note<CountRow>(update(codesKey(ctx, email), { add: { count: 1 }, set: { expiresAt } }));
  return row?.count === wrongCodesADay;
}

/** Forgets the failed sign-ins of a user, so that the next attempt is free again. AppError `not_found`. */
export async function unlockUser(ctx: PlatformContext, userId: string): Promise<User> {
  const { user, entry } = await readUser(ctx, userId);
  const tenantName = await tenantNameOf(ctx, user);
  const store = user.tenantId ? ctx.platform.inTenant(user.tenantId) : ctx.platform;
  await store.commit([await clearAllAttempts(ctx, user.email), unlocked(ctx, userId)], {
    category: "configuration_change",
    action: "user.unlock",
    resourceType: "User",
    resourceId: userId,
  });
  return asUser(entry, tenantName);
}
