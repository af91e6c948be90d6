import { claim, claimPlace, endLease, keys, placeIn, release, releasePlace, settlePlace, takeLease } from "./index.ts";
import type { ClaimRow, LeasedRow, Place } from "./index.ts";
import type { Key } from "./keys.ts";
import type { PlatformStore } from "./platform.ts";

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

export type Taker = { owner: string; attempt: string; endedAttempt?: string | undefined; from?: string | undefined };
export type Answer = "ours" | "busy" | "no" | "settled";
type Holder = { attempt: string; claimedAtMs: number; settled?: true };
/** What stands, in the words of the protocol: who holds what, and until when. */
export type State = { untilMs: number; holders: Record<string, Holder> };
export const nothing: State = { untilMs: 0, holders: {} };

/** How one user of the protocol takes, ends and reads its claims. */
export type User = {
  name: string;
  limit: number;
  lifeMs: number;
  staleAfterMs: number;
  /** What the attempt that holds it gets when it asks again. */
  again: "renewed" | "the same" | "refused";
  /** All attempts of an owner are one. */
  isShared?: true;
  isSettledAtOnce?: true;
  key: (id: string) => Key<unknown>;
  take(store: PlatformStore, key: Key<unknown>, taker: Taker, nowMs: number): Promise<Answer>;
  giveBack(store: PlatformStore, key: Key<unknown>, taker: Taker): Promise<unknown>;
  settle?(store: PlatformStore, key: Key<unknown>, taker: Taker): Promise<unknown>;
  read(row: Record<string, unknown> | undefined): State;
};

const wholeRow = (
  name: string,
  key: User["key"],
  { lifeMs, staleAfterMs, isShared }: Pick<User, "lifeMs" | "staleAfterMs" | "isShared">,
): User => ({
  ...{ name, key, limit: 1, lifeMs, staleAfterMs, again: "renewed", ...(isShared ? { isShared } : {}) },
  async take(store, at, taker, nowMs) {
    const answer = await claim(store, at, { ...taker, nowMs, lifeMs, staleAfterMs });
    return answer === "theirs" ? "no" : answer;
  },
  giveBack: (store, at, { owner, attempt }) => release(store, at, { owner, attempt }),
  read(row) {
    if (!row) return nothing;
    const { owner, attempt, claimedAtMs, expiresAt } = row as ClaimRow;
    return { untilMs: expiresAt * 1000, holders: { [owner]: { attempt, claimedAtMs } } };
  },
});

const places = (
  name: string,
  key: User["key"],
  asked: Pick<User, "limit" | "lifeMs" | "staleAfterMs" | "isSettledAtOnce"> & { closedBy?: string; beside?: Record<string, unknown> },
): User => {
  const { isSettledAtOnce, ...limits } = asked;
  const held = async (store: PlatformStore, at: Key<unknown>, { owner, attempt }: Taker): Promise<Place | undefined> => {
    const place = placeIn((await store.get(at)) as object | undefined, { name: "place", owner });
    return place?.attempt === attempt ? place : undefined;
  };
  return {
    ...{ name, key, again: "the same", ...asked },
    async take(store, at, taker, nowMs) {
      const settled = isSettledAtOnce ? { settled: true as const } : {};
      const place = await claimPlace(store, at, { ...taker, ...limits, ...settled, name: "place", nowMs, value: taker.attempt });
      if (typeof place === "string") return place === "busy" ? "busy" : "no";
      return place.settled ? "settled" : "ours";
    },
    async giveBack(store, at, taker) {
      const place = await held(store, at, taker);
      if (place && !place.settled) await releasePlace(store, at, { name: "place", owner: taker.owner }, place);
    },
    async settle(store, at, taker) {
      const place = await held(store, at, taker);
      if (place) await settlePlace(store, at, { name: "place", owner: taker.owner }, place);
    },
    read(row) {
      const holders = Object.entries(row ?? {}).flatMap(([attribute, place]) => {
        if (!attribute.startsWith("place_")) return [];
        const { value: _value, ...holder } = place as Place;
        return [[attribute.slice("place_".length), holder] as const];
      });
      const count = row?.["place"] ?? 0;
      if (count !== holders.length) throw new Error(`${String(count)} places are counted, and ${holders.length} are taken`);
      return { untilMs: row ? (row["expiresAt"] as number) * 1000 : 0, holders: Object.fromEntries(holders) };
    },
  };
};

const lease = (name: string, key: User["key"], lifeMs: number): User => ({
  ...{ name, key, limit: 1, lifeMs, staleAfterMs: Infinity, again: "refused", isShared: true },
  async take(store, at, { owner }, nowMs) {
    const set = { expiresAt: Math.floor(nowMs / 1000) + 86_400 };
    return (await takeLease(store, at as Key<LeasedRow>, { owner, nowMs, lifeMs, set })) ? "ours" : "no";
  },
  giveBack: (store, at, { owner }) => endLease(store, at, owner, { stated: owner }),
  read(row) {
    const { leaseOwner, leaseUntilMs = 0 } = (row ?? {}) as LeasedRow;
    if (leaseOwner === undefined) return nothing;
    return { untilMs: leaseUntilMs + 1, holders: { [leaseOwner]: { attempt: leaseOwner, claimedAtMs: leaseUntilMs - lifeMs } } };
  },
});

const dayMs = 24 * hourMs;
const stale = 30 * secondMs;
export const users: User[] = [
  wholeRow("the slot of a booking", (id) => keys.slotLock(id, "slot"), { lifeMs: 2 * minuteMs, staleAfterMs: stale }),
  wholeRow("the slot that is kept for a call", (id) => keys.slotLock(id, "slot"), { lifeMs: minuteMs, staleAfterMs: 0, isShared: true }),
  wholeRow("a person who is being registered", keys.personLock, { lifeMs: minuteMs, staleAfterMs: 0, isShared: true }),
  places("the new patient of a call", keys.callState, {
    ...{ limit: 1, lifeMs: 4 * hourMs, staleAfterMs: stale },
    ...{ closedBy: "closedAt", beside: { level: 0 } },
  }),
  places("the messages of a call to staff", (id) => keys.callRequests(id, "communications"), {
    ...{ limit: 3, lifeMs: dayMs, staleAfterMs: stale },
  }),
  places("the leads of a call", keys.leadsOfCall, { limit: 3, lifeMs: dayMs, staleAfterMs: 0, isSettledAtOnce: true }),
  lease("the token of an EHR", (id) => keys.fhirToken(id, ""), 11 * secondMs),
  lease("the deliveries of a tenant", () => keys.webhookTenant(), minuteMs),
];

/** What the protocol says: the state after a claim, and its answer. */
export function claimed(user: User, before: State, { owner, attempt, endedAttempt, from }: Taker, nowMs: number): [State, Answer] {
  const state = before.untilMs > nowMs ? before : nothing;
  const end = nowMs + user.lifeMs;
  const untilMs = user.again === "refused" ? end + 1 : Math.ceil(end / 1000) * 1000;
  const { [from ?? ""]: handedOver, ...others } = state.holders;
  const holders = user.limit === 1 && user.again === "renewed" && handedOver ? others : state.holders;
  const settled = user.isSettledAtOnce ? { settled: true as const } : {};
  const taken: State = { untilMs, holders: { ...holders, [owner]: { attempt, claimedAtMs: nowMs, ...settled } } };
  const held = holders[owner];
  if (!held) return Object.keys(holders).length < user.limit ? [taken, user.isSettledAtOnce ? "settled" : "ours"] : [state, "no"];
  if (user.again === "refused") return [state, "no"];
  if (held.settled) return [state, "settled"];
  if (held.attempt === attempt) return user.again === "renewed" ? [taken, "ours"] : [state, "ours"];
  return held.attempt === endedAttempt || nowMs - held.claimedAtMs >= user.staleAfterMs ? [taken, "ours"] : [state, "busy"];
}

export function givenBack(user: User, before: State, { owner, attempt }: Taker, nowMs: number): State {
  const { [owner]: held, ...holders } = before.holders;
  if (before.untilMs <= nowMs && user.again !== "refused") return before;
  return held?.attempt !== attempt || held.settled
    ? before
    : user.limit === 1 && user.again !== "the same"
      ? nothing
      : { ...before, holders };
}

export function settled(before: State, { owner, attempt }: Taker, nowMs: number): State {
  const held = before.holders[owner];
  if (before.untilMs <= nowMs || held?.attempt !== attempt) return before;
  return { ...before, holders: { ...before.holders, [owner]: { ...held, settled: true } } };
}
