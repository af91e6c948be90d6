import { DeleteItemCommand, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { newId } from "@vitaline/core";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { database, isDatabaseMissing, startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { claimed, givenBack, nothing, settled, users, type Answer, type State, type Taker, type User } from "./claims.fixture.ts";
import { claimPlace, countWithin, keys, update, type CallStateRow, type CountRow } from "./index.ts";
import type { Key } from "./keys.ts";
import { platformStore, type PlatformStore } from "./platform.ts";
import { table } from "./table.ts";

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const startMs = Date.UTC(2026, 10, 23, 12);

const crash = new Error("The process died here");
/** A handle whose process dies at its nth write: before it, or after it and before the answer is heard. */
const mortal = (store: PlatformStore, diesAt: number): PlatformStore => {
  let moment = 0;
  return {
    ...store,
    async note<Row>(write: Parameters<PlatformStore["note"]>[0]) {
      if (moment++ === diesAt) throw crash;
      const row = await store.note<Row>(write);
      if (moment++ === diesAt) throw crash;
      return row;
    },
  };
};

type Model = { nowMs: number; state: State };
/** `working`: who was told that it is theirs, and has not ended. */
type Real = { user: User; store: PlatformStore; key: Key<unknown>; clock: { nowMs: number }; working: (Taker & { sinceMs: number })[] };

const stands = async ({ user, store, key, clock }: Real): Promise<State> => {
  const state = user.read((await store.get(key)) as Record<string, unknown> | undefined);
  return state.untilMs > clock.nowMs ? state : nothing;
};
const alive = (model: Model): State => (model.state.untilMs > model.nowMs ? model.state : nothing);

/** Of those who were told so lately enough to be at work no two have the same, and no more than there are places. */
function expectAlone({ user, clock, working }: Real, taker: Taker): void {
  const others = working.filter(({ owner, attempt, sinceMs }) => {
    const isOver = attempt === taker.endedAttempt || clock.nowMs - sinceMs >= Math.min(user.lifeMs, user.staleAfterMs);
    return !isOver && owner !== taker.from && !(owner === taker.owner && attempt === taker.attempt);
  });
  expect(others.filter(({ owner }) => owner === taker.owner)).toEqual([]);
  expect(new Set(others.map(({ owner }) => owner)).size).toBeLessThan(user.limit);
}

type Step = fc.AsyncCommand<Model, Real>;
const step = (text: string, run: Step["run"]): Step => ({ check: () => true, run, toString: () => text });
const named = ({ owner, attempt, endedAttempt, from }: Taker) =>
  `${owner}/${attempt}${endedAttempt ? ` after ${endedAttempt}` : ""}${from ? ` from ${from}` : ""}`;

const heard = (real: Real, taker: Taker, answer: Answer): void => {
  if (answer !== "ours") return;
  expectAlone(real, taker);
  const { owner, attempt, from } = taker;
  const before = real.working.find((one) => one.owner === owner && one.attempt === attempt);
  const others = real.working.filter((one) => one.owner !== owner && one.owner !== from);
  real.working = [...others, before && real.user.again === "the same" ? before : { owner, attempt, sinceMs: real.clock.nowMs }];
};

const claiming = (taker: Taker): Step =>
  step(`claim ${named(taker)}`, async (model, real) => {
    const [state, expected] = claimed(real.user, model.state, taker, model.nowMs);
    const answer = await real.user.take(real.store, real.key, taker, model.nowMs);
    expect(answer).toBe(expected);
    heard(real, taker, answer);
    model.state = state;
    expect(await stands(real)).toEqual(alive(model));
  });

/** Attempts that begin at once, so none of them is at work yet. */
const claimingAtOnce = (all: readonly Taker[]): Step =>
  step(`claim at once ${all.map(named).join(", ")}`, async (model, real) => {
    const takers = all
      .map(({ owner, attempt }) => ({ owner, attempt }))
      .filter(({ owner, attempt }) => model.state.holders[owner]?.attempt !== attempt);
    const orders = takers.map((taker) => claimed(real.user, model.state, taker, model.nowMs));
    const answers = await Promise.all(takers.map((taker) => real.user.take(real.store, real.key, taker, model.nowMs)));
    for (const [index, taker] of takers.entries()) heard(real, taker, answers[index]!);
    const isFree = orders.some(([, answer]) => answer === "ours");
    if (isFree) expect(answers).toContain("ours");
    model.state = await stands(real);
    expect(Object.keys(model.state.holders).length).toBeLessThanOrEqual(real.user.limit);
    if (!isFree && !orders.some(([, answer]) => answer === "settled")) expect(answers).not.toContain("ours");
  });

const ending = (taker: Taker): Step =>
  step(`give back ${named(taker)}`, async (model, real) => {
    model.state = givenBack(real.user, model.state, taker, model.nowMs);
    await real.user.giveBack(real.store, real.key, taker);
    real.working = real.working.filter((one) => !(one.owner === taker.owner && one.attempt === taker.attempt));
    expect(await stands(real)).toEqual(alive(model));
  });

const settling = (taker: Taker): Step =>
  step(`settle ${named(taker)}`, async (model, real) => {
    if (!real.user.settle) return;
    model.state = settled(model.state, taker, model.nowMs);
    await real.user.settle(real.store, real.key, taker);
    expect(await stands(real)).toEqual(alive(model));
  });

/** What a process that dies leaves is as before it began, or as after it was done. */
const dying = (what: "claim" | "give back" | "settle", taker: Taker, diesAt: number): Step =>
  step(`die at ${diesAt} of ${what} ${named(taker)}`, async (model, real) => {
    const { user, key } = real;
    const store = mortal(real.store, diesAt);
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
    const now = await stands(real);
    expect([alive(model), alive({ ...model, state: after })]).toContainEqual(now);
    real.working = real.working.filter(({ owner }) => owner in now.holders || (owner !== taker.owner && owner !== taker.from));
    model.state = now;
  });

const waiting = (ms: number): Step =>
  step(`wait ${ms / 1000} s`, async (model, real) => {
    model.nowMs += ms;
    real.clock.nowMs = model.nowMs;
    expect(await stands(real)).toEqual(alive(model));
  });

/** TTL comes at last, up to days late. */
const deleting = (): Step =>
  step("delete what has expired", async (model, { store, key, clock }) => {
    const { pk, sk } = key.scope === "tenant" ? key.at(tenantOf.get(store) ?? "") : key.at;
    const at = { TableName: table().name, Key: { pk: { S: pk }, sk: { S: sk } } };
    const { Item } = await table().client.send(new GetItemCommand(at));
    if (Item && Number(Item["expiresAt"]?.N ?? Infinity) * 1000 <= clock.nowMs) await table().client.send(new DeleteItemCommand(at));
    expect(model.nowMs).toBe(clock.nowMs);
  });
const tenantOf = new WeakMap<PlatformStore, string>();

const owners = ["a", "b", "c", "d"];
const taker = (user: User): fc.Arbitrary<Taker> =>
  fc
    .record({
      owner: fc.constantFrom(...owners),
      attempt: fc.constantFrom("1", "2", "3"),
      endedAttempt: fc.option(fc.constantFrom("1", "2"), { nil: undefined, freq: 4 }),
      from: fc.option(fc.constantFrom(...owners), { nil: undefined, freq: 5 }),
    })
    .map(({ owner, attempt, endedAttempt, from }) => {
      if (user.isShared) return { owner, attempt: owner };
      const own = { owner, attempt, endedAttempt: endedAttempt === attempt ? undefined : endedAttempt };
      return user.again === "renewed" && from !== owner ? { ...own, from } : own;
    });

const commandsOf = (user: User) => {
  const one = taker(user);
  return fc.commands(
    [
      one.map(claiming),
      one.map(claiming),
      fc.uniqueArray(one, { minLength: 2, maxLength: 4, selector: ({ owner, attempt }) => `${owner}/${attempt}` }).map(claimingAtOnce),
      one.map(ending),
      one.map(settling),
      fc.tuple(fc.constantFrom("claim" as const, "give back" as const, "settle" as const), one, fc.nat(3)).map((of) => dying(...of)),
      fc
        .constantFrom(0, secondMs, 12 * secondMs, 29 * secondMs, 31 * secondMs, 61 * secondMs, 121 * secondMs, 5 * hourMs, 72 * hourMs)
        .map(waiting),
      fc.constant(deleting()),
    ],
    { maxCommands: 30, size: "max" },
  );
};

describe.skipIf(isDatabaseMissing)(`claims, on ${database}`, () => {
  let it: TestAws;
  beforeAll(async () => {
    it = await startTestAws();
  }, 90_000);
  afterAll(() => it.close());

  const storeAt = (clock: { nowMs: number }, tenantId: string = newId()): PlatformStore => {
    const store = platformStore({ ...it.platform(), clock: () => new Date(clock.nowMs) }, tenantId);
    tenantOf.set(store, tenantId);
    return store;
  };
  const numRuns = process.env["FULL"] ? 500 : 25;

  describe.each(users)("of $name", (user) => {
    test("are held by no more than may, end by themselves, and are whole wherever a process dies", async () => {
      await fc.assert(
        fc.asyncProperty(commandsOf(user), async (commands) => {
          const clock = { nowMs: startMs };
          const [store, other] = [storeAt(clock), storeAt(clock)];
          const key = user.key(newId());
          await fc.asyncModelRun(
            () => ({ model: { nowMs: startMs, state: nothing }, real: { user, store, key, clock, working: [] } }),
            commands,
          );
          expect(await other.get(key)).toEqual(key.scope === "tenant" ? undefined : await store.get(key));
        }),
        { numRuns },
      );
    }, 600_000);
  });

  test("of a place in a row that was closed are refused, also to an owner who has one, and the row keeps what else it holds", async () => {
    const clock = { nowMs: startMs };
    const store = storeAt(clock);
    const key = keys.callState("c");
    const asked = { name: "newPatient", limit: 1, nowMs: startMs, lifeMs: hourMs, staleAfterMs: 0, closedBy: "closedAt" };
    const by = (owner: string, attempt: string, value: string) => claimPlace(store, key, { ...asked, owner, attempt, value });
    expect(await by("a", "1", "first")).toMatchObject({ attempt: "1", value: "first" });
    expect(await by("a", "2", "second")).toMatchObject({ attempt: "2", value: "first" });
    await store.note(update<CallStateRow>(key, { set: { closedAt: "2026-11-23T12:00:00.000Z", level: 1 } }));
    expect([await by("a", "3", "third"), await by("b", "1", "other")]).toEqual(["closed", "closed"]);
    expect(await store.get(key)).toMatchObject({ level: 1, newPatient: 1, newPatient_a: { attempt: "2", value: "first" } });
  });

  test("in a window are counted up to each of their limits, also at once, and the next window begins at nothing", async () => {
    const limits = { count: 5, mine: 3 };
    const tries = fc.array(fc.record({ afterMs: fc.constantFrom(0, minuteMs, hourMs, 72 * hourMs), mine: fc.nat(5), others: fc.nat(5) }), {
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(tries, async (all) => {
        const clock = { nowMs: startMs };
        const store = storeAt(clock);
        let counted = { window: 0, count: 0, mine: 0 };
        for (const { afterMs, mine, others } of all) {
          clock.nowMs += afterMs;
          // One window's row after another's, in the same place
          const window = Math.floor(clock.nowMs / hourMs);
          if (counted.window !== window) counted = { window, count: 0, mine: 0 };
          const one = { expiresAt: ((window + 1) * hourMs) / 1000 };
          const key = keys.attempts("leads", "s", "hour");
          const goMine = await Promise.all(Array.from({ length: mine }, () => countWithin(store, key, { ...one, limits })));
          const goOthers = await Promise.all(
            Array.from({ length: others }, () => countWithin(store, key, { ...one, limits: { count: limits.count } })),
          );
          const letIn = (rows: (CountRow | undefined)[]) => rows.filter((row) => row !== undefined).length;
          const expectedMine = Math.min(mine, limits.mine - counted.mine, limits.count - counted.count);
          const expectedOthers = Math.min(others, limits.count - counted.count - expectedMine);
          expect([letIn(goMine), letIn(goOthers)]).toEqual([expectedMine, expectedOthers]);
          counted = { window, count: counted.count + expectedMine + expectedOthers, mine: counted.mine + expectedMine };
        }
      }),
      { numRuns },
    );
  }, 600_000);
});
