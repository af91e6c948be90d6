import { keys, type TenantRow } from "@vitaline/store";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { byClock, startTestAws, type TestAws } from "../../../../test/kit/aws.ts";
import type { ToolContext } from "../../sdk/run.ts";

let aws: TestAws;
beforeAll(async () => {
  aws = await startTestAws();
});
afterAll(() => aws.close());

let nowMs: number;
/** The start of a window of its own for each test, so that none sees the runs of another. */
let startMs = Date.parse("2036-01-01T00:00:00Z");
beforeEach(() => void (nowMs = startMs));
afterEach(() => void (startMs += 3_600_000));
const later = (ms: number) => void (nowMs += ms);

const tenantOf = (which: 0 | 1, toolRunsPerMinute?: number) =>
  ({ id: aws.tenants[which], ...(toolRunsPerMinute ? { policies: { toolRunsPerMinute } } : {}) }) as TenantRow;
const ctxOf = ({ id }: TenantRow): ToolContext => byClock(aws.inTenant(id), () => new Date(nowMs)) as unknown as ToolContext;

/** A function instance of its own; `run` returns the seconds to wait, if any. */
async function startInstance() {
  vi.resetModules();
  const { countRun } = await import("./tenant-limit.ts");
  return async (tenant: TenantRow) => {
    const ctx = ctxOf(tenant);
    return countRun(ctx, tenant, await ctx.store.get(keys.toolRunCounts()));
  };
}
type Instance = Awaited<ReturnType<typeof startInstance>>;
const passed = async (run: Instance, tenant: TenantRow, times: number, everyMs = 0) => {
  let count = 0;
  for (let n = 0; n < times; n++, later(everyMs)) if ((await run(tenant)) === undefined) count++;
  return count;
};
const writes = () => aws.usage().filter(({ writeUnits }) => writeUnits > 0).length;

it("a tenant runs no more tools than its limit in ten seconds, then again as time passes; another tenant is not limited by it", async () => {
  const run = await startInstance();
  const [one, two] = [tenantOf(0, 600), tenantOf(1, 600)];
  expect(await passed(run, one, 150)).toBe(100);
  later(4000);
  expect(await run(one)).toBe(6);
  expect(await passed(run, two, 50)).toBe(50);
  later(6000);
  expect(await run(one)).toBe(10);
  // Half of the next window has passed, so half of the former one counts.
  later(5000);
  expect(await passed(run, one, 150)).toBe(50);
  later(20_000);
  expect(await passed(run, one, 150)).toBe(100);
});

it("instances share what they count, so that together they keep the limit", async () => {
  const instances = await Promise.all(Array.from({ length: 5 }, startInstance));
  const tenant = tenantOf(0, 1800);
  let sum = 0;
  // Each runs 20 tools a second; together 1,000 in ten seconds, where 300 are allowed.
  for (let round = 0; round < 100; round++, later(100)) for (const run of instances) sum += await passed(run, tenant, 2);
  expect(sum).toBeGreaterThanOrEqual(300);
  // A second of each instance may not be shared yet.
  expect(sum).toBeLessThanOrEqual(300 + 5 * 20);
});

it("without a limit of its own a tenant has the platform's: 500 in ten seconds", async () => {
  expect(await passed(await startInstance(), tenantOf(1), 600)).toBe(500);
});

it("is written at most once a second by an instance, and not for usual calls", async () => {
  const run = await startInstance();
  aws.resetUsage();
  // A call with a tool every three seconds, and a few calls at once for a moment.
  expect(await passed(run, tenantOf(0), 40, 3000)).toBe(40);
  expect(await passed(run, tenantOf(1), 15)).toBe(15);
  expect(writes()).toBe(0);
  later(60_000);
  aws.resetUsage();
  for (let n = 0; n < 250; n++, later(20)) await run(tenantOf((n % 2) as 0 | 1, 3000));
  expect(writes()).toBeGreaterThan(1);
  expect(writes()).toBeLessThanOrEqual(5);
});

it("does not fail a run when it cannot be shared", async () => {
  const tenant = tenantOf(0, 6000);
  const ctx = ctxOf(tenant);
  const broken = { ...ctx, store: { ...ctx.store, writeUnaudited: () => Promise.reject(new Error("The table does not answer")) } };
  vi.resetModules();
  const { countRun } = await import("./tenant-limit.ts");
  for (let n = 0; n < 30; n++) expect(await countRun(broken, tenant, undefined)).toBeUndefined();
});
