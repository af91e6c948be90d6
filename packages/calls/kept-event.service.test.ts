import { keys, remove, type AuditRow, type DueRow } from "@vitaline/store";
import { partitions, tenantPartitions } from "@vitaline/store/keys.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { listKeptEvents } from "./platform-kept-events.ts";
import { deleteKeptEvent, keepEvent, recordFailedRetry, readKeptEvent, replayKeptEvent } from "./kept-event.ts";

let it: TestAws;
beforeEach(async () => {
  it = await startTestAws();
});
afterEach(() => it.close());

const secret = "Jane Roe wants a refill";
const tenantAt = (at: 0 | 1) => it.inTenant(it.tenants[at], { kind: "user", id: "root", role: "system_admin" });
const dueRows = async (): Promise<DueRow[]> =>
  (await Promise.all(["0", "1", "2", "3"].map((shard) => it.platform().platform.query<DueRow>(partitions.due(shard))))).flatMap(
    ({ rows }) => rows,
  );
const shardOf = (id: string): string => String(Number.parseInt(id.slice(-1), 36) % 4);
const list = (page = { limit: 50 }) => listKeptEvents(it.platform(), page);
const told = { from: "vapi" as const, body: JSON.stringify({ summary: secret }) };

test("a kept event is readable unchanged by its own tenant only, and is stored sealed", async () => {
  const id = await keepEvent(tenantAt(0), told, "unavailable");
  expect(await readKeptEvent(tenantAt(0), id)).toEqual(told);
  expect(await readKeptEvent(tenantAt(1), id)).toBeUndefined();
  expect(JSON.stringify(await tenantAt(0).store.get(keys.keptEventContent(id)))).not.toContain("Jane");
  expect(await dueRows()).toMatchObject([{ kind: "event", tenantId: it.tenants[0], id }]);
  expect(JSON.stringify((await list()).rows)).not.toContain("Jane");
  await deleteKeptEvent(tenantAt(0), id);
  expect(await readKeptEvent(tenantAt(0), id)).toBeUndefined();
  expect((await list()).rows).toEqual([]);
});

test("an event too large for a row is stored in the files bucket and read back unchanged", async () => {
  const body = JSON.stringify({ transcript: Array.from({ length: 60_000 }, () => Math.random().toString(36)).join(" ") });
  const id = await keepEvent(tenantAt(0), { from: "retellai", body }, "TypeError");
  expect(await tenantAt(0).store.get(keys.keptEventContent(id))).toMatchObject({ file: { key: `kept-events/${it.tenants[0]}/${id}` } });
  expect(await readKeptEvent(tenantAt(0), id)).toEqual({ from: "retellai", body });
  // The bucket's lifecycle rule deletes its file later
  const event = await tenantAt(0).store.get(keys.keptEventContent(id));
  const rows = [event, await tenantAt(0).store.get(keys.keptEvent(id)), ...(await dueRows()).filter((row) => row.id === id)];
  const ends = Math.floor(Date.parse(event?.at ?? "") / 1000) + 30 * 86_400;
  expect(rows.map((row) => row?.expiresAt)).toEqual([ends, ends, ends]);
  await deleteKeptEvent(tenantAt(0), id);
});

test("the list has the events of all tenants, newest first, with reason, time and tries, at one Query a page", async () => {
  const first = await keepEvent(tenantAt(0), told, "unavailable");
  const second = await keepEvent(tenantAt(1), { from: "report", body: "{}" }, "TypeError");
  await recordFailedRetry(tenantAt(0), first, "AccessDenied", undefined);
  it.resetUsage();
  const page = await list({ limit: 1 });
  expect(it.usage()).toMatchObject([{ operation: "Query" }]);
  expect(page.rows).toEqual([
    {
      id: second,
      tenantId: it.tenants[1],
      from: "report",
      reason: "TypeError",
      at: expect.any(String),
      bytes: 2,
      tries: 0,
      nextTryAt: expect.any(String),
      replayable: true,
    },
  ]);
  const { rows } = await listKeptEvents(it.platform(), { limit: 5, ...(page.next ? { cursor: page.next } : {}) });
  expect(rows).toMatchObject([
    { id: first, tenantId: it.tenants[0], reason: "AccessDenied", tries: 1, nextTryAt: null, bytes: told.body.length },
  ]);
});

test("an administrator's replay is due at once and audited; another tenant's or an unknown event is not found", async () => {
  const ctx = tenantAt(0);
  const id = await keepEvent(ctx, told, "unavailable");
  for (const [other, which] of [
    [tenantAt(1), id],
    [ctx, "0".repeat(26)],
  ] as const)
    await expect(replayKeptEvent(other, which)).rejects.toMatchObject({ code: "not_found" });
  const firstTryAt = (await ctx.store.get(keys.keptEvent(id)))?.nextTryAt;
  const before = Date.now();
  const { nextTryAt } = await replayKeptEvent(ctx, id);
  expect(Math.abs(Date.parse(nextTryAt ?? "") - before)).toBeLessThan(30_000);
  expect(nextTryAt).not.toBe(firstTryAt);
  // One series of retries, even with repeated and concurrent requests
  await Promise.all([replayKeptEvent(ctx, id), replayKeptEvent(ctx, id)]);
  const [due, ...others] = (await dueRows()).filter((row) => row.id === id);
  expect(others).toEqual([]);
  expect(due?.dueAt).toBe((await list()).rows.find((row) => row.id === id)?.nextTryAt);
  await recordFailedRetry(ctx, id, "AccessDenied", undefined);
  await ctx.store.writeUnaudited(remove(keys.due(shardOf(id), due?.dueAt ?? "", "event", id)));
  const again = await replayKeptEvent(ctx, id);
  expect((await dueRows()).filter((row) => row.id === id)).toMatchObject([{ tenantId: it.tenants[0], dueAt: again.nextTryAt }]);
  const month = new Date().toISOString().slice(0, 7);
  const { rows } = await ctx.store.query<AuditRow>(tenantPartitions.audit(ctx.tenantId, month, "configuration_change"));
  expect(rows.filter(({ action }) => action === "keptEvent.replay")).toMatchObject(
    Array.from({ length: 4 }, () => ({ resourceId: id, actorId: "root" })),
  );
  expect(JSON.stringify(rows)).not.toContain("Jane");
});
