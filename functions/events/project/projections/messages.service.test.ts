import { shards, type Audit, type OutgoingRow, type TenantContext } from "@vitaline/store";
import { newId } from "@vitaline/core";
import { callCounterKey, patientCounterKey, tenantCounterKey, listMessages, messageDetail, type SendResult } from "@vitaline/messages";
import { partitions } from "@vitaline/store/keys.ts";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startTestAws, type TestAws } from "../../../../test/kit/aws.ts";
import { handler } from "../handler.ts";
import { shardedStream, type Delivered } from "../../../lib/dynamodb-stream/stream.fixture.ts";

let test: TestAws;
let one: TenantContext;
let two: TenantContext;
let stream: ReturnType<typeof shardedStream>;
let seen = 0;
beforeEach(async () => {
  test = await startTestAws();
  seen = 0;
  [one, two] = test.tenants.map((id) => test.inTenant(id)) as [TenantContext, TenantContext];
  stream = shardedStream(test, { shards: 1, recordsPerShard: 1_000_000 });
});
afterEach(() => test.close());

const invocation = { awsRequestId: "request", getRemainingTimeInMillis: () => 60_000 };
const invoke = (delivered: Delivered[]) =>
  handler(
    { Records: delivered.map(({ record }) => record), shardId: "shardId-0", window: {}, state: {}, isFinalInvokeForWindow: false },
    invocation,
  );
const fresh = async (): Promise<Delivered[]> => {
  const [all = []] = await stream.read();
  const delivered = all.slice(seen);
  seen = all.length;
  return delivered;
};
const waiting = async (): Promise<OutgoingRow[]> => {
  const pages = await Promise.all(shards.map((shard) => test.platform().platform.query<OutgoingRow>(partitions.outgoing(shard))));
  return pages.flatMap(({ rows }) => rows);
};
const told = (ctx: TenantContext, sent: SendResult, more: Partial<Audit> = {}) =>
  ctx.store.commit([], {
    category: "patient_access",
    action: "message.send",
    resourceType: "Message",
    success: sent.code === undefined,
    code: sent.code,
    detail: { ...messageDetail(sent) },
    ...more,
  });
const text = (status: SendResult["status"], id = newId()): SendResult => ({
  id,
  channel: "sms",
  purpose: "general",
  status,
  ...(status === "queued" || status === "sent" ? {} : { code: "message_failed" as const }),
});

it("messages are listed with their outcome, newest first, for their own tenant alone, for any order and repetition of the records", async () => {
  const first = text("queued");
  const sendAt = "2030-01-01T14:00:00.000Z";
  const callKey = "c".repeat(40);
  await told(
    one,
    { ...first, sendAt },
    { action: "tool.sendSMS", callKey, detail: { ...messageDetail({ ...first, sendAt }), tool: "sendSMS", ms: 5, platform: "vapi" } },
  );
  await told(one, text("failed"));
  await told(two, text("unknown"));
  const told1 = await fresh();
  await invoke(told1);
  const listed = async (ctx: TenantContext) => (await listMessages(ctx, {})).rows;
  expect((await listed(one)).map(({ status }) => status)).toEqual(["failed", "queued"]);
  expect((await listed(one))[1]).toMatchObject({
    id: first.id,
    channel: "sms",
    purpose: "general",
    sendAt,
    callId: callKey,
    code: null,
    officeId: null,
  });
  expect(await listed(two)).toMatchObject([{ status: "unknown", code: "message_failed" }]);

  await told(one, text("sent", first.id));
  await told(one, text("unknown", first.id));
  const told2 = await fresh();
  await invoke(told2);
  for (const again of [told1, told2, told1]) await invoke(again);
  expect(await listed(one)).toMatchObject([{ status: "failed" }, { id: first.id, status: "sent", sendAt: null, code: null }]);
  const page = await listMessages(one, { limit: 1 });
  expect((await listMessages(one, { limit: 1, cursor: page.next! })).rows.map(({ id }) => id)).toEqual([first.id]);
  await expect(listMessages(two, { limit: 1, cursor: page.next! })).rejects.toMatchObject({ code: "invalid_request" });
});

it("a booking more than a day ahead creates one reminder; a nearer one, a failed one, a cancellation and a test create none", async () => {
  const start = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const ran = (ctx: TenantContext, more: Partial<Audit>, detail: Audit["detail"]) =>
    ctx.store.commit([], {
      category: "patient_access",
      action: "tool.scheduleAppointment",
      resourceType: "Patient",
      resourceId: "patient-of-the-reminder",
      callKey: "c".repeat(40),
      ...more,
      detail: { tool: "scheduleAppointment", ms: 12, platform: "vapi", fhirProviderId: "f1", ...detail },
    });
  const far = start(72);
  await ran(one, {}, { action: "book", booked: true, appointmentId: "a1", start: far });
  await ran(two, { action: "tool.settle" }, { action: "reschedule", appointmentId: "a1", start: far });
  await ran(one, {}, { action: "book", booked: true, appointmentId: "a2", start: start(23) });
  await ran(one, { success: false, code: "ehr_unavailable" }, { appointmentId: "a3", start: far });
  await ran(one, {}, { action: "cancel" });
  await ran(one, {}, { action: "book", appointmentId: "a4", start: far, platform: "test", test: true });
  const delivered = await fresh();
  for (const _again of [1, 2]) await invoke(delivered);
  const rows = await waiting();
  expect(rows.map(({ tenantId }) => tenantId).toSorted()).toEqual(test.tenants.toSorted());
  for (const row of rows)
    expect(row).toMatchObject({ kind: "reminder", providerId: "f1", appointmentId: "a1", start: far, callKey: "c".repeat(40) });
  expect(rows[0]).not.toHaveProperty("planned");
  expect(JSON.stringify(rows)).not.toContain("patient-of-the-reminder");
});

it("each accepted message counts once for its call, its patient's day and its tenant's hour, with repeated records; rejected messages do not count", async () => {
  const callKey = "e".repeat(40);
  const counts = async (ctx: TenantContext) => (await ctx.store.batchGet([callCounterKey(callKey)]))[0]?.count ?? 0;
  const ofHour = async () => (await one.store.get(tenantCounterKey(new Date())))?.count ?? 0;
  const before = await ofHour();
  const first = text("queued");
  const ofPatient = { resourceType: "Patient", resourceId: "patient-of-messages" };
  for (const sent of [first, text("sent"), text("unknown"), text("failed"), text("opted_out")])
    await told(one, sent, { callKey, ...ofPatient });
  await told(two, text("sent"), { callKey, ...ofPatient });
  const delivered = await fresh();
  for (const _again of [1, 2]) await invoke(delivered);
  // A deferred message keeps its id when it is sent.
  await told(one, text("sent", first.id), { callKey, ...ofPatient });
  await invoke(await fresh());
  const about = async (ctx: TenantContext) => (await ctx.store.get(patientCounterKey(ofPatient.resourceId, new Date())))?.count;
  expect([await about(one), await about(two)]).toEqual([3, 1]);
  expect([await counts(one), await counts(two)]).toEqual([3, 1]);
  expect((await ofHour()) - before).toBe(3);
});

it("C13: counts a message once when writing stops at any point and any part of the batch is redelivered", async () => {
  for (let most = 0; most < 3; most++) {
    const callKey = String(most).repeat(40);
    const before = (await one.store.get(tenantCounterKey(new Date())))?.count ?? 0;
    await told(one, text("sent"), { callKey });
    await told(one, text("queued"), { callKey });
    const delivered = await fresh();
    let writes = 0;
    test.fault(({ operation }) => (/Update|Transact/.test(operation) && writes++ >= most ? "drop" : undefined));
    await expect(invoke(delivered)).rejects.toThrow();
    test.fault();
    await invoke(delivered);
    await invoke(delivered.slice(1));
    const added = ((await one.store.get(tenantCounterKey(new Date())))?.count ?? 0) - before;
    expect([most, (await one.store.get(callCounterKey(callKey)))?.count, added]).toEqual([most, 2, 2]);
  }
});
