import { newId } from "@vitaline/core";
import { keys, put, type AuditRow, type CountRow } from "@vitaline/store";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { listDeliveries } from "../deliveries/delivery.ts";
import { deliveryIdOf, replayDelivery, testWebhook, type WebhookEvent } from "../deliveries/enqueue.ts";
import { bookingAudit, startWebhooks, type Webhooks } from "../deliveries/webhooks.fixture.ts";
import { rotateWebhookSecret } from "./secret.ts";
import { createWebhook, deleteWebhook, listWebhooks, updateWebhook } from "./webhook.ts";

let it: Webhooks;
beforeAll(async () => {
  it = await startWebhooks();
});
afterAll(() => it.close());
afterEach(async () => {
  for (const which of [0, 1] as const)
    for (const { id } of await listWebhooks(it.inTenant(which))) await deleteWebhook(it.inTenant(which), id);
});

const url = "https://crm.example/hooks/a-secret-path";
const input = { url, events: ["appointment.booked" as const], includeContact: false };
const add = (which: 0 | 1) => createWebhook(it.inTenant(which), input);
const audits = async (which: 0 | 1): Promise<AuditRow[]> => {
  const { store, tenantId } = it.inTenant(which);
  const partition = keys.tenantPartitions.audit(tenantId, new Date().toISOString().slice(0, 7), "configuration_change");
  return (await store.query<AuditRow>(partition)).rows;
};

test("a secret is shown once and stored only sealed; the audit records every change without address or secret", async () => {
  const { secret, ...made } = await add(0);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(await listWebhooks(it.inTenant(0))).toEqual([made]);
  const { secret: next } = await rotateWebhookSecret(it.inTenant(0), made.id);
  expect(next).not.toBe(secret);
  await updateWebhook(it.inTenant(0), made.id, { description: "The CRM", isActive: false }, undefined);
  await updateWebhook(it.inTenant(0), made.id, { isActive: true }, undefined);
  await testWebhook(it.inTenant(0), made.id);
  await deleteWebhook(it.inTenant(0), made.id);
  expect(await listWebhooks(it.inTenant(0))).toEqual([]);
  const rows = (await audits(0)).filter(({ resourceId }) => resourceId === made.id);
  expect(rows.map(({ action }) => action)).toEqual(
    ["create", "rotate", "update", "update", "test", "delete"].map((verb) => `webhook.${verb}`),
  );
  expect(JSON.stringify(rows)).not.toMatch(/crm\.example|a-secret-path|whsec_/);
});

test.each([
  "http://crm.example/",
  "https://localhost/",
  "https://10.1.2.3/x",
  "https://169.254.169.254/latest/meta-data",
  "https://[::1]/",
  "https://user:pass@crm.example/",
  "ftp://crm.example/",
  "https://crm.example:25/",
])("an address that the guard would not call is refused when it is typed: %s", async (typed) => {
  const refusal = { code: "invalid_request", fields: { url: expect.any(String) } };
  await expect(createWebhook(it.inTenant(0), { ...input, url: typed })).rejects.toMatchObject(refusal);
  const { id } = await add(0);
  await expect(updateWebhook(it.inTenant(0), id, { url: typed }, undefined)).rejects.toMatchObject(refusal);
});

test("a tenant has at most ten webhooks, also with concurrent requests, and a deleted one makes room", async () => {
  const [first] = await Promise.all(Array.from({ length: 8 }, () => add(0)));
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => add(0)));
  expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBeLessThanOrEqual(2);
  while ((await listWebhooks(it.inTenant(0))).length < 10) await add(0);
  await expect(add(0)).rejects.toMatchObject({ code: "not_doable" });
  expect(await listWebhooks(it.inTenant(0))).toHaveLength(10);
  await add(1);
  await deleteWebhook(it.inTenant(0), first!.id);
  await add(0);
  expect(await listWebhooks(it.inTenant(0))).toHaveLength(10);
});

test("a change keeps omitted fields, and is refused with an older version", async () => {
  const { id, version, secret: _secret, ...made } = await add(0);
  const changed = await updateWebhook(it.inTenant(0), id, { events: ["lead.captured"], includeContact: true }, version);
  expect(changed).toEqual({ ...made, id, events: ["lead.captured"], includeContact: true, version: version + 1 });
  await expect(updateWebhook(it.inTenant(0), id, { isActive: false }, version)).rejects.toMatchObject({ code: "stale_version" });
  expect(await updateWebhook(it.inTenant(0), id, { description: "CRM" }, undefined)).toMatchObject({ description: "CRM" });
  expect(await updateWebhook(it.inTenant(0), id, { description: null }, undefined)).toMatchObject({ description: null });
});

test("another tenant's webhook and its deliveries are not found", async () => {
  const { id } = await add(1);
  const { id: deliveryId } = await testWebhook(it.inTenant(1), id);
  const mine = it.inTenant(0);
  const missing = { code: "not_found" };
  for (const asked of [id, newId()]) {
    await expect(updateWebhook(mine, asked, { isActive: false }, undefined)).rejects.toMatchObject(missing);
    await expect(deleteWebhook(mine, asked)).rejects.toMatchObject(missing);
    await expect(rotateWebhookSecret(mine, asked)).rejects.toMatchObject(missing);
    await expect(testWebhook(mine, asked)).rejects.toMatchObject(missing);
    await expect(listDeliveries(mine, { webhookId: asked })).rejects.toMatchObject(missing);
  }
  for (const asked of [deliveryId, newId()]) await expect(replayDelivery(mine, asked)).rejects.toMatchObject(missing);
  const own = await add(0);
  expect((await listDeliveries(mine, {})).rows.some(({ id: listed }) => listed === deliveryId)).toBe(false);
  expect((await listDeliveries(it.inTenant(1), { webhookId: id })).rows).toMatchObject([{ id: deliveryId, status: "pending" }]);
  await deleteWebhook(mine, own.id);
});

test("a user tests webhooks 60 times an hour and no more; colleagues and other tenants are not kept from it", async () => {
  const [own, other] = [await add(0), await add(1)];
  const as = (which: 0 | 1, id: string) => ({ ...it.inTenant(which), actor: { kind: "user" as const, id, role: "tenant_admin" as const } });
  const [userId, seconds] = [newId(), Math.floor(Date.now() / 1000)];
  for (const end of [seconds, seconds + 3600].map((at) => at - (at % 3600) + 3600))
    await it
      .inTenant(0)
      .store.writeUnaudited(put<CountRow>(keys.counter("webhook-test", userId, String(end)), { count: 59, expiresAt: end }));
  expect(await testWebhook(as(0, userId), own.id)).toMatchObject({ type: "webhook.test" });
  await expect(testWebhook(as(0, userId), own.id)).rejects.toMatchObject({ code: "too_many_requests" });
  expect(await testWebhook(as(0, newId()), own.id)).toMatchObject({ type: "webhook.test" });
  expect(await testWebhook(as(1, userId), other.id)).toMatchObject({ type: "webhook.test" });
});

test("deliveries are listed newest first, in pages, by webhook and by status, without their payload", async () => {
  const [one, two] = [await add(0), await add(0)];
  const made: string[] = [];
  for (const { id } of [one, two, one, two, one]) made.push((await testWebhook(it.inTenant(0), id)).id);
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
  const first = await listDeliveries(it.inTenant(0), { limit: 2 });
  expect(ids(first.rows)).toEqual(made.slice(-2).toReversed());
  const second = await listDeliveries(it.inTenant(0), { limit: 2, ...(first.next ? { cursor: first.next } : {}) });
  expect(ids(second.rows)).toEqual(made.slice(1, 3).toReversed());
  expect(ids((await listDeliveries(it.inTenant(0), { webhookId: two.id })).rows)).toEqual([made[3], made[1]]);
  expect((await listDeliveries(it.inTenant(0), { webhookId: one.id, status: "delivered" })).rows).toEqual([]);
  expect((await listDeliveries(it.inTenant(0), { webhookId: one.id, status: "pending" })).rows).toHaveLength(3);
  await expect(listDeliveries(it.inTenant(1), { cursor: first.next ?? "" })).rejects.toMatchObject({ code: "invalid_request" });
  expect(JSON.stringify(first.rows)).not.toMatch(/sealed|gsi1|source/);
});

test("an event has one id per webhook, sorted by its time", async () => {
  const source = { kind: "call", callKey: "c1" } as const;
  const idAt = (at: string, webhookId = "w1") => deliveryIdOf(webhookId, { at, type: "call.completed", source });
  expect(idAt("2026-05-01T00:00:00.000Z")).toBe(idAt("2026-05-01T00:00:00.000Z"));
  expect(idAt("2026-05-01T00:00:00.000Z")).toMatch(/^[0-9a-z]{26}$/);
  expect(idAt("2026-05-01T00:00:00.000Z") < idAt("2026-05-01T00:00:00.001Z", "w0")).toBe(true);
  expect(idAt("2026-05-01T00:00:00.000Z")).not.toBe(idAt("2026-05-01T00:00:00.000Z", "w2"));
});

test("a webhook gets no events from before its creation and none it did not subscribe to", async () => {
  const event = await it.told(0, "appointment.booked", bookingAudit({ action: "book", booked: true, appointmentId: "a1" }));
  await new Promise((done) => setTimeout(done, 2));
  const { id } = await add(0);
  await it.note(event);
  await it.note({ ...(await it.told(0, "lead.captured", bookingAudit({ leadId: "l1" }))) });
  expect((await it.deliveries(0)).filter(({ webhookId }) => webhookId === id)).toEqual([]);
  await it.note(await it.told(0, "appointment.booked", bookingAudit({ action: "book", booked: true, appointmentId: "a2" })));
  expect((await it.deliveries(0)).filter(({ webhookId }) => webhookId === id)).toHaveLength(1);
});

test("events in any order and with repetitions give the same deliveries", async () => {
  await Promise.all([add(0), add(0), add(1)]);
  const events: WebhookEvent[] = [];
  for (const which of [0, 0, 1, 0] as const)
    events.push(await it.told(which, "appointment.booked", bookingAudit({ action: "book", booked: true })));
  const all = async () => [...(await it.deliveries(0)), ...(await it.deliveries(1))].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const before = new Set((await all()).map(({ id }) => id));
  await it.note(...events);
  const wanted = await all();
  expect(wanted.filter(({ id }) => !before.has(id))).toHaveLength(3 * 2 + 1);
  const told = fc.array(fc.constantFrom(...events), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(told, async (some) => {
      await it.note(...some);
      expect(await all()).toEqual(wanted);
    }),
    { numRuns: 30 },
  );
});

test("an event costs one read per tenant and one write per delivery", async () => {
  const event = await it.told(0, "appointment.booked", bookingAudit({ action: "book", booked: true, appointmentId: "a1" }));
  it.aws.resetUsage();
  await it.note(event, event, event);
  expect(it.aws.usage().map(({ operation, readUnits }) => [operation, readUnits])).toEqual([["Query", 0.5]]);
  await add(0);
  await add(0);
  const next = await it.told(0, "appointment.booked", bookingAudit({ action: "book", booked: true, appointmentId: "a2" }));
  it.aws.resetUsage();
  await it.note(next);
  // Each has an index entry, too.
  expect(it.aws.usage().map(({ operation, writeUnits }) => [operation, writeUnits])).toEqual([
    ["Query", 0],
    ["PutItem", 2],
    ["PutItem", 2],
  ]);
});
