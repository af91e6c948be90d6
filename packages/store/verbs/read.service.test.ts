import fc from "fast-check";
import { newId } from "@vitaline/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { database, isDatabaseMissing, startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { keys, put, update, type CallRow, type OfficeRow, type Range, type TenantContext } from "../index.ts";
import { tenantStore } from "./store.ts";

const audit = { category: "configuration_change", action: "office.create", resourceType: "office" } as const;
const office = (id: string): OfficeRow => ({ id, name: `Office ${id}`, isActive: true, createdAt: "2026-01-01T00:00:00.000Z" });

async function pagesOf<Row>({ store }: TenantContext, partition: string, range: Range = {}): Promise<Row[][]> {
  const pages: Row[][] = [];
  let cursor: string | undefined;
  do {
    const page = await store.query<Row>(partition, { ...range, cursor });
    pages.push(page.rows);
    cursor = page.next;
  } while (cursor);
  return pages;
}

describe.skipIf(isDatabaseMissing)(`on ${database}`, () => {
  let it: TestAws;
  beforeAll(async () => {
    it = await startTestAws();
  }, 90_000);
  afterAll(() => it.close());
  const tenant = () => it.inTenant(newId());
  const openOffices = (ctx: TenantContext, ids: string[]) =>
    ctx.store.commit(
      ids.map((id) => put(keys.office(id), office(id))),
      audit,
    );

  test("a batch of more than the 16 MB that DynamoDB answers at once is read whole", async () => {
    const ctx = tenant();
    const ids = Array.from({ length: 45 }, (_, at) => `large-${at}`);
    for (const id of ids) await ctx.store.commit([put(keys.office(id), { ...office(id), name: "x".repeat(390_000) })], audit);
    const rows = await ctx.store.batchGet(ids.map((id) => keys.office(id)));
    expect(rows.map((row) => row?.id)).toEqual(ids);
  });

  test("a batch returns each row at the index of its key, and undefined for absent rows and rows of other tenants", async () => {
    const [ctx, other] = [tenant(), tenant()];
    await openOffices(ctx, ["a", "b", "c"]);
    const wanted = ["c", "absent", "a", "b"].map((id) => keys.office(id));
    expect(await ctx.store.batchGet(wanted)).toEqual([office("c"), undefined, office("a"), office("b")]);
    expect(await other.store.batchGet(wanted)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test("an expired row is absent in every read, also while the database still has it", async () => {
    const ctx = tenant();
    const soon = Math.floor(Date.now() / 1000) + 60;
    const key = keys.callState("c1");
    await ctx.store.writeUnaudited(put(key, { level: 0, tries: 0, expiresAt: soon }));
    expect(await ctx.store.get(key)).toBeDefined();
    const later = { ...ctx, store: tenantStore({ ...ctx, clock: () => new Date(soon * 1000) }, ctx.tenantId) };
    expect(await later.store.get(key)).toBeUndefined();
    expect(await later.store.batchGet([key])).toEqual([undefined]);
    expect((await later.store.query(keys.tenantPartitions.callItems(ctx.tenantId, "c1"))).rows).toEqual([]);
  });

  test("rows do not contain the table's keys", async () => {
    const ctx = tenant();
    await openOffices(ctx, ["a"]);
    const page = await ctx.store.query(keys.tenantPartitions.config(ctx.tenantId));
    expect([page.rows, page.next]).toEqual([[office("a")], undefined]);
  });

  test("a range includes both bounds, a prefix is exact, and both can be read in descending order", async () => {
    const ctx = tenant();
    await openOffices(ctx, ["a", "b", "ba", "c"]);
    const ids = async (range: Range) =>
      (await ctx.store.query<OfficeRow>(keys.tenantPartitions.config(ctx.tenantId), range)).rows.map(({ id }) => id);
    expect(await ids({ from: "OFFICE#b" })).toEqual(["b", "ba", "c"]);
    expect(await ids({ to: "OFFICE#ba" })).toEqual(["a", "b", "ba"]);
    expect(await ids({ from: "OFFICE#b", to: "OFFICE#b" })).toEqual(["b"]);
    expect(await ids({ prefix: "OFFICE#b", descending: true })).toEqual(["ba", "b"]);
    expect(await ids({ prefix: "APIKEY#" })).toEqual([]);
  });

  test("calls are listed by their start, from the index", async () => {
    const ctx = tenant();
    const starts = ["2026-01-03", "2026-01-01", "2026-01-02"];
    for (const startedAt of starts) {
      const callKey = keys.callKeyOf("vapi", startedAt);
      const row: CallRow = {
        callKey,
        platform: "vapi",
        platformCallId: startedAt,
        rank: 1,
        status: "in_progress" as CallRow["status"],
        startedAt,
        forwarded: false,
        gsi1pk: keys.tenantPartitions.calls(ctx.tenantId),
        gsi1sk: `${startedAt}#${callKey}`,
        expiresAt: Math.floor(Date.now() / 1000) + 3600,
      };
      await ctx.store.commit([put(keys.call(callKey), row)], audit);
    }
    const listed = await pagesOf<CallRow>(ctx, keys.tenantPartitions.calls(ctx.tenantId), { index: "gsi1", descending: true, limit: 1 });
    expect(listed.flat().map(({ startedAt }) => startedAt)).toEqual(starts.toSorted().toReversed());
  });

  test("pages of any size and range together return each row once, in order", async () => {
    const id = fc.string({ unit: fc.constantFrom(..."019az"), minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(id, { maxLength: 20 }),
        fc.integer({ min: 1, max: 25 }),
        fc.boolean(),
        fc.option(id),
        async (ids, limit, descending, from) => {
          const ctx = tenant();
          if (ids.length > 0) await openOffices(ctx, ids);
          const range: Range = { limit, descending, from: from === null ? undefined : `OFFICE#${from}` };
          const pages = await pagesOf<OfficeRow>(ctx, keys.tenantPartitions.config(ctx.tenantId), range);
          const wanted = ids.filter((each) => from === null || each >= from).toSorted();
          expect(pages.flat().map((row) => row.id)).toEqual(descending ? wanted.toReversed() : wanted);
          expect(pages.every((page) => page.length <= limit)).toBe(true);
        },
      ),
      { numRuns: 25 },
    );
  }, 60_000);

  test("filtered pages examine no more rows than allowed, and together return each match once", async () => {
    const id = fc.string({ unit: fc.constantFrom(..."019az"), minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(id, { maxLength: 20 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 25 }),
        fc.boolean(),
        async (ids, limit, examine, descending) => {
          const ctx = tenant();
          if (ids.length > 0) await openOffices(ctx, ids);
          const range: Range = { limit, examine, descending, where: (row) => (row as OfficeRow).id.includes("a") };
          const pages = await pagesOf<OfficeRow>(ctx, keys.tenantPartitions.config(ctx.tenantId), range);
          const wanted = ids.filter((each) => each.includes("a")).toSorted();
          expect(pages.flat().map((row) => row.id)).toEqual(descending ? wanted.toReversed() : wanted);
          expect(pages.every((page) => page.length <= Math.min(limit, examine))).toBe(true);
        },
      ),
      { numRuns: 25 },
    );
  }, 60_000);

  test("a cursor is valid for its own list only: one of another tenant or list, or an altered one, is refused", async () => {
    const [ctx, other] = [tenant(), tenant()];
    await openOffices(ctx, ["a", "b"]);
    await openOffices(other, ["a", "b"]);
    const config = keys.tenantPartitions.config;
    const { next } = await ctx.store.query(config(ctx.tenantId), { limit: 1 });
    const refused = { code: "invalid_request", fields: { cursor: "Is not valid" } };
    await expect(other.store.query(config(other.tenantId), { limit: 1, cursor: next })).rejects.toMatchObject(refused);
    await expect(ctx.store.query(keys.tenantPartitions.stats(ctx.tenantId), { limit: 1, cursor: next })).rejects.toMatchObject(refused);
    const foreign = (await other.store.query(config(other.tenantId), { limit: 1 })).next!;
    const middle = Math.floor(next!.length / 2);
    const grafted = foreign.slice(0, middle) + next!.slice(middle);
    const flipped = next!.slice(0, middle) + (next![middle] === "A" ? "B" : "A") + next!.slice(middle + 1);
    // Another range of the same list
    await expect(ctx.store.query(config(ctx.tenantId), { prefix: "ZZZ", limit: 1, cursor: next })).rejects.toMatchObject(refused);
    for (const cursor of ["", ".", "x", "x.y", grafted, flipped, `${next!}A`, `${next!}.x`, next!.slice(1), next!.slice(0, -1)]) {
      await expect(ctx.store.query(config(ctx.tenantId), { limit: 1, cursor })).rejects.toMatchObject(refused);
    }
    expect((await ctx.store.query(config(ctx.tenantId), { limit: 1, cursor: next })).rows).toEqual([office("b")]);
  });

  test("a read sees the write before it", async () => {
    const ctx = tenant();
    for (let count = 1; count <= 20; count++) {
      await ctx.store.writeUnaudited(update(keys.counter("a", "b", "c"), { set: { count, expiresAt: 4_000_000_000 } }));
      expect(await ctx.store.get(keys.counter("a", "b", "c"))).toMatchObject({ count });
    }
  });
});
