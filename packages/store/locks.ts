import { AppError } from "@vitaline/core";
import type { CountRow, LockRow, Key, Leased, QuotaUnit } from "./entities/entity.ts";
import type { Store } from "./verbs/store.ts";
import { remove, type Condition } from "./verbs/write.ts";

/**
 * Locks, quotas, leases and limits, by where they are written: a lock is a row of its own (`acquireLock`), a unit of a quota is one of
 * several attributes of a row (`takeQuotaUnit`), a lease is in the row that it protects (`takeLease`), a limit is a counter in a window
 * of time (`countWithin`).
 *
 * Each belongs to an owner (a request, a call); one attempt of the owner (an HTTP request) is active at a time. It ends by release or
 * expiry. Times are epoch milliseconds, `expiresAt` is epoch seconds.
 */

/** The longest possible attempt: an older one has died. */
export const abandonedAfterMs = 30_000;

type LockStore<K extends Key<unknown>> = Pick<Store<K>, "get" | "writeUnaudited">;

type LockRequest = {
  owner: string;
  attempt: string;
  nowMs: number;
  /** Lifetime unless released. */
  lifeMs: number;
  /** After this time another attempt of the same owner may take over. */
  staleAfterMs: number;
  /** An attempt of the same owner that has ended. */
  endedAttemptId?: string | undefined;
};

const mayTakeOver = ({ attempt, lockedAtMs }: Pick<QuotaUnit, "attempt" | "lockedAtMs">, request: LockRequest): boolean =>
  attempt === request.attempt || attempt === request.endedAttemptId || request.nowMs - lockedAtMs >= request.staleAfterMs;
const expiryOf = ({ nowMs, lifeMs }: LockRequest): number => Math.ceil((nowMs + lifeMs) / 1000);

/**
 * Locks a row for one attempt of an owner. "taken" while another owner has it; "unknown" when another owner with the same `ownerGroup` left
 * it behind; "busy" while another attempt of the same owner or group is active, or when it was released concurrently. `handedOverBy`: an
 * owner whose lock this one gets. One write unit if it is free.
 */
export async function acquireLock<K extends Key<unknown>>(
  store: LockStore<K>,
  key: K,
  request: LockRequest & { handedOverBy?: string | undefined; ownerGroup?: string | undefined },
): Promise<"acquired" | "busy" | "taken" | "unknown"> {
  const { owner, attempt, nowMs, handedOverBy, ownerGroup } = request;
  const row: LockRow = { owner, attempt, lockedAtMs: nowMs, expiresAt: expiryOf(request), ...(ownerGroup !== undefined && { ownerGroup }) };
  const take = async (when: Condition) => (await store.writeUnaudited({ verb: "put", key, row, when })) !== undefined;
  if (await take({ exists: false })) return "acquired";
  const held = (await store.get<unknown>(key)) as LockRow | undefined;
  if (!held) return "busy";
  if (held.owner !== owner && held.owner !== handedOverBy) {
    if (ownerGroup === undefined || held.ownerGroup !== ownerGroup) return "taken";
    return nowMs - held.lockedAtMs < request.staleAfterMs ? "busy" : "unknown";
  }
  const asRead = { equals: { owner: held.owner, attempt: held.attempt, lockedAtMs: held.lockedAtMs } };
  return (held.owner === handedOverBy || mayTakeOver(held, request)) && (await take(asRead)) ? "acquired" : "busy";
}

/** Releases a lock of the owner; with `attempt`, only if that attempt has it. One write unit. */
export async function releaseLock<K extends Key<unknown>>(
  store: LockStore<K>,
  key: K,
  { owner, attempt }: { owner: string; attempt?: string },
): Promise<void> {
  await store.writeUnaudited(remove(key, { equals: { owner, ...(attempt === undefined ? {} : { attempt }) } }));
}

/** `owner` is short: a row of one kilobyte, which is one write unit, has room for ten owners of twenty characters. */
type QuotaUnitKey = { name: string; owner: string };

const attributeOf = ({ name, owner }: QuotaUnitKey): string => `${name}_${owner}`;

export const quotaUnitIn = (row: object | undefined, at: QuotaUnitKey): QuotaUnit | undefined =>
  (row as Record<string, QuotaUnit> | undefined)?.[attributeOf(at)];

/**
 * Takes one of `limit` units in a row that may have other attributes. The row expires `lifeMs` after the last one was taken. "full" when
 * none is left; "busy" while another attempt of the owner is active; "closed" when the row has the attribute `closedBy`. A
 * confirmed unit is returned unchanged. `beside`: attributes of a new row. One write unit if one is free.
 */
export async function takeQuotaUnit<K extends Key<unknown>>(
  store: LockStore<K>,
  key: K,
  request: LockRequest &
    QuotaUnitKey &
    Pick<QuotaUnit, "value" | "settled"> & { limit: number; closedBy?: string; beside?: Record<string, unknown> },
): Promise<QuotaUnit | "full" | "busy" | "closed"> {
  const { attempt, nowMs, name, limit, value, settled, closedBy, beside } = request;
  const attribute = attributeOf(request);
  const unit: QuotaUnit = {
    attempt,
    lockedAtMs: nowMs,
    ...(value === undefined ? {} : { value }),
    ...(settled ? { settled } : {}),
  };
  const take = async (taken: QuotaUnit, add: Record<string, number>, when: Condition): Promise<QuotaUnit | undefined> => {
    const change = { add, set: { [attribute]: taken, expiresAt: expiryOf(request) }, setOnce: { ...beside } };
    return (await store.writeUnaudited({ verb: "update", key, change, when })) === undefined ? undefined : taken;
  };
  const open = closedBy === undefined ? [] : [closedBy];
  const taken = await take(unit, { [name]: 1 }, { absent: [attribute, ...open], lessThanOrAbsent: { [name]: limit } });
  if (taken) return taken;
  const row = (await store.get<unknown>(key)) as Record<string, unknown> | undefined;
  if (closedBy !== undefined && row?.[closedBy] !== undefined) return "closed";
  const held = quotaUnitIn(row, request);
  if (!held) return "full";
  if (held.settled || held.attempt === attempt) return held;
  if (!mayTakeOver(held, request)) return "busy";
  const inherited = { ...unit, ...(held.value === undefined ? {} : { value: held.value }) };
  return (await take(inherited, {}, { equals: { [attribute]: held }, absent: open })) ?? "busy";
}

/** Returns a unit if it is unchanged. One write unit. */
export async function returnQuotaUnit<K extends Key<unknown>>(
  store: LockStore<K>,
  key: K,
  at: QuotaUnitKey,
  unit: QuotaUnit,
): Promise<void> {
  const attribute = attributeOf(at);
  const change = { add: { [at.name]: -1 }, remove: [attribute] };
  await store.writeUnaudited({ verb: "update", key, change, when: { equals: { [attribute]: unit } } });
}

/** Marks a unit as used for all later attempts of the owner. One write unit. */
export async function confirmQuotaUnit<K extends Key<unknown>>(
  store: LockStore<K>,
  key: K,
  at: QuotaUnitKey,
  unit: QuotaUnit,
): Promise<void> {
  const attribute = attributeOf(at);
  const change = { set: { [attribute]: { ...unit, settled: true } } };
  await store.writeUnaudited({ verb: "update", key, change, when: { equals: { [attribute]: unit } } });
}

/** Takes the lease of a row for `lifeMs`; returns the row, or undefined while another owner has it. One write unit. */
export const takeLease = <K extends Key<unknown>, Row extends Leased>(
  store: LockStore<K>,
  key: K & { row?: Row },
  {
    owner,
    nowMs,
    lifeMs,
    set,
    when,
  }: Pick<LockRequest, "owner" | "nowMs" | "lifeMs"> & { set?: Record<string, unknown>; when?: Condition },
): Promise<Row | undefined> => {
  const change = { set: { ...set, leaseOwner: owner, leaseUntilMs: nowMs + lifeMs } };
  return store.writeUnaudited<Row>({ verb: "update", key, change, when: { ...when, lessThanOrAbsent: { leaseUntilMs: nowMs } } });
};

/** Ends the owner's lease and sets attributes in the same write; no change if another owner has it. One write unit. */
export async function endLease<K extends Key<unknown>>(
  store: LockStore<K>,
  key: K,
  owner: string,
  set: Record<string, unknown> = {},
): Promise<void> {
  const change = { set, remove: ["leaseOwner", "leaseUntilMs"] };
  await store.writeUnaudited({ verb: "update", key, change, when: { equals: { leaseOwner: owner } } });
}

/**
 * Increments each of a row's counters, or none and returns undefined when one has reached its limit. The row's key contains the
 * time window; the row expires at `expiresAt`. One write unit.
 */
export const countWithin = <Row extends { expiresAt: number }>(
  store: Pick<Store<never>, "writeUnaudited">,
  key: Key<unknown> & { row?: Row },
  { limits, set, expiresAt }: { limits: Record<string, number>; set?: Record<string, unknown>; expiresAt: number },
): Promise<Row | undefined> => {
  const add = Object.fromEntries(Object.keys(limits).map((name) => [name, 1]));
  return store.writeUnaudited<Row>({
    verb: "update",
    key,
    change: { add, set: { ...set, expiresAt } },
    when: { lessThanOrAbsent: limits },
  });
};

const hourSeconds = 3600;
/** Counts one in this hour. AppError `too_many_requests` with the message `refusal` when the limit has been reached. One write unit. */
export async function countWithinHour(
  store: Pick<Store<never>, "writeUnaudited">,
  keyOf: (hour: string) => Key<CountRow>,
  { limit, now, refusal }: { limit: number; now: Date; refusal: string },
): Promise<void> {
  const seconds = Math.floor(now.getTime() / 1000);
  const end = seconds - (seconds % hourSeconds) + hourSeconds;
  const counted = await countWithin(store, keyOf(String(end)), { limits: { count: limit }, expiresAt: end });
  if (counted === undefined) throw new AppError("too_many_requests", refusal, { retryAfterSeconds: end - seconds });
}
