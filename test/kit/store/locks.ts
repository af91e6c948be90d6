import { DeleteItemCommand, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { newId } from "@vitaline/core";
import fc from "fast-check";
import { expect } from "vitest";
import type { TestAws } from "../aws.ts";
import type { Key } from "@vitaline/store/keys.ts";
import { platformStore, type PlatformStore } from "@vitaline/store/platform.ts";
import { table } from "../../../packages/store/verbs/table.ts";

const secondMs = 1000;
const hourMs = 3_600_000;
export const startMs = Date.UTC(2026, 10, 23, 12);

export type Taker = { owner: string; attempt: string; endedAttemptId?: string | undefined; handedOverBy?: string | undefined };
export type Answer = "acquired" | "busy" | "no" | "settled";
type Holder = { attempt: string; lockedAtMs: number; settled?: true };
/** The protocol's state: holders and expiry. */
export type State = { untilMs: number; holders: Record<string, Holder> };
export const nothing: State = { untilMs: 0, holders: {} };

export type User = {
  name: string;
  limit: number;
  lifeMs: number;
  staleAfterMs: number;
  /** The answer to a second claim by the same attempt. */
  again: "renewed" | "the same" | "busy" | "refused";
  isShared?: true;
  isOwnersOwn?: true;
  isSettledAtOnce?: true;
  key: (id: string) => Key<unknown>;
  take(store: PlatformStore, key: Key<unknown>, taker: Taker, nowMs: number): Promise<Answer>;
  giveBack(store: PlatformStore, key: Key<unknown>, taker: Taker): Promise<unknown>;
  settle?(store: PlatformStore, key: Key<unknown>, taker: Taker): Promise<unknown>;
  read(row: Record<string, unknown> | undefined): State;
};

/** The model: state and answer after a claim. */
function claimed(user: User, before: State, { owner, attempt, endedAttemptId, handedOverBy }: Taker, nowMs: number): [State, Answer] {
  const state = before.untilMs > nowMs ? before : nothing;
  const end = nowMs + user.lifeMs;
  const untilMs = user.again === "refused" ? end + 1 : Math.ceil(end / 1000) * 1000;
  const { [handedOverBy ?? ""]: handedOver, ...others } = state.holders;
  const holders = user.limit === 1 && user.again === "renewed" && handedOver ? others : state.holders;
  const settled = user.isSettledAtOnce ? { settled: true as const } : {};
  const taken: State = { untilMs, holders: { ...holders, [owner]: { attempt, lockedAtMs: nowMs, ...settled } } };
  const held = holders[owner];
  if (!held) return Object.keys(holders).length < user.limit ? [taken, user.isSettledAtOnce ? "settled" : "acquired"] : [state, "no"];
  if (user.again === "refused") return [state, "no"];
  if (held.settled) return [state, "settled"];
  if (held.attempt === attempt && user.again !== "busy") return user.again === "renewed" ? [taken, "acquired"] : [state, "acquired"];
  return held.attempt === endedAttemptId || nowMs - held.lockedAtMs >= user.staleAfterMs ? [taken, "acquired"] : [state, "busy"];
}

function givenBack(user: User, before: State, { owner, attempt }: Taker, nowMs: number): State {
  const { [owner]: held, ...holders } = before.holders;
  if (before.untilMs <= nowMs && user.again !== "refused") return before;
  return held?.attempt !== attempt || held.settled
    ? before
    : user.limit === 1 && user.again !== "the same"
      ? nothing
      : { ...before, holders };
}

function settled(before: State, { owner, attempt }: Taker, nowMs: number): State {
  const held = before.holders[owner];
  if (before.untilMs <= nowMs || held?.attempt !== attempt) return before;
  return { ...before, holders: { ...before.holders, [owner]: { ...held, settled: true } } };
}

const crash = new Error("The process died here");
/** A store whose process dies at its nth write, before the write or after it without an answer. */
const dyingStore = (store: PlatformStore, diesAt: number): PlatformStore => {
  let moment = 0;
  return {
    ...store,
    async writeUnaudited<Row>(write: Parameters<PlatformStore["writeUnaudited"]>[0]) {
      if (moment++ === diesAt) throw crash;
      const row = await store.writeUnaudited<Row>(write);
      if (moment++ === diesAt) throw crash;
      return row;
    },
  };
};

type Model = { nowMs: number; state: State };
type Real = { user: User; store: PlatformStore; key: Key<unknown>; clock: { nowMs: number }; working: (Taker & { sinceMs: number })[] };

const readState = async ({ user, store, key, clock }: Real): Promise<State> => {
  const state = user.read((await store.get(key)) as Record<string, unknown> | undefined);
  return state.untilMs > clock.nowMs ? state : nothing;
};
const alive = (model: Model): State => (model.state.untilMs > model.nowMs ? model.state : nothing);

/** Holders within the stale limit are distinct and at most the number of places. */
function expectExclusive({ user, clock, working }: Real, taker: Taker): void {
  const others = working.filter(({ owner, attempt, sinceMs }) => {
    const isOver = attempt === taker.endedAttemptId || clock.nowMs - sinceMs >= Math.min(user.lifeMs, user.staleAfterMs);
    return !isOver && owner !== taker.handedOverBy && !(owner === taker.owner && attempt === taker.attempt);
  });
  expect(others.filter(({ owner }) => owner === taker.owner)).toEqual([]);
  expect(new Set(others.map(({ owner }) => owner)).size).toBeLessThan(user.limit);
}

type Step = fc.AsyncCommand<Model, Real>;
const step = (text: string, run: Step["run"]): Step => ({ check: () => true, run, toString: () => text });
const named = ({ owner, attempt, endedAttemptId, handedOverBy }: Taker) =>
  `${owner}/${attempt}${endedAttemptId ? ` after ${endedAttemptId}` : ""}${handedOverBy ? ` from ${handedOverBy}` : ""}`;

const heard = (real: Real, taker: Taker, answer: Answer, sinceMs: number): void => {
  if (answer !== "acquired") return;
  expectExclusive(real, taker);
  const { owner, attempt, handedOverBy } = taker;
  const others = real.working.filter((one) => one.owner !== owner && one.owner !== handedOverBy);
  real.working = [...others, { owner, attempt, sinceMs }];
};

const claiming = (taker: Taker): Step =>
  step(`claim ${named(taker)}`, async (model, real) => {
    const [state, expected] = claimed(real.user, model.state, taker, model.nowMs);
    const answer = await real.user.take(real.store, real.key, taker, model.nowMs);
    expect(answer).toBe(expected);
    heard(real, taker, answer, state.holders[taker.owner]?.lockedAtMs ?? model.nowMs);
    model.state = state;
    expect(await readState(real)).toEqual(alive(model));
  });

const claimingAtOnce = (all: readonly Taker[]): Step =>
  step(`claim at once ${all.map(named).join(", ")}`, async (model, real) => {
    const takers = all
      .map(({ owner, attempt }) => ({ owner, attempt }))
      .filter(({ owner, attempt }) => model.state.holders[owner]?.attempt !== attempt);
    const orders = takers.map((taker) => claimed(real.user, model.state, taker, model.nowMs));
    const answers = await Promise.all(takers.map((taker) => real.user.take(real.store, real.key, taker, model.nowMs)));
    for (const [index, taker] of takers.entries()) heard(real, taker, answers[index]!, model.nowMs);
    const isFree = orders.some(([, answer]) => answer === "acquired");
    if (isFree) expect(answers).toContain("acquired");
    model.state = await readState(real);
    expect(Object.keys(model.state.holders).length).toBeLessThanOrEqual(real.user.limit);
    if (!isFree && !orders.some(([, answer]) => answer === "settled")) expect(answers).not.toContain("acquired");
  });

const ending = (taker: Taker): Step =>
  step(`give back ${named(taker)}`, async (model, real) => {
    model.state = givenBack(real.user, model.state, taker, model.nowMs);
    await real.user.giveBack(real.store, real.key, taker);
    real.working = real.working.filter((one) => !(one.owner === taker.owner && one.attempt === taker.attempt));
    expect(await readState(real)).toEqual(alive(model));
  });

const settling = (taker: Taker): Step =>
  step(`settle ${named(taker)}`, async (model, real) => {
    if (!real.user.settle) return;
    model.state = settled(model.state, taker, model.nowMs);
    await real.user.settle(real.store, real.key, taker);
    expect(await readState(real)).toEqual(alive(model));
  });

/** A claim of a dying process happened fully or not at all. */
const dying = (what: "claim" | "give back" | "settle", taker: Taker, diesAt: number): Step =>
  step(`die at ${diesAt} of ${what} ${named(taker)}`, async (model, real) => {
    const { user, key } = real;
    const store = dyingStore(real.store, diesAt);
    const after = {
      claim: claimed(user, model.state, taker, model.nowMs)[0],
      "give back": givenBack(user, model.state, taker, model.nowMs),
      settle: user.settle ? settled(model.state, taker, model.nowMs) : model.state,
    }[what];
    const work =
      what === "claim"
        ? user.take(store, key, taker, model.nowMs)
        : what === "settle"
          ? user.settle?.(store, key, taker)
          : user.giveBack(store, key, taker);
    await Promise.resolve(work).catch((error: unknown) => expect(error).toBe(crash));
    const now = await readState(real);
    expect([alive(model), alive({ ...model, state: after })]).toContainEqual(now);
    const isReplaced = ({ owner, attempt }: Taker) =>
      (owner === taker.owner || owner === taker.handedOverBy) && now.holders[owner]?.attempt !== attempt;
    real.working = real.working.filter((one) => !isReplaced(one));
    model.state = now;
  });

const waiting = (ms: number): Step =>
  step(`wait ${ms / 1000} s`, async (model, real) => {
    model.nowMs += ms;
    real.clock.nowMs = model.nowMs;
    expect(await readState(real)).toEqual(alive(model));
  });

/** TTL deletes rows up to days late. */
const deleting = (): Step =>
  step("delete what has expired", async (model, { store, key, clock }) => {
    const { pk, sk } = key.scope === "tenant" ? key.primaryKeyIn(tenantOf.get(store) ?? "") : key.primaryKey;
    const at = { TableName: table().name, Key: { pk: { S: pk }, sk: { S: sk } } };
    const { Item } = await table().client.send(new GetItemCommand(at));
    if (Item && Number(Item["expiresAt"]?.N ?? Infinity) * 1000 <= clock.nowMs) await table().client.send(new DeleteItemCommand(at));
    expect(model.nowMs).toBe(clock.nowMs);
  });
const tenantOf = new WeakMap<PlatformStore, string>();

const owners = ["a", "b", "c", "d"];
const attempts = fc.constantFrom("1", "2", "3");
const takerOf = (user: User): fc.Arbitrary<Taker> =>
  fc
    .record({
      owner: fc.constantFrom(...owners),
      attempt: attempts,
      endedAttemptId: fc.option(attempts, { nil: undefined, freq: 4 }),
      handedOverBy: fc.option(fc.constantFrom(...owners), { nil: undefined, freq: 5 }),
    })
    .map(({ owner, ...one }) => {
      if (user.isShared) return { owner, attempt: owner };
      if (user.isOwnersOwn) return { owner: "a", attempt: one.attempt };
      const own = {
        owner,
        attempt: one.attempt,
        endedAttemptId: one.endedAttemptId === one.attempt ? undefined : one.endedAttemptId,
      };
      return user.again === "renewed" && one.handedOverBy !== owner ? { ...own, handedOverBy: one.handedOverBy } : own;
    });
const takersOf = (user: User): fc.Arbitrary<Taker[]> => {
  const mixed = fc.uniqueArray(takerOf(user), { minLength: 2, maxLength: 4, selector: (one) => `${one.owner}/${one.attempt}` });
  const ofOne = takerOf(user).map(({ owner }) => ["1", "2", "3"].map((each) => ({ owner, attempt: each })));
  return user.isShared ? mixed : fc.oneof(mixed, ofOne);
};
/** Just before and after each limit, and late enough for TTL. */
const waitsOf = ({ staleAfterMs, lifeMs }: User): fc.Arbitrary<number> => {
  const ends = [staleAfterMs, lifeMs].filter((ms) => ms > 0 && ms < Infinity).flatMap((ms) => [ms - secondMs, ms + secondMs]);
  return fc.constantFrom(0, secondMs, ...ends, 5 * hourMs, 72 * hourMs);
};

const commandsOf = (user: User) => {
  const one = takerOf(user);
  return fc.commands(
    [
      one.map(claiming),
      one.map(claiming),
      takersOf(user).map(claimingAtOnce),
      takersOf(user).map(claimingAtOnce),
      one.map(ending),
      one.map(settling),
      fc.tuple(fc.constantFrom("claim" as const, "give back" as const, "settle" as const), one, fc.nat(3)).map((of) => dying(...of)),
      waitsOf(user).map(waiting),
      waitsOf(user).map(waiting),
      fc.constant(deleting()),
    ],
    { maxCommands: 30, size: "max" },
  );
};

export const storeAt = (it: TestAws, clock: { nowMs: number }): PlatformStore => {
  const tenantId = newId();
  const store = platformStore({ ...it.platform(), clock: () => new Date(clock.nowMs) }, tenantId);
  tenantOf.set(store, tenantId);
  return store;
};

/** Compares random operations with the model `claimed`. */
export const expectProtocol = (it: TestAws, user: User, numRuns: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(commandsOf(user), async (commands) => {
      const clock = { nowMs: startMs };
      const [store, other] = [storeAt(it, clock), storeAt(it, clock)];
      const key = user.key(newId());
      await fc.asyncModelRun(
        () => ({ model: { nowMs: startMs, state: nothing }, real: { user, store, key, clock, working: [] } }),
        commands,
      );
      expect(await other.get(key)).toEqual(key.scope === "tenant" ? undefined : await store.get(key));
    }),
    { numRuns },
  );
