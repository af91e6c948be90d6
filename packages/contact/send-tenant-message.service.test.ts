import { keys, type AuditRow, type ContactMessageRow } from "@vitaline/store";
import { platformStore, type PlatformContext } from "@vitaline/store/platform.ts";
import { tenantPartitions } from "@vitaline/store/keys.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { sendContactMessage, sendTenantMessage } from "./index.ts";

let it: TestAws;
beforeEach(async () => {
  it = await startTestAws();
});
beforeEach(() => it.fault());
afterEach(() => it.close());

const fields = { firstName: "Ann", lastName: "Lee", email: "ann@example.com", message: "hello" };
const month = () => new Date().toISOString().slice(0, 7);
const from = (tenantId: string, clientAddress = "203.0.113.7"): PlatformContext => {
  const here = { ...it.platform({ kind: "user", id: "admin1", role: "tenant_admin" }), clientAddress };
  return { ...here, platform: platformStore(here, tenantId) };
};
const ask = (tenantId: string, clientAddress?: string) =>
  sendTenantMessage(from(tenantId, clientAddress), tenantId, fields, {
    category: "configuration_change",
    action: "fhirProvider.request",
    resourceType: "Tenant",
    resourceId: tenantId,
  });
const stored = async () => (await it.platform().platform.query<ContactMessageRow>(keys.partitions.contact(month()))).rows;
const told = async (tenantId: string) =>
  (await it.platform().platform.query<AuditRow>(tenantPartitions.audit(tenantId, month(), "configuration_change"))).rows;

test("a tenant's message is stored with its audit in one transaction: one row in its own log, with the message's id", async () => {
  const [mine, others] = it.tenants;
  it.resetUsage();
  expect(await ask(mine)).toEqual({ received: true });
  expect(it.usage().map(({ operation }) => operation)).toEqual(["UpdateItem", "TransactWriteItems"]);
  const [message] = await stored();
  expect(await told(mine)).toMatchObject([
    { action: "fhirProvider.request", resourceId: mine, actorId: "admin1", detail: { contactMessage: message!.id } },
  ]);
  expect(JSON.stringify(await told(mine))).not.toMatch(/Ann|hello/);
  expect(await told(others)).toEqual([]);
});

test("if the audit cannot be written nothing is stored, so that a repetition makes no second message", async () => {
  const [mine] = it.tenants;
  const before = [(await stored()).length, (await told(mine)).length];
  it.fault(({ operation }) =>
    operation === "TransactWriteItems" ? { status: 400, code: "ThrottlingException", message: "later" } : undefined,
  );
  await expect(ask(mine)).rejects.toMatchObject({ code: "unavailable" });
  expect([(await stored()).length, (await told(mine)).length]).toEqual(before);
});

test("a tenant may send five messages an hour from any address, apart from visitors' and other tenants' limits", async () => {
  const [mine, others] = it.tenants;
  const sent = await Promise.allSettled(Array.from({ length: 8 }, (_, at) => ask(mine, `198.51.100.${at}`)));
  expect(sent.filter(({ status }) => status === "fulfilled").length).toBeLessThanOrEqual(5);
  await expect(ask(mine)).rejects.toMatchObject({ code: "too_many_requests", retryAfterSeconds: expect.any(Number) });
  // From the same address
  for (let at = 0; at < 5; at++) await sendContactMessage(it.platform({ kind: "nobody", id: "anonymous" }), fields);
  expect(await ask(others)).toEqual({ received: true });
  expect(await it.platform().platform.get(keys.throttle("contactFromAll", "all", hourEnd()))).toMatchObject({ count: 5 });
});

const hourEnd = (): string => {
  const seconds = Math.floor(Date.now() / 1000);
  return String(seconds - (seconds % 3600) + 3600);
};
