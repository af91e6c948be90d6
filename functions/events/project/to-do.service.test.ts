import { followUpCall, recordCallEvent } from "@vitaline/calls";
import { ChangedVoiceProvider, NewVoiceProvider, type TaskAbout } from "@vitaline/contract";
import { isAppError, newId } from "@vitaline/core";
import { handleLead, readLead, storeLead } from "@vitaline/leads";
import {
  create,
  keys,
  put,
  remove,
  update,
  type AuditRow,
  type FhirHealthRow,
  type FhirProviderRow,
  type TenantContext,
  type ToDoRow,
  type UserDirectoryRow,
  type Write,
} from "@vitaline/store";
import { changeToDo, closeTask, countToDo, createTask, listToDo, projectState, readTask, readToDo, stateOfTask } from "@vitaline/tasks";
import { probeAll } from "@vitaline/system-health";
import { createVoiceProvider, deleteVoiceProvider, updateVoiceProvider } from "@vitaline/voice-providers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { addTenantRow } from "../../../test/kit/store/tenant-row.ts";
import { shardedStream } from "../../lib/dynamodb-stream/stream.fixture.ts";
import { handler } from "./handler.ts";

let test: TestAws;
let one: TenantContext;
let two: TenantContext;
let stream: ReturnType<typeof shardedStream>;
let passed = 0;
const [nurse, manager] = [newId(), newId()];
const as = (tenantId: string, id: string) => test.inTenant(tenantId, { kind: "user", id, role: "tenant_admin", tenantId });
beforeEach(async () => {
  test = await startTestAws();
  passed = 0;
  [one, two] = test.tenants.map((id) => as(id, nurse)) as [TenantContext, TenantContext];
  stream = shardedStream(test, { shards: 1, recordsPerShard: 1_000_000 });
  const person = (id: string, firstName: string): UserDirectoryRow => ({
    ...{ id, firstName, lastName: "Example", email: `${firstName}@example.org`, role: "tenant_admin", tenantId: one.tenantId },
    ...{ isActive: true, createdAt: "2026-01-01T00:00:00.000Z" },
  });
  const users = [person(nurse, "Nora"), person(manager, "Max")].map((row) => create(keys.tenantUser(row.id), row));
  await one.store.commit(users, { category: "configuration_change", action: "user.create", resourceType: "User" });
});
afterEach(() => test.close());

const invocation = { awsRequestId: "request", getRemainingTimeInMillis: () => 60_000 };
const invoke = (records: unknown[]) =>
  handler({ Records: records, shardId: "shardId-0", window: {}, state: {}, isFinalInvokeForWindow: false }, invocation);
const newRecords = async () => {
  const [all = []] = await stream.read();
  const records = all.slice(passed).map(({ record }) => record);
  passed = all.length;
  return records;
};
/** Projects until the projection's own writes are projected too. Returns the first new records. */
const projectAll = async () => {
  const first = await newRecords();
  for (let records = first; records.length > 0; records = await newRecords()) await invoke(records);
  return first;
};

const about: TaskAbout = { tool: "sendCommunicationFhir", patientId: "patient-4711", action: "refill_request" };
const callKey = "c".repeat(40);
const madeTask = async (ctx: TenantContext, more: object = {}): Promise<string> => {
  const id = newId();
  const task = await createTask(ctx, id, { kind: "message", about, callKey, ...more });
  await ctx.store.commit([task], { category: "api_call", action: "task.create", resourceType: "Task" });
  return id;
};
const contact = { name: "Jane Example", phone: "555 0142", email: undefined, note: "Mornings" };
const failedCall = (ctx: TenantContext, callId: string, status: "no_answer" | "failed" = "no_answer") =>
  recordCallEvent(ctx, { platform: "vapi", callId, status, callerNumber: "+16175550101", summary: "Wanted Dr. Who." });
const open = async (ctx: TenantContext) => (await listToDo(ctx, {})).rows;
const auditsOf = async ({ store, tenantId }: TenantContext) =>
  (await store.query<AuditRow>(keys.tenantPartitions.audit(tenantId, new Date().toISOString().slice(0, 7), "patient_access"))).rows;
const is = (code: "not_found" | "stale_version" | "invalid_request") => (error: unknown) => isAppError(error, code);

describe("the list of work", () => {
  it("has each task, lead and call that needs follow-up once, however often the stream tells of it, and no other tenant's", async () => {
    const [task, lead] = [await madeTask(one), await storeLead(one, { reason: "billing", contact })];
    await failedCall(one, "missed");
    await recordCallEvent(one, { platform: "vapi", callId: "fine", status: "completed", success: true });
    await madeTask(two);
    const records = await projectAll();
    await invoke(records);
    const items = await open(one);
    expect(items.map(({ kind, topic }) => [kind, topic]).toSorted()).toEqual([
      ["lead", "billing"],
      ["message", "refill_request"],
      ["unanswered_call", null],
    ]);
    expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining([task, lead.id]));
    expect(await open(two)).toHaveLength(1);
    await expect(readToDo(two, task)).rejects.toSatisfy(is("not_found"));
    await expect(changeToDo(two, task, { done: true })).rejects.toSatisfy(is("not_found"));
    const stored = await one.store.query<ToDoRow>(keys.tenantPartitions.toDo(one.tenantId));
    expect(JSON.stringify(stored)).not.toMatch(/4711|Jane|0142|617555|Who/);
  });

  it("has emergencies first, then what is due first, and is read with one Query, however much there is", async () => {
    const write = async (ctx: TenantContext, count: number) => {
      const { platform } = test.platform();
      const rows = Array.from({ length: count }, (_, at): ToDoRow => {
        const [id, dueAt] = [newId(), new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString()];
        return {
          ...{ id, at: dueAt, source: "task", sourceId: id, sourceVersion: 1, kind: "message", dueAt, expiresAt: 4_000_000_000 },
          ...{ gsi1pk: keys.tenantPartitions.openToDo(ctx.tenantId), gsi1sk: `1#${dueAt}#${id}` },
        };
      });
      for (let from = 0; from < count; from += 100)
        await platform.writeAllUnaudited(
          rows.slice(from, from + 100).map((row) => ({ tenantId: ctx.tenantId, write: put(keys.toDo(row.id), row) })),
        );
    };
    const many = process.env["FULL"] === "1" ? 100_000 : 1000;
    for (const [ctx, count] of [
      [one, 99],
      [two, many - 1],
    ] as const) {
      await write(ctx, count);
      await madeTask(ctx, { kind: "emergency", about: { ...about, action: "medical" } });
    }
    await invoke((await newRecords()).filter(({ dynamodb }) => dynamodb.Keys.pk.S.endsWith("#TASKS")));
    const costs = async (ctx: TenantContext) => {
      test.resetUsage();
      const { rows } = await listToDo(ctx, {});
      const counted = await countToDo(ctx);
      return { rows: rows.length, counted, requests: test.usage().map(({ operation, readUnits }) => [operation, readUnits]) };
    };
    const first = await costs(one);
    expect(first).toEqual({
      rows: 50,
      counted: { open: 100, emergencies: 1, hasMore: false },
      requests: [
        ["Query", expect.any(Number)],
        ["Query", expect.any(Number)],
      ],
    });
    expect(await costs(two)).toEqual({ ...first, counted: { open: 100, emergencies: 1, hasMore: true } });
    const [top, next, third] = await open(one);
    expect([top?.kind, next?.kind]).toEqual(["emergency", "message"]);
    expect(next!.dueAt < third!.dueAt).toBe(true);
  });

  it("shows an office its own items and those of no office", async () => {
    const [own, others] = [newId(), newId()];
    const offices = [own, others].map((id) =>
      create(keys.office(id), { id, name: id, isActive: true, createdAt: "2026-01-01T00:00:00.000Z" }),
    );
    await one.store.commit(offices, { category: "configuration_change", action: "office.create", resourceType: "Office" });
    const ofNone = await madeTask(one, { kind: "emergency" });
    const ofOwn = await madeTask(one, { officeId: own });
    await madeTask(one, { officeId: others });
    await projectAll();
    expect((await listToDo(one, { officeId: own })).rows.map(({ id }) => id)).toEqual([ofNone, ofOwn]);
  });

  it("is filtered by group, owner and office, and a page goes on where the last one ended", async () => {
    const ids = [await madeTask(one), await madeTask(one), await madeTask(one, { kind: "visit_request" })];
    await storeLead(one, { reason: "other", contact });
    await projectAll();
    await changeToDo(one, ids[0]!, { ownerId: nurse });
    await changeToDo(one, ids[1]!, { ownerId: manager });
    expect((await listToDo(one, { group: "bookings" })).rows.map(({ id }) => id)).toEqual([ids[2]]);
    expect((await listToDo(one, { mine: true })).rows).toMatchObject([{ id: ids[0], owner: { id: nurse, name: "Nora Example" } }]);
    const isOwned = async (unassigned: boolean) => (await listToDo(one, { unassigned })).rows.map(({ owner }) => owner?.id);
    expect([await isOwned(true), (await isOwned(false)).toSorted()]).toEqual([[undefined, undefined], [nurse, manager].toSorted()]);
    const audit = { category: "configuration_change", action: "user.update", resourceType: "User" } as const;
    await one.store.commit([update(keys.tenantUser(manager), { set: { isActive: false } }, { exists: true })], audit);
    expect([(await isOwned(true)).length, await isOwned(false)]).toEqual([3, [nurse]]);
    await expect(listToDo(one, { officeId: newId() })).rejects.toSatisfy(is("not_found"));
    const page = await listToDo(one, { limit: 3 });
    expect((await listToDo(one, { limit: 3, cursor: page.next! })).rows).toHaveLength(1);
  });
});

describe("what is done on the list", () => {
  it("is written to the task, the lead and the call at once, with one audit row each, and can be undone", async () => {
    const [task, lead] = [await madeTask(one), (await storeLead(one, { reason: "billing", contact })).id];
    await failedCall(one, "missed");
    await projectAll();
    const call = (await open(one)).find(({ kind }) => kind === "unanswered_call")!.id;
    for (const done of [true, false]) {
      for (const id of [task, lead, call])
        expect(await changeToDo(one, id, { done })).toMatchObject(
          done ? { doneAt: expect.any(String), doneBy: { name: "Nora Example" } } : { doneAt: null, doneBy: null },
        );
      const marked = done ? expect.any(String) : null;
      expect(await readTask(one, task)).toMatchObject({ closedAt: marked });
      expect(await readLead(one, lead)).toMatchObject({ handledAt: marked });
      const { followUp } = (await one.store.get(keys.call(keys.callKeyOf("vapi", "missed"))))!;
      expect(followUp?.doneBy).toBe(done ? nurse : undefined);
      // The stream tells of it later, and changes nothing.
      const before = await listToDo(one, { done });
      await projectAll();
      expect(await listToDo(one, { done })).toEqual(before);
      expect(before.rows).toHaveLength(3);
      expect((await listToDo(one, { done: !done })).rows).toEqual([]);
    }
    const actions = (await auditsOf(one)).map(({ action }) => action).filter((action) => !action.endsWith(".read"));
    expect(actions).toEqual([
      "lead.create",
      ...["task.close", "lead.handle", "call.followUp"],
      ...["task.reopen", "lead.handle", "call.followUp"],
    ]);
  });

  it("follows what colleagues do in the call log and among the leads", async () => {
    const [task, lead] = [await madeTask(one), (await storeLead(one, { reason: "billing", contact })).id];
    await failedCall(one, "missed");
    await failedCall(one, "helped after all", "failed");
    await projectAll();
    expect(await countToDo(one)).toEqual({ open: 4, emergencies: 0, hasMore: false });
    await closeTask(one, task, true);
    await handleLead(one, lead, true);
    await followUpCall(one, keys.callKeyOf("vapi", "missed"), { done: true });
    await recordCallEvent(one, { platform: "vapi", callId: "helped after all", status: "completed", success: true, endedReason: "hangup" });
    await projectAll();
    expect(await open(one)).toEqual([]);
    await handleLead(one, lead, false);
    await projectAll();
    expect((await open(one)).map(({ id }) => id)).toContain(lead);
  });

  it("is not undone by an older state of the task that the stream tells again", async () => {
    const task = await madeTask(one);
    const records = await projectAll();
    await changeToDo(one, task, { done: true });
    await invoke(records);
    expect(await open(one)).toEqual([]);
  });

  it("stays done when the task is closed elsewhere while its owner is changed", async () => {
    const task = await madeTask(one);
    await projectAll();
    let isHeld = true;
    const commit: typeof one.store.commit = async (...changes) => {
      if (isHeld) {
        isHeld = false;
        await closeTask(one, task, true);
        await projectAll();
      }
      return one.store.commit(...changes);
    };
    expect(await changeToDo({ ...one, store: { ...one.store, commit } }, task, { ownerId: manager })).toMatchObject({
      doneAt: expect.any(String),
      owner: { id: manager },
    });
    expect(await open(one)).toEqual([]);
    expect((await listToDo(one, { done: true })).rows).toMatchObject([{ id: task, owner: { id: manager } }]);
  });

  it("is done as soon as someone says so of a task that is closed already", async () => {
    const task = await madeTask(one);
    await projectAll();
    await closeTask(one, task, true);
    expect(await changeToDo(one, task, { done: true })).toMatchObject({ doneAt: expect.any(String) });
    expect(await open(one)).toEqual([]);
  });

  it("loses nothing of two people: the second is told, also when the first one was among the leads", async () => {
    const lead = (await storeLead(one, { reason: "billing", contact })).id;
    await projectAll();
    const { version } = (await open(one))[0]!;
    await changeToDo(one, lead, { note: "Called, no one there" }, version);
    await expect(changeToDo(as(one.tenantId, manager), lead, { done: true }, version)).rejects.toSatisfy(is("stale_version"));
    const { version: seen, note } = await readToDo(one, lead);
    expect(note).toBe("Called, no one there");
    await handleLead(as(one.tenantId, manager), lead, true);
    await expect(changeToDo(one, lead, { done: true }, seen)).rejects.toSatisfy(is("stale_version"));
    await projectAll();
    const raced = await Promise.allSettled([nurse, manager].map((ownerId) => changeToDo(one, lead, { ownerId }, seen + 1)));
    expect(raced.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect((await readToDo(one, lead)).note).toBe("Called, no one there");
  });

  it("can be given to colleagues of the same clinic who may open the list, and to no one else", async () => {
    const task = await madeTask(one);
    await projectAll();
    const { access: _none, ...auditor } = (await one.store.get(keys.tenantUser(nurse)))!;
    const row = { ...auditor, id: newId(), access: "auditor" } as const;
    await one.store.commit([create(keys.tenantUser(row.id), row)], {
      category: "configuration_change",
      action: "user.create",
      resourceType: "User",
    });
    await expect(changeToDo(one, task, { ownerId: row.id })).rejects.toSatisfy(is("invalid_request"));
    await expect(changeToDo(one, task, { ownerId: newId() })).rejects.toSatisfy(is("invalid_request"));
    expect((await changeToDo(one, task, { ownerId: manager })).owner).toEqual({ id: manager, name: "Max Example" });
    expect((await changeToDo(one, task, { ownerId: null })).owner).toBeNull();
    const removed = Array.from({ length: 120 }, (_, at) => ({ ...auditor, id: `${"0".repeat(22)}${1000 + at}`, isActive: false }));
    const audit = { category: "configuration_change", action: "user.create", resourceType: "User" } as const;
    for (const half of [removed.slice(0, 60), removed.slice(60)])
      await one.store.commit(
        half.map((user) => create(keys.tenantUser(user.id), user)),
        audit,
      );
    expect((await readToDo(one, task)).colleagues.map(({ name }) => name).toSorted()).toEqual(["Max Example", "Nora Example"]);
  });
});

describe("the due time of an item", () => {
  const later = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

  it("can be changed, and stays so when the task, the lead or the call is marked elsewhere, and when the stream tells again", async () => {
    const [task, lead] = [await madeTask(one), (await storeLead(one, { reason: "billing", contact })).id];
    await failedCall(one, "missed");
    const records = await projectAll();
    const dueAt = later(3);
    for (const { id } of await open(one)) expect(await changeToDo(one, id, { dueAt })).toMatchObject({ dueAt });
    await invoke(records);
    const dueTimes = async () => (await open(one)).map((item) => item.dueAt);
    expect(await dueTimes()).toEqual([dueAt, dueAt, dueAt]);
    for (const done of [true, false]) {
      await closeTask(one, task, done);
      await handleLead(one, lead, done);
      await followUpCall(one, keys.callKeyOf("vapi", "missed"), { done });
      await projectAll();
      expect(await dueTimes()).toEqual(done ? [] : [dueAt, dueAt, dueAt]);
    }
  });

  it("decides its place in the list, and is audited as it was and as it is", async () => {
    const [first, second] = [await madeTask(one), await madeTask(one)] as [string, string];
    await projectAll();
    const before = (await open(one)).find(({ id }) => id === first)!.dueAt;
    await changeToDo(one, first, { dueAt: later(5) });
    expect((await open(one)).map(({ id }) => id)).toEqual([second, first]);
    const { version, dueAt } = (await open(one))[1]!;
    expect(await changeToDo(one, first, { dueAt })).toMatchObject({ version });
    expect((await auditsOf(one)).map(({ action, detail }) => [action, detail?.["dueBefore"], detail?.["dueAt"]])).toEqual([
      ["toDo.update", before, dueAt],
    ]);
  });

  it("is refused before the item's creation and after a year, and to someone who has not seen a colleague's change", async () => {
    const task = await madeTask(one);
    await projectAll();
    const { version } = (await open(one))[0]!;
    for (const dueAt of [later(-1), later(400)]) await expect(changeToDo(one, task, { dueAt })).rejects.toSatisfy(is("invalid_request"));
    await changeToDo(as(one.tenantId, manager), task, { dueAt: later(2) }, version);
    await expect(changeToDo(one, task, { dueAt: later(9) }, version)).rejects.toSatisfy(is("stale_version"));
  });

  it("is not lost when it is chosen while the stream tells of the task", async () => {
    const task = await madeTask(one);
    await projectAll();
    await changeToDo(one, task, { dueAt: later(2) });
    const closed = await closeTask(one, task, true);
    const dueAt = later(4);
    let isHeld = true;
    const get: typeof one.store.get = async (key) => {
      const row = await one.store.get(key);
      if (isHeld) await changeToDo(one, task, { dueAt });
      isHeld = false;
      return row;
    };
    await projectState({ ...one.store, get }, stateOfTask((await one.store.get(keys.task(task)))!));
    expect((await listToDo(one, { done: true })).rows).toMatchObject([{ id: task, dueAt, doneAt: closed.closedAt }]);
    expect(await open(one)).toEqual([]);
  });
});

describe("an item", () => {
  it("shows its patient and note only when it is opened, each time with an audit row", async () => {
    const [task, lead] = [await madeTask(one), (await storeLead(one, { reason: "billing", contact })).id];
    await failedCall(one, "missed");
    await projectAll();
    const items = await open(one);
    const call = items.find(({ kind }) => kind === "unanswered_call")!.id;
    await changeToDo(one, task, { note: "Asked Dr. Who" });
    expect(JSON.stringify([items, await one.store.get(keys.toDo(task))])).not.toMatch(/4711|Jane|617555|Who/);
    expect(await readToDo(one, task)).toMatchObject({ about: { patientId: "patient-4711" }, note: "Asked Dr. Who" });
    expect(await readToDo(one, lead)).toMatchObject({ about: { name: "Jane Example", phone: "555 0142", said: "Mornings" }, note: null });
    expect(await readToDo(one, call)).toMatchObject({ about: { phone: "+16175550101", said: "Wanted Dr. Who." } });
    const reads = (await auditsOf(one)).filter(({ action }) => action.endsWith(".read"));
    expect(reads.map(({ action, resourceId }) => [action, resourceId])).toEqual([
      ["task.read", task],
      ["lead.read", lead],
      ["call.read", keys.callKeyOf("vapi", "missed")],
    ]);
    expect(reads[0]).toMatchObject({ patients: [{ id: "patient-4711" }] });
    expect(JSON.stringify(await auditsOf(one))).not.toMatch(/Jane|617555|Who/);
  });

  it("goes with the task that it is about", async () => {
    const task = await madeTask(one);
    await projectAll();
    await one.store.commit([remove(keys.task(task))], { category: "patient_access", action: "task.erase", resourceType: "Task" });
    await projectAll();
    expect(await open(one)).toEqual([]);
    expect(await one.store.get(keys.toDo(task))).toBeUndefined();
  });
});

describe("a connection in trouble", () => {
  const providerId = newId();
  const startMs = Date.now() - 3_600_000;
  const at = (minute: number) => new Date(startMs + minute * 60_000).toISOString();
  const checked = async (...results: boolean[]) => {
    for (const [index, isHealthy] of results.entries()) {
      const history = results.slice(0, index + 1).map((healthy, minute): [number, boolean, number] => [Date.parse(at(minute)), healthy, 5]);
      const status = isHealthy ? "healthy" : "unhealthy";
      const row: FhirHealthRow = { status, checkedAt: at(index), ms: 5, connectionDigest: "as it is", history };
      await test.platform().platform.writeUnaudited(put(keys.fhirHealth(providerId), row));
    }
    await projectAll();
  };
  const usedBy = ({ tenantId }: TenantContext) =>
    test.platform().platform.commit([put(keys.fhirUsedBy(providerId, tenantId, "-"), { tenantId })], {
      category: "configuration_change",
      action: "tenant.update",
      resourceType: "Tenant",
    });

  it("is on the list of each clinic that uses it after two failed checks in a row, once, and is done when it works again", async () => {
    await usedBy(one);
    await checked(true, false, true);
    expect(await open(one)).toEqual([]);
    await checked(true, false, true, false, false, false);
    expect(await open(one)).toMatchObject([{ kind: "connection", topic: "record_system", createdAt: at(4), callId: null }]);
    expect(await open(two)).toEqual([]);
    const { id } = (await open(one))[0]!;
    expect((await readToDo(one, id)).about).toBeNull();
    await changeToDo(one, id, { dueAt: new Date(Date.now() + 86_400_000).toISOString() });
    await checked(true, false, true, false, false, false, true);
    expect(await open(one)).toEqual([]);
    expect((await listToDo(one, { done: true })).rows).toMatchObject([{ id, doneBy: null }]);
    await checked(true, false, true, false, false, false, true, false, false);
    const [again] = await open(one);
    expect(again).toMatchObject({ id, createdAt: at(8), dueAt: new Date(Date.parse(at(8)) + 3_600_000).toISOString() });
    expect(await changeToDo(one, id, { done: true })).toMatchObject({ doneBy: { name: "Nora Example" } });
    expect(await open(one)).toEqual([]);
  });

  it("stays as someone has left it when the stream tells again that it failed, or that it works", async () => {
    const health = { id: newId(), tenantId: two.tenantId, ms: 5, version: 1, expiresAt: 4_000_000_000 };
    const checkedAs = async (status: "healthy" | "error", minute: number) => {
      await test.platform().platform.writeUnaudited(put(keys.voiceHealth(health.id), { ...health, status, checkedAt: at(minute) }));
      return projectAll();
    };
    const failed = await checkedAs("error", 0);
    const { id } = (await open(two))[0]!;
    const dueAt = new Date(Date.now() + 86_400_000).toISOString();
    await changeToDo(two, id, { dueAt });
    await invoke(failed);
    expect(await open(two)).toMatchObject([{ id, dueAt }]);
    await changeToDo(two, id, { done: true });
    await invoke(failed);
    expect(await open(two)).toEqual([]);
    const works = await checkedAs("healthy", 5);
    await changeToDo(two, id, { done: false });
    await invoke(works);
    expect(await open(two)).toMatchObject([{ id }]);
  });

  it("is done when neither the clinic nor an office of it uses the connection any more, and stays with others who do", async () => {
    const change = (...writes: Write[]) =>
      test.platform().platform.commit(writes, { category: "configuration_change", action: "tenant.update", resourceType: "Tenant" });
    const [ofClinic, ofOffice] = [keys.fhirUsedBy(providerId, one.tenantId, "-"), keys.fhirUsedBy(providerId, one.tenantId, newId())];
    const inOne = { tenantId: one.tenantId };
    await usedBy(two);
    await change(put(ofClinic, inOne), put(ofOffice, inOne));
    await checked(false, false);
    await change(remove(ofClinic));
    await projectAll();
    expect(await open(one)).toHaveLength(1);
    await change(remove(ofOffice));
    await projectAll();
    expect(await open(one)).toEqual([]);
    expect((await listToDo(one, { done: true })).rows).toMatchObject([{ topic: "record_system", doneBy: null }]);
    expect(await open(two)).toHaveLength(1);
  });

  it("is told to a clinic that begins to use it, and is done while the connection is switched off", async () => {
    const connection = newId();
    const commit = (...writes: Write[]) =>
      test
        .platform()
        .platform.commit(writes, { category: "configuration_change", action: "fhirProvider.update", resourceType: "FhirProvider" });
    const switched = async (isActive: boolean) => {
      const row = { id: connection, name: "R", providerType: "generic", fhirVersion: "R4", baseUrl: "https://ehr.example", scopes: "" };
      await commit(
        put<FhirProviderRow>(keys.fhirProvider(connection), { ...row, clientId: "c", isActive, createdAt: at(0) } as FhirProviderRow),
      );
      await projectAll();
    };
    await switched(true);
    const history = [0, 1].map((minute): [number, boolean, number] => [Date.parse(at(minute)), false, 5]);
    const health: FhirHealthRow = { status: "unhealthy", checkedAt: at(1), ms: 5, connectionDigest: "as it is", history };
    await test.platform().platform.writeUnaudited(put(keys.fhirHealth(connection), health));
    await projectAll();
    const ofConnection = async (ctx: TenantContext) => {
      const items = [...(await listToDo(ctx, { done: false })).rows, ...(await listToDo(ctx, { done: true })).rows];
      const all = await Promise.all(items.map(async ({ id }) => (await ctx.store.get(keys.toDo(id)))!));
      return all.filter(({ sourceId }) => sourceId === connection).map(({ doneAt }) => (doneAt ? "done" : "open"));
    };
    expect(await ofConnection(two)).toEqual([]);
    await commit(put(keys.fhirUsedBy(connection, two.tenantId, "-"), { tenantId: two.tenantId }));
    await projectAll();
    expect([await ofConnection(one), await ofConnection(two)]).toEqual([[], ["open"]]);
    await switched(false);
    expect(await ofConnection(two)).toEqual(["done"]);
    await switched(true);
    expect(await ofConnection(two)).toEqual(["open"]);
  });

  it("is also a voice platform that refuses the clinic's key", async () => {
    const id = newId();
    const checkedAs = async (status: "healthy" | "warning" | "error", minute: number) => {
      const row = { id, tenantId: two.tenantId, status, checkedAt: at(minute), ms: 5, version: 1, expiresAt: 4_000_000_000 };
      await test.platform().platform.writeUnaudited(put(keys.voiceHealth(id), row));
      await projectAll();
    };
    await checkedAs("warning", 0);
    expect(await open(two)).toEqual([]);
    await checkedAs("error", 5);
    expect(await open(two)).toMatchObject([{ topic: "voice_platform" }]);
    expect(await open(one)).toEqual([]);
    await checkedAs("healthy", 10);
    expect(await open(two)).toEqual([]);
    await checkedAs("error", 15);
    expect(await open(two)).toHaveLength(1);
    // A platform that is off is checked no more, and its last result is removed.
    await test.platform().platform.writeUnaudited(remove(keys.voiceHealth(id)));
    await projectAll();
    expect(await open(two)).toEqual([]);
  });

  it("is no voice platform that was switched off: its item is done with the next check, and open again when the platform fails again", async () => {
    await addTenantRow(test.platform(), two.tenantId, "Two");
    const { id } = await createVoiceProvider(
      two,
      NewVoiceProvider.parse({ providerType: "vapi", providerName: "Vapi", config: { apiKey: "key-1234567890" } }),
    );
    const fails = async () => {
      const row = { id, tenantId: two.tenantId, status: "error" as const, ms: 5, version: 1, expiresAt: 4_000_000_000 };
      await test.platform().platform.writeUnaudited(put(keys.voiceHealth(id), { ...row, checkedAt: new Date().toISOString() }));
      await projectAll();
    };
    // The connections themselves are left to others.
    const check = async () => {
      await probeAll(
        test.platform(),
        async () => {},
        async () => [],
      );
      await projectAll();
    };
    const activate = (isActive: boolean) => updateVoiceProvider(two, id, ChangedVoiceProvider.parse({ isActive }), undefined);
    await fails();
    await check();
    expect(await open(two)).toMatchObject([{ topic: "voice_platform" }]);
    await activate(false);
    await check();
    expect(await open(two)).toEqual([]);
    await activate(true);
    await fails();
    expect(await open(two)).toHaveLength(1);
    await activate(false);
    await deleteVoiceProvider(two, id, undefined);
    await check();
    expect([await open(two), await open(one)]).toEqual([[], []]);
  });
});

it("a call that a late report has taken off the list can be put on it again", async () => {
  await failedCall(one, "late", "failed");
  await projectAll();
  const [item] = await open(one);
  await changeToDo(one, item!.id, { ownerId: manager, note: "She asked to be called back." });
  await recordCallEvent(one, {
    platform: "vapi",
    callId: "late",
    status: "completed",
    endedReason: "customer-ended-call",
    success: true,
    summary: "x",
  });
  await projectAll();
  expect(await open(one)).toEqual([]);
  const reopened = await changeToDo(one, item!.id, { done: false });
  await projectAll();
  expect([reopened.doneAt, (await open(one)).map(({ id }) => id)]).toEqual([null, [item!.id]]);
});
