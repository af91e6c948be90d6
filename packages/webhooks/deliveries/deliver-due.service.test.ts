import { seal } from "@vitaline/aws";
import { WebhookPayload, type NewWebhook } from "@vitaline/contract";
import { newId } from "@vitaline/core";
import { storeLead } from "@vitaline/leads";
import {
  create,
  expiresAfter,
  keys,
  put,
  update,
  type AuditRow,
  type CallRow,
  type DeliveryRow,
  type WebhookHealthRow,
} from "@vitaline/store";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { waitMs } from "../subscriptions/health.ts";
import { rotateWebhookSecret } from "../subscriptions/secret.ts";
import { createWebhook, deleteWebhook, listWebhooks, updateWebhook } from "../subscriptions/webhook.ts";
import { newDeliveryRun } from "./attempt.ts";
import { deliverDue } from "./deliver-due.ts";
import { replayDelivery, testWebhook } from "./enqueue.ts";
import { verified } from "./receiver.fixture.ts";
import { bookingAudit, everything, startWebhooks, type Webhooks } from "./webhooks.fixture.ts";

let it: Webhooks;
beforeEach(async () => {
  it = await startWebhooks();
});
afterEach(() => it.close());

let paths = 0;
const newPath = () => `/hook/${++paths}`;
const add = async (which: 0 | 1, path: string, more: Partial<NewWebhook> = {}) =>
  createWebhook(it.inTenant(which), { url: it.receiver.origin + path, events: [...everything], includeContact: false, ...more });
const booked = () => bookingAudit({ action: "book", booked: true, appointmentId: "a1", start: "2027-03-01T15:00:00.000Z" });
const byWebhook = async (which: 0 | 1, webhookId: string): Promise<DeliveryRow[]> =>
  (await it.deliveries(which)).filter((row) => row.webhookId === webhookId);
const only = async (which: 0 | 1, webhookId: string): Promise<DeliveryRow> => {
  const [row, ...others] = await byWebhook(which, webhookId);
  if (!row || others.length > 0) throw new Error("There is not one delivery");
  return row;
};
const audits = async (which: 0 | 1, category: AuditRow["category"]) => {
  const { store, tenantId } = it.inTenant(which);
  return (await store.query<AuditRow>(keys.tenantPartitions.audit(tenantId, new Date().toISOString().slice(0, 7), category))).rows;
};

test("an event reaches each subscribed webhook of its tenant once, signed as the standard's library requires, and no other tenant's", async () => {
  const [all, leadsAlone, others] = [newPath(), newPath(), newPath()];
  const { id, secret } = await add(0, all);
  await add(0, leadsAlone, { events: ["lead.captured"] });
  await add(1, others);
  const event = await it.told(0, "appointment.booked", booked());
  await it.note(event);
  await it.note(event, event);
  await Promise.all([it.run(0), it.run(0), it.run(1)]);
  await it.run(0);
  const [got, ...again] = it.receiver.at(all);
  expect(again).toEqual([]);
  expect([...it.receiver.at(leadsAlone), ...it.receiver.at(others)]).toEqual([]);
  expect(verified(secret, got!)).toMatchObject({ type: "appointment.booked", timestamp: event.at });
  expect(() => verified(secret, { ...got!, body: `${got!.body} ` })).toThrow();
  expect(got!.headers).toMatchObject({ "content-type": "application/json", "user-agent": expect.stringContaining("Vitaline") });
  const row = await only(0, id);
  expect(row).toMatchObject({ id: got!.id, status: "delivered", tries: 1, attempts: [{ httpStatus: 204 }] });
  expect(row).not.toHaveProperty("nextAttemptAt");
  expect(row).not.toHaveProperty("gsi1pk");
});

describe("the payload", () => {
  const sent = async (
    which: 0 | 1,
    type: Parameters<Webhooks["told"]>[1],
    audit: Parameters<Webhooks["told"]>[2],
    more?: Partial<NewWebhook>,
  ) => {
    const path = newPath();
    const { secret } = await add(which, path, more);
    await it.note(await it.told(which, type, audit));
    await it.run(which);
    const payload = verified(secret, it.receiver.at(path)[0]!);
    expect(z.safeParse(WebhookPayload, payload).error).toBeUndefined();
    return { payload, text: it.receiver.at(path)[0]!.body };
  };

  test("of an appointment holds the FHIR ids, the times and the office, and no name", async () => {
    const officeId = newId();
    await it
      .inTenant(0)
      .store.commit(
        [create(keys.office(officeId), { id: officeId, name: "Harbor", isActive: true, createdAt: new Date().toISOString() })],
        {
          category: "configuration_change",
          action: "test",
          resourceType: "Office",
        },
      );
    const start = "2027-03-01T15:00:00.000Z";
    const about = {
      patientId: "patient-7",
      fhirProviderId: "f".repeat(26),
      office: { id: officeId, name: "Harbor" },
      callId: "c".repeat(40),
    };
    const end = "2027-03-01T15:20:00.000Z";
    expect(
      (await sent(0, "appointment.booked", bookingAudit({ action: "book", booked: true, appointmentId: "a1", start, end, officeId })))
        .payload,
    ).toMatchObject({ data: { ...about, appointmentId: "a1", status: "booked", start, end, previous: null } });
    const moved = { action: "reschedule", appointmentId: "a2", start, cancelledId: "a1", cancelledStart: end, officeId };
    expect((await sent(0, "appointment.changed", bookingAudit(moved))).payload).toMatchObject({
      data: { ...about, appointmentId: "a2", status: "booked", start, end: null, previous: { appointmentId: "a1", start: end } },
    });
    const cancelled = { action: "cancel", cancelledId: "a2", cancelledStart: start, officeId };
    expect((await sent(0, "appointment.cancelled", bookingAudit(cancelled))).payload).toMatchObject({
      data: { ...about, appointmentId: "a2", status: "cancelled", start, end: null, previous: null },
    });
  });

  test("of a call holds its record at the time of sending, without the transcript", async () => {
    const path = newPath();
    const { secret } = await add(0, path);
    const ctx = it.inTenant(0);
    const callKey = keys.callKeyOf("vapi", "call-1");
    const at = new Date().toISOString();
    const row: CallRow = {
      callKey,
      platform: "vapi",
      platformCallId: "call-1",
      rank: 4,
      status: "completed",
      startedAt: at,
      endSeenAt: at,
      forwarded: false,
      gsi1pk: keys.tenantPartitions.calls(ctx.tenantId),
      gsi1sk: `${at}#${callKey}`,
      expiresAt: expiresAfter(at, 30),
    };
    await ctx.store.writeUnaudited(put(keys.call(callKey), row));
    await it.note({ tenantId: ctx.tenantId, type: "call.completed", at, sendAt: at, source: { kind: "call", callKey } });
    await ctx.store.writeUnaudited(
      update<CallRow>(keys.call(callKey), { set: { durationSeconds: 61, endedAt: at, success: false, toolsUsed: new Set(["b", "a"]) } }),
    );
    await it.run(0);
    const payload = verified(secret, it.receiver.at(path)[0]!);
    expect(payload).toEqual({
      type: "call.completed",
      timestamp: at,
      data: {
        callId: callKey,
        platform: "vapi",
        platformCallId: "call-1",
        direction: null,
        agentId: null,
        office: null,
        status: "completed",
        startedAt: at,
        endedAt: at,
        durationSeconds: 61,
        endedReason: null,
        outcome: "unresolved",
        abandoned: false,
        toolsUsed: ["a", "b"],
      },
    });
    expect(z.safeParse(WebhookPayload, payload).success).toBe(true);
  });

  test("of a lead holds only its id; contact data is included at the tenant's request and audited", async () => {
    const ctx = it.inTenant(0);
    const lead = await storeLead(ctx, {
      reason: "billing",
      contact: { name: "Jane Roe", phone: "+16175550142", email: undefined, note: "secret" },
    });
    const audit = { category: "patient_access", action: "lead.create", resourceType: "Lead", resourceId: lead.id } as const;
    const plain = await sent(0, "lead.captured", audit);
    expect(plain.payload).toMatchObject({ data: { leadId: lead.id, contact: null } });
    expect(plain.text).not.toMatch(/Jane|617|billing/);
    const before = (await audits(0, "patient_access")).filter(({ action }) => action === "lead.send");
    expect(before).toEqual([]);
    for (const { id } of await listWebhooks(ctx)) await deleteWebhook(ctx, id);
    const full = await sent(0, "lead.captured", audit, { includeContact: true });
    expect(full.payload).toMatchObject({
      data: { leadId: lead.id, contact: { name: "Jane Roe", phone: "+16175550142", email: null, reason: "billing" } },
    });
    expect(full.text).not.toContain("secret");
    const after = (await audits(0, "patient_access")).filter(({ action }) => action === "lead.send");
    expect(after).toMatchObject([{ resourceId: lead.id, detail: { webhookId: expect.any(String) } }]);
  });

  test("of a lead loses its contact data once the tenant excludes it, also in a stored payload; a replay with contact data is audited again", async () => {
    const ctx = it.inTenant(0);
    const contact = { name: "Jane Roe", phone: "+16175550142", email: undefined, note: undefined };
    const lead = await storeLead(ctx, { reason: "billing", contact });
    const audit = { category: "patient_access", action: "lead.create", resourceType: "Lead", resourceId: lead.id } as const;
    const path = newPath();
    const { id, secret } = await add(0, path, { includeContact: true });
    it.receiver.answers(path, (nth) => (nth === 1 ? 500 : 200));
    const told = async () =>
      (await audits(0, "patient_access")).filter(({ action, detail }) => action === "lead.send" && detail?.["webhookId"] === id);
    await it.note(await it.told(0, "lead.captured", audit));
    await it.run(0);
    const row = await only(0, id);
    expect(row).toMatchObject({ status: "pending", hasContact: true });
    // A retry is not audited again, a replay is.
    await replayDelivery(ctx, row.id);
    await it.run(0);
    expect(await told()).toMatchObject([{ resourceId: lead.id }, { resourceId: lead.id }]);
    expect(it.receiver.at(path)[1]).toMatchObject({ body: it.receiver.at(path)[0]!.body });
    await updateWebhook(ctx, id, { includeContact: false }, undefined);
    for (let more = 0; more < 2; more++) {
      await replayDelivery(ctx, row.id);
      await it.run(0);
    }
    const [, , ...without] = it.receiver.at(path);
    expect(without).toHaveLength(2);
    for (const one of without) {
      expect(one.id).toBe(row.id);
      expect(verified(secret, one)).toMatchObject({ type: "lead.captured", data: { leadId: lead.id, contact: null } });
      expect(one.body).not.toMatch(/Jane|617|billing/);
    }
    expect(await told()).toHaveLength(2);
    expect(await only(0, id)).toMatchObject({ status: "delivered", hasContact: false });
  });

  test("of a routing event holds its reason and outcome", async () => {
    const audit = {
      category: "api_call",
      action: "tool.logRoutingEvent",
      resourceType: "Tool",
      resourceId: "logRoutingEvent",
      callKey: "d".repeat(40),
      detail: { tool: "logRoutingEvent", reason: "billing", outcome: "callback", leadId: "l1" },
    } as const;
    expect((await sent(1, "routing.logged", audit)).payload).toMatchObject({
      data: { reason: "billing", outcome: "callback", leadId: "l1", office: null, callId: "d".repeat(40) },
    });
  });

  test("D10: a task is sent with its kind and due date, without the patient", async () => {
    const ctx = it.inTenant(1);
    const taskId = newId();
    const at = new Date().toISOString();
    const task = {
      id: taskId,
      at,
      kind: "visit_request",
      dueAt: at,
      sealed: "sealed",
      version: 1,
      expiresAt: expiresAfter(at, 30),
    } as const;
    const audit = {
      category: "patient_access",
      action: "tool.scheduleAppointment",
      resourceType: "Patient",
      resourceId: "patient-4711",
      callKey: "d".repeat(40),
      detail: { tool: "scheduleAppointment", taskId },
    } as const;
    await ctx.store.commit([create(keys.task(taskId), task)], audit);
    const { payload } = await sent(1, "task.created", audit);
    expect(payload).toMatchObject({ data: { taskId, kind: "visit_request", dueAt: at, office: null, callId: "d".repeat(40) } });
    expect(JSON.stringify(payload)).not.toContain("patient-4711");
  });

  test("of a changed task has its state, owner and whether there is a note, without patient data", async () => {
    const ctx = it.inTenant(1);
    const at = new Date().toISOString();
    const [taskId, ownerId] = [newId(), newId()];
    const callKey = "d".repeat(40);
    const task = {
      id: taskId,
      at,
      kind: "message",
      dueAt: at,
      sealed: "sealed",
      closedAt: at,
      callKey,
      version: 2,
      expiresAt: 4_000_000_000,
    } as const;
    await ctx.store.commit([create(keys.task(taskId), task)], booked());
    const item = {
      id: taskId,
      at,
      source: "task",
      sourceId: taskId,
      sourceVersion: 2,
      kind: "message",
      dueAt: at,
      ownerId,
      sealedNote: "sealed",
    } as const;
    await ctx.store.writeUnaudited(put(keys.toDo(taskId), { ...item, expiresAt: 4_000_000_000, gsi1pk: "x", gsi1sk: "x" }));
    const path = newPath();
    const { secret } = await add(1, path, { events: ["task.updated"] });
    const event = { tenantId: ctx.tenantId, type: "task.updated", at: new Date().toISOString(), sendAt: at } as const;
    await it.note({ ...event, source: { kind: "task", taskId, version: 2, callKey } });
    await it.note({ ...event, source: { kind: "task", taskId: newId(), version: 2 } });
    await it.run(1);
    const [got, ...others] = it.receiver.at(path);
    expect(others).toEqual([]);
    expect(verified(secret, got!)).toEqual({
      ...{ type: "task.updated", timestamp: event.at },
      data: { taskId, kind: "message", dueAt: at, office: null, callId: callKey, closedAt: at, finding: null, ownerId, hasNote: true },
    });
  });

  test("of the second task of an audit row is a delivery of its own, with that task", async () => {
    const ctx = it.inTenant(1);
    const at = new Date().toISOString();
    const [taskId, second] = [newId(), newId()];
    const kinds = { [taskId]: "unconfirmed_action", [second]: "interpreter" } as const;
    for (const [id, kind] of Object.entries(kinds)) {
      const task = { id, at, kind, dueAt: at, sealed: "sealed", version: 1, expiresAt: expiresAfter(at, 30) } as const;
      await ctx.store.commit([create(keys.task(id), task)], booked());
    }
    const path = newPath();
    const { id, secret } = await add(1, path, { events: ["task.created"] });
    const event = await it.told(1, "task.created", bookingAudit({ taskId, promisedTaskId: second }));
    const { source } = event;
    await it.note(event, { ...event, source: { ...source, ...(source.kind === "audit" ? { taskId: second } : {}) } as typeof source });
    await it.run(1);
    expect(await byWebhook(1, id)).toHaveLength(2);
    const told = it.receiver.at(path).map((got) => (verified(secret, got) as { data: { taskId: string; kind: string } }).data);
    expect(Object.fromEntries(told.map((one) => [one.taskId, one.kind]))).toEqual(kinds);
  });

  test("a test event arrives and is logged as a test", async () => {
    const path = newPath();
    const { id, secret } = await add(0, path);
    const { id: deliveryId } = await testWebhook(it.inTenant(0), id);
    await it.run(0);
    expect(verified(secret, it.receiver.at(path)[0]!)).toMatchObject({ type: "webhook.test", data: { webhookId: id } });
    expect(await only(0, id)).toMatchObject({ id: deliveryId, type: "webhook.test", status: "delivered" });
  });

  test("a payload is stored only sealed", async () => {
    const path = newPath();
    const { id } = await add(0, path, { includeContact: true });
    const lead = await storeLead(it.inTenant(0), {
      reason: "billing",
      contact: { name: "Jane Roe", phone: "+16175550142", email: undefined, note: undefined },
    });
    await it.note(
      await it.told(0, "lead.captured", { category: "patient_access", action: "lead.create", resourceType: "Lead", resourceId: lead.id }),
    );
    await it.run(0);
    const row = await only(0, id);
    expect(row.sealed).toBeDefined();
    expect(JSON.stringify(row)).not.toMatch(/Jane|617555/);
  });
});

describe("a failed delivery", () => {
  test("is retried after 5 s, 30 s, 2 min, 10 min, 1 h, 6 h and 24 h with the same bytes and id, and is then marked failed", async () => {
    const path = newPath();
    const { id, secret } = await add(0, path);
    it.receiver.answers(path, 500);
    await it.note(await it.told(0, "appointment.booked", booked()));
    for (const seconds of [5, 30, 120, 600, 3600, 21_600, 86_400]) {
      const startedAtMs = Date.now();
      await it.run(0);
      const row = await only(0, id);
      expect(row).toMatchObject({ status: "pending", code: "http_status" });
      expect(Date.parse(row.nextAttemptAt ?? "") - startedAtMs).toBeGreaterThanOrEqual(seconds * 1000);
      await it.run(0);
      await it.makeDue(0, row.id);
    }
    await it.run(0);
    const row = await only(0, id);
    expect(row).toMatchObject({ status: "failed", code: "http_status", tries: 8 });
    expect(row).not.toHaveProperty("nextAttemptAt");
    const got = it.receiver.at(path);
    expect(got).toHaveLength(8);
    expect(new Set(got.map((one) => `${one.id} ${one.body}`)).size).toBe(1);
    for (const one of got) verified(secret, one);

    it.receiver.answers(path, 200);
    expect(await replayDelivery(it.inTenant(0), row.id)).toMatchObject({ status: "pending", code: null });
    await it.run(0);
    expect(await only(0, id)).toMatchObject({ status: "delivered", tries: 1 });
    expect((await only(0, id)).attempts).toHaveLength(9);
    expect(it.receiver.at(path).at(-1)).toMatchObject({ id: got[0]!.id, body: got[0]!.body });
  });

  test.each<[string, string, Parameters<Webhooks["receiver"]["answers"]>[1], string]>([
    ["a refusal", "", 403, "http_status"],
    ["a redirect to an address inside", "", { status: 302, headers: { location: "http://169.254.169.254/latest" } }, "outbound_redirect"],
    ["a cut connection", "", "cut", "outbound_unreachable"],
    ["silence", "", "silence", "outbound_timeout"],
    ["a server that is down", "down", 200, "outbound_unreachable"],
    ["an address inside", "https://10.0.0.1/", 200, "outbound_refused"],
  ])("because of %s is tried again, and its log says why", async (_what, elsewhere, answer, code) => {
    const path = newPath();
    const { id } = await add(0, path);
    if (elsewhere) {
      const ctx = it.inTenant(0);
      const row = (await ctx.store.get(keys.webhook(id)))!;
      // As if its name resolved to another address now.
      await ctx.store.commit([put(keys.webhook(id), { ...row, url: elsewhere === "down" ? it.receiver.downOrigin : elsewhere })], {
        category: "api_call",
        action: "test",
        resourceType: "Webhook",
      });
    }
    it.receiver.answers(path, answer);
    await it.note(await it.told(0, "appointment.booked", booked()));
    await it.run(0);
    const row = await only(0, id);
    expect(row).toMatchObject({ status: "pending", tries: 1, code, attempts: [{ code }] });
    expect(Object.keys(row.attempts[0] ?? {}).toSorted()).toEqual(
      ["at", "code", ...(code === "http_status" ? ["httpStatus"] : []), "ms"].toSorted(),
    );
    expect((await listWebhooks(it.inTenant(0)))[0]).toMatchObject({ isActive: true, failingSince: expect.any(String) });
    it.receiver.answers(path, 200);
    if (elsewhere) await updateWebhook(it.inTenant(0), id, { url: it.receiver.origin + path }, undefined);
    await it.makeDue(0, row.id);
    await it.run(0);
    expect(await only(0, id)).toMatchObject({ status: "delivered", tries: 2 });
    expect((await listWebhooks(it.inTenant(0)))[0]).toMatchObject({ isActive: true, failingSince: null });
  });

  test("to a receiver that answers 410 disables its webhook, audited; pending deliveries are sent after activation and replay", async () => {
    const path = newPath();
    const { id } = await add(0, path);
    it.receiver.answers(path, 410);
    const first = await it.told(0, "appointment.booked", booked());
    await it.note(first);
    await it.run(0);
    expect((await listWebhooks(it.inTenant(0)))[0]).toMatchObject({ isActive: false, disabledReason: "gone" });
    expect((await audits(0, "configuration_change")).at(-1)).toMatchObject({
      action: "webhook.disable",
      resourceId: id,
      detail: { reason: "gone" },
      actorKind: "system",
    });
    const row = await only(0, id);
    expect(row).toMatchObject({ status: "failed", tries: 1 });
    await it.note(await it.told(0, "appointment.booked", booked()));
    expect(await byWebhook(0, id)).toHaveLength(1);
    await expect(replayDelivery(it.inTenant(0), row.id)).rejects.toMatchObject({ code: "not_doable" });
    await expect(testWebhook(it.inTenant(0), id)).rejects.toMatchObject({ code: "not_doable" });
    it.receiver.answers(path, 200);
    expect(await updateWebhook(it.inTenant(0), id, { isActive: true }, undefined)).toMatchObject({ isActive: true, disabledReason: null });
    await replayDelivery(it.inTenant(0), row.id);
    await it.run(0);
    expect(await only(0, id)).toMatchObject({ status: "delivered" });
  });

  test("disables the webhook after days, audited", async () => {
    const path = newPath();
    const { id } = await add(1, path);
    it.receiver.answers(path, 503);
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    for (const [days, isActive] of [
      [4, true],
      [6, false],
    ] as const) {
      await it.inTenant(1).store.writeUnaudited(put(keys.webhookHealth(id), { webhookId: id, failingSince: daysAgo(days) }));
      await it.note(await it.told(1, "appointment.booked", booked()));
      await it.run(1);
      expect((await listWebhooks(it.inTenant(1)))[0]).toMatchObject({ isActive, disabledReason: isActive ? null : "failing" });
    }
    expect((await audits(1, "configuration_change")).at(-1)).toMatchObject({ action: "webhook.disable", detail: { reason: "failing" } });
    for (const row of await byWebhook(1, id)) await it.makeDue(1, row.id);
    await it.run(1);
    expect((await byWebhook(1, id)).map(({ status, code }) => [status, code])).toEqual([
      ["failed", "webhook_inactive"],
      ["failed", "webhook_inactive"],
    ]);
  });

  test("does not block other receivers: after three failures the others of its webhook wait without any write or attempt", async () => {
    const [dead, well] = [newPath(), newPath()];
    const { id } = await add(0, dead);
    await add(0, well);
    it.receiver.answers(dead, 500);
    for (let made = 0; made < 20; made++) await it.note(await it.told(0, "appointment.booked", booked()));
    await it.run(0);
    expect(it.receiver.at(well)).toHaveLength(20);
    // Includes attempts that were in flight during the third failure.
    expect(it.receiver.at(dead).length).toBeGreaterThanOrEqual(3);
    const tried = it.receiver.at(dead).length;
    expect(tried).toBeLessThan(5);
    const rows = await byWebhook(0, id);
    expect(rows.filter(({ tries, version }) => tries === 0 && version === 1)).toHaveLength(20 - tried);
    expect(rows.every(({ status }) => status === "pending")).toBe(true);
    // Before the next attempt a run only reads.
    it.aws.resetUsage();
    await it.run(0);
    expect(it.aws.usage().map(({ operation }) => operation)).toEqual(["Query", "BatchGetItem"]);
    expect(await byWebhook(0, id)).toEqual(rows);
    // New deliveries of the other webhook are sent.
    await it.note(await it.told(0, "appointment.booked", booked()));
    await it.run(0);
    expect([it.receiver.at(well).length, it.receiver.at(dead).length]).toEqual([21, tried]);
  });

  test("is followed by one attempt per run, later each time, and by all pending ones once the receiver recovers", async () => {
    const path = newPath();
    const { id } = await add(0, path);
    it.receiver.answers(path, 500);
    for (let made = 0; made < 130; made++) await it.note(await it.told(0, "appointment.booked", booked()));
    await it.run(0);
    const ctx = it.inTenant(0);
    const health = async () => (await ctx.store.get(keys.webhookHealth(id)))!;
    const comeDue = () =>
      ctx.store.writeUnaudited(update<WebhookHealthRow>(keys.webhookHealth(id), { set: { nextTryAt: new Date(0).toISOString() } }));
    const first = (await health()).failures ?? 0;
    expect(first).toBeGreaterThanOrEqual(3);
    for (let run = 1; run <= 8; run++) {
      const tried = it.receiver.at(path).length;
      await comeDue();
      const startedAtMs = Date.now();
      await it.run(0);
      expect(it.receiver.at(path)).toHaveLength(tried + 1);
      const { failures = 0, nextTryAt = "" } = await health();
      expect(failures).toBe(first + run);
      expect(Date.parse(nextTryAt) - startedAtMs).toBeGreaterThanOrEqual(waitMs(failures) ?? Infinity);
    }
    it.receiver.answers(path, 200);
    // A test event is attempted at once.
    await testWebhook(ctx, id);
    await it.run(0);
    const rows = await byWebhook(0, id);
    expect(rows.filter(({ status, tries }) => status !== "delivered" && tries === 0)).toEqual([]);
    expect(await health()).toEqual({ webhookId: id });
  });

  test("to a webhook deleted meanwhile leaves no rows behind", async () => {
    const path = newPath();
    const { id } = await add(0, path);
    const ctx = it.inTenant(0);
    await it.note(await it.told(0, "appointment.booked", booked()));
    let deleted: Promise<void> | undefined;
    it.receiver.answers(path, () => {
      deleted = deleteWebhook(ctx, id);
      return { status: 500, afterMs: 400 };
    });
    await it.run(0);
    await deleted;
    expect(it.receiver.at(path)).toHaveLength(1);
    expect(await ctx.store.get(keys.webhookHealth(id))).toBeUndefined();
  });

  test.each<[string, Parameters<Webhooks["receiver"]["answers"]>[1], string]>([
    ["2xx with a large body", { status: 200, body: Buffer.alloc(8 << 20) }, "delivered"],
    ["2xx with a body that never ends", { status: 201, headers: { "content-length": "100" }, body: "unfinished" }, "delivered"],
    ["2xx with a body that breaks off", { status: 202, headers: { "content-length": "100" }, body: Buffer.from("cut") }, "delivered"],
    ["410 with a large body", { status: 410, body: Buffer.alloc(8 << 20) }, "failed"],
  ])("is told by the status alone: %s", async (_what, answer, status) => {
    const path = newPath();
    const { id } = await add(0, path);
    it.receiver.answers(path, answer);
    await it.note(await it.told(0, "appointment.booked", booked()));
    await it.run(0);
    expect(await only(0, id)).toMatchObject({ status, tries: 1 });
    expect((await listWebhooks(it.inTenant(0)))[0]).toMatchObject(
      status === "failed" ? { isActive: false, disabledReason: "gone" } : { isActive: true, failingSince: null },
    );
  });

  test("one webhook gets at most two deliveries in parallel", async () => {
    const path = newPath();
    await add(0, path);
    for (let made = 0; made < 12; made++) await it.note(await it.told(0, "appointment.booked", booked()));
    it.receiver.answers(path, { status: 200, afterMs: 30 });
    await it.run(0);
    expect(it.receiver.at(path)).toHaveLength(12);
    expect(it.receiver.mostAtOnce(path)).toBeLessThanOrEqual(2);
  });
});

test("both secrets verify for a day after a rotation, then only the new one", async () => {
  const path = newPath();
  const { id, secret: old } = await add(0, path);
  const { secret, previousUntil } = await rotateWebhookSecret(it.inTenant(0), id);
  expect(Date.parse(previousUntil) - Date.now()).toBeGreaterThan(86_000_000);
  await testWebhook(it.inTenant(0), id);
  await it.run(0);
  const [during] = it.receiver.at(path);
  expect(verified(old, during!)).toEqual(verified(secret, during!));
  const ctx = it.inTenant(0);
  const ciphertext = await seal("webhook-signing", ctx.tenantId, old);
  const now = (await ctx.store.get(keys.sealedWebhook(id)))!;
  const past = { ...now, previous: { ciphertext, until: new Date(Date.now() - 1).toISOString() } };
  await ctx.store.commit([put(keys.sealedWebhook(id), past)], { category: "api_call", action: "test", resourceType: "Webhook" });
  await testWebhook(it.inTenant(0), id);
  await it.run(0);
  const after = it.receiver.at(path)[1];
  verified(secret, after!);
  expect(() => verified(old, after!)).toThrow();
});

test("only one of several concurrent runs delivers for a tenant; the lease of a dead run expires after a minute", async () => {
  const path = newPath();
  await add(0, path);
  for (let made = 0; made < 30; made++) await it.note(await it.told(0, "appointment.booked", booked()));
  await Promise.all(Array.from({ length: 5 }, () => it.run(0)));
  expect(it.receiver.at(path)).toHaveLength(30);
  const ctx = it.inTenant(0);
  const until = async (leaseUntilMs: number) =>
    ctx.store.writeUnaudited(update(keys.webhookTenant(), { set: { leaseOwner: "dead", leaseUntilMs } }));
  await it.note(await it.told(0, "appointment.booked", booked()));
  await until(Date.now() + 30_000);
  await it.run(0);
  expect(it.receiver.at(path)).toHaveLength(30);
  await until(Date.now() - 1);
  await it.run(0);
  expect(it.receiver.at(path)).toHaveLength(31);
});

test("if AWS fails or the process dies at any step, no delivery is lost or repeated without cause, and the log is correct", async () => {
  const path = newPath();
  const { id, secret } = await add(0, path);
  const count = 40;
  for (let made = 0; made < count; made++) await it.note(await it.told(0, "appointment.booked", booked()));
  let seed = 7;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  it.receiver.answers(path, () => (random() < 0.1 ? 500 : 204));
  let crashes = 0;
  const dying = () => {
    const ctx = it.inTenant(0);
    let isDead = false;
    const death = Promise.withResolvers<void>();
    const die = () => {
      isDead = true;
      death.resolve();
      return Promise.reject(new Error("killed"));
    };
    const mortal =
      <Args extends unknown[], Value>(act: (...args: Args) => Promise<Value>, chance: number) =>
      async (...args: Args): Promise<Value> => {
        if (isDead) return new Promise(() => {});
        const [dies, before] = [random() < chance, random() < 0.5];
        if (dies) crashes += 1;
        if (dies && before) return die();
        const value = await act(...args);
        if (dies) return die();
        return value;
      };
    const { store } = ctx;
    const mortals = {
      writeUnaudited: mortal(store.writeUnaudited, 0.06),
      commit: mortal(store.commit, 0.06),
      batchGet: mortal(store.batchGet, 0.02),
    };
    return { ctx: { ...ctx, store: { ...store, ...mortals } as typeof store }, death: death.promise };
  };
  for (let round = 0; round < 400 && (await byWebhook(0, id)).some(({ status }) => status === "pending"); round++) {
    const { ctx, death } = dying();
    // A killed process stops here.
    await Promise.race([it.run(0, ctx).catch(() => undefined), death]);
    await it.inTenant(0).store.writeUnaudited(update(keys.webhookTenant(), { set: { leaseUntilMs: 0 } }));
    for (const row of await byWebhook(0, id)) if (row.status === "pending") await it.makeDue(0, row.id);
  }
  const rows = await byWebhook(0, id);
  expect(rows.map(({ status }) => status)).toEqual(rows.map(() => "delivered"));
  expect(rows).toHaveLength(count);
  const got = it.receiver.at(path);
  expect(new Set(got.map((one) => one.id))).toEqual(new Set(rows.map((row) => row.id)));
  for (const one of got) verified(secret, one);
  expect(new Set(got.map((one) => `${one.id} ${one.body}`)).size).toBe(count);
  const failures = rows.reduce((sum, { attempts }) => sum + attempts.filter(({ code }) => code).length, 0);
  expect(got.length - count - failures).toBeLessThanOrEqual(crashes * 4);
  expect(crashes).toBeGreaterThan(5);
});

test("deliveries of an inactive tenant and of a deleted webhook are not sent", async () => {
  const path = newPath();
  const { id } = await add(1, path);
  await it.note(await it.told(1, "appointment.booked", booked()));
  await deleteWebhook(it.inTenant(1), id);
  await deliverDue(it.inTenant(1), newDeliveryRun());
  expect(it.receiver.at(path)).toEqual([]);
  const row = await only(1, id);
  expect(row).toMatchObject({ status: "failed", code: "webhook_inactive" });
  await expect(replayDelivery(it.inTenant(1), row.id)).rejects.toMatchObject({ code: "not_doable" });

  const [off, on] = [newPath(), newPath()];
  const [theirs] = [await add(1, off), await add(0, on)];
  const ctx = it.inTenant(1);
  for (const which of [0, 1] as const) await it.note(await it.told(which, "appointment.booked", booked()));
  const tenant = (await ctx.store.get(keys.tenantConfig()))!;
  const configured = { category: "configuration_change", action: "test", resourceType: "Tenant" } as const;
  await ctx.store.commit([put(keys.tenantConfig(), { ...tenant, isActive: false })], configured);
  await Promise.all([it.run(0), it.run(1)]);
  await ctx.store.commit([put(keys.tenantConfig(), tenant)], configured);
  expect([it.receiver.at(off).length, it.receiver.at(on).length]).toEqual([0, 1]);
  expect(await only(1, theirs.id)).toMatchObject({ status: "failed", code: "webhook_inactive" });
});

test("a payload that cannot be built blocks nothing and is retried; an event whose source was deleted is marked failed", async () => {
  const path = newPath();
  const { id, secret } = await add(0, path);
  const ctx = it.inTenant(0);
  await it.note(await it.told(0, "appointment.booked", booked()));
  const broken = await only(0, id);
  await ctx.store.writeUnaudited(update<DeliveryRow>(keys.delivery(broken.id), { set: { sealed: "no sealed value" } }));
  const at = new Date().toISOString();
  await it.note({ tenantId: ctx.tenantId, type: "call.completed", at, sendAt: at, source: { kind: "call", callKey: "f".repeat(40) } });
  await it.note(await it.told(0, "appointment.booked", booked()));
  await it.run(0);
  expect(it.receiver.at(path)).toHaveLength(1);
  verified(secret, it.receiver.at(path)[0]!);
  const ends = Object.fromEntries((await byWebhook(0, id)).map((row) => [`${row.type} ${row.id === broken.id}`, [row.status, row.code]]));
  expect(ends).toEqual({
    "appointment.booked true": ["pending", "internal_error"],
    "call.completed false": ["failed", "source_gone"],
    "appointment.booked false": ["delivered", undefined],
  });
  // The receiver is not at fault.
  expect((await listWebhooks(ctx))[0]).toMatchObject({ failingSince: null });
});
