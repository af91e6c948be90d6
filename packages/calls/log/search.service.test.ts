import { isAppError, newId } from "@vitaline/core";
import { cacheRetentionAndZone, create, keys, put, type OfficeRow, type TenantContext } from "@vitaline/store";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { writeCalls } from "../calls.fixture.ts";
import { numberHashes } from "../events/other-party.ts";
import {
  followUpCalls,
  listCalls,
  readCall,
  readCallViews,
  recordCallEvent,
  saveCallViews,
  searchCalls,
  type CallEvent,
} from "../index.ts";

let test: TestAws;
let one: TenantContext;
let two: TenantContext;
beforeEach(async () => {
  test = await startTestAws();
  [one, two] = test.tenants.map((id) => test.inTenant(id, { kind: "user", id: "admin", role: "tenant_admin", tenantId: id })) as [
    TenantContext,
    TenantContext,
  ];
});
afterEach(() => test.close());

const startMs = Date.parse("2026-05-01T09:00:00.000Z");
const at = (minute: number) => new Date(startMs + minute * 60_000).toISOString();
const keyOf = (callId: string) => keys.callKeyOf("vapi", callId);
const auditsOf = async ({ store, tenantId }: TenantContext) =>
  (
    await Promise.all(
      (["data_query", "patient_access", "configuration_change"] as const).map((category) =>
        store.query<{ action: string }>(keys.tenantPartitions.audit(tenantId, new Date().toISOString().slice(0, 7), category)),
      ),
    )
  ).flatMap(({ rows }) => rows);
const has = (ctx: TenantContext, callId: string, minute: number, more: Partial<CallEvent> = {}) =>
  recordCallEvent(ctx, { platform: "vapi", callId, status: "completed", startedAt: at(minute), ...more });
const period = { from: at(0), to: at(1000) };

/** As the projection writes them. */
const findable = async (ctx: TenantContext, callKey: string, minute: number, number: string) => {
  const [hash = ""] = numberHashes(ctx.tenantId, number);
  const row = { callKey, expiresAt: Math.floor(Date.now() / 1000) + 86_400 };
  await test
    .platform()
    .platform.inTenant(ctx.tenantId)
    .writeUnaudited(put(keys.callOfNumber(hash, at(minute), callKey), row));
  return hash;
};

describe("a search of summaries", () => {
  it("finds the calls of the period with all words, newest first, of the tenant alone, and audits each call found", async () => {
    await has(one, "refill", 1, { summary: "Asked for a refill of lisinopril." });
    await has(one, "other", 2, { summary: "Asked for directions." });
    await has(one, "both", 3, { summary: "Wanted the REFILL again.", transcript: { text: "AI: Hello." } });
    await has(one, "later", 2000, { summary: "A refill." });
    await has(one, "silent", 4);
    await has(two, "theirs", 1, { summary: "A refill of metformin." });
    const answer = await searchCalls(one, { by: "summary", text: "refill", ...period });
    expect(answer).toMatchObject({ read: 4, total: 0, next: null });
    expect(answer.found.map(({ call, excerpt }) => [call.id, excerpt])).toEqual([
      [keyOf("both"), "Wanted the REFILL again."],
      [keyOf("refill"), "Asked for a refill of lisinopril."],
    ]);
    expect((await searchCalls(one, { by: "summary", text: "lisinopril refill", ...period })).found).toHaveLength(1);
    const audits = await auditsOf(one);
    expect(audits.filter(({ action }) => action === "call.search")).toMatchObject([
      { actorId: "admin", detail: { by: "summary", read: 4, found: 2 } },
      { detail: { by: "summary", found: 1 } },
    ]);
    expect(audits.flatMap((row) => (row.action === "call.found" ? [(row as { callKey?: string }).callKey] : [])).toSorted()).toEqual(
      [keyOf("both"), keyOf("refill"), keyOf("refill")].toSorted(),
    );
    expect(JSON.stringify(audits)).not.toMatch(/lisinopril|refill\b/i);
    expect(await auditsOf(two)).toEqual([]);
  });

  it("reads 25 calls a request, goes on with the cursor, and finds each once", async () => {
    for (let number = 0; number < 30; number++) await has(one, `call-${number}`, number, { summary: number % 10 === 0 ? "Needle" : "Hay" });
    test.resetUsage();
    const first = await searchCalls(one, { by: "summary", text: "needle", ...period });
    expect(
      test
        .usage()
        .map(({ operation }) => operation)
        .toSorted(),
    ).toEqual(["PutItem", "PutItem", "PutItem", "Query", "Query"]);
    expect([first.read, first.found.length, first.total]).toEqual([25, 2, 0]);
    const rest = await searchCalls(one, { by: "summary", text: "needle", ...period, cursor: first.next ?? "" });
    expect([rest.read, rest.found.length, rest.total, rest.next]).toEqual([5, 1, null, null]);
    expect([...first.found, ...rest.found].map(({ call }) => call.id)).toEqual(["call-20", "call-10", "call-0"].map(keyOf));
    await expect(searchCalls(two, { by: "summary", text: "needle", ...period, cursor: first.next ?? "" })).rejects.toSatisfy((error) =>
      isAppError(error, "invalid_request"),
    );
  });

  it("of an office finds only its calls, and another tenant's office is not found", async () => {
    const office = newId();
    const row: OfficeRow = { id: office, name: "Downtown", isActive: true, createdAt: at(0) };
    const audit = { category: "configuration_change", action: "office.create", resourceType: "Office" } as const;
    await one.store.commit([create(keys.office(office), row)], audit);
    await has(one, "here", 1, { summary: "A refill.", officeId: office });
    await has(one, "there", 2, { summary: "A refill." });
    const asked = { by: "summary", text: "refill", officeId: office, ...period } as const;
    expect((await searchCalls(one, asked)).found.map(({ call }) => call.id)).toEqual([keyOf("here")]);
    await expect(searchCalls(two, asked)).rejects.toSatisfy((error) => isAppError(error, "not_found"));
  });

  it("tells its cost beforehand from one read of the days' totals, and reads no call for that", async () => {
    cacheRetentionAndZone(one.tenantId, { timeZone: "UTC" }, one.clock().getTime());
    test.resetUsage();
    expect(await searchCalls(one, { by: "summary", text: "x", ...period, onlyCount: true })).toEqual({
      ...{ found: [], read: 0, total: 0, next: null },
    });
    expect(test.usage().map(({ operation }) => operation)).toEqual(["Query"]);
    expect(await auditsOf(one)).toEqual([]);
  });
});

describe("a search by number", () => {
  const manyCalls = process.env["FULL"] ? 10_000 : 2000;
  it(`costs one page of the number's calls, the same among 100 calls and ${manyCalls}, and is audited`, async () => {
    const costs: unknown[] = [];
    for (const [tenantId, calls] of [
      ["hundred", 100],
      ["many", manyCalls],
    ] as const) {
      await writeCalls(tenantId, calls, startMs);
      const ctx = test.inTenant(tenantId);
      await has(ctx, "complained", 5, { callerNumber: "+16175550101" });
      await findable(ctx, keyOf("complained"), 5, "+16175550101");
      test.resetUsage();
      const { found, next } = await searchCalls(ctx, { by: "number", number: "(617) 555-0101" });
      costs.push(test.usage().map(({ operation, readUnits, writeUnits }) => ({ operation, readUnits, writeUnits })));
      expect(found.map(({ call }) => [call.id, call.numberEnding])).toEqual([[keyOf("complained"), "0101"]]);
      expect(next).toBeNull();
    }
    expect(costs[0]).toEqual([
      { operation: "Query", readUnits: 0.5, writeUnits: 0 },
      { operation: "BatchGetItem", readUnits: 1, writeUnits: 0 },
      { operation: "PutItem", readUnits: 0, writeUnits: 1 },
      { operation: "PutItem", readUnits: 0, writeUnits: 1 },
    ]);
    expect(costs[1]).toEqual(costs[0]);
  }, 60_000);

  it("finds no call whose texts have expired, that has another number by now, or that is gone, and shows no digits of such", async () => {
    await has(one, "old", 1, { callerNumber: "+16175550101" });
    const hash = await findable(one, keyOf("old"), 1, "+16175550101");
    await findable(one, keyOf("gone"), 2, "+16175550101");
    expect((await searchCalls(one, { by: "number", number: "6175550101" })).found).toHaveLength(1);
    expect((await searchCalls(two, { by: "number", number: "6175550101" })).found).toEqual([]);
    const later = { ...one, clock: () => new Date(Date.now() + 200 * 365 * 86_400_000) };
    expect((await searchCalls({ ...later, store: one.store }, { by: "number", number: "6175550101" })).found).toEqual([]);
    await has(one, "old", 1, { callerNumber: "+16175550199", endedReason: "hangup", success: true, summary: "Hello." });
    expect((await searchCalls(one, { by: "number", number: "6175550101" })).found).toEqual([]);
    expect(JSON.stringify(await one.store.get(keys.call(keyOf("old"))))).not.toContain("617555");
    expect(hash).not.toMatch(/\d{7}/);
  });
});

describe("several calls followed up at once", () => {
  it("are marked and audited one by one; one that has changed, and another tenant's, stay as they are", async () => {
    for (const [minute, callId] of ["a", "b", "c"].entries()) await has(one, callId, minute, { status: "failed" });
    await has(two, "theirs", 1, { status: "failed" });
    await followUpCalls(one, [{ id: keyOf("c"), version: 1 }], undefined);
    const results = await followUpCalls(
      one,
      ["a", "b", "c", "theirs"].map((callId) => ({ id: keyOf(callId), version: 1 })),
      "Called Ms. Example back",
    );
    expect(results.map(({ call, code }) => [call?.version, call?.needsFollowUp, code])).toEqual([
      [2, false, null],
      [2, false, null],
      [undefined, undefined, "stale_version"],
      [undefined, undefined, "not_found"],
    ]);
    for (const callId of ["a", "b"])
      expect((await readCall(one, keyOf(callId))).followUp).toMatchObject({ doneBy: "admin", note: "Called Ms. Example back" });
    expect((await readCall(one, keyOf("c"))).followUp).toMatchObject({ note: null });
    const again = await followUpCalls(one, [{ id: keyOf("a"), version: 1 }], "Called Ms. Example back");
    expect(again).toMatchObject([{ id: keyOf("a"), call: { version: 2 }, code: null }]);
    const audits = await auditsOf(one);
    expect(
      audits.flatMap((row) => (row.action === "call.followUp" ? [(row as { resourceId?: string }).resourceId] : [])).toSorted(),
    ).toEqual(["a", "b", "c"].map(keyOf).toSorted());
    expect(JSON.stringify([audits, await one.store.get(keys.call(keyOf("a")))])).not.toContain("Example");
    expect((await listCalls(two, { needsFollowUp: true })).rows).toHaveLength(1);
  });
});

describe("saved views", () => {
  it("are each user's own, saved once for each version, and audited", async () => {
    const colleague = test.inTenant(one.tenantId, { kind: "user", id: "colleague", role: "tenant_admin", tenantId: one.tenantId });
    const view = { name: "Failed", status: "failed", lastDays: 7 } as const;
    expect(await readCallViews(one)).toEqual({ views: [], version: 1 });
    expect(await saveCallViews(one, [view], 1)).toEqual({ views: [view], version: 2 });
    await expect(saveCallViews(one, [], 1)).rejects.toSatisfy((error) => isAppError(error, "stale_version"));
    expect(await readCallViews(one)).toEqual({ views: [view], version: 2 });
    expect(await readCallViews(colleague)).toEqual({ views: [], version: 1 });
    expect(await readCallViews({ ...two, actor: one.actor })).toEqual({ views: [], version: 1 });
    expect(await saveCallViews(one, [], undefined)).toEqual({ views: [], version: 3 });
    expect((await auditsOf(one)).filter(({ action }) => action === "callViews.save")).toMatchObject([
      { resourceId: "admin", detail: { views: 1, version: 2 } },
      { resourceId: "admin", detail: { views: 0, version: 3 } },
    ]);
  });
});
