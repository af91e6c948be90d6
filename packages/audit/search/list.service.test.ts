import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { BatchWriteCommand, DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { AuditQuery } from "@vitaline/contract";
import { isAppError, newId, utcDate, type Actor } from "@vitaline/core";
import { auditCategories, create, keys, put, tenantStore, type AuditCategory, type AuditRow, type TenantContext } from "@vitaline/store";
import { createTenant } from "@vitaline/tenants";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { addTenantRow } from "../../../test/kit/store/tenant-row.ts";
import { auditDashboard } from "../feed/dashboard.ts";
import { feedKey, feedRow } from "../feed/feed.ts";
import { platformAuditLogs, tenantAuditLogs } from "./list.ts";

let it: TestAws;
beforeEach(async () => {
  it = await startTestAws();
});
afterEach(() => it.close());

const now = new Date("2026-03-05T12:00:00.000Z");
const hourMs = 3_600_000;
const hoursAgo = (hours: number) => () => new Date(now.getTime() - hours * hourMs);

/** The tenant's context at another time, optionally with another actor. */
const at = (ctx: TenantContext, clock: () => Date, actor: Actor = ctx.actor): TenantContext => {
  const later = { ...ctx, clock, actor };
  return { ...later, store: tenantStore(later, ctx.tenantId) };
};
const clinic = () => at(it.inTenant(newId()), () => now);
const clinicOf = (name: string) => createTenant(it.platform(), { name, organizationType: "clinic", contactEmail: "x@y.example" });
const admin = (id: string): Actor => ({ kind: "user", id, role: "tenant_admin" });

const all: AuditQuery = { actionType: "all", timeRange: "90days" };
const act = (category: AuditCategory, action: string, more: { resourceId?: string; success?: boolean; code?: string } = {}) => ({
  category,
  action,
  resourceType: action.split(".")[0] ?? "",
  ...more,
});

const pagesOf = async (ctx: TenantContext, query: Partial<AuditQuery>) => {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await tenantAuditLogs(ctx, { ...all, ...query, cursor });
    pages.push(page.rows.map(({ action }) => action));
    cursor = page.next;
  } while (cursor !== undefined);
  return pages;
};

/** Rows from before this read of the log, which is audited itself. */
const besides = (pages: string[][]) => pages.flat().filter((action) => action !== "audit.read");

describe("a tenant's audit log", () => {
  test("shows actor, action, resource, address and result; the system has no actor", async () => {
    const ctx = clinic();
    const user = {
      id: "u1",
      email: "a@x.example",
      role: "tenant_admin" as const,
      firstName: "Ada",
      lastName: "Byron",
      isActive: true,
      createdAt: now.toISOString(),
    };
    await ctx.store.commit([create(keys.tenantUser("u1"), user)], act("configuration_change", "user.create"));
    await at(ctx, hoursAgo(-1), admin("u1")).store.commit([], {
      ...act("data_query", "lead.read", { resourceId: "l1", success: false, code: "not_found" }),
      detail: { rows: 0 },
    });
    const { rows } = await tenantAuditLogs(at(ctx, hoursAgo(-2)), all);
    expect(rows).toMatchObject([
      {
        actorKind: "user",
        actorId: "u1",
        actorName: "Ada Byron",
        actionType: "data_query",
        action: "lead.read",
        resourceType: "lead",
        resourceId: "l1",
        ipAddress: "203.0.113.7",
        success: false,
        code: "not_found",
        detail: { rows: 0 },
        createdAt: hoursAgo(-1)().toISOString(),
      },
      { actorKind: "system", actorId: null, actorName: undefined, resourceId: null, success: true, code: null, detail: {} },
    ]);
  });

  test("names the platform administrator who viewed it as the tenant, in a search too", async () => {
    const ctx = clinic();
    const root: Actor = {
      kind: "user",
      id: "root7",
      role: "tenant_admin",
      tenantId: ctx.tenantId,
      viewAs: ctx.tenantId,
      name: "Grace Hopper",
    };
    await at(ctx, hoursAgo(3), root).store.commit([], act("data_query", "lead.read", { resourceId: "l1" }));
    await at(ctx, hoursAgo(2), admin("u1")).store.commit([], act("data_query", "lead.read"));
    const { rows } = await tenantAuditLogs(ctx, { ...all, search: "grace hopper" });
    expect(rows).toMatchObject([
      { actorId: "root7", actorName: "Grace Hopper", detail: { viewAs: ctx.tenantId, viewAsBy: "Grace Hopper" }, resourceId: "l1" },
    ]);
  });

  test("names a platform administrator who acted on it by the role, and finds what they did", async () => {
    const ctx = clinic();
    const operator: Actor = { kind: "user", id: "root8", role: "system_admin" };
    await at(ctx, hoursAgo(1), operator).store.commit([], act("configuration_change", "tenant.update"));
    await at(ctx, hoursAgo(2), admin("u1")).store.commit([], act("data_query", "lead.read"));
    const { rows } = await tenantAuditLogs(ctx, { ...all, search: "platform administrator" });
    expect(rows).toMatchObject([{ actorId: "root8", actorName: "Platform administrator", action: "tenant.update" }]);
  });

  test("is filtered by kind, time, actor, resource and text, case-insensitively", async () => {
    const [ctx, other] = [clinic(), clinic()];
    for (const [index, category] of auditCategories.entries())
      await at(ctx, hoursAgo(20 + index), admin(`user${index}`)).store.commit(
        [],
        act(category, `thing${index}.read`, { resourceId: `id${index}` }),
      );
    await at(ctx, hoursAgo(24 * 20), admin("user9")).store.commit([], act("api_call", "old.read"));
    await other.store.commit([], act("api_call", "foreign.read"));
    const found = async (query: Partial<AuditQuery>) => besides(await pagesOf(ctx, query)).toSorted();
    expect(await found({})).toEqual(["old.read", "thing0.read", "thing1.read", "thing2.read", "thing3.read"]);
    expect(await found({ timeRange: "7days" })).toEqual(["thing0.read", "thing1.read", "thing2.read", "thing3.read"]);
    expect(await found({ timeRange: "24hours" })).toHaveLength(4);
    for (const [index, actionType] of auditCategories.entries())
      expect(await found({ actionType, timeRange: "7days" })).toEqual([`thing${index}.read`]);
    expect(await found({ actor: "USER2" })).toEqual(["thing2.read"]);
    expect(await found({ resource: "thing1" })).toEqual(["thing1.read"]);
    expect(await found({ resource: "ID3" })).toEqual(["thing3.read"]);
    expect(await found({ search: "tHiNg" })).toHaveLength(4);
    expect(await found({ search: "thing", actor: "user1" })).toEqual(["thing1.read"]);
    expect(await found({ search: "foreign" })).toEqual([]);
  });

  test("is paged across months, newest first, each row once", async () => {
    const ctx = clinic();
    const hours = [1, 30, 90, 130, 140, 300, 700, 900, 1400, 1500, 2000];
    for (const [index, ago] of hours.entries())
      await at(ctx, hoursAgo(ago)).store.commit(
        [],
        act(auditCategories[index % 4] ?? "api_call", `n${String(index).padStart(2, "0")}.did`),
      );
    const wanted = hours.map((_, index) => `n${String(index).padStart(2, "0")}.did`);
    for (const limit of [1, 2, 3, 5, 50]) expect(besides(await pagesOf(ctx, { limit }))).toEqual(wanted);
    expect(besides(await pagesOf(ctx, { timeRange: "30days", limit: 5 }))).toEqual(wanted.slice(0, 7));
  });

  test("is listed for any days of the retention, which are days of the given time zone", async () => {
    const ctx = clinic();
    const hours = [1, 24 * 400, 24 * 900, 24 * 2500];
    for (const ago of hours) await at(ctx, hoursAgo(ago)).store.commit([], act("api_call", `ago${ago}.did`));
    const found = async (query: Partial<AuditQuery>) => besides(await pagesOf(ctx, query));
    expect(await found({ start: "2019-03-05", end: "2026-03-05" })).toEqual(hours.map((ago) => `ago${ago}.did`));
    const day = hoursAgo(24 * 900)()
      .toISOString()
      .slice(0, 10);
    expect(await found({ start: day, end: day })).toEqual(["ago21600.did"]);
    // Noon in UTC is the next day on Kiritimati, 14 hours ahead.
    expect(await found({ start: day, end: day, timeZone: "Pacific/Kiritimati" })).toEqual([]);
    expect(await found({ start: "2019-03-05", end: day, search: "ago60000" })).toEqual(["ago60000.did"]);
    expect((await found({ start: "2025-01-01" })).length).toBe(2);
    const refused = (field: string) => (error: unknown) =>
      isAppError(error, "invalid_request") && Object.keys(error.fields ?? {})[0] === field;
    await expect(found({ start: "2026-03-07", end: "2026-03-08" })).rejects.toSatisfy(refused("start"));
    await expect(found({ start: "2026-03-05", end: "2026-03-04" })).rejects.toSatisfy(refused("start"));
  });

  test("takes a bounded number of Queries a page over seven years, in which a search finds nothing, and none before the tenant", async () => {
    const ctx = clinic();
    const search: Partial<AuditQuery> = { start: "2019-03-05", end: "2026-03-05", search: "nowhere" };
    const queries = () => it.usage().filter(({ operation }) => operation === "Query").length;
    it.resetUsage();
    expect((await tenantAuditLogs(ctx, { ...all, ...search })).next).toBeDefined();
    expect(queries()).toBe(4 * 12 + 1);
    expect((await pagesOf(ctx, search)).length).toBe(Math.ceil(85 / 12));
    const young = clinic();
    await addTenantRow(it.platform(), young.tenantId, "Young", { createdAt: "2026-01-20T00:00:00.000Z" });
    it.resetUsage();
    expect((await tenantAuditLogs(young, { ...all, ...search })).next).toBeUndefined();
    expect(queries()).toBe(4 * 3 + 1);
  });

  test("gives page links that only this tenant's log accepts", async () => {
    const [one, two] = [clinic(), clinic()];
    for (const ctx of [one, two]) for (const ago of [1, 2, 3]) await at(ctx, hoursAgo(ago)).store.commit([], act("api_call", "x.did"));
    const { next } = await tenantAuditLogs(one, { ...all, limit: 1 });
    if (!next) throw new Error("There was no second page");
    const refused = (error: unknown) => isAppError(error, "invalid_request");
    await expect(tenantAuditLogs(two, { ...all, cursor: next })).rejects.toSatisfy(refused);
    await expect(tenantAuditLogs(one, { ...all, cursor: `${next.slice(0, -4)}AAAA` })).rejects.toSatisfy(refused);
    await expect(platformAuditLogs(it.platform(), { ...all, tenantId: one.tenantId, cursor: next })).rejects.toSatisfy(refused);
    expect((await tenantAuditLogs(one, { ...all, timeRange: "24hours", cursor: next })).rows.length).toBeGreaterThan(0);
  });

  const manyRows = process.env["FULL"] ? 10_000 : 2000;
  test(`costs the same for a first page with ${manyRows} rows as with 100: one round trip of four Queries and the names, and one audit put`, async () => {
    const costOf = async (rows: number, days: Partial<AuditQuery> = {}) => {
      const ctx = clinic();
      await fill(ctx, rows);
      it.resetUsage();
      const page = await tenantAuditLogs(ctx, { ...all, ...days, limit: 20 });
      expect(page.rows).toHaveLength(20);
      return it.usage().map(({ operation, readUnits, writeUnits }) => `${operation} ${readUnits + writeUnits}`);
    };
    const few = await costOf(100);
    expect(few.toSorted()).toEqual(["PutItem 1", "Query 0.5", "Query 1", "Query 1", "Query 1", "Query 1"]);
    expect((await costOf(manyRows)).toSorted()).toEqual(few.toSorted());
    const seven: Partial<AuditQuery> = { start: "2019-03-05", end: "2026-03-05" };
    expect((await costOf(100, seven)).toSorted()).toEqual([...few, "GetItem 1"].toSorted());
  }, 120_000);
});

/** Rows of the last day, as stored. */
const fill = async ({ tenantId }: TenantContext, count: number) => {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
  const requests = Array.from({ length: count }, (_, index) => {
    const madeMs = now.getTime() - 60_000 - index;
    const category = auditCategories[index % 4] ?? "api_call";
    const row: Omit<AuditRow, "expiresAt"> = {
      id: newId(madeMs),
      at: new Date(madeMs).toISOString(),
      tenantId,
      actorKind: "user",
      actorId: "u1",
      category,
      action: "x.did",
      resourceType: "X",
      success: true,
      clientAddress: "203.0.113.7",
      requestId: "r",
    };
    return { PutRequest: { Item: { ...row, ...keys.audit(row.at.slice(0, 7), category, row.id).primaryKeyIn(tenantId) } } };
  });
  for (let from = 0; from < count; from += 25)
    await client.send(new BatchWriteCommand({ RequestItems: { [process.env["TABLE_NAME"] ?? ""]: requests.slice(from, from + 25) } }));
};

describe("the platform's feed", () => {
  const feed = (row: Partial<AuditRow>): AuditRow => {
    const id = newId();
    return {
      id,
      at: new Date().toISOString(),
      tenantId: it.tenants[0],
      actorKind: "api_key",
      actorId: "k1",
      category: "patient_access",
      action: "tool.getPatientInfo",
      resourceType: "Patient",
      resourceId: "patient-77",
      success: true,
      clientAddress: "203.0.113.7",
      requestId: "r1",
      callKey: "cafe77",
      detail: { tool: "getPatientInfo", ms: 1 },
      expiresAt: 4_000_000_000,
      ...row,
    };
  };

  test("has no ids of patients or calls and no details about them, and keeps ids of the platform's own resources", async () => {
    const { platform } = it.platform();
    const rows = [
      feed({}),
      feed({ category: "api_call", resourceType: "Lead", resourceId: "lead-77", action: "lead.read" }),
      feed({
        category: "configuration_change",
        resourceType: "Office",
        resourceId: "office-1",
        action: "office.create",
        detail: { count: 3 },
      }),
    ];
    for (const row of rows) await platform.writeUnaudited(put(feedKey(row), feedRow(row)));
    const answer = await platformAuditLogs(it.platform(), { ...all, timeRange: "24hours" });
    expect(answer.rows.map(({ action }) => action)).toEqual(["office.create", "lead.read", "tool.getPatientInfo"]);
    expect(answer.rows[0]).toMatchObject({ resourceId: "office-1", detail: { count: 3 }, tenantId: it.tenants[0] });
    expect(JSON.stringify(answer)).not.toMatch(/patient-77|cafe77|lead-77/);
    const calls = await platformAuditLogs(it.platform(), { ...all, timeRange: "24hours", actionType: "api_call" });
    expect(calls.rows.map(({ action }) => action)).toEqual(["lead.read"]);
  });

  test("is listed for the last 90 days; older days are refused, but not of a tenant's own log", async () => {
    const { id: tenantId } = await clinicOf("Old Clinic");
    const old = { start: "2024-01-01", end: utcDate(Date.now()) };
    const refused = (error: unknown) => isAppError(error, "invalid_request") && /has the last 90 days/.test(error.message);
    await expect(platformAuditLogs(it.platform(), { ...all, ...old })).rejects.toSatisfy(refused);
    const inTime = { ...old, start: utcDate(Date.now() - 60 * 86_400_000) };
    expect((await platformAuditLogs(it.platform(), { ...all, ...inTime })).rows).toEqual(expect.any(Array));
    expect((await platformAuditLogs(it.platform(), { ...all, ...old, tenantId })).rows.length).toBeGreaterThan(0);
  });

  test("spreads rows over its shards, and pages are in order", async () => {
    const { platform } = it.platform();
    const ids: string[] = [];
    for (let index = 0; index < 80; index++) {
      const row = feed({ action: "spread.did", actorKind: index % 2 ? "user" : "api_key" });
      ids.push(row.id);
      await platform.writeUnaudited(put(feedKey(row), feedRow(row)));
    }
    const { rows } = await platformAuditLogs(it.platform(), { ...all, search: "spread.did", limit: 100 });
    expect(rows.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(new Set(ids.map((id) => (feedKey({ ...feed({}), id }) as { primaryKey: { pk: string } }).primaryKey.pk)).size).toBe(4);
  });

  test("names users, and keys and voice platforms by their tenant, in a search too; the stored rows have only ids", async () => {
    const clinics = await Promise.all([clinicOf("Bay Clinic"), clinicOf("Hill Clinic")]);
    const people = await Promise.all(
      ["Ada Byron", "Ida Rhodes"].map(async (name, index) => {
        const [firstName = "", lastName = ""] = name.split(" ");
        const fields = { email: `${index}@names.example`, role: "system_admin", isActive: true, createdAt: now.toISOString() } as const;
        const id = newId();
        const user = { ...fields, id, firstName, lastName };
        await it.platform().platform.commit([create(keys.userDirectory(id), user)], act("configuration_change", "user.create"));
        return { id, name };
      }),
    );
    const action = "names.did";
    const rows = [
      ...clinics.flatMap(({ id: tenantId }) => [
        feed({ action, tenantId, actorKind: "api_key", actorId: "k1" }),
        feed({ action, tenantId, actorKind: "voice_provider", actorId: "v1" }),
        feed({ action, tenantId, actorKind: "user", actorId: people[0]?.id ?? "" }),
      ]),
      feed({ action, tenantId: undefined, actorKind: "user", actorId: people[1]?.id ?? "" }),
      feed({ action, tenantId: undefined, actorKind: "user", actorId: newId() }),
      feed({ action, tenantId: undefined, actorKind: "system", actorId: "project" }),
      feed({ action, tenantId: undefined, actorKind: "nobody", actorId: "anonymous" }),
    ];
    const root = it.platform();
    for (const row of rows) await root.platform.writeUnaudited(put(feedKey(row), feedRow(row)));
    const query = { ...all, timeRange: "24hours" as const, resource: "Patient" };
    const named = async (search?: string) =>
      (await platformAuditLogs(root, { ...query, ...(search === undefined ? {} : { search }) })).rows
        .filter((row) => row.action === action)
        .map(({ actorName, tenantName }) => `${actorName ?? "-"} at ${tenantName ?? "-"}`)
        .toReversed();
    expect(await named()).toEqual([
      "API key of Bay Clinic at Bay Clinic",
      "Voice platform of Bay Clinic at Bay Clinic",
      "Ada Byron at Bay Clinic",
      "API key of Hill Clinic at Hill Clinic",
      "Voice platform of Hill Clinic at Hill Clinic",
      "Ada Byron at Hill Clinic",
      "Ida Rhodes at -",
      "- at -",
      "- at -",
      "- at -",
    ]);
    expect(await named("ida rhodes")).toEqual(["Ida Rhodes at -"]);
    expect(await named("api key of hill")).toEqual(["API key of Hill Clinic at Hill Clinic"]);
    expect(await named("bay clinic")).toHaveLength(3);
    const { logs } = await auditDashboard(root, 10);
    expect(logs.map(({ actorName }) => actorName)).toContain("Ida Rhodes");
  });

  test("costs one more round trip for all names of a page, regardless of the number of users and tenants", async () => {
    const costOf = async (actors: number) => {
      const ids = Array.from({ length: actors }, () => newId());
      for (let index = 0; index < 20; index++) {
        const row = feed({ actorKind: "user", actorId: ids[index % actors] ?? "", tenantId: ids[index % actors] });
        await it.platform().platform.writeUnaudited(put(feedKey(row), feedRow(row)));
      }
      it.resetUsage();
      const { rows } = await platformAuditLogs(it.platform(), { ...all, timeRange: "24hours", limit: 20 });
      expect(new Set(rows.map(({ actorId }) => actorId)).size).toBe(actors);
      const spent = it.usage();
      return {
        queries: spent.filter(({ operation }) => operation === "Query").length,
        names: spent.filter(({ operation }) => operation === "BatchGetItem").map(({ readUnits }) => readUnits),
        others: spent.map(({ operation }) => operation).filter((operation) => !["Query", "BatchGetItem"].includes(operation)),
      };
    };
    expect(await costOf(1)).toEqual({ queries: 8, names: [1, 1], others: ["PutItem"] });
    expect(await costOf(20)).toEqual({ queries: 8, names: [20, 20], others: ["PutItem"] });
  });

  test("is replaced by a tenant's own log if a tenant is given, and each read is audited in the log that was read", async () => {
    const ctx = it.inTenant((await clinicOf("Read by root")).id);
    await ctx.store.commit([], act("api_call", "own.did"));
    const root = it.platform({ kind: "user", id: "root1", role: "system_admin" });
    const { rows } = await platformAuditLogs(root, { ...all, timeRange: "24hours", tenantId: ctx.tenantId });
    expect(rows).toMatchObject([{ action: "own.did", tenantId: ctx.tenantId }, { action: "tenant.create" }]);
    expect((await tenantAuditLogs(ctx, { ...all, timeRange: "24hours" })).rows[0]).toMatchObject({
      action: "audit.read",
      actorId: "root1",
    });
  });

  test("of an unknown tenant is not found, and nothing is written for it", async () => {
    const nobody = newId();
    const root = it.platform({ kind: "user", id: "root1", role: "system_admin" });
    await expect(platformAuditLogs(root, { ...all, tenantId: nobody })).rejects.toMatchObject({ code: "not_found" });
    const month = new Date().toISOString().slice(0, 7);
    for (const category of auditCategories)
      expect((await root.platform.query(keys.tenantPartitions.audit(nobody, month, category))).rows).toEqual([]);
  });
});
