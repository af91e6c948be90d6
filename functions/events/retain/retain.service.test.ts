import { callMetrics, eraseCallRow, readCall, recordCallEvent } from "@vitaline/calls";
import { contract, retentionDays, defaultRetention, type Retention } from "@vitaline/contract";
import { newId } from "@vitaline/core";
import { storeLead } from "@vitaline/leads";
import {
  keys,
  put,
  remove,
  tenantRetention,
  update,
  type AuditRow,
  type CallRow,
  type DueRow,
  type LeadRow,
  type MessageRow,
  type RetentionRunRow,
  type TaskRow,
  type TenantContext,
  type ToolRunRow,
} from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import { createTask } from "@vitaline/tasks";
import { updateTenant } from "@vitaline/tenants";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { byClock, startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { addTenantRow } from "../../../test/kit/store/tenant-row.ts";
import { handler as retryHandler } from "../retry/handler.ts";
import { project } from "../project/project.ts";
import { shardedStream } from "../../lib/dynamodb-stream/stream.fixture.ts";
import { handler } from "./handler.ts";

let it: TestAws;
let stream: ReturnType<typeof shardedStream>;
let passed = 0;
const dayMs = 86_400_000;
beforeEach(async () => {
  it = await startTestAws();
  stream = shardedStream(it, { shards: 1, recordsPerShard: 1_000_000 });
  passed = 0;
  for (const id of it.tenants) await addTenantRow(it.platform(), id, "Clinic");
  process.env["RETAIN_FUNCTION"] = "vitaline-test-events-retain";
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
});
afterEach(async () => {
  vi.restoreAllMocks();
  delete process.env["RETAIN_FUNCTION"];
  await it.close();
});

const ctxOf = (at: 0 | 1): TenantContext => it.inTenant(it.tenants[at]);
const daysFrom = (at: string | number, seconds: number | undefined): number =>
  Math.round(((seconds ?? 0) - Math.floor(new Date(at).getTime() / 1000)) / 86_400);
const keyOf = (callId: string) => keys.callKeyOf("vapi", callId);
const callOf = (ctx: TenantContext, callId: string) => ctx.store.get<CallRow>(keys.call(keyOf(callId)));

/** Sets a new policy as a system administrator does. Returns the request to apply it. */
async function setPeriods(at: 0 | 1, retention: Partial<Retention>): Promise<string> {
  const required = { name: "Clinic", contactEmail: "office@example.com", organizationType: "clinic", isActive: true };
  const body = contract.admin.updateTenant.body.parse({ ...required, policies: { retention } });
  await updateTenant(it.platform(), it.tenants[at], body);
  return requested(at);
}
const runOf = (at: 0 | 1) => ctxOf(at).store.get<RetentionRunRow>(keys.retentionRun());
const requested = async (at: 0 | 1): Promise<string> => (await runOf(at))?.id ?? "";
const apply = (at: 0 | 1, retentionId: string, remainingMs = 600_000): Promise<void> =>
  handler({ tenantId: it.tenants[at], retentionId }, { awsRequestId: newId(), getRemainingTimeInMillis: () => remainingMs });
const audits = async (at: 0 | 1): Promise<AuditRow[]> => {
  const month = new Date().toISOString().slice(0, 7);
  const { rows } = await ctxOf(at).store.query<AuditRow>(keys.tenantPartitions.audit(it.tenants[at], month, "configuration_change"));
  return rows.filter(({ action }) => action === "retention.apply");
};

async function projectAll(): Promise<void> {
  for (;;) {
    const [all = []] = await stream.read();
    const Records = all.slice(passed).map(({ record }) => record);
    passed = all.length;
    if (Records.length === 0) return;
    await project(it.platform(), { shardId: "shardId-0", Records });
  }
}

/** Creates a call with a tool run, a lead, a task and a message. */
async function live(at: 0 | 1, callId: string): Promise<void> {
  const ctx = ctxOf(at);
  const callKey = keyOf(callId);
  const startedAt = new Date(Date.now() - 60_000).toISOString();
  await recordCallEvent(ctx, {
    platform: "vapi",
    callId,
    status: "completed",
    startedAt,
    durationSeconds: 60,
    summary: "A refill",
    transcript: { text: "I would like a refill" },
  });
  const detail = { tool: "getPatientInfo", ms: 12, platform: "vapi" };
  await ctx.store.commit([], { category: "patient_access", action: "tool.getPatientInfo", resourceType: "Patient", callKey, detail });
  const sent = { messageId: newId(), channel: "sms", purpose: "general", status: "sent" };
  await ctx.store.commit([], { category: "patient_access", action: "message.send", resourceType: "Message", callKey, detail: sent });
  await storeLead(ctx, {
    reason: "new_patient",
    contact: { name: "Jane Example", phone: "555 0142", email: undefined, note: undefined },
    callKey,
  });
  const task = await createTask(ctx, newId(), { kind: "visit_request", about: { tool: "scheduleAppointment" }, callKey });
  await ctx.store.commit([task], { category: "api_call", action: "tool.test", resourceType: "Tool" });
  await projectAll();
}

/** The retention in days of each kind of row. */
async function periodsOf(at: 0 | 1) {
  const { store, tenantId } = ctxOf(at);
  const of = keys.tenantPartitions;
  const { rows: calls } = await store.query<CallRow>(of.calls(tenantId), { index: "gsi1" });
  const runs: ToolRunRow[] = [];
  for (const { callKey } of calls) runs.push(...(await store.query<ToolRunRow>(of.callItems(tenantId, callKey), { prefix: "RUN#" })).rows);
  const { rows: leads } = await store.query<LeadRow>(of.leads(tenantId));
  const { rows: tasks } = await store.query<TaskRow>(of.tasks(tenantId));
  const { rows: messages } = await store.query<MessageRow>(of.messages(tenantId));
  const only = (days: number[]): number[] => [...new Set(days)];
  return {
    calls: only(calls.map(({ startedAt, expiresAt }) => daysFrom(startedAt, expiresAt))),
    transcripts: only(calls.map(({ startedAt, textsUntil }) => daysFrom(startedAt, textsUntil))),
    runs: only(runs.map((row) => daysFrom(row.at, row.expiresAt))),
    leads: only(leads.map((row) => daysFrom(row.at, row.expiresAt))),
    tasks: only(tasks.map((row) => daysFrom(row.at, row.expiresAt))),
    messages: only(messages.map((row) => daysFrom(row.at, row.expiresAt))),
  };
}
const asPeriods = ({ calls, transcripts, leads, messages }: Retention) => ({
  calls: [calls],
  transcripts: [transcripts],
  runs: [calls],
  leads: [leads],
  tasks: [leads],
  messages: [messages],
});
const fileAt = (key: string | undefined) => it.aws.s3.get(process.env["FILES_BUCKET"] ?? "", key ?? "");
const tagOf = async (key: string | undefined) => (await fileAt(key))?.tags["retention"];

describe("C06: data of callers", () => {
  test("expires from the start, each kind by its tenant's own period, and its file is deleted by the bucket", async () => {
    const own: Retention = { calls: 180, transcripts: 30, leads: 90, messages: 365 };
    await setPeriods(1, own);
    await live(0, "a");
    await live(1, "a");
    expect(await periodsOf(0)).toEqual(asPeriods(defaultRetention));
    expect(await periodsOf(1)).toEqual(asPeriods(own));
    expect(await tagOf((await callOf(ctxOf(0), "a"))?.transcript?.key)).toEqual("365");
    expect(await tagOf((await callOf(ctxOf(1), "a"))?.transcript?.key)).toEqual("30");
  });

  test("a later event on a call does not change its expiry", async () => {
    await recordCallEvent(ctxOf(0), { platform: "vapi", callId: "a", status: "in_progress" });
    const first = await callOf(ctxOf(0), "a");
    const later = byClock(ctxOf(0), () => new Date(Date.now() + 3 * dayMs));
    await recordCallEvent(later, { platform: "vapi", callId: "a", status: "completed", startedAt: new Date().toISOString() });
    const { status, expiresAt, textsUntil } = (await callOf(ctxOf(0), "a"))!;
    expect({ status, expiresAt, textsUntil }).toEqual({ status: "completed", expiresAt: first?.expiresAt, textsUntil: first?.textsUntil });
  });

  test("a call from before its platform was connected is kept from its first event, so it does not expire at once", async () => {
    await setPeriods(0, { calls: 30, transcripts: 30 });
    const startedAt = new Date(Date.now() - 400 * dayMs).toISOString();
    await recordCallEvent(ctxOf(0), { platform: "vapi", callId: "a", status: "completed", startedAt, summary: "Old" });
    expect(daysFrom(Date.now(), (await callOf(ctxOf(0), "a"))?.expiresAt)).toBe(30);
    expect((await readCall(ctxOf(0), keyOf("a"))).summary).toBe("Old");
    await setPeriods(0, { calls: 90 });
    await apply(0, await requested(0));
    expect(daysFrom(Date.now(), (await callOf(ctxOf(0), "a"))?.expiresAt)).toBe(90);
  });

  test("costs one read of the tenant's row per instance and minute, and no additional write units", async () => {
    const spent = () => it.usage().map(({ operation, readUnits, writeUnits }) => [operation, readUnits, writeUnits]);
    const tell = (callId: string) => recordCallEvent(ctxOf(0), { platform: "vapi", callId, status: "in_progress" });
    it.resetUsage();
    await tell("a");
    expect(spent()).toEqual([
      ["GetItem", 1, 0],
      ["UpdateItem", 0, 2],
    ]);
    it.resetUsage();
    await tell("b");
    expect(spent()).toEqual([["UpdateItem", 0, 2]]);
  });

  test("is not shown after its period, even if the file still exists; the rest of the call is shown, with the date", async () => {
    await setPeriods(0, { transcripts: 30 });
    await live(0, "a");
    const shown = await readCall(ctxOf(0), keyOf("a"));
    expect(shown).toMatchObject({ summary: "A refill", textsRemovedAt: null });
    const later = byClock(ctxOf(0), () => new Date(Date.now() + 32 * dayMs));
    const over = await readCall(later, keyOf("a"));
    expect(over).toMatchObject({ status: "completed", summary: null, transcript: null, callerNumber: null, analysis: null });
    expect(daysFrom(shown.createdAt, Date.parse(over.textsRemovedAt ?? "") / 1000)).toBe(30);
    expect(await fileAt(await transcriptOf(0, "a"))).toBeDefined();
    it.aws.s3.sweepExpired(Date.now() + 32 * dayMs);
    expect(await fileAt(await transcriptOf(0, "a"))).toBeUndefined();
    expect(await readCall(later, keyOf("a"))).toMatchObject({ summary: null, textsRemovedAt: over.textsRemovedAt });
    expect(await readCall(ctxOf(0), keyOf("a"))).toMatchObject({ transcript: null, textsRemovedAt: expect.any(String) });
  });

  test("is deleted from the table after its period, and no total, feed or webhook changes", async () => {
    await setPeriods(0, { calls: 30, transcripts: 30, leads: 30, messages: 30 });
    await live(0, "a");
    const totals = async () => (await ctxOf(0).store.query(keys.tenantPartitions.stats(it.tenants[0]))).rows;
    const before = await totals();
    expect(before.length).toBeGreaterThan(1);
    await it.aws.dynamodb.sweepExpired(Date.now() + 31 * dayMs);
    const [records = []] = await stream.read();
    const removed = records.slice(passed).map(({ record }) => `${record.eventName} ${record.dynamodb.Keys.sk.S.split("#")[0]}`);
    expect(removed).toEqual(expect.arrayContaining(["REMOVE CALL", "REMOVE RUN"]));
    await projectAll();
    expect(await totals()).toEqual(before);
    expect(await periodsOf(0)).toEqual({ calls: [], transcripts: [], runs: [], leads: [], tasks: [], messages: [] });
  });
});
const transcriptOf = async (at: 0 | 1, callId: string): Promise<string> => (await callOf(ctxOf(at), callId))?.transcript?.key ?? "";

describe("C06: a new period", () => {
  const next: Retention = { calls: 365, transcripts: 90, leads: 30, messages: 180 };

  test("applies to the stored rows and files of its tenant alone, and is audited once with counts", async () => {
    for (const at of [0, 1] as const) for (const callId of ["a", "b", "c"]) await live(at, callId);
    const id = await setPeriods(0, next);
    expect(await periodsOf(0)).toEqual(asPeriods(defaultRetention));
    await apply(0, id);
    await apply(0, id);
    expect(await periodsOf(0)).toEqual(asPeriods(next));
    expect(await periodsOf(1)).toEqual(asPeriods(defaultRetention));
    expect(await tagOf(await transcriptOf(0, "b"))).toEqual("90");
    expect(await tagOf(await transcriptOf(1, "b"))).toEqual("365");
    expect(await audits(0)).toMatchObject([
      { actorKind: "system", actorId: "retain", resourceId: it.tenants[0], detail: { ...next, rows: 15, files: 3 } },
    ]);
    expect(await audits(1)).toEqual([]);
    expect(await runOf(0)).toMatchObject({ id, doneAt: expect.any(String) });
  });

  test("is applied from the start where another release has reached a part of another name", async () => {
    await live(0, "a");
    const id = await setPeriods(0, next);
    const elsewhere = { part: "of_another_release" as "calls", after: "~" };
    await ctxOf(0).store.writeUnaudited(update<RetentionRunRow>(keys.retentionRun(), { set: elsewhere }));
    await apply(0, id);
    expect(await periodsOf(0)).toEqual(asPeriods(next));
  });

  test("applies to the tool runs of its calls, to older ones that are in the index and to those of an erased call", async () => {
    for (const at of [0, 1] as const) for (const callId of ["a", "b"]) await live(at, callId);
    const runsOf = async (at: 0 | 1) => {
      const partitions = ["a", "b"].map((callId) => keys.tenantPartitions.callItems(it.tenants[at], keyOf(callId)));
      const pages = await Promise.all(partitions.map((partition) => ctxOf(at).store.query<ToolRunRow>(partition, { prefix: "RUN#" })));
      return pages.flatMap(({ rows }) => rows);
    };
    const system = it.platform().platform.inTenant(it.tenants[0]);
    for (const run of await runsOf(0)) {
      const older = { ...run, id: `older-${run.id}`, gsi1pk: keys.tenantPartitions.runs(it.tenants[0]), gsi1sk: `older-${run.id}` };
      await system.writeUnaudited(put(keys.toolRun(run.callKey, older.id), older));
    }
    const erased = { id: newId(), tenantId: it.tenants[0], callKey: keyOf("b"), at: new Date().toISOString() };
    await system.writeUnaudited(eraseCallRow((await callOf(ctxOf(0), "b"))!, erased));
    const periods = async (at: 0 | 1) => (await runsOf(at)).map((run) => daysFrom(run.at, run.expiresAt));
    await apply(0, await setPeriods(0, next));
    expect(await periods(0)).toEqual(Array.from({ length: 4 }, () => next.calls));
    expect(await periods(1)).toEqual(Array.from({ length: 2 }, () => defaultRetention.calls));
    // Two calls with two runs each, and two leads, tasks and messages.
    expect(await audits(0)).toMatchObject([{ detail: { rows: 12, files: 1 } }]);
  });

  test("if shorter expires old data at the next pass, if longer restores nothing", async () => {
    await live(0, "a");
    await ctxOf(0).store.writeUnaudited(
      update<CallRow>(keys.call(keyOf("a")), { set: { keptFrom: new Date(Date.now() - 40 * dayMs).toISOString() } }),
    );
    await apply(0, await setPeriods(0, { transcripts: 30 }));
    expect(await readCall(ctxOf(0), keyOf("a"))).toMatchObject({ summary: null, textsRemovedAt: expect.any(String) });
    await apply(0, await setPeriods(0, { transcripts: 365 }));
    expect(await readCall(ctxOf(0), keyOf("a"))).toMatchObject({ summary: null, textsRemovedAt: expect.any(String) });
    await apply(0, await setPeriods(0, { calls: 30, transcripts: 30 }));
    expect(await callOf(ctxOf(0), "a")).toBeUndefined();
    await apply(0, await setPeriods(0, { calls: 365 }));
    expect(await callOf(ctxOf(0), "a")).toBeUndefined();
  });

  test("C06: an erased call's row expires by the tenant's period", async () => {
    for (const callId of ["a", "b"]) await live(0, callId);
    const call = (await callOf(ctxOf(0), "a"))!;
    const erased = { id: newId(), tenantId: it.tenants[0], callKey: keyOf("a"), at: new Date().toISOString() };
    await ctxOf(0).store.writeUnaudited(eraseCallRow(call, erased));
    await apply(0, await setPeriods(0, next));
    const after = (await callOf(ctxOf(0), "a"))!;
    expect(daysFrom(after.startedAt, after.expiresAt)).toBe(next.calls);
    expect(after).not.toHaveProperty("textsUntil");
    expect(await audits(0)).toMatchObject([{ detail: { rows: 10, files: 1 } }]);
  });

  test("C06: a call that is erased while periods are applied gets no expiry of texts, and expires by the period", async () => {
    await live(0, "a");
    const call = (await callOf(ctxOf(0), "a"))!;
    const id = await setPeriods(0, next);
    let isErased = false;
    it.fault(async ({ operation }) => {
      if (operation !== "PutObjectTagging" || isErased) return undefined;
      isErased = true;
      const erased = { id: newId(), tenantId: it.tenants[0], callKey: keyOf("a"), at: new Date().toISOString() };
      await ctxOf(0).store.writeUnaudited(eraseCallRow(call, erased));
      return undefined;
    });
    await apply(0, id);
    it.fault();
    const after = (await callOf(ctxOf(0), "a"))!;
    expect(daysFrom(after.startedAt, after.expiresAt)).toBe(next.calls);
    expect(after).not.toHaveProperty("textsUntil");
  });

  test("changes no total, and sends no webhook again", async () => {
    await live(0, "a");
    const rows = async () => (await ctxOf(0).store.query(keys.tenantPartitions.stats(it.tenants[0]))).rows;
    await apply(0, await setPeriods(0, next));
    const before = await rows();
    await projectAll();
    expect(await rows()).toEqual(before);
  });

  test.each([1, 4, 9, 14])(
    "is applied in full when the job dies at its write %i and is started again, and is audited once",
    async (dies) => {
      for (const callId of ["a", "b", "c"]) await live(0, callId);
      const id = await setPeriods(0, next);
      let writes = 0;
      it.fault(({ operation }) => (["UpdateItem", "PutObjectTagging"].includes(operation) && ++writes > dies ? "drop" : undefined));
      await expect(apply(0, id)).rejects.toThrow();
      it.fault();
      expect(await audits(0)).toEqual([]);
      await apply(0, id);
      expect(await periodsOf(0)).toEqual(asPeriods(next));
      for (const callId of ["a", "b", "c"]) expect(await tagOf(await transcriptOf(0, callId))).toEqual("90");
      expect(await audits(0)).toMatchObject([{ detail: { rows: 15, files: 3 } }]);
    },
  );

  test("is superseded by a second one, even while it is applied: only the last change is audited", async () => {
    for (const callId of ["a", "b"]) await live(0, callId);
    const first = await setPeriods(0, next);
    let second = "";
    it.fault(async ({ operation }) => {
      if (operation !== "PutObjectTagging" || second) return undefined;
      second = "begun";
      second = await setPeriods(0, { ...next, calls: 730, transcripts: 30 });
      return undefined;
    });
    await apply(0, first);
    it.fault();
    expect(await audits(0)).toEqual([]);
    await apply(0, second);
    await apply(0, first);
    expect(await periodsOf(0)).toEqual(asPeriods({ ...next, calls: 730, transcripts: 30 }));
    expect(await audits(0)).toMatchObject([{ detail: { calls: 730, transcripts: 30, rows: 10 } }]);
  });

  test("without a change makes no request", async () => {
    await setPeriods(0, next);
    const id = await requested(0);
    expect(await setPeriods(0, next)).toBe(id);
    expect(await setPeriods(1, defaultRetention)).toBe("");
  });
});

describe("C06: `events/retry`", () => {
  const shards = ["0", "1", "2", "3"];
  const dueRows = async (): Promise<DueRow[]> =>
    (await Promise.all(shards.map(async (shard) => (await it.platform().platform.query<DueRow>(partitions.due(shard))).rows)))
      .flat()
      .filter(({ kind }) => kind === "retention");
  /** Makes everything due and runs the retries. Returns the number of started jobs. */
  async function retryDue(): Promise<number> {
    for (const shard of shards)
      for (const row of (await it.platform().platform.query<DueRow>(partitions.due(shard))).rows) {
        const { store } = it.inTenant(row.tenantId);
        const dueAt = new Date(Date.now() - 1000).toISOString();
        await store.writeUnaudited(remove(keys.due(shard, row.dueAt, row.kind, row.id)));
        await store.writeUnaudited(put(keys.due(shard, dueAt, row.kind, row.id), { ...row, dueAt }));
      }
    let begun = 0;
    it.fault(({ service }) => {
      if (service !== "lambda") return undefined;
      begun++;
      return { status: 503, code: "ServiceException", message: "not here" };
    });
    await retryHandler(undefined, {
      awsRequestId: "r",
      getRemainingTimeInMillis: () => 55_000,
      functionName: "f",
      invokedFunctionArn: "f",
    });
    it.fault();
    return begun;
  }

  test("starts the job three minutes later, and again until it is done, but not while an invocation is running", async () => {
    await live(0, "a");
    const before = Date.now();
    const id = await setPeriods(0, { calls: 365 });
    const [due, ...others] = await dueRows();
    expect(others).toEqual([]);
    expect(due).toMatchObject({ kind: "retention", tenantId: it.tenants[0], id });
    expect(Date.parse(due!.dueAt) - before).toBeGreaterThanOrEqual(3 * 60_000);
    expect(await retryDue()).toBeGreaterThan(0);
    expect(await dueRows()).toHaveLength(1);
    await apply(0, id, 20_000);
    expect(await audits(0)).toEqual([]);
    expect(await retryDue()).toBeGreaterThan(0);
    await ctxOf(0).store.writeUnaudited(update<RetentionRunRow>(keys.retentionRun(), { set: { heartbeatAt: new Date().toISOString() } }));
    expect(await retryDue()).toBe(0);
    await apply(0, id);
    expect(await retryDue()).toBe(0);
    expect(await dueRows()).toEqual([]);
    expect(await audits(0)).toHaveLength(1);
  });

  test("requests the application once for tenants without any, on the daily schedule", async () => {
    await live(0, "a");
    await ctxOf(0).store.writeUnaudited(update<CallRow>(keys.call(keyOf("a")), { remove: ["expiresAt", "textsUntil"] }));
    await setPeriods(1, { calls: 365 });
    const tick = () => handler({ id: "an-event", source: "aws.events" }, { awsRequestId: "r", getRemainingTimeInMillis: () => 600_000 });
    await tick();
    await tick();
    expect((await dueRows()).map(({ tenantId }) => tenantId).toSorted()).toEqual([...it.tenants].toSorted());
    await apply(0, await requested(0));
    expect(await periodsOf(0)).toEqual(asPeriods(defaultRetention));
  });
});

test("C06: each period can be chosen, and a warm instance uses it a minute later", async () => {
  for (const days of retentionDays) {
    await setPeriods(0, { calls: 3653, transcripts: days });
    const ctx = byClock(ctxOf(0), () => new Date(Date.now() + days * 61_000));
    expect((await tenantRetention(ctx)).transcripts).toBe(days);
  }
});

describe("V05: the outcomes of calls of before", () => {
  /** As a call was stored before its evidence was kept. */
  const forget = (ctx: TenantContext, callId: string) =>
    ctx.store.writeUnaudited(
      update<CallRow>(keys.call(keyOf(callId)), { remove: ["hasSignals", "helped", "soughtStaff", "cutShort"] }, { exists: true }),
    );
  const told = async (at: 0 | 1) => {
    const { totalCalls, abandonedCalls, resolutionRate } = await callMetrics(ctxOf(at), "all");
    return { totalCalls, abandonedCalls, resolved: Math.round((totalCalls * resolutionRate) / 100) };
  };
  const ended = (ctx: TenantContext, callId: string, endedReason: string) =>
    recordCallEvent(ctx, { platform: "vapi", callId, status: "completed", endedReason, durationSeconds: 60 });
  const daily = () => handler({}, { awsRequestId: newId(), getRemainingTimeInMillis: () => 600_000 });

  test("are recounted once by the daily run, from their tool runs, routing and end, tenant by tenant; later calls stay as they are", async () => {
    for (const at of [0, 1] as const) {
      const ctx = ctxOf(at);
      await live(at, "helped");
      await ended(ctx, "silent", "silence-timed-out");
      await ended(ctx, "asked", "customer-ended-call");
      await ended(ctx, "quiet", "customer-ended-call");
      await ctx.store.commit([], {
        category: at === 0 ? "api_call" : "patient_access",
        action: "tool.logRoutingEvent",
        resourceType: "Tool",
        callKey: keyOf("asked"),
        detail: { tool: "logRoutingEvent", ms: 3, platform: "vapi", reason: "person", outcome: "callback" },
      });
      await projectAll();
      for (const callId of ["helped", "silent", "asked", "quiet"]) await forget(ctx, callId);
      await projectAll();
      expect(await told(at)).toEqual({ totalCalls: 4, abandonedCalls: 0, resolved: 4 });
    }
    await daily();
    expect(await runOf(0)).toMatchObject({ fillsEvidence: true });
    await apply(0, await requested(0));
    await projectAll();
    expect(await told(0)).toEqual({ totalCalls: 4, abandonedCalls: 2, resolved: 1 });
    expect(await told(1)).toEqual({ totalCalls: 4, abandonedCalls: 0, resolved: 4 });
    await apply(1, await requested(1));
    await projectAll();
    expect(await told(1)).toEqual({ totalCalls: 4, abandonedCalls: 2, resolved: 1 });
    const done = await runOf(0);
    await daily();
    expect(await runOf(0)).toEqual(done);
  });

  test("are read once: a call that no run helped is known as such afterwards, and still tells of help that comes later", async () => {
    const ctx = ctxOf(0);
    await ended(ctx, "unhelped", "customer-ended-call");
    const used = (tool: string) =>
      ctx.store.commit([], {
        ...{ category: "api_call", action: `tool.${tool}`, resourceType: "Tool", callKey: keyOf("unhelped") },
        detail: { tool, ms: 3, platform: "vapi" },
      });
    await used("verifyPatientIdentity");
    await projectAll();
    const queries = async (calls: 2557 | 3653) => {
      const id = await setPeriods(0, { calls });
      it.resetUsage();
      await apply(0, id);
      return it.usage().filter(({ operation }) => operation === "Query").length;
    };
    const first = await queries(3653);
    await projectAll();
    expect(await callOf(ctx, "unhelped")).toMatchObject({ helped: false, soughtStaff: false, cutShort: false, hasSignals: true });
    expect((await queries(2557)) - first).toBe(-1);
    expect(await told(0)).toEqual({ totalCalls: 1, abandonedCalls: 0, resolved: 0 });

    await used("getPatientInfo");
    await recordCallEvent(ctx, { platform: "vapi", callId: "unhelped", status: "in_progress", transferTried: true });
    await projectAll();
    expect(await callOf(ctx, "unhelped")).toMatchObject({ helped: true, soughtStaff: true });
  });

  test("keep what the platform's events told, and what a run adds while they are read", async () => {
    const ctx = ctxOf(0);
    await recordCallEvent(ctx, { platform: "vapi", callId: "tried", status: "completed", transferTried: true, durationSeconds: 60 });
    await ended(ctx, "late", "customer-ended-call");
    const store = it.platform().platform.inTenant(ctx.tenantId);
    const change = (callId: string, set: Partial<CallRow>) => store.writeUnaudited(update<CallRow>(keys.call(keyOf(callId)), { set }));
    for (const callId of ["tried", "late"]) await change(callId, { toolsUsed: new Set(["verifyPatientIdentity"]) });
    const id = await setPeriods(0, { calls: 3653 });
    // The first query reads the calls, the next ones their runs.
    let queries = 0;
    it.fault(async ({ operation }) => {
      if (operation === "Query" && ++queries === 2) await change("late", { helped: true });
      return undefined;
    });
    await apply(0, id);
    it.fault();
    expect(await callOf(ctx, "late")).toMatchObject({ helped: true });
    expect(await callOf(ctx, "tried")).toMatchObject({ helped: false, soughtStaff: true });
  });

  test("are recounted also for a tenant whose periods were applied before", async () => {
    await ended(ctxOf(0), "quiet", "customer-ended-call");
    await forget(ctxOf(0), "quiet");
    await projectAll();
    await ctxOf(0).store.writeUnaudited(
      put(keys.retentionRun(), { id: newId(), at: "2026-01-01T00:00:00.000Z", doneAt: "2026-01-01T00:00:01.000Z" }),
    );
    await daily();
    await apply(0, await requested(0));
    await projectAll();
    expect(await told(0)).toEqual({ totalCalls: 1, abandonedCalls: 0, resolved: 0 });
  });
});
