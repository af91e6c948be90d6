import { afterAll, beforeAll, describe, expect, test } from "vitest";
import fc from "fast-check";
import { database, isDatabaseMissing, startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { expectProtocol, nothing, startMs, storeAt, type Taker, type User } from "../../test/kit/store/locks.ts";
import {
  acquireLock,
  takeQuotaUnit,
  countWithin,
  endLease,
  keys,
  quotaUnitIn,
  releaseLock,
  returnQuotaUnit,
  confirmQuotaUnit,
  takeLease,
  update,
  type CallStateRow,
  type LockRow,
  type CountRow,
  type LeasedRow,
  type QuotaUnit,
} from "./index.ts";
import type { Key } from "./keys.ts";
import type { PlatformStore } from "./platform.ts";

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

const wholeRow = (
  name: string,
  key: User["key"],
  { lifeMs, staleAfterMs, isShared }: Pick<User, "lifeMs" | "staleAfterMs" | "isShared">,
): User => ({
  ...{ name, key, limit: 1, lifeMs, staleAfterMs, again: "renewed", ...(isShared ? { isShared } : {}) },
  async take(store, at, taker, nowMs) {
    const answer = await acquireLock(store, at, { ...taker, nowMs, lifeMs, staleAfterMs });
    if (answer === "unknown") throw new Error("Takers have no common group");
    return answer === "taken" ? "no" : answer;
  },
  giveBack: (store, at, { owner, attempt }) => releaseLock(store, at, { owner, attempt }),
  read(row) {
    if (!row) return nothing;
    const { owner, attempt, lockedAtMs, expiresAt } = row as LockRow;
    return { untilMs: expiresAt * 1000, holders: { [owner]: { attempt, lockedAtMs } } };
  },
});

const places = (
  name: string,
  key: User["key"],
  asked: Pick<User, "limit" | "lifeMs" | "staleAfterMs" | "isSettledAtOnce"> & { closedBy?: string; beside?: Record<string, unknown> },
): User => {
  const { isSettledAtOnce, ...limits } = asked;
  const held = async (store: PlatformStore, at: Key<unknown>, { owner, attempt }: Taker): Promise<QuotaUnit | undefined> => {
    const place = quotaUnitIn((await store.get(at)) as object | undefined, { name: "place", owner });
    return place?.attempt === attempt ? place : undefined;
  };
  return {
    ...{ name, key, again: "the same", ...asked },
    async take(store, at, taker, nowMs) {
      const settled = isSettledAtOnce ? { settled: true as const } : {};
      const place = await takeQuotaUnit(store, at, { ...taker, ...limits, ...settled, name: "place", nowMs, value: taker.attempt });
      if (typeof place === "string") return place === "busy" ? "busy" : "no";
      return place.settled ? "settled" : "acquired";
    },
    async giveBack(store, at, taker) {
      const place = await held(store, at, taker);
      if (place && !place.settled) await returnQuotaUnit(store, at, { name: "place", owner: taker.owner }, place);
    },
    async settle(store, at, taker) {
      const place = await held(store, at, taker);
      if (place) await confirmQuotaUnit(store, at, { name: "place", owner: taker.owner }, place);
    },
    read(row) {
      const holders = Object.entries(row ?? {}).flatMap(([attribute, place]) => {
        if (!attribute.startsWith("place_")) return [];
        const { value: _value, ...holder } = place as QuotaUnit;
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
    return (await takeLease(store, at as Key<LeasedRow>, { owner, nowMs, lifeMs, set })) ? "acquired" : "no";
  },
  giveBack: (store, at, { owner }) => endLease(store, at, owner, { stated: owner }),
  read(row) {
    const { leaseOwner, leaseUntilMs = 0 } = (row ?? {}) as LeasedRow;
    if (leaseOwner === undefined) return nothing;
    return { untilMs: leaseUntilMs + 1, holders: { [leaseOwner]: { attempt: leaseOwner, lockedAtMs: leaseUntilMs - lifeMs } } };
  },
});

const dayMs = 24 * hourMs;
const stale = 30 * secondMs;
const users: User[] = [
  wholeRow("the slot of a booking", (id) => keys.slotLock(id, "slot"), { lifeMs: 2 * minuteMs, staleAfterMs: stale }),
  wholeRow("the slot that is kept for a call", (id) => keys.slotLock(id, "slot"), { lifeMs: minuteMs, staleAfterMs: 0, isShared: true }),
  wholeRow("a person who is being registered", keys.personLock, { lifeMs: minuteMs, staleAfterMs: 0, isShared: true }),
  places("the new patient of a call", keys.callState, {
    ...{ limit: 1, lifeMs: 4 * hourMs, staleAfterMs: stale },
    ...{ closedBy: "callEndedAt", beside: { level: 0 } },
  }),
  places("the messages of a call to staff", (id) => keys.callRequests(id, "communications"), {
    ...{ limit: 3, lifeMs: dayMs, staleAfterMs: stale },
  }),
  places("the leads of a call", keys.leadsOfCall, { limit: 3, lifeMs: dayMs, staleAfterMs: 0, isSettledAtOnce: true }),
  lease("the token of an EHR", (id) => keys.fhirToken(id, ""), 11 * secondMs),
  lease("the deliveries of a tenant", () => keys.webhookTenant(), minuteMs),
];

describe.skipIf(isDatabaseMissing)(`claims, on ${database}`, () => {
  let it: TestAws;
  beforeAll(async () => {
    it = await startTestAws();
  }, 90_000);
  afterAll(() => it.close());

  const numRuns = process.env["FULL"] ? 200 : 15;

  describe.each(users)("of $name", (user) => {
    test("have at most their limit of holders, expire, and are consistent after a crash at any point", async () => {
      await expect(expectProtocol(it, user, numRuns)).resolves.toBeUndefined();
    }, 600_000);
  });

  test("of places in a closed row are refused, also to an owner with a place, and the row's other attributes stay", async () => {
    const clock = { nowMs: startMs };
    const store = storeAt(it, clock);
    const key = keys.callState("c");
    const asked = { name: "newPatient", limit: 1, nowMs: startMs, lifeMs: hourMs, staleAfterMs: 0, closedBy: "callEndedAt" };
    const by = (owner: string, attempt: string, value: string) => takeQuotaUnit(store, key, { ...asked, owner, attempt, value });
    expect(await by("a", "1", "first")).toMatchObject({ attempt: "1", value: "first" });
    expect(await by("a", "2", "second")).toMatchObject({ attempt: "2", value: "first" });
    await store.writeUnaudited(update<CallStateRow>(key, { set: { callEndedAt: "2026-11-23T12:00:00.000Z", level: 1 } }));
    expect([await by("a", "3", "third"), await by("b", "1", "other")]).toEqual(["closed", "closed"]);
    expect(await store.get(key)).toMatchObject({ level: 1, newPatient: 1, newPatient_a: { attempt: "2", value: "first" } });
  });

  test("in a window are counted up to each of their limits, also concurrently, and the next window starts at zero", async () => {
    const limits = { count: 5, mine: 3 };
    const tries = fc.array(fc.record({ afterMs: fc.constantFrom(0, minuteMs, hourMs, 72 * hourMs), mine: fc.nat(5), others: fc.nat(5) }), {
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(tries, async (all) => {
        const clock = { nowMs: startMs };
        const store = storeAt(it, clock);
        let counted = { window: 0, count: 0, mine: 0 };
        for (const { afterMs, mine, others } of all) {
          clock.nowMs += afterMs;
          // The rows of several windows under one key
          const window = Math.floor(clock.nowMs / hourMs);
          if (counted.window !== window) counted = { window, count: 0, mine: 0 };
          const one = { expiresAt: ((window + 1) * hourMs) / 1000 };
          const key = keys.counter("leads", "s", "hour");
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
