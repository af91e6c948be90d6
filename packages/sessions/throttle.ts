import type { User } from "@vitaline/contract";
import { awaitAllThenThrow, AppError, networkOf } from "@vitaline/core";
import { countWithin, countWithinHour, keys, remove, update, type CountRow, type Write } from "@vitaline/store";
import type { AccountContext } from "@vitaline/store/scoped.ts";
import { asUser, lockWrite, readUser, tenantNameOf, unlockWrite } from "@vitaline/users";

const windowSeconds = 15 * 60;
const firstDelaySeconds = 15;

/**
 * Free attempts per 15 minutes; each further attempt becomes free after twice the wait of the one before. Attempts are counted per
 * source address, so that a stranger cannot lock a user out. `account` counts failures from all addresses and does not apply to the
 * network of the last sign-in. Mails are refused per address and, over the account's limit, silently not sent.
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

const throttleKey = (ctx: AccountContext, kind: Throttled, subject: string) =>
  keys.throttle(kind, subject, String(windowOf(ctx.clock()).start));
const accountFromAddress = ({ clientAddress }: Pick<AccountContext, "clientAddress">, email: string): string =>
  `${email} ${networkOf(clientAddress)}`;

/** Seconds until the next attempt is free. */
const waitSeconds = (elapsed: number): number => {
  const next = firstDelaySeconds * (2 ** (extraAttempts(elapsed) + 1) - 1);
  return Math.max(1, Math.min(next, windowSeconds) - elapsed);
};

const tooMany = (elapsed: number, of = "sign-in attempts") =>
  new AppError("too_many_requests", `Too many ${of}. Please wait a little before trying again.`, {
    retryAfterSeconds: waitSeconds(elapsed),
  });

/** Counted before the check, so that parallel guesses cannot get through. A refused attempt is not counted. */
const tryTake = async (ctx: AccountContext, kind: Throttled, subject: string): Promise<boolean> => {
  const { elapsed, end } = windowOf(ctx.clock());
  const limits = { count: freeAttempts[kind] + extraAttempts(elapsed) };
  return (await countWithin(ctx.platform, throttleKey(ctx, kind, subject), { limits, expiresAt: end })) !== undefined;
};

const take = async (ctx: AccountContext, kind: Throttled, subject: string, of?: string): Promise<void> => {
  if (!(await tryTake(ctx, kind, subject))) throw tooMany(windowOf(ctx.clock()).elapsed, kind.startsWith("mail") ? "requests" : of);
};

const refuseExhausted = async (ctx: AccountContext, email: string): Promise<void> => {
  const { elapsed } = windowOf(ctx.clock());
  const row = await ctx.platform.get(throttleKey(ctx, "account", email));
  if ((row?.count ?? 0) < freeAttempts.account + extraAttempts(elapsed)) return;
  if (!(await isLastSignInNetwork(ctx, email))) throw tooMany(elapsed);
};

const isLastSignInNetwork = async (ctx: AccountContext, email: string): Promise<boolean> => {
  const userId = (await ctx.platform.get(keys.email(email)))?.userId;
  const entry = userId === undefined ? undefined : await ctx.platform.get(keys.userDirectory(userId));
  return entry?.lastNetwork === networkOf(ctx.clientAddress);
};

/** To be awaited together. AppError `too_many_requests`. */
export const takeAttempts = (ctx: AccountContext, email: string): Promise<void>[] => [
  take(ctx, "accountFromAddress", accountFromAddress(ctx, email)),
  take(ctx, "address", networkOf(ctx.clientAddress)),
  refuseExhausted(ctx, email),
];

/**
 * Counts for unknown emails too. False if the account got its maximum of mails: their links still work, so a stranger's requests do
 * not harm the user. AppError `too_many_requests`.
 */
export async function takeMail(ctx: AccountContext, email: string): Promise<boolean> {
  await awaitAllThenThrow([
    take(ctx, "mailToAccountFromAddress", accountFromAddress(ctx, email)),
    take(ctx, "mailFromAddress", networkOf(ctx.clientAddress)),
  ]);
  return tryTake(ctx, "mailToAccount", email);
}

export const takeLink = (ctx: AccountContext): Promise<void> => take(ctx, "address", networkOf(ctx.clientAddress), "requests");

type AttemptedAccount = { id: string; email: string };

const isSpent = (ctx: AccountContext, kind: Throttled, row: CountRow | undefined): boolean =>
  (row?.count ?? 0) >= freeAttempts[kind] + extraAttempts(windowOf(ctx.clock()).elapsed);

const lock = (ctx: AccountContext, { id }: AttemptedAccount): Promise<unknown> =>
  ctx.platform.writeUnaudited(lockWrite(ctx, id, waitSeconds(windowOf(ctx.clock()).elapsed)));

const attemptsFromAddress = (ctx: AccountContext, { email }: AttemptedAccount): Promise<CountRow | undefined> =>
  ctx.platform.get(throttleKey(ctx, "accountFromAddress", accountFromAddress(ctx, email)));

/** Stores the source network for clearAllAttempts, and locks the account after the last free attempt. */
export async function recordFailure(ctx: AccountContext, account: AttemptedAccount): Promise<void> {
  const change = { add: { count: 1, addresses: new Set([networkOf(ctx.clientAddress)]) }, set: { expiresAt: windowOf(ctx.clock()).end } };
  const [everywhere, here] = await awaitAllThenThrow([
    ctx.platform.writeUnaudited<CountRow>(update(throttleKey(ctx, "account", account.email), change)),
    attemptsFromAddress(ctx, account),
  ]);
  if (isSpent(ctx, "accountFromAddress", here) || isSpent(ctx, "account", everywhere)) await lock(ctx, account);
}

/** For an attempt that neither failed nor was reset. */
export async function lockIfSpent(ctx: AccountContext, account: AttemptedAccount): Promise<void> {
  if (isSpent(ctx, "accountFromAddress", await attemptsFromAddress(ctx, account))) await lock(ctx, account);
}

export const clearAttempts = (ctx: AccountContext, email: string): Write =>
  remove(throttleKey(ctx, "accountFromAddress", accountFromAddress(ctx, email)));

async function clearAllAttempts(ctx: AccountContext, email: string): Promise<Write> {
  const account = throttleKey(ctx, "account", email);
  const { addresses } = (await ctx.platform.get(account)) ?? {};
  const from = [...(addresses ?? [])].map((clientAddress) =>
    throttleKey(ctx, "accountFromAddress", accountFromAddress({ clientAddress }, email)),
  );
  await awaitAllThenThrow([...from, wrongCodesKey(ctx, email)].map((key) => ctx.platform.writeUnaudited(remove(key))));
  return remove(account);
}

const daySeconds = 86_400;
/** Per day and account: the guesser knows the password already. */
const maxWrongCodesPerDay = 20;

const wrongCodesKey = (ctx: AccountContext, email: string) =>
  keys.throttle("codes", email, String(Math.floor(ctx.clock().getTime() / 1000 / daySeconds)));

/** Does not apply to the network of the last sign-in. One read. AppError `too_many_requests`. */
export async function refuseCodes(ctx: AccountContext, email: string): Promise<void> {
  const row = await ctx.platform.get<CountRow>(wrongCodesKey(ctx, email));
  if ((row?.count ?? 0) < maxWrongCodesPerDay || (await isLastSignInNetwork(ctx, email))) return;
  const seconds = Math.floor(ctx.clock().getTime() / 1000);
  throw new AppError("too_many_requests", "Too many wrong codes today. Please try again tomorrow, or ask an administrator.", {
    retryAfterSeconds: daySeconds - (seconds % daySeconds),
  });
}

/** True for the last code of the day. */
export async function countWrongCode(ctx: AccountContext, email: string): Promise<boolean> {
  const expiresAt = Math.floor(ctx.clock().getTime() / 1000) + 2 * daySeconds;
  const row = await ctx.platform.writeUnaudited<CountRow>(update(wrongCodesKey(ctx, email), { add: { count: 1 }, set: { expiresAt } }));
  return row?.count === maxWrongCodesPerDay;
}

const maxUnlocksAnHour = 5;

/** By the colleagues together: a stolen session could otherwise guess the user's password without a limit. */
async function countUnlock(ctx: AccountContext, userId: string): Promise<void> {
  const keyOf = (hour: string) => keys.throttle("unlock", userId, hour);
  const refusal = "This colleague was unlocked many times in the last hour. Please try again later.";
  await countWithinHour(ctx.platform, keyOf, { limit: maxUnlocksAnHour, now: ctx.clock(), refusal });
}

/**
 * Clears the user's failed sign-ins. AppError `not_found`, also for a user outside `ofTenant`, `not_doable` for oneself: a stolen
 * session could otherwise guess its password without a limit; `too_many_requests` within a tenant.
 */
export async function unlockUser(ctx: AccountContext, userId: string, ofTenant?: string): Promise<User> {
  const { user, entry } = await readUser(ctx, userId, ofTenant);
  if (ctx.actor.id === userId) throw new AppError("not_doable", "You cannot unlock yourself. Please ask another administrator.");
  if (ofTenant !== undefined) await countUnlock(ctx, userId);
  const tenantName = await tenantNameOf(ctx, user);
  const store = user.tenantId ? ctx.platform.inTenant(user.tenantId) : ctx.platform;
  await store.commit([await clearAllAttempts(ctx, user.email), unlockWrite(ctx, userId)], {
    category: "configuration_change",
    action: "user.unlock",
    resourceType: "User",
    resourceId: userId,
  });
  return asUser(entry, tenantName);
}
