import { recordCallEvent } from "@vitaline/calls";
import { keys, type Audit, type CalendarEntryRow, type DeliveryRow, type TenantContext } from "@vitaline/store";
import { newId } from "@vitaline/core";
import { storeLead } from "@vitaline/leads";
import { addFinding, changeToDo, closeTask, createTask } from "@vitaline/tasks";
import { createWebhook } from "@vitaline/webhooks";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startTestAws, type TestAws } from "../../../../test/kit/aws.ts";
import { addTenantRow } from "../../../../test/kit/store/tenant-row.ts";
import { project } from "../project.ts";
import { shardedStream, type Delivered } from "../../../lib/dynamodb-stream/stream.fixture.ts";

let it: TestAws;
let stream: ReturnType<typeof shardedStream>;
let done: number[] = [];
beforeEach(async () => {
  it = await startTestAws();
  stream = shardedStream(it, { shards: 3, recordsPerShard: 10 });
  done = [];
  for (const [index, id] of it.tenants.entries()) await addTenantRow(it.platform(), id, `Clinic ${index}`);
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await it.close();
});

const url = "https://crm.example/hook";
const everything = [
  "call.completed",
  "appointment.booked",
  "appointment.changed",
  "appointment.cancelled",
  "lead.captured",
  "task.created",
  "task.updated",
  "routing.logged",
] as const;
const subscribe = (ctx: TenantContext) => createWebhook(ctx, { url, events: [...everything], includeContact: false });
const handOver = ({ shardId }: Delivered, records: Delivered[]) =>
  project(it.platform({ kind: "system", id: "project" }), { shardId, Records: records.map(({ record }) => record) });
/** Projects all new records in small batches; with redelivery of the earlier ones on request. */
const deliver = async ({ again = false } = {}) => {
  for (const [shard, lineage] of (await stream.read()).entries()) {
    for (let from = again ? 0 : (done[shard] ?? 0); from < lineage.length;) {
      const rest = lineage.slice(from, from + 7);
      const batch = rest.filter(({ shardId }) => shardId === rest[0]?.shardId);
      if (batch[0]) await handOver(batch[0], batch);
      from += batch.length;
    }
    done[shard] = lineage.length;
  }
};
const deliveries = async (ctx: TenantContext) => (await ctx.store.query<DeliveryRow>(keys.tenantPartitions.deliveries(ctx.tenantId))).rows;
const types = async (ctx: TenantContext) => (await deliveries(ctx)).map(({ type }) => type).toSorted();

const officeId = "0".repeat(26);
const start = "2027-03-01T15:00:00.000Z";
const ran = (detail: Record<string, string | boolean>, more: Partial<Audit> = {}): Audit => ({
  category: "patient_access",
  action: "tool.scheduleAppointment",
  resourceType: "Patient",
  resourceId: "patient-one",
  callKey: "c".repeat(40),
  ...more,
  detail: { tool: "scheduleAppointment", ms: 12, platform: "vapi", fhirProviderId: "1".repeat(26), officeId, ...detail },
});
const booking = { action: "book", booked: true, appointmentId: "visit-one", start };
const routing = { tool: "logRoutingEvent", action: "route", reason: "billing", outcome: "callback" };

test("actions of tools, staff and platforms create deliveries for their own tenant's webhooks, once, with a repeated stream", async () => {
  const [one, two] = [it.inTenant(it.tenants[0]), it.inTenant(it.tenants[1])];
  await deliver();
  await subscribe(one);
  await subscribe(one);
  await subscribe(two);
  await one.store.commit([], ran(booking));
  await one.store.commit(
    [],
    ran(
      { action: "reschedule", confirmed: true, appointmentId: "visit-two", start, cancelledId: "visit-one", cancelledStart: start },
      { action: "tool.settle" },
    ),
  );
  await one.store.commit([], ran({ action: "cancel", confirmed: true, cancelledId: "visit-two", cancelledStart: start }));
  await one.store.commit([], ran({ ...routing, leadId: "lead-one" }, { action: "tool.logRoutingEvent", category: "api_call" }));
  await one.store.commit([], { category: "patient_access", action: "lead.create", resourceType: "Lead", resourceId: "l2" });
  // An outcome check creates a task, too
  await one.store.commit([], ran({ taskId: "task-one" }, { success: false, code: "ehr_unknown_outcome" }));
  const call = { platform: "vapi", callId: "one" } as const;
  await recordCallEvent(one, { ...call, status: "in_progress" });
  await recordCallEvent(one, { ...call, status: "completed", endedReason: "hung up", success: true, durationSeconds: 5 });
  await recordCallEvent(one, { ...call, outcome: "later", costAmount: 1 });
  await two.store.commit([], ran(booking));
  await deliver();
  const each = [
    "appointment.booked",
    "appointment.cancelled",
    "appointment.changed",
    "call.completed",
    "lead.captured",
    "lead.captured",
    "routing.logged",
    "task.created",
  ];
  expect(await types(one)).toEqual(each.flatMap((type) => [type, type]));
  expect(await types(two)).toEqual(["appointment.booked"]);
  const rows = await deliveries(one);
  await deliver({ again: true });
  await deliver({ again: true });
  expect(await deliveries(one)).toEqual(rows);
  // They contain no patient data, which is read when they are sent
  expect(JSON.stringify(rows)).not.toMatch(/patient-one|visit-|lead-one|task-one/);
});

test("each change of a task creates one delivery: done, opened again, found, given and noted on; its creation and those of other work none", async () => {
  const [one, two] = [it.inTenant(it.tenants[0]), it.inTenant(it.tenants[1])];
  const { id: webhookId } = await createWebhook(one, { url, events: ["task.updated"], includeContact: false });
  await createWebhook(two, { url, events: ["task.updated"], includeContact: false });
  const made = async () => {
    const id = newId();
    const about = { tool: "sendCommunicationFhir", patientId: "patient-one", action: "refill_request" };
    const task = await createTask(one, id, { kind: "message", about, callKey: "c".repeat(40) });
    await one.store.commit([task], { category: "patient_access", action: "tool.sendCommunicationFhir", resourceType: "Task" });
    return id;
  };
  const [id, other] = [await made(), await made()];
  const lead = await storeLead(one, { reason: "billing", contact: { name: "Jane", phone: "555 0142", email: undefined, note: undefined } });
  await deliver();
  await deliver();
  expect(await deliveries(one)).toEqual([]);
  await closeTask(one, id, true);
  await closeTask(one, id, false);
  await one.store.commit([addFinding(other, "happened")], { category: "api_call", action: "tool.settle", resourceType: "Task" });
  await changeToDo(one, id, { note: "Called" });
  await changeToDo(one, id, { done: true, note: "Done" });
  await changeToDo(one, lead.id, { note: "Mornings" });
  await deliver();
  await deliver({ again: true });
  const rows = await deliveries(one);
  expect(rows.map(({ type, webhookId: of }) => [type, of])).toEqual(Array.from({ length: 5 }, () => ["task.updated", webhookId]));
  expect(rows.map(({ source }) => source && "taskId" in source && source.taskId).toSorted()).toEqual([id, id, id, id, other].toSorted());
  expect(await deliveries(two)).toEqual([]);
  expect(JSON.stringify(rows)).not.toMatch(/patient-one|Called|Jane/);
});

test("failed actions, unconfirmed requests, test console runs and other rows create no delivery", async () => {
  const ctx = it.inTenant(it.tenants[1]);
  await subscribe(ctx);
  await ctx.store.commit([], ran(booking));
  await deliver();
  const before = await types(ctx);
  expect(before).toEqual(["appointment.booked"]);
  await ctx.store.commit([], ran(booking, { success: false, code: "ehr_unavailable" }));
  await ctx.store.commit([], ran({ ...booking, test: true, platform: "test" }));
  await ctx.store.commit([], ran({ action: "book", appointmentId: "a7", start }));
  await ctx.store.commit([], ran({ action: "reschedule", appointmentId: "a7", start }));
  await ctx.store.commit([], ran({ action: "reschedule", appointmentId: "a9", start, cancelledId: "a8", cancelledStart: start }));
  await ctx.store.commit([], ran({ action: "cancel", cancelledId: "a9", cancelledStart: start }));
  await ctx.store.commit([], ran({ action: "find" }));
  await ctx.store.commit([], ran({ action: "cancel" }));
  await ctx.store.commit([], { category: "patient_access", action: "lead.read", resourceType: "Lead", resourceId: "l2" });
  await recordCallEvent(ctx, { platform: "vapi", callId: "going", status: "in_progress" });
  await deliver();
  expect(await types(ctx)).toEqual(before);
  // And the calendar is empty
  const { rows } = await ctx.store.query<CalendarEntryRow>(keys.tenantPartitions.calendar(ctx.tenantId, officeId), { index: "gsi1" });
  expect(rows.map(({ status }) => status)).toEqual(["booked"]);
});

test("a call without its report is announced a minute later, and one with its report at once", async () => {
  const ctx = it.inTenant(it.tenants[0]);
  const { id } = await subscribe(ctx);
  await recordCallEvent(ctx, { platform: "vapi", callId: "early", status: "completed" });
  await recordCallEvent(ctx, { platform: "vapi", callId: "whole", status: "completed", endedReason: "hung up", success: true });
  await deliver();
  const rows = (await deliveries(ctx)).filter(({ webhookId }) => webhookId === id);
  const waits = rows.map(({ at, nextAttemptAt = "" }) => (Date.parse(nextAttemptAt) - Date.parse(at)) / 1000);
  expect(waits.toSorted((a, b) => a - b)).toEqual([0, 60]);
  await recordCallEvent(ctx, { platform: "vapi", callId: "early", status: "completed", endedReason: "hung up", success: true });
  await deliver();
  expect((await deliveries(ctx)).filter(({ webhookId }) => webhookId === id)).toHaveLength(2);
});

test("an office's calendar shows bookings, changes and cancellations, made by any office", async () => {
  const ctx = it.inTenant(it.tenants[0]);
  const other = "2".repeat(26);
  await ctx.store.commit([], ran({ ...booking, appointmentId: "k1", end: "2027-03-01T15:20:00.000Z" }));
  await ctx.store.commit([], ran({ ...booking, appointmentId: "k2" }));
  await ctx.store.commit(
    [],
    ran({
      action: "reschedule",
      confirmed: true,
      appointmentId: "k3",
      start: "2027-04-01T15:00:00.000Z",
      cancelledId: "k2",
      cancelledStart: start,
      officeId: other,
    }),
  );
  await ctx.store.commit([], ran({ action: "cancel", confirmed: true, cancelledId: "k1", cancelledStart: start, officeId: other }));
  await ctx.store.commit([], ran({ ...booking, appointmentId: "k4", test: true }));
  await deliver();
  await deliver({ again: true });
  const of = async (office: string) => {
    const { rows } = await ctx.store.query<CalendarEntryRow>(keys.tenantPartitions.calendar(ctx.tenantId, office), { index: "gsi1" });
    return rows.map((row) => [row.start, row.end, row.status]);
  };
  expect((await of(officeId)).filter(([, end]) => end)).toEqual([[start, "2027-03-01T15:20:00.000Z", "cancelled"]]);
  expect((await of(officeId)).filter(([, , status]) => status === "booked")).toEqual([]);
  expect(await of(other)).toEqual([["2027-04-01T15:00:00.000Z", undefined, "booked"]]);
});
