import { toolRuns } from "@vitaline/audit";
import {
  callChart,
  callMetrics,
  callsInProgress,
  endTestCall,
  eraseCallRow,
  exportCalls,
  lastCallAt,
  listCalls,
  numberHashes,
  planUsage,
  readCall,
  recentCalls,
  recordCallEvent,
  routingCounts,
  searchCalls,
  startTestCall,
  toolUsage,
  type CallEvent,
} from "@vitaline/calls";
import type { CallFilter } from "@vitaline/contract";
import { awaitAllThenThrow, dayIn, isAppError, newId } from "@vitaline/core";
import { cacheRetentionAndZone, create, keys, update, type CallRow, type OfficeRow, type TenantContext } from "@vitaline/store";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { addTenantRow } from "../../../test/kit/store/tenant-row.ts";
import { handler } from "./handler.ts";
import { shardedStream } from "../../lib/dynamodb-stream/stream.fixture.ts";

let test: TestAws;
let one: TenantContext;
let two: TenantContext;
let stream: ReturnType<typeof shardedStream>;
let passed = 0;
const begun = new Date().toISOString();
const [downtown, uptown, others] = [newId(), newId(), newId()];
beforeEach(async () => {
  test = await startTestAws();
  passed = 0;
  [one, two] = test.tenants.map((id) => test.inTenant(id)) as [TenantContext, TenantContext];
  stream = shardedStream(test, { shards: 1, recordsPerShard: 1_000_000 });
  await addOffice(one, downtown);
  await addOffice(one, uptown);
  await addOffice(two, others);
});
afterEach(() => test.close());

const addOffice = (ctx: TenantContext, id: string) => {
  const row: OfficeRow = { id, name: `Office ${id}`, isActive: true, createdAt: new Date().toISOString() };
  return ctx.store.commit([create(keys.office(id), row)], {
    category: "configuration_change",
    action: "office.create",
    resourceType: "Office",
    resourceId: id,
  });
};

/** Until the projection's own writes are projected too. */
const projectAll = async () => {
  for (;;) {
    const [all = []] = await stream.read();
    const records = all.slice(passed).map(({ record }) => record);
    passed = all.length;
    if (records.length === 0) return;
    await handler({ Records: records, shardId: "shardId-0" }, { awsRequestId: "request", getRemainingTimeInMillis: () => 60_000 });
  }
};

const ended = { platform: "vapi", status: "completed", durationSeconds: 120 } as const;
const going = { platform: "vapi", status: "in_progress" } as const satisfies Partial<CallEvent>;
const ran = (
  ctx: TenantContext,
  callKey: string,
  detail: Record<string, string | boolean>,
  success = true,
  action = "tool.scheduleAppointment",
) =>
  ctx.store.commit([], {
    category: "patient_access",
    action,
    resourceType: "Patient",
    success,
    callKey,
    detail: { tool: "scheduleAppointment", ms: 12, platform: "vapi", booked: true, ...detail },
  });
const isNotFound = (error: unknown) => isAppError(error, "not_found");

describe("a test call", () => {
  it("is in the list with its tools, marked, and in no figure, bill or list of what needs follow-up, even when it is erased", async () => {
    const { callId, id } = await startTestCall(one, "vapi");
    const { callId: left, id: leftId } = await startTestCall(one, "vapi");
    expect(await test.inTenant(two.tenantId).store.get(keys.call(id))).toBeUndefined();
    await ran(one, id, { testCall: true });
    await ran(one, leftId, { testCall: true, reason: "emergency", outcome: "caller_hung_up" }, false);
    await endTestCall(one, { platform: "vapi", callId });
    await recordCallEvent(one, { platform: "vapi", callId: left, status: "failed", durationSeconds: 600 });
    await recordCallEvent(one, { ...ended, callId: "real" });
    await projectAll();
    const { rows } = await listCalls(one, {});
    const listed = Object.fromEntries(
      rows.map(({ id: each, isTest, toolsUsed, needsFollowUp: asks }) => [each, [isTest, toolsUsed, asks]]),
    );
    expect(listed).toEqual({
      [keys.callKeyOf("vapi", "real")]: [undefined, [], false],
      [leftId]: [true, ["scheduleAppointment"], false],
      [id]: [true, ["scheduleAppointment"], false],
    });
    const counted = async () => [
      await callMetrics(one, "all"),
      await toolUsage(one, "all"),
      (await one.store.query(keys.tenantPartitions.stats(one.tenantId))).rows.filter((row) => JSON.stringify(row).includes("600")),
      (await one.store.query(keys.tenantPartitions.toDo(one.tenantId))).rows,
    ];
    expect(await counted()).toMatchObject([{ totalCalls: 1, revenueEvents: 0 }, [], [], []]);
    const at = new Date().toISOString();
    const row = (await one.store.get<CallRow>(keys.call(leftId)))!;
    await one.store.writeUnaudited(eraseCallRow(row, { id: newId(), tenantId: one.tenantId, callKey: leftId, at }));
    await projectAll();
    expect((await callMetrics(one, "all")).totalCalls).toBe(1);
  });

  it("is not among the calls in progress, nor a tenant's last call, and is marked in the export", async () => {
    await recordCallEvent(one, { ...going, callId: "real" });
    const first = await lastCallAt(one);
    for (let count = 0; count < 2; count++) await startTestCall(one, "vapi");
    await projectAll();
    expect((await callsInProgress(one)).map(({ id }) => id)).toEqual([keys.callKeyOf("vapi", "real")]);
    expect([first, await lastCallAt(one), await lastCallAt(two)]).toEqual([expect.any(String), first, undefined]);
    const { csv } = await exportCalls(one, {});
    const cells = csv
      .trim()
      .split("\r\n")
      .map((line) => line.split(",").at(-2));
    expect(cells.toSorted()).toEqual(["Test call", "false", "true", "true"]);
  });

  it("adds no booking to a total or calendar when the retry job finds it", async () => {
    const { id } = await startTestCall(one, "vapi");
    const found = { appointmentId: "a1", start: "2030-01-01T10:00:00.000Z", fhirProviderId: newId(), action: "book" };
    await ran(one, id, { testCall: true, ...found }, true, "tool.settle");
    await projectAll();
    expect(await callMetrics(one, "all")).toMatchObject({ totalCalls: 0, revenueEvents: 0 });
    await ran(one, keys.callKeyOf("vapi", "real"), found, true, "tool.settle");
    await projectAll();
    expect(await callMetrics(one, "all")).toMatchObject({ revenueEvents: 1 });
  });

  it("is only one that began as a test: a caller's call cannot be ended as one, nor another tenant's", async () => {
    await recordCallEvent(one, { ...going, callId: "caller" });
    await expect(endTestCall(one, { platform: "vapi", callId: "caller" })).rejects.toSatisfy(isNotFound);
    const { callId } = await startTestCall(one, "vapi");
    await expect(endTestCall(two, { platform: "vapi", callId })).rejects.toSatisfy(isNotFound);
  });

  it("is begun thirty times an hour by one user", async () => {
    for (let count = 0; count < 30; count++) await startTestCall(one, "mcp");
    await expect(startTestCall(one, "mcp")).rejects.toMatchObject({ code: "too_many_requests" });
    expect((await startTestCall(two, "mcp")).callId).toMatch(/^test-/);
  });
});

describe("an office's numbers", () => {
  it("are those of its calls and tool runs, day by day, and included in its tenant's", async () => {
    await recordCallEvent(one, { ...ended, callId: "a", officeId: downtown });
    await recordCallEvent(one, { ...ended, callId: "b", officeId: downtown, forwarded: true });
    await recordCallEvent(one, { ...ended, callId: "c", officeId: uptown });
    await recordCallEvent(one, { ...ended, callId: "d", success: true });
    await ran(one, keys.callKeyOf("vapi", "a"), { officeId: downtown });
    await ran(one, keys.callKeyOf("vapi", "c"), { officeId: uptown });
    await projectAll();
    for (const range of ["all", "24hours"] as const) {
      expect(await callMetrics(one, range)).toMatchObject({ totalCalls: 4, resolutionRate: 75, revenueEvents: 2 });
      expect(await callMetrics(one, range, downtown)).toMatchObject({ totalCalls: 2, resolutionRate: 50, revenueEvents: 1 });
      expect(await toolUsage(one, range, uptown)).toEqual([{ toolName: "scheduleAppointment", count: 1, successRate: 100 }]);
    }
    const days = await callChart(one, "7days", downtown);
    expect(days.at(-1)?.date).toBe(new Date().toISOString().slice(0, 10));
    // Two days if midnight UTC passes during the test
    const counts = { calls: 2, resolved: 1, forwarded: 1, minutes: 4, revenueEvents: 1 };
    for (const [name, count] of Object.entries(counts))
      expect([name, days.slice(-2).reduce((sum, day) => sum + day[name as keyof typeof counts], 0)]).toEqual([name, count]);
    expect((await recentCalls(one, { officeId: uptown })).rows.map(({ id }) => id)).toEqual([keys.callKeyOf("vapi", "c")]);
  });

  it("are on the day of their tenant's time zone", async () => {
    const clinic = async (timeZone: string) => {
      const id = newId();
      await addTenantRow(test.platform(), id, timeZone, { timeZone });
      return test.inTenant(id);
    };
    const [west, east] = [await clinic("America/Los_Angeles"), await clinic("Asia/Tokyo")];
    const night = { ...ended, callId: "night", startedAt: "2026-05-20T03:30:00.000Z" };
    for (const ctx of [west, east]) await recordCallEvent(ctx, night);
    await projectAll();
    const days = async (ctx: TenantContext) =>
      (await callChart(ctx, { from: "2026-05-18", to: "2026-05-21" })).filter(({ calls }) => calls > 0).map(({ date }) => date);
    expect([await days(west), await days(east)]).toEqual([["2026-05-19"], ["2026-05-20"]]);
    await recordCallEvent(west, { ...night, forwarded: true });
    await projectAll();
    expect(await callChart(west, { from: "2026-05-19", to: "2026-05-19" })).toMatchObject([{ calls: 1, forwarded: 1 }]);
  });

  it("stay on the day on which a call was counted when it is corrected after the tenant's time zone changed", async () => {
    const moves = test.inTenant(newId());
    const isIn = (timeZone: string) => cacheRetentionAndZone(moves.tenantId, { timeZone }, Date.now());
    const days = async () =>
      (await callChart(moves, { from: "2026-05-18", to: "2026-05-21" })).map(({ calls, forwarded }) => [calls, forwarded]);
    const night = { ...ended, callId: "night", startedAt: "2026-05-20T03:30:00.000Z" };
    isIn("America/Los_Angeles");
    await ran(moves, keys.callKeyOf("vapi", "by tool"), {});
    await recordCallEvent(moves, night);
    await projectAll();
    const byTool = (await moves.store.get<CallRow>(keys.call(keys.callKeyOf("vapi", "by tool"))))!;
    expect(byTool.day).toBe(dayIn("America/Los_Angeles", new Date(byTool.startedAt)));
    isIn("Asia/Tokyo");
    await recordCallEvent(moves, { ...night, forwarded: true });
    await projectAll();
    const counted = [[0, 0], [1, 1], [0, 0], [0, 0]]; // prettier-ignore
    expect(await days()).toEqual(counted);
    const callKey = keys.callKeyOf("vapi", "night");
    const row = (await moves.store.get<CallRow>(keys.call(callKey)))!;
    await moves.store.writeUnaudited(eraseCallRow(row, { id: newId(), tenantId: moves.tenantId, callKey, at: new Date().toISOString() }));
    await projectAll();
    expect(await days()).toEqual(counted);
  });

  it("include a call with an office that becomes known after it was counted", async () => {
    const before = (await callMetrics(one, "all", downtown)).totalCalls;
    await recordCallEvent(one, { ...ended, callId: "late" });
    await projectAll();
    await recordCallEvent(one, { ...ended, callId: "late", officeId: downtown });
    await projectAll();
    expect((await callMetrics(one, "all", downtown)).totalCalls).toBe(before + 1);
  });

  it("of another tenant's office, or of none, are not found", async () => {
    for (const office of [others, newId()])
      for (const ask of [
        () => callMetrics(one, "30days", office),
        () => toolUsage(one, "all", office),
        () => callChart(one, "7days", office),
        () => recentCalls(one, { officeId: office }),
        () => listCalls(one, { officeId: office }),
        () => callsInProgress(one, office),
      ])
        await expect(ask()).rejects.toSatisfy(isNotFound);
    expect((await callMetrics(two, "all", others)).totalCalls).toBe(0);
  });

  it("ignore an office that is not a valid id", async () => {
    await recordCallEvent(two, { ...ended, callId: "odd", officeId: "x#DAY#2026-01-01" });
    await projectAll();
    const { rows } = await two.store.query(keys.tenantPartitions.stats(two.tenantId), { prefix: "OFFICE#" });
    expect(rows).toEqual([]);
  });
});

describe("a figure", () => {
  const idOf = (callId: string) => keys.callKeyOf("vapi", callId);
  const found = async (ctx: TenantContext, filter: CallFilter) => (await listCalls(ctx, { ...filter, isTest: false })).rows;
  const runsIn = async (ctx: TenantContext, filter: CallFilter) =>
    (await awaitAllThenThrow((await found(ctx, filter)).map(({ id }) => readCall(ctx, id)))).flatMap(({ toolRuns: runs }) => runs);
  const route = (ctx: TenantContext, callKey: string, reason: string, more: Record<string, string | boolean> = {}) =>
    ran(ctx, callKey, { tool: "logRoutingEvent", booked: false, reason, outcome: "callback", ...more }, true, "tool.logRoutingEvent");

  beforeEach(async () => {
    for (const ctx of [one, two]) {
      for (const callId of ["booked", "failed", "twice", "moved"]) await recordCallEvent(ctx, { ...going, callId });
      await ran(ctx, idOf("booked"), {});
      await ran(ctx, idOf("failed"), {}, false);
      await ran(ctx, idOf("failed"), { tool: "sendSMS", booked: false }, false, "tool.sendSMS");
      for (let run = 0; run < 2; run++) await ran(ctx, idOf("twice"), { booked: false });
      await route(ctx, idOf("twice"), "billing");
      await route(ctx, idOf("twice"), "person");
      await route(ctx, idOf("moved"), "person");
      const { callId, id } = await startTestCall(ctx, "vapi");
      await ran(ctx, id, { testCall: true });
      await ran(ctx, id, { testCall: true }, false);
      await route(ctx, id, "person", { testCall: true });
      await endTestCall(ctx, { platform: "vapi", callId });
    }
    for (const callId of ["booked", "failed", "twice"]) await recordCallEvent(one, { ...ended, callId });
    await recordCallEvent(one, { ...ended, callId: "moved", forwarded: true });
    await recordCallEvent(one, { ...going, callId: "going", startedAt: new Date().toISOString() });
    await ran(one, idOf("going"), { tool: "verifyPatientIdentity", booked: false }, true, "tool.verifyPatientIdentity");
    await projectAll();
  });

  it("of calls opens exactly the calls that it counts, day by day, without test calls and calls in progress", async () => {
    const { totalCalls, resolvedCalls, forwardedCalls, abandonedCalls } = await callMetrics(one, "all");
    expect(totalCalls).toBe(4);
    const counted = [
      ["ended", totalCalls],
      ["resolved", resolvedCalls],
      ["transferred", forwardedCalls],
      ["unresolved", totalCalls - resolvedCalls - forwardedCalls],
      ["abandoned", abandonedCalls],
    ] as const;
    for (const [outcome, count] of counted) expect([outcome, (await found(one, { outcome })).length]).toEqual([outcome, count]);
    for (const { date, calls, resolved, forwarded, abandoned } of await callChart(one, "24hours")) {
      const days = { from: `${date}T00:00:00.000Z`, to: `${date}T23:59:59.999Z` };
      const lengths: number[] = [];
      for (const outcome of ["ended", "resolved", "transferred", "abandoned"] as const)
        lengths.push((await found(one, { ...days, outcome })).length);
      expect(lengths).toEqual([calls, resolved, forwarded, abandoned]);
    }
    expect((await callMetrics(two, "all")).totalCalls).toBe((await found(two, { outcome: "ended" })).length);
  });

  it("of tools opens the calls with exactly the runs that it counts, and of failures those with the failed ones", async () => {
    for (const ctx of [one, two]) {
      const usage = await toolUsage(ctx, "all");
      expect(usage.find(({ toolName }) => toolName === "scheduleAppointment")?.count).toBe(4);
      for (const { toolName, count, successRate } of usage) {
        const runs = (await runsIn(ctx, { tool: toolName })).filter((run) => run.toolName === toolName);
        const failed = (await runsIn(ctx, { failedTool: toolName })).filter((run) => run.toolName === toolName && run.status === "failed");
        expect([toolName, runs.length]).toEqual([toolName, count]);
        expect([toolName, failed.length]).toEqual([toolName, Math.round(count * (1 - (successRate ?? 0) / 100))]);
      }
    }
    const idsOf = async (filter: CallFilter) => (await found(one, filter)).map(({ id }) => id).toSorted();
    expect(await idsOf({ tool: "scheduleAppointment" })).toEqual(["booked", "failed", "twice"].map(idOf).toSorted());
    expect(await idsOf({ failedTool: "sendSMS" })).toEqual([idOf("failed")]);
    // Its name is not on the call's row yet.
    expect(await idsOf({ tool: "verifyPatientIdentity" })).toEqual([idOf("going")]);
  });

  it("of reasons opens the calls whose agent logged them, each of them in one that logged two", async () => {
    const counts = await routingCounts(one, "all");
    expect(counts.map(({ reason, count }) => [reason, count])).toEqual([
      ["person", 2],
      ["billing", 1],
    ]);
    for (const { reason, count } of counts) expect((await found(one, { loggedReason: reason })).length).toBe(count);
    expect((await found(two, { loggedReason: "billing" })).map(({ intent }) => intent)).toEqual(["person"]);
  });

  it("of appointments opens the calls that booked them, also one whose outcome became known later", async () => {
    const booked = async () => [(await callMetrics(one, "all")).revenueEvents, (await found(one, { result: "booked" })).length];
    expect(await booked()).toEqual([1, 1]);
    const later = { appointmentId: "a1", start: "2030-01-01T10:00:00.000Z", fhirProviderId: newId(), action: "book" };
    await ran(one, idOf("failed"), later, true, "tool.settle");
    await projectAll();
    expect(await booked()).toEqual([2, 2]);
    expect((await readCall(one, idOf("failed"))).toolRuns).toHaveLength(2);
  });
});

describe("a run in the test console", () => {
  it("is in no total, no list of calls and no log of tools", async () => {
    const before = [await callMetrics(two, "all"), await toolUsage(two, "all"), (await toolRuns(two, begun, {})).rows];
    const callKey = keys.callKeyOf("test", "session");
    await ran(two, callKey, { test: true, platform: "test" });
    await projectAll();
    expect([await callMetrics(two, "all"), await toolUsage(two, "all"), (await toolRuns(two, begun, {})).rows]).toEqual(before);
    expect(await two.store.get(keys.call(callKey))).toBeUndefined();
  });
});

describe("the log of tool runs", () => {
  it("shows each run of every call once, newest first, by two Queries and a read of a page's runs, to its own tenant", async () => {
    const callKey = keys.callKeyOf("vapi", "a");
    await recordCallEvent(one, { ...ended, callId: "a" });
    for (let run = 0; run < 7; run++) await ran(one, callKey, {});
    await projectAll();
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      test.resetUsage();
      const page = await toolRuns(one, begun, { limit: 2, cursor });
      // Two months if one begins during the test
      expect([...new Set(test.usage().map(({ operation }) => operation))]).toEqual(["Query", "BatchGetItem"]);
      ids.push(...page.rows.map(({ id }) => id));
      cursor = page.next;
    } while (cursor);
    expect(ids.length).toBe(7);
    expect(ids).toEqual([...new Set(ids)].toSorted().toReversed());
    const [newest] = (await toolRuns(one, begun, {})).rows;
    expect(newest).toMatchObject({ toolName: "scheduleAppointment", status: "succeeded", code: null, ms: 12, callId: callKey });
    expect((await toolRuns(two, begun, {})).rows).toEqual([]);
  });
});

describe("what tells a call from others", () => {
  const route = (ctx: TenantContext, callKey: string, reason: string) =>
    ctx.store.commit([], {
      category: "api_call",
      action: "tool.logRoutingEvent",
      resourceType: "Tool",
      success: true,
      callKey,
      detail: { tool: "logRoutingEvent", ms: 5, platform: "vapi", action: "route", reason, outcome: "callback" },
    });

  it("is what its tools did and the reason that its agent logged, by which it is found", async () => {
    const callKey = keys.callKeyOf("vapi", "told");
    await recordCallEvent(one, { ...going, callId: "told" });
    await recordCallEvent(one, { ...ended, callId: "looked" });
    await ran(one, keys.callKeyOf("vapi", "looked"), { booked: false, action: "find" });
    await ran(one, callKey, { booked: false, action: "find" });
    await projectAll();
    expect((await listCalls(one, { intent: "appointment" })).rows.map(({ results }) => results)).toEqual([[], []]);
    await ran(one, callKey, { action: "book", appointmentId: "a" });
    await route(one, callKey, "billing");
    await projectAll();
    expect((await listCalls(one, { intent: "billing" })).rows).toMatchObject([
      { id: callKey, intent: "billing", results: ["booked", "callback_promised"] },
    ]);
    expect((await listCalls(one, { intent: "appointment" })).rows).toHaveLength(1);
    expect((await listCalls(two, { intent: "billing" })).rows).toEqual([]);
  });

  it("is whether one of its tools failed, by which it is found; an emergency is no failure", async () => {
    const idOf = (callId: string) => keys.callKeyOf("vapi", callId);
    const emergency = async (callKey: string) =>
      one.store.commit([], {
        ...{ category: "api_call", action: "tool.scheduleAppointment", resourceType: "Tool", success: false, code: "emergency", callKey },
        detail: { tool: "scheduleAppointment", ms: 1, platform: "vapi" },
      });
    const failed = async (ctx: TenantContext, toolFailed = true) =>
      (await listCalls(ctx, { toolFailed })).rows.map(({ id }) => id).toSorted();
    for (const ctx of [one, two]) await recordCallEvent(ctx, { ...ended, callId: "half" });
    await recordCallEvent(one, { ...ended, callId: "none" });
    await ran(one, idOf("half"), {});
    await ran(one, idOf("well"), {});
    await emergency(idOf("alarm"));
    await projectAll();
    expect(await failed(one)).toEqual([]);
    await ran(one, idOf("half"), {}, false);
    await ran(one, idOf("first"), {}, false);
    await projectAll();
    await ran(one, idOf("first"), {});
    await projectAll();
    const both = [idOf("half"), idOf("first")].toSorted();
    expect(await failed(one)).toEqual(both);
    expect((await listCalls(one, { toolFailed: true })).rows[0]?.toolFailed).toBe(true);
    expect(await failed(one, false)).toEqual(expect.not.arrayContaining(both));
    expect(await failed(two)).toEqual([]);
  });

  it("is its number: it is found by it until its texts are erased or it has another", async () => {
    const byNumber = async (ctx: TenantContext, number: string) =>
      (await searchCalls(ctx, { by: "number", number })).found.map(({ call }) => call.id);
    const [callerNumber, callKey] = ["+16175550101", keys.callKeyOf("vapi", "ring")];
    await recordCallEvent(one, { ...ended, callId: "ring", callerNumber });
    await recordCallEvent(two, { ...ended, callId: "ring", callerNumber });
    await projectAll();
    expect([await byNumber(one, "617 555 0101"), await byNumber(two, callerNumber)]).toEqual([[callKey], [callKey]]);
    await recordCallEvent(one, {
      ...ended,
      callId: "ring",
      callerNumber: "+16175550102",
      success: true,
      endedReason: "hangup",
      summary: "S",
    });
    await projectAll();
    expect([await byNumber(one, callerNumber), await byNumber(one, "+16175550102")]).toEqual([[], [callKey]]);
    const at = new Date().toISOString();
    const row = await one.store.get<CallRow>(keys.call(callKey));
    await one.store.writeUnaudited(eraseCallRow(row as CallRow, { id: newId(), tenantId: one.tenantId, callKey, at }));
    await projectAll();
    for (const number of [callerNumber, "+16175550102"]) {
      const [hash = ""] = numberHashes(one.tenantId, number);
      expect((await one.store.query(keys.tenantPartitions.callsOfNumber(one.tenantId, hash))).rows).toEqual([]);
    }
    expect(await byNumber(two, callerNumber)).toEqual([callKey]);
  });

  it("is found by its number as long as a new retention period keeps its texts", async () => {
    const callKey = keys.callKeyOf("vapi", "kept");
    await recordCallEvent(one, { ...ended, callId: "kept", callerNumber: "+16175550101" });
    await projectAll();
    const { expiresAt = 0, textsUntil = 0 } = (await one.store.get<CallRow>(keys.call(callKey))) ?? {};
    const later = { set: { expiresAt: expiresAt + 1000, textsUntil: textsUntil + 1000 } };
    await one.store.writeUnaudited(update<CallRow>(keys.call(callKey), later, { exists: true }));
    await projectAll();
    const [hash = ""] = numberHashes(one.tenantId, "+16175550101");
    const { rows } = await one.store.query<{ expiresAt: number }>(keys.tenantPartitions.callsOfNumber(one.tenantId, hash));
    expect(rows).toEqual([{ callKey, expiresAt: textsUntil + 1000 }]);
  });
});

describe("the length of a call whose start and end came in two events", () => {
  const end = Date.now();
  const started: CallEvent = { platform: "openai", callId: "two", startedAt: new Date(end - 600_000).toISOString(), status: "in_progress" };
  const ended: CallEvent = { platform: "openai", callId: "two", endedAt: new Date(end).toISOString(), status: "completed", success: true };
  it.each([
    ["as they happened", [started, ended]],
    ["the start last", [ended, started]],
  ])("counts as the list shows it, in averages, charts, the plan and the savings: %s", async (_, events) => {
    for (const event of events) await recordCallEvent(one, event);
    await projectAll();
    const { rows } = await listCalls(one, {});
    const { averageDuration, costSavings } = await callMetrics(one, "all");
    const minutes = (await callChart(one, "7days")).reduce((sum, day) => sum + day.minutes, 0);
    const billed = (await planUsage(one, {})).minutes;
    expect([rows.map(({ duration }) => duration), averageDuration, minutes, billed]).toEqual([[600], 600, 10, 10]);
    expect(costSavings.hoursAutomated).toBeCloseTo(1 / 6);
  });
});

describe("calls in progress", () => {
  it("are listed from their first event to their end, to their own tenant, at the cost of their rows", async () => {
    await recordCallEvent(one, { ...going, callId: "now", officeId: uptown, direction: "inbound" });
    await recordCallEvent(one, { ...going, callId: "soon", status: "ringing" });
    await projectAll();
    expect((await callsInProgress(one)).map(({ id }) => id).toSorted()).toEqual(
      ["now", "soon"].map((id) => keys.callKeyOf("vapi", id)).toSorted(),
    );
    expect(await callsInProgress(one, uptown)).toMatchObject([{ status: "in_progress", direction: "inbound", officeId: uptown }]);
    expect(await callsInProgress(two)).toEqual([]);
    const startedAt = "2026-05-01T10:00:00.000Z";
    await recordCallEvent(one, { ...going, callId: "soon", agentId: "agent-1", startedAt });
    await recordCallEvent(one, { ...ended, callId: "now" });
    await projectAll();
    test.resetUsage();
    expect(await callsInProgress(one)).toMatchObject([{ status: "in_progress", agentId: "agent-1", createdAt: startedAt }]);
    expect(test.usage().map(({ operation, readUnits }) => ({ operation, readUnits }))).toEqual([{ operation: "Query", readUnits: 0.5 }]);
    await recordCallEvent(one, { ...ended, callId: "soon" });
    await projectAll();
    expect(await callsInProgress(one)).toEqual([]);
  });

  it("without a reported end expire after six hours with an unknown outcome, count once, and are corrected by a late report", async () => {
    const callId = "forgotten";
    const rowOf = async () => (await one.store.get<CallRow>(keys.call(keys.callKeyOf("vapi", callId)))) as CallRow;
    const before = (await callMetrics(one, "all")).totalCalls;
    await recordCallEvent(one, { ...going, callId });
    await projectAll();
    await test.aws.dynamodb.sweepExpired(Date.now() + 5 * 3_600_000);
    await projectAll();
    expect((await rowOf()).status).toBe("in_progress");
    await test.aws.dynamodb.sweepExpired(Date.now() + 6 * 3_600_000 + 2000);
    await projectAll();
    expect(await rowOf()).toMatchObject({ status: "unknown", endSeenAt: expect.any(String) });
    expect((await callMetrics(one, "all")).totalCalls).toBe(before + 1);
    expect(await callsInProgress(one)).toEqual([]);
    expect((await listCalls(one, { needsFollowUp: true })).rows.map(({ id }) => id)).toContain(keys.callKeyOf("vapi", callId));
    await recordCallEvent(one, { ...ended, callId });
    await projectAll();
    expect((await rowOf()).status).toBe("completed");
    expect((await callMetrics(one, "all")).totalCalls).toBe(before + 1);
  });
});

describe("V03: a call at OpenAI, which reports no end", () => {
  it("is closed after two hours without news as ended for an unknown reason, and needs follow-up", async () => {
    const callId = "rtc_forgotten";
    const callKey = keys.callKeyOf("openai", callId);
    const rowOf = () => one.store.get<CallRow>(keys.call(callKey));
    await recordCallEvent(one, { ...going, platform: "openai", callId });
    await projectAll();
    await test.aws.dynamodb.sweepExpired(Date.now() + 1.9 * 3_600_000);
    await projectAll();
    expect(await rowOf()).toMatchObject({ status: "in_progress" });
    await test.aws.dynamodb.sweepExpired(Date.now() + 2 * 3_600_000 + 2000);
    await projectAll();
    expect(await rowOf()).toMatchObject({ status: "unknown", endSeenAt: expect.any(String) as string });
    const listed = (await listCalls(one, { needsFollowUp: true })).rows.find(({ id }) => id === callKey);
    expect(listed).toMatchObject({ resolved: false, status: "unknown" });
    expect(await two.store.get(keys.call(callKey))).toBeUndefined();
  });
});

describe("V05: the outcome of a call", () => {
  const routed = (ctx: TenantContext, callKey: string, outcome: string) =>
    ctx.store.commit([], {
      category: "api_call",
      action: "tool.logRoutingEvent",
      resourceType: "Tool",
      callKey,
      detail: { tool: "logRoutingEvent", ms: 3, platform: "vapi", reason: "person", outcome },
    });
  const shown = async (ctx: TenantContext, callId: string) => {
    const { rows } = await listCalls(ctx, {});
    const { resolved, abandoned, needsFollowUp } = rows.find(({ id }) => id === keys.callKeyOf("vapi", callId))!;
    return { resolved, abandoned, needsFollowUp };
  };
  const figures = async (ctx: TenantContext) => {
    const { totalCalls, abandonedCalls, resolutionRate } = await callMetrics(ctx, "all");
    const [day] = (await callChart(ctx, "24hours")).slice(-1);
    return { abandonedCalls, resolved: Math.round((totalCalls * resolutionRate) / 100), abandonedToday: day?.abandoned };
  };
  const lost = { resolved: false, abandoned: true, needsFollowUp: true };

  it("is abandoned and needs follow-up if the caller asked for a person, got none and hung up, in either order of the reports", async () => {
    const before = await figures(one);
    const others = await figures(two);
    const hangUp = (callId: string) =>
      recordCallEvent(one, { platform: "vapi", callId, status: "completed", endedReason: "customer-ended-call", durationSeconds: 9 });
    await routed(one, keys.callKeyOf("vapi", "v05-first"), "callback");
    await projectAll();
    await hangUp("v05-first");
    await hangUp("v05-later");
    await projectAll();
    expect(await shown(one, "v05-later")).toEqual({ resolved: false, abandoned: false, needsFollowUp: false });
    await routed(one, keys.callKeyOf("vapi", "v05-later"), "transferred");
    await projectAll();
    for (const callId of ["v05-first", "v05-later"]) expect([callId, await shown(one, callId)]).toEqual([callId, lost]);
    const { abandonedCalls, resolved, abandonedToday = 0 } = before;
    expect(await figures(one)).toEqual({ abandonedCalls: abandonedCalls + 2, resolved, abandonedToday: abandonedToday + 2 });
    expect(await figures(two)).toEqual(others);
    expect((await listCalls(one, { outcome: "abandoned" })).rows.map(({ id }) => id).toSorted()).toEqual(
      ["v05-first", "v05-later"].map((id) => keys.callKeyOf("vapi", id)).toSorted(),
    );
  });

  it("is resolved by a successful tool, also one that is known after the end, and by no failed one", async () => {
    const before = await figures(one);
    for (const callId of ["v05-booked", "v05-refused"]) await recordCallEvent(one, { platform: "vapi", callId, status: "completed" });
    await projectAll();
    expect((await figures(one)).resolved).toBe(before.resolved);
    await ran(one, keys.callKeyOf("vapi", "v05-booked"), {});
    await ran(one, keys.callKeyOf("vapi", "v05-refused"), {}, false);
    await projectAll();
    expect(await shown(one, "v05-booked")).toEqual({ resolved: true, abandoned: false, needsFollowUp: false });
    expect(await shown(one, "v05-refused")).toEqual({ resolved: false, abandoned: false, needsFollowUp: false });
    expect(await figures(one)).toEqual({ ...before, resolved: before.resolved + 1 });
  });

  it("stays as counted when the call is erased", async () => {
    const callId = "v05-erased";
    await recordCallEvent(one, { platform: "vapi", callId, status: "completed", endedReason: "silence-timed-out" });
    await projectAll();
    const before = await figures(one);
    const callKey = keys.callKeyOf("vapi", callId);
    const row = (await one.store.get<CallRow>(keys.call(callKey)))!;
    await one.store.writeUnaudited(eraseCallRow(row, { id: newId(), tenantId: one.tenantId, callKey, at: new Date().toISOString() }));
    await projectAll();
    expect(await figures(one)).toEqual(before);
  });
});

describe("routing counts", () => {
  const routed = (ctx: TenantContext, reason: string, outcome: string, more: object = {}, success = true) =>
    ctx.store.commit([], {
      category: "api_call",
      action: "tool.logRoutingEvent",
      resourceType: "Tool",
      success,
      callKey: keys.callKeyOf("vapi", "routed"),
      detail: { tool: "logRoutingEvent", ms: 3, platform: "vapi", reason, outcome, ...more },
    });

  it("are by reason and outcome, per tenant, day and office, and ignore unknown values", async () => {
    await routed(one, "billing", "transferred", { officeId: downtown });
    await routed(one, "billing", "transferred");
    await routed(one, "new_patient", "callback", { officeId: downtown });
    await routed(one, "gossip", "transferred");
    await routed(one, "billing", "transferred", {}, false);
    await routed(one, "billing", "voicemail", { test: true, platform: "test" });
    await projectAll();
    for (const range of ["all", "24hours"] as const) {
      expect(await routingCounts(one, range)).toEqual([
        { reason: "billing", outcome: "transferred", count: 2 },
        { reason: "new_patient", outcome: "callback", count: 1 },
      ]);
      expect(await routingCounts(one, range, downtown)).toEqual([
        { reason: "billing", outcome: "transferred", count: 1 },
        { reason: "new_patient", outcome: "callback", count: 1 },
      ]);
      expect(await routingCounts(two, range)).toEqual([]);
    }
    await expect(routingCounts(two, "all", downtown)).rejects.toSatisfy(isNotFound);
  });
});
