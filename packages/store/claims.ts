import type { ClaimRow, Key, Leased, Place } from "./entities/entity.ts";
import type { Store } from "./verbs/store.ts";
import { remove, type Condition } from "./verbs/write.ts";

/**
 * Claims for work that must happen once, in four forms by where the claim is written: a row of its own (`claim`), one of several
 * places in a row (`claimPlace`), a lease in the row that it protects (`takeLease`), and a count in a window of time
 * (`countWithin`).
 *
 * A claim belongs to an owner (a request, a call); one attempt of the owner (an HTTP request) is active at a time. It ends by
 * release or expiry. Times are epoch milliseconds, `expiresAt` is epoch seconds.
 */

/** The longest possible attempt: an older one has died. */
export const abandonedAfterMs = 30_000;

type Claimer<K extends Key<unknown>> = Pick<Store<K>, "get" | "writeUnaudited">;

type ClaimRequest = {
  owner: string;
  attempt: string;
  nowMs: number;
  /** Lifetime unless released. */
  lifeMs: number;
  /** After this time another attempt of the same owner may take over. */
  staleAfterMs: number;
  /** An attempt of the same owner that has ended. */
  endedAttempt?: string | undefined;
};

const mayTakeOver = ({ attempt, claimedAtMs }: Pick<Place, "attempt" | "claimedAtMs">, request: ClaimRequest): boolean =>
  attempt === request.attempt || attempt === request.endedAttempt || request.nowMs - claimedAtMs >= request.staleAfterMs;
const expiryOf = ({ nowMs, lifeMs }: ClaimRequest): number => Math.ceil((nowMs + lifeMs) / 1000);

/**
 * Claims a row for one attempt of an owner. "theirs" while another owner has it; "busy" while another attempt of the same owner is
 * active, or when it was released concurrently. `from`: an owner that hands over to this one. One write unit if it is free.
 */
export async function claim<K extends Key<unknown>>(
  store: Claimer<K>,
  key: K,
  request: ClaimRequest & { from?: string | undefined },
): Promise<"ours" | "busy" | "theirs"> {
  const { owner, attempt, nowMs, from } = request;
  const row: ClaimRow = { owner, attempt, claimedAtMs: nowMs, expiresAt: expiryOf(request) };
  const take = async (when: Condition) => (await store.writeUnaudited({ verb: "put", key, row, when })) !== undefined;
  if (await take({ exists: false })) return "ours";
  const held = (await store.get<unknown>(key)) as ClaimRow | undefined;
  if (!held) return "busy";
  if (held.owner !== owner && held.owner !== from) return "theirs";
  const asRead = { equals: { owner: held.owner, attempt: held.attempt, claimedAtMs: held.claimedAtMs } };
  return (held.owner === from || mayTakeOver(held, request)) && (await take(asRead)) ? "ours" : "busy";
}

/** Releases a claim of the owner; with `attempt`, only if that attempt has it. One write unit. */
export async function release<K extends Key<unknown>>(
  store: Claimer<K>,
  key: K,
  { owner, attempt }: { owner: string; attempt?: string },
): Promise<void> {
  await store.writeUnaudited(remove(key, { equals: { owner, ...(attempt === undefined ? {} : { attempt }) } }));
}

/** `owner` is short: a row of one kilobyte, which is one write unit, has room for ten owners of twenty characters. */
type PlaceAt = { name: string; owner: string };

const attributeOf = ({ name, owner }: PlaceAt): string => `${name}_${owner}`;

export const placeIn = (row: object | undefined, at: PlaceAt): Place | undefined =>
  (row as Record<string, Place> | undefined)?.[attributeOf(at)];

/**
 * Claims one of `limit` places in a row that may have other attributes. The row expires `lifeMs` after its last claim. "full" when
 * no place is left; "busy" while another attempt of the owner is active; "closed" when the row has the attribute `closedBy`. A
 * settled place is returned unchanged. `beside`: attributes of a new row. One write unit if a place is free.
 */
export async function claimPlace<K extends Key<unknown>>(
  store: Claimer<K>,
  key: K,
  request: ClaimRequest &
    PlaceAt &
    Pick<Place, "value" | "settled"> & { limit: number; closedBy?: string; beside?: Record<string, unknown> },
): Promise<Place | "full" | "busy" | "closed"> {
  const { attempt, nowMs, name, limit, value, settled, closedBy, beside } = request;
  const attribute = attributeOf(request);
  const place: Place = {
    attempt,
    claimedAtMs: nowMs,
    ...(value === undefined ? {} : { value }),
    ...(settled ? { settled } : {}),
  };
  const take = async (taken: Place, add: Record<string, number>, when: Condition): Promise<Place | undefined> => {
    const change = { add, set: { [attribute]: taken, expiresAt: expiryOf(request) }, setOnce: { ...beside } };
    return (await store.writeUnaudited({ verb: "update", key, change, when })) === undefined ? undefined : taken;
  };
  const open = closedBy === undefined ? [] : [closedBy];
  const taken = await take(place, { [name]: 1 }, { absent: [attribute, ...open], lessThanOrAbsent: { [name]: limit } });
  if (taken) return taken;
  const row = (await store.get<unknown>(key)) as Record<string, unknown> | undefined;
  if (closedBy !== undefined && row?.[closedBy] !== undefined) return "closed";
  const held = placeIn(row, request);
  if (!held) return "full";
  if (held.settled || held.attempt === attempt) return held;
  if (!mayTakeOver(held, request)) return "busy";
  const inherited = { ...place, ...(held.value === undefined ? {} : { value: held.value }) };
  return (await take(inherited, {}, { equals: { [attribute]: held }, absent: open })) ?? "busy";
}

/** Releases a place if it is unchanged. One write unit. */
export async function releasePlace<K extends Key<unknown>>(store: Claimer<K>, key: K, at: PlaceAt, place: Place): Promise<void> {
  const attribute = attributeOf(at);
  const change = { add: { [at.name]: -1 }, remove: [attribute] };
  await store.writeUnaudited({ verb: "update", key, change, when: { equals: { [attribute]: place } } });
}

/** Marks a place as done for all later attempts of the owner. One write unit. */
export async function settlePlace<K extends Key<unknown>>(store: Claimer<K>, key: K, at: PlaceAt, place: Place): Promise<void> {
  const attribute = attributeOf(at);
  const change = { set: { [attribute]: { ...place, settled: true } } };
  await store.writeUnaudited({ verb: "update", key, change, when: { equals: { [attribute]: place } } });
}

/** Takes the lease of a row for `lifeMs`; returns the row, or undefined while another owner has it. One write unit. */
export const takeLease = <K extends Key<unknown>, Row extends Leased>(
  store: Claimer<K>,
  key: K & { row?: Row },
  {
    owner,
    nowMs,
    lifeMs,
    set,
    when,
  }: Pick<ClaimRequest, "owner" | "nowMs" | "lifeMs"> & { set?: Record<string, unknown>; when?: Condition },
): Promise<Row | undefined> => {
  const change = { set: { ...set, leaseOwner: owner, leaseUntilMs: nowMs + lifeMs } };
  return store.writeUnaudited<Row>({ verb: "update", key, change, when: { ...when, lessThanOrAbsent: { leaseUntilMs: nowMs } } });
};

/** Ends the owner's lease and sets attributes in the same write; no change if another owner has it. One write unit. */
export async function endLease<K extends Key<unknown>>(
  store: Claimer<K>,
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
export const countWithin = <K extends Key<unknown>, Row extends { expiresAt: number }>(
  store: Claimer<K>,
  key: K & { row?: Row },
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
