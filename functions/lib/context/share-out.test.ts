import type { LogFields } from "@vitaline/core";
import { expect, test } from "vitest";
import { shareOut } from "./share-out.ts";

const items = (count: number) => Array.from({ length: count }, (_, at) => at);
const run = async (count: number, start: (share: number[]) => Promise<void>) => {
  const lines: [event: string, count: number | undefined][] = [];
  const log = (_level: string, event: string, fields?: LogFields) => void lines.push([event, fields?.count]);
  return { here: await shareOut({ log }, items(count), { perShare: 10, maxShares: 4 }, start), lines };
};

test("what one invocation can do stays with it", async () => {
  const { here } = await run(10, () => Promise.reject(new Error("started")));
  expect(here).toEqual(items(10));
});

test("more is handed out whole, each item once, in no more shares than may run at once", async () => {
  for (const count of [11, 40, 41, 1000]) {
    const shares: number[][] = [];
    const { here } = await run(count, async (share) => void shares.push(share));
    expect(here).toEqual([]);
    expect(shares.flat().toSorted((a, b) => a - b)).toEqual(items(count));
    expect(shares.length).toBeLessThanOrEqual(4);
  }
});

test("A13: no share is larger than an asynchronous event may be, even if more then wait than may run at once", async () => {
  const ids = Array.from({ length: 30_000 }, (_, at) => ({ tenantId: String(at).padStart(26, "0") }));
  const shares: (typeof ids)[] = [];
  await shareOut({ log: () => {} }, ids, { perShare: 10, maxShares: 4 }, async (share) => void shares.push(share));
  expect(shares.flat()).toHaveLength(ids.length);
  for (const share of shares) expect(JSON.stringify(share).length).toBeLessThan(256 * 1024 - 1000);
});

test("A03: a share that cannot be started is counted for its alarm, and the others are started", async () => {
  const shares: number[][] = [];
  const { lines } = await run(40, async (share) => {
    if (share.includes(0)) throw new Error("throttled");
    shares.push(share);
  });
  expect(shares.flat()).toHaveLength(30);
  expect(lines).toEqual([["share.not_started", 1]]);
});
