import { CallFilter, type CallStatus, type FilteredOutcome } from "@vitaline/contract";
import { isAppError, newId } from "@vitaline/core";
import { cacheRetentionAndZone, type CallRow, create, keys, type OfficeRow, type TenantContext, update } from "@vitaline/store";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { writeCalls } from "../calls.fixture.ts";
import { exportCalls, followUpCall, listCalls, recordCallEvent, type CallEvent } from "../index.ts";

let test: TestAws;
let one: TenantContext;
let two: TenantContext;
const office = newId();
const startMs = Date.parse("2026-05-01T09:00:00.000Z");
const at = (minute: number) => new Date(startMs + minute * 60_000).toISOString();
const keyOf = (callId: string) => keys.callKeyOf("vapi", callId);

const events: (Omit<CallEvent, "platform"> & { callId: string })[] = [
  {
    callId: "resolved",
    status: "completed",
    success: true,
    officeId: office,
    agentId: "agent-1",
    outcome: "Appointment BOOKED",
    agentName: "Front desk",
    callerNumber: "+16175550101",
  },
  { callId: "transferred", status: "completed", forwarded: true, endedReason: "assistant-forwarded-call", agentId: "agent-2" },
  { callId: "unanswered", status: "no_answer", endedReason: "customer-did-not-answer" },
  { callId: "lost-transfer", status: "failed", forwarded: true, endedReason: "call.forwarding.no-answer", officeId: office },
  { callId: "unsuccessful", status: "completed", success: false, endedReason: "customer-ended-call" },
  { callId: "going", status: "in_progress", agentId: "agent-1" },
];

beforeEach(async () => {
  test = await startTestAws();
  [one, two] = test.tenants.map((id) => test.inTenant(id, { kind: "user", id: "admin", role: "tenant_admin", tenantId: id })) as [
    TenantContext,
    TenantContext,
  ];
  const row: OfficeRow = { id: office, name: "Downtown", isActive: true, createdAt: at(0) };
  await one.store.commit([create(keys.office(office), row)], {
    category: "configuration_change",
    action: "office.create",
    resourceType: "Office",
  });
  for (const [minute, event] of events.entries()) await recordCallEvent(one, { platform: "vapi", startedAt: at(minute), ...event });
  await recordCallEvent(two, { platform: "vapi", callId: "not-yours", status: "failed" });
});
afterEach(() => test.close());

const manyCalls = process.env["FULL"] ? 100_000 : 2000;

/** Names of the calls listed for a URL query. */
const found = async (query: Record<string, string>): Promise<string[]> => {
  const { rows } = await listCalls(one, z.parse(CallFilter, query));
  return rows.map(({ id }) => events.find(({ callId }) => keyOf(callId) === id)?.callId ?? id);
};

describe("the list of calls", () => {
  it("has the tenant's own calls, newest first, with all listed fields", async () => {
    expect(await found({})).toEqual(events.map(({ callId }) => callId).toReversed());
    const { rows } = await listCalls(one, { outcome: "resolved" });
    expect(rows).toEqual([
      {
        id: keyOf("resolved"),
        intent: null,
        numberEnding: "0101",
        agentName: "Front desk",
        results: [],
        platform: "vapi",
        createdAt: at(0),
        duration: null,
        status: "completed",
        toolsUsed: [],
        resolved: true,
        forwarded: false,
        abandoned: false,
        outcome: "Appointment BOOKED",
        endedReason: null,
        officeId: office,
        agentId: "agent-1",
        direction: null,
        success: true,
        needsFollowUp: false,
        version: 1,
      },
    ]);
  });

  it("applies each filter alone and all together", async () => {
    const statuses: [CallStatus, string[]][] = [
      ["completed", ["unsuccessful", "transferred", "resolved"]],
      ["in_progress", ["going"]],
      ["cancelled", []],
    ];
    for (const [status, names] of statuses) expect(await found({ status })).toEqual(names);
    expect(await found({ outcome: "resolved" })).toEqual(["resolved"]);
    expect(await found({ outcome: "transferred" })).toEqual(["lost-transfer", "transferred"]);
    expect(await found({ outcome: "unresolved" })).toEqual(["unsuccessful", "unanswered"]);
    expect(await found({ agentId: "agent-1" })).toEqual(["going", "resolved"]);
    expect(await found({ officeId: office })).toEqual(["lost-transfer", "resolved"]);
    expect(await found({ forwarded: "false" })).toEqual(["going", "unsuccessful", "unanswered", "resolved"]);
    expect(await found({ needsFollowUp: "true" })).toEqual(["unsuccessful", "lost-transfer", "unanswered"]);
    expect(await found({ needsFollowUp: "false", forwarded: "true" })).toEqual(["transferred"]);
    expect(await found({ officeId: office, forwarded: "true", status: "failed", q: "forwarding" })).toEqual(["lost-transfer"]);
  });

  it("finds a text case-insensitively in ids, ended reasons and outcomes, and ignores an empty one", async () => {
    expect(await found({ q: "booked" })).toEqual(["resolved"]);
    expect(await found({ q: "DID-NOT-ANSWER" })).toEqual(["unanswered"]);
    expect(await found({ q: keyOf("going").slice(3, 20).toUpperCase() })).toEqual(["going"]);
    expect(await found({ q: "lost-tr" })).toEqual(["lost-transfer"]);
    expect(await found({ q: "agent-1" })).toEqual([]);
    expect(await found({ q: "", status: "", officeId: "", from: "", forwarded: "" })).toHaveLength(events.length);
  });

  it("includes both ends of a range of instants or days", async () => {
    expect(await found({ from: at(1), to: at(3) })).toEqual(["lost-transfer", "unanswered", "transferred"]);
    expect(await found({ from: "2026-05-01T11:01:00+02:00", to: at(1) })).toEqual(["transferred"]);
    expect(await found({ from: at(4) })).toEqual(["going", "unsuccessful"]);
    expect(await found({ to: "2026-05-01", from: "2026-05-01" })).toHaveLength(events.length);
    expect(await found({ to: "2026-04-30" })).toEqual([]);
    expect(await found({ from: "2026-05-02" })).toEqual([]);
  });

  it("has, page by page, each matching call once, and no other", async () => {
    const all = (await listCalls(one, {})).rows;
    const maybe = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          status: maybe<CallStatus>("completed", "failed", "no_answer"),
          outcome: maybe<FilteredOutcome>("resolved", "transferred", "unresolved", "abandoned"),
          agentId: maybe("agent-1", "agent-2", "nobody"),
          officeId: maybe(office),
          forwarded: maybe(true, false),
          needsFollowUp: maybe(true, false),
          from: maybe(at(0), at(2)),
          to: maybe(at(2), at(4)),
        }),
        fc.integer({ min: 1, max: 3 }),
        async (filter, limit) => {
          const shown: string[] = [];
          for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
            const page = await listCalls(one, { ...filter, q: undefined, limit, cursor });
            expect(page.rows.length).toBeLessThanOrEqual(limit);
            shown.push(...page.rows.map(({ id }) => id));
            cursor = page.next;
          }
          const { status, outcome, agentId, officeId, forwarded, needsFollowUp, from, to } = filter;
          const wanted = all.filter(
            (call) =>
              (status ?? call.status) === call.status &&
              (agentId ?? call.agentId) === call.agentId &&
              (officeId ?? call.officeId) === call.officeId &&
              (forwarded ?? call.forwarded) === call.forwarded &&
              (needsFollowUp ?? call.needsFollowUp) === call.needsFollowUp &&
              (from === undefined || call.createdAt >= from) &&
              (to === undefined || call.createdAt <= to) &&
              (outcome === undefined ||
                (call.status !== "in_progress" &&
                  outcome ===
                    (outcome === "abandoned" && call.abandoned
                      ? outcome
                      : call.forwarded
                        ? "transferred"
                        : call.resolved
                          ? "resolved"
                          : "unresolved"))),
          );
          expect(shown).toEqual(wanted.map(({ id }) => id));
        },
      ),
      { numRuns: 60 },
    );
  }, 60_000);

  it(`costs one read, the same at ${manyCalls} calls as at 100, with and without filters; rare matches come page by page`, async () => {
    const costs: unknown[] = [];
    for (const [tenantId, calls] of [
      ["hundred", 100],
      ["many", manyCalls],
    ] as const) {
      await writeCalls(tenantId, calls, startMs);
      const ctx = test.inTenant(tenantId);
      test.resetUsage();
      expect((await listCalls(ctx, {})).rows).toHaveLength(50);
      expect((await listCalls(ctx, { limit: 100 })).rows).toHaveLength(100);
      expect((await listCalls(ctx, { needsFollowUp: true })).rows).toHaveLength(1);
      expect((await listCalls(ctx, { q: "matches nothing" })).rows).toHaveLength(0);
      expect((await listCalls(ctx, { tool: "sendSMS", isTest: false })).rows).toHaveLength(0);
      costs.push(test.usage().map(({ operation, readUnits }) => ({ operation, readUnits })));
    }
    expect(costs[0]).toEqual([2.5, 5, 5, 5, 5].map((readUnits) => ({ operation: "Query", readUnits })));
    expect(costs[1]).toEqual(costs[0]);
    let [pages, failed] = [0, 0];
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page = await listCalls(test.inTenant("many"), { status: "failed", cursor });
      pages++;
      failed += page.rows.length;
      cursor = page.next;
    }
    expect([failed, pages]).toEqual([manyCalls / 100, manyCalls / 100 + 1]);
  });
});

describe("the export of calls", () => {
  it("has agents, offices and starts in words and in the clinic's time too, after the ids and UTC", async () => {
    cacheRetentionAndZone(one.tenantId, { timeZone: "America/Chicago" }, one.clock().getTime());
    const used = update<CallRow>(keys.call(keyOf("resolved")), { add: { toolsUsed: new Set(["scheduleAppointment"]) } }, { exists: true });
    await one.store.writeUnaudited(used);
    const { csv } = await exportCalls(one, { outcome: "resolved" });
    const [head = "", line = ""] = csv.split("\r\n");
    expect(head.split(",").slice(-5)).toEqual([...["Started (America/Chicago)", "Agent name", "Office name", "Test call", "Reason"]]);
    expect(line.split(",").slice(-5)).toEqual(["2026-05-01 04:00", "Front desk", "Downtown", "false", "appointment"]);
    expect(line).toContain(`,${office},`);
  });

  it("has the matching calls, escapes spreadsheet formulas, and is audited", async () => {
    await recordCallEvent(two, {
      platform: "vapi",
      callId: "formula",
      status: "completed",
      success: true,
      outcome: '=HYPERLINK("http://x","y")',
      startedAt: at(9),
    });
    const { fileName, rows, complete, csv } = await exportCalls(two, { status: "completed" });
    expect([fileName, rows, complete]).toEqual([expect.stringMatching(/^calls-\d{4}-\d\d-\d\d\.csv$/), 1, true]);
    const [head, line] = csv.split("\r\n");
    expect(head).toMatch(/^Call,Started \(UTC\),Seconds,Status,Outcome,/);
    expect(line).toBe(
      `${keyOf("formula")},${at(9)},,completed,resolved,false,false,,vapi,,,,,"'=HYPERLINK(""http://x"",""y"")",false,false,2026-05-01 09:09,,,false,`,
    );
    const audited = await two.store.query(keys.tenantPartitions.audit(two.tenantId, new Date().toISOString().slice(0, 7), "data_query"));
    expect(audited.rows).toMatchObject([{ action: "call.export", actorId: "admin", detail: { rows: 1 } }]);
  });

  it("is limited to two thousand, and says so", async () => {
    await writeCalls("thousands", 3000, Date.now() - 3_600_000);
    const ctx = test.inTenant("thousands");
    const { rows, complete, csv } = await exportCalls(ctx, {});
    expect([rows, complete, new Set(csv.split("\r\n")).size]).toEqual([2000, false, 2002]);
    expect(await exportCalls(ctx, { status: "failed" })).toMatchObject({ rows: 30, complete: true });
  });
});

describe("a call that needs a follow-up", () => {
  it("is done when a user marks it, once for each version, and audited", async () => {
    const id = keyOf("unanswered");
    const done = await followUpCall(one, id, { done: true, note: "Called back" }, 1);
    expect(done).toMatchObject({ id, needsFollowUp: false, version: 2 });
    expect(await found({ needsFollowUp: "true" })).toEqual(["unsuccessful", "lost-transfer"]);
    await expect(followUpCall(one, id, { done: false }, 1)).rejects.toSatisfy((error) => isAppError(error, "stale_version"));
    expect(await followUpCall(one, id, { done: false })).toMatchObject({ needsFollowUp: true, version: 3 });
    await expect(followUpCall(two, id, { done: true })).rejects.toSatisfy((error) => isAppError(error, "not_found"));
    const audited = await one.store.query(
      keys.tenantPartitions.audit(one.tenantId, new Date().toISOString().slice(0, 7), "patient_access"),
    );
    expect(audited.rows).toMatchObject([
      { action: "call.followUp", actorId: "admin", resourceId: id, detail: { done: true, version: 2 } },
      { action: "call.followUp", resourceId: id, detail: { done: false, version: 3 } },
    ]);
  });
});
