import { archiveRows } from "@vitaline/audit";
import { deadlineIn, newId, type LogFields } from "@vitaline/core";
import { auditCategories, keys, rowsOf, update, type AuditRow, type ChainRow } from "@vitaline/store";
import { platformStore, type PlatformContext } from "@vitaline/store/platform.ts";
import { afterAll, beforeEach, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { addTenantRow } from "../../../test/kit/store/tenant-row.ts";
import { shareChains, verifyChains } from "./handler.ts";

const bucket = "vitaline-test-archive";
let it: TestAws;
let lines: { event: string; fields: LogFields | undefined }[];
beforeEach(async () => {
  it = await startTestAws();
  await it.aws.s3.ensureBucket({ name: bucket });
  process.env["ARCHIVE_BUCKET"] = bucket;
  lines = [];
});
afterAll(async () => {
  delete process.env["ARCHIVE_BUCKET"];
  await it.close();
});

const run = ({ hours = 0, remainingMs = 800_000, at = (): number => Date.now() } = {}): PlatformContext => {
  const clock = () => new Date(Date.now() + hours * 3_600_000);
  const log = (_level: string, event: string, fields?: LogFields) => void lines.push({ event, fields });
  const ctx = { ...it.platform({ kind: "system", id: "verify" }), clock, deadline: deadlineIn(remainingMs, at), log };
  return { ...ctx, platform: platformStore(ctx) };
};
const eventsNamed = (name: string): (LogFields | undefined)[] => lines.flatMap(({ event, fields }) => (event === name ? [fields] : []));
const archive = async (tenantId: string): Promise<void> => {
  const month = new Date().toISOString().slice(0, 7);
  const rows: AuditRow[] = [];
  for (const category of auditCategories)
    for await (const row of rowsOf<AuditRow>(it.platform().platform, keys.tenantPartitions.audit(tenantId, month, category)))
      rows.push(row);
  await archiveRows(
    run(),
    "shard",
    rows.map((row, at) => ({ tenantId, row, position: String(at + 1).padStart(40, "0") })),
  );
};
const clinics = async (count: number): Promise<string[]> => {
  const ids = Array.from({ length: count }, () => newId());
  for (const [at, id] of ids.entries()) {
    await addTenantRow(it.platform(), id, `Clinic ${at}`);
    await archive(id);
  }
  return ids;
};
const headOf = async (tenantId: string): Promise<ChainRow> =>
  (await it.platform().platform.inTenant(tenantId).get(keys.tenantChain())) ?? expect.fail("There is no chain");
const all = async (ctx: PlatformContext) => shareChains(ctx, () => Promise.reject(new Error("started")));

test("A13: of more chains than one invocation can verify each is in one share, and every share verifies its own", async () => {
  const ids = await clinics(9);
  const shares: { chains: { tenantId?: string }[] }[] = [];
  const start = async (payload: Record<string, unknown>) =>
    void shares.push(JSON.parse(JSON.stringify(payload)) as (typeof shares)[number]);
  expect(await shareChains(run(), start, { perShare: 3, maxShares: 4 })).toEqual([]);
  expect(shares).toHaveLength(4);
  expect(new Set(shares.flatMap(({ chains }) => chains.map(({ tenantId }) => tenantId)))).toEqual(new Set([undefined, ...ids]));
  const [first, ...others] = shares;
  for (const { chains } of others) await verifyChains(run(), chains);
  const waiting = new Set(first?.chains.flatMap(({ tenantId }) => tenantId ?? []));
  for (const id of ids) expect([id, (await headOf(id)).lastVerifiedAt === undefined]).toEqual([id, waiting.has(id)]);
});

test("A13: a run without enough time leaves the chains that were verified last, and the next one begins with what was left", async () => {
  const ids = await clinics(12);
  let passedMs = 0;
  // Each verification seems to take a minute
  const slow = run({ remainingMs: 6 * 60_000, at: () => (passedMs += 30_000) });
  await verifyChains(slow, await all(slow));
  expect(eventsNamed("verify.done")).toEqual([]);
  expect(eventsNamed("verify.unfinished")).toHaveLength(1);
  const heads = await Promise.all(ids.map(async (id) => ({ id, at: (await headOf(id)).lastVerifiedAt })));
  const left = heads.filter(({ at }) => at === undefined).map(({ id }) => id);
  expect(left.length).toBeGreaterThan(0);
  expect(left.length).toBeLessThan(12);
  const order = (await all(run())).map(({ tenantId }) => tenantId).filter((id) => id !== undefined);
  expect(new Set(order.slice(0, left.length))).toEqual(new Set(left));
  await verifyChains(run(), await all(run()));
  expect(eventsNamed("verify.done")).toEqual([{ count: 13 }]);
});

test("A03: a chain that cannot be verified makes the backlog grow, while the others are verified", async () => {
  const [broken = "", well = ""] = await clinics(2);
  await verifyChains(run(), await all(run()));
  const unreadable = { set: { checkedUntil: "no time" } };
  await it.platform().platform.inTenant(broken).writeUnaudited(update(keys.tenantChain(), unreadable));
  const later = run({ hours: 2 });
  await verifyChains(later, await all(later));
  expect(eventsNamed("verify.failed")).toMatchObject([{ tenantId: broken }]);
  expect((await headOf(well)).lastVerifiedAt?.slice(0, 13)).toBe(later.clock().toISOString().slice(0, 13));
  await all(run({ hours: 3 }));
  const ages = eventsNamed("backlog.found").map((fields) => Math.floor((fields?.ageSeconds ?? 0) / 3600));
  expect(ages).toEqual([0, 2, 3]);
});

test("A03: a chain that was never verified has waited since its tenant's beginning, and a tenant without archived rows waits for nothing", async () => {
  const [id = ""] = await clinics(1);
  await addTenantRow(it.platform(), newId(), "Not archived", { createdAt: "2020-01-01T00:00:00.000Z" });
  await all(run({ hours: 5 }));
  await it
    .platform()
    .platform.inTenant(id)
    .writeUnaudited(update(keys.tenantChain(), { set: { lastVerifiedAt: run({ hours: 4 }).clock().toISOString() } }));
  await all(run({ hours: 5 }));
  expect(eventsNamed("backlog.found").map((fields) => Math.round((fields?.ageSeconds ?? 0) / 3600))).toEqual([5, 1]);
});
