import type { Key } from "./keys.ts";
import type { ClaimRow, Leased, Place } from "./rows.ts";
import type { Store } from "./store.ts";
import { remove, type Condition } from "./write.ts";

/**
 * What is to happen once is claimed first. There are four forms, by where the claim is written: a row of its own (`claim`), one of a few
 * places in a row (`claimPlace`), a lease beside what it guards (`takeLease`), and a count in a window of time (`countWithin`).
 *
 * A claim has an owner (a request, a call), of which one attempt (an HTTP request) is at work. It ends by release, or by itself; from
 * then on it is absent, also while TTL has not deleted it yet: the store sees to that. Times are epoch milliseconds, `expiresAt` is in
 * epoch seconds.
 */

/** No request is worked on for longer: an attempt that began before that has died. */
export const abandonedAfterMs = 30_000;

type Claimer<K extends Key<unknown>> = Pick<Store<K>, "get" | "note">;

type Asked = {
  owner: string;
  attempt: string;
  nowMs: number;
  /** How long it stands unless it is released. */
  lifeMs: number;
  /** An attempt of the same owner that began longer ago gives the claim up to this one. */
  staleAfterMs: number;
  /** An attempt of the same owner that is known to have ended. */
  endedAttempt?: string | undefined;
};

const mayGoOn = ({ attempt, claimedAtMs }: Pick<Place, "attempt" | "claimedAtMs">, asked: Asked): boolean =>
  attempt === asked.attempt || attempt === asked.endedAttempt || asked.nowMs - claimedAtMs >= asked.staleAfterMs;
const expiryOf = ({ nowMs, lifeMs }: Asked): number => Math.ceil((nowMs + lifeMs) / 1000);

/**
 * Takes a row for one attempt of an owner. "theirs" while another owner has it, "busy" while another attempt of this owner is at work, or
 * when it was released in this moment. `from` is an owner who hands over to this one. One write unit where it is free.
 */
export async function claim<K extends Key<unknown>>(
  store: Claimer<K>,
  key: K,
  asked: Asked & { from?: string | undefined },
): Promise<"ours" | "busy" | "theirs"> {
  const { owner, attempt, nowMs, from } = asked;
  const row: ClaimRow = { owner, attempt, claimedAtMs: nowMs, expiresAt: expiryOf(asked) };
  const take = async (when: Condition) => (await store.note({ verb: "put", key, row, when })) !== undefined;
  if (await take({ exists: false })) return "ours";
  const held = (await store.get<unknown>(key)) as ClaimRow | undefined;
  if (!held) return "busy";
  if (held.owner !== owner && held.owner !== from) return "theirs";
  const asRead = { equals: { owner: held.owner, attempt: held.attempt, claimedAtMs: held.claimedAtMs } };
  return (held.owner === from || mayGoOn(held, asked)) && (await take(asRead)) ? "ours" : "busy";
}

/** Gives a row back; without `attempt`, whichever attempt of the owner has it. What another one holds stays. One write unit. */
export async function release<K extends Key<unknown>>(
  store: Claimer<K>,
  key: K,
  { owner, attempt }: { owner: string; attempt?: string },
): Promise<void> {
  await store.note(remove(key, { equals: { owner, ...(attempt === undefined ? {} : { attempt }) } }));
}

/** `owner` is short: a row of one kilobyte, which is one write unit, has room for ten of twenty characters. */
type PlaceAt = { name: string; owner: string };

const attributeOf = ({ name, owner }: PlaceAt): string => `${name}_${owner}`;

/** The place of an owner in a row that was read. */
export const placeIn = (row: object | undefined, at: PlaceAt): Place | undefined =>
  (row as Record<string, Place> | undefined)?.[attributeOf(at)];

/**
 * Takes one of `limit` places in a row, which may hold other things, too. The row stands for `lifeMs` after its last place was taken.
 * "full" when there is none left, "busy" while another attempt of the owner is at work, "closed" when the row has the attribute
 * `closedBy`. A place that is settled comes back as it is. `beside`: what else the row begins with. One write unit where there is room.
 */
export async function claimPlace<K extends Key<unknown>>(
  store: Claimer<K>,
  key: K,
  asked: Asked & PlaceAt & Pick<Place, "value" | "settled"> & { limit: number; closedBy?: string; beside?: Record<string, unknown> },
): Promise<Place | "full" | "busy" | "closed"> {
  const { attempt, nowMs, name, limit, value, settled, closedBy, beside } = asked;
  const attribute = attributeOf(asked);
  const place: Place = {
    attempt,
    claimedAtMs: nowMs,
    ...(value === undefined ? {} : { value }),
    ...(settled ? { settled } : {}),
  };
  const take = async (taken: Place, add: Record<string, number>, when: Condition): Promise<Place | undefined> => {
    const change = { add, set: { [attribute]: taken, expiresAt: expiryOf(asked) }, setOnce: { ...beside } };
    return (await store.note({ verb: "update", key, change, when })) === undefined ? undefined : taken;
  };
  const open = closedBy === undefined ? [] : [closedBy];
  const taken = await take(place, { [name]: 1 }, { absent: [attribute, ...open], lessThanOrAbsent: { [name]: limit } });
  if (taken) return taken;
  const row = (await store.get<unknown>(key)) as Record<string, unknown> | undefined;
  if (closedBy !== undefined && row?.[closedBy] !== undefined) return "closed";
  const held = placeIn(row, asked);
  if (!held) return "full";
  if (held.settled || held.attempt === attempt) return held;
  if (!mayGoOn(held, asked)) return "busy";
  const inherited = { ...place, ...(held.value === undefined ? {} : { value: held.value }) };
  return (await take(inherited, {}, { equals: { [attribute]: held }, absent: open })) ?? "busy";
}

/** Gives a place back, if it is still as it was taken. One write unit. */
export async function releasePlace<K extends Key<unknown>>(store: Claimer<K>, key: K, at: PlaceAt, place: Place): Promise<void> {
  const attribute = attributeOf(at);
  const change = { add: { [at.name]: -1 }, remove: [attribute] };
  await store.note({ verb: "update", key, change, when: { equals: { [attribute]: place } } });
}

/** From now on every attempt of the owner finds that it was done, as long as the row stands. One write unit. */
export async function settlePlace<K extends Key<unknown>>(store: Claimer<K>, key: K, at: PlaceAt, place: Place): Promise<void> {
  const attribute = attributeOf(at);
  const change = { set: { [attribute]: { ...place, settled: true } } };
  await store.note({ verb: "update", key, change, when: { equals: { [attribute]: place } } });
}

/** Takes the lease of a row for `lifeMs`; the row after it, or undefined while another owner has it. One write unit. */
export const takeLease = <K extends Key<unknown>, Row extends Leased>(
  store: Claimer<K>,
  key: K & { row?: Row },
  { owner, nowMs, lifeMs, set, when }: Pick<Asked, "owner" | "nowMs" | "lifeMs"> & { set?: Record<string, unknown>; when?: Condition },
): Promise<Row | undefined> => {
  const change = { set: { ...set, leaseOwner: owner, leaseUntilMs: nowMs + lifeMs } };
  return store.note<Row>({ verb: "update", key, change, when: { ...when, lessThanOrAbsent: { leaseUntilMs: nowMs } } });
};

/** Ends one's own lease; what it guards is changed by the same write. A lease that another owner has by now stays. One write unit. */
export async function endLease<K extends Key<unknown>>(
  store: Claimer<K>,
  key: K,
  owner: string,
  set: Record<string, unknown> = {},
): Promise<void> {
  const change = { set, remove: ["leaseOwner", "leaseUntilMs"] };
  await store.note({ verb: "update", key, change, when: { equals: { leaseOwner: owner } } });
}

/**
 * Counts one more in each of the row's counters, or in none where one of them has reached its limit: then undefined. The window is the
 * row's: its key names it, and it is gone after `expiresAt`. One write unit.
 */
export const countWithin = <K extends Key<unknown>, Row extends { expiresAt: number }>(
  store: Claimer<K>,
  key: K & { row?: Row },
  { limits, set, expiresAt }: { limits: Record<string, number>; set?: Record<string, unknown>; expiresAt: number },
): Promise<Row | undefined> => {
  const add = Object.fromEntries(Object.keys(limits).map((name) => [name, 1]));
  return store.note<Row>({ verb: "update", key, change: { add, set: { ...set, expiresAt } }, when: { lessThanOrAbsent: limits } });
};
