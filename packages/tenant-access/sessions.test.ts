import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { isRetryable, newId } from "@vitaline/core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { startTenantRole, type TenantRoleAws } from "../../test/kit/tenant-role.ts";
import { bindInvocationToTenant, withTenantBinding } from "./sessions.ts";
import { clientsPerTenant } from "./sessions.ts";

let it: TenantRoleAws;
let clientOf: (tenantId?: string) => DynamoDBClient;
beforeAll(async () => {
  it = await startTenantRole();
  clientOf = clientsPerTenant<DynamoDBClient>((session) => new DynamoDBClient({ maxAttempts: 1, ...session }));
});
beforeEach(() => it.fault());
afterEach(() => void vi.useRealTimers());
afterAll(() => it.close());

const read = (tenantId: string | undefined, rowOf = tenantId) =>
  clientOf(tenantId).send(
    new GetItemCommand({ TableName: it.tableName, Key: { pk: { S: `TENANT#${rowOf}#CONFIG` }, sk: { S: "TENANT" } } }),
  );
const denied = { name: "AccessDeniedException" };
const minutesLater = (minutes: number) => void vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + minutes * 60_000 });

test("requests for one tenant, at once and one after another, cost one STS call in 45 minutes", async () => {
  const [one, two] = [newId(), newId()];
  const before = it.assumed();
  await Promise.all(Array.from({ length: 20 }, () => read(one)));
  expect(it.assumed() - before).toBe(1);
  minutesLater(44);
  await read(one);
  expect(it.assumed() - before).toBe(1);
  await read(two);
  await read(one);
  expect(it.assumed() - before).toBe(2);
  minutesLater(2);
  await read(one);
  await read(two);
  expect(it.assumed() - before).toBe(3);
});

test("a tenant's client reaches the tenant's rows and no other's, and the function's own client none", async () => {
  const [one, two] = [newId(), newId()];
  await read(one);
  await expect(read(one, two)).rejects.toMatchObject(denied);
  await expect(read(undefined, one)).rejects.toMatchObject(denied);
});

test("an instance keeps the sessions of the hundred tenants that it served last", async () => {
  const [first, second, ...others] = Array.from({ length: 101 }, () => newId()) as [string, string, ...string[]];
  for (const tenantId of [first, second, ...others.slice(1)]) await read(tenantId);
  await read(first);
  await read(others[0] ?? "");
  const before = it.assumed();
  await read(first);
  expect(it.assumed() - before).toBe(0);
  await read(second);
  expect(it.assumed() - before).toBe(1);
});

test("a session that STS did not give is asked for again by the next request", async () => {
  const tenantId = newId();
  it.fault(({ service }) => (service === "sts" ? { status: 400, code: "ValidationError", message: "no" } : undefined));
  await expect(read(tenantId)).rejects.toMatchObject({ name: "ValidationError" });
  it.fault();
  await read(tenantId);
});

test.each<[how: string, fault: NonNullable<ReturnType<NonNullable<Parameters<TenantRoleAws["fault"]>[0]>>>]>([
  ["fails", { status: 500, code: "InternalFailure", message: "later" }],
  ["does not answer", "drop"],
  ["throttles", { status: 400, code: "Throttling", message: "Rate exceeded" }],
])("STS that %s is an outage, which the caller may retry, and no denied right", async (_how, fault) => {
  it.fault(({ service }) => (service === "sts" ? fault : undefined));
  const error: unknown = await read(newId()).catch((thrown: unknown) => thrown);
  expect(isRetryable(error)).toBe(true);
});

test("an invocation that acts for one tenant gets no session of another; a later invocation may", async () => {
  const [one, two] = [newId(), newId()];
  await withTenantBinding(async () => {
    bindInvocationToTenant(one);
    await read(one);
    expect(() => clientOf(two)).toThrow("another tenant");
    expect(() => bindInvocationToTenant(two)).toThrow("another tenant");
  });
  await withTenantBinding(async () => {
    bindInvocationToTenant(two);
    await read(two);
  });
});

test("all tenants' clients share the connections of the function's own", () => {
  const [own, ...others] = [undefined, newId(), newId()].map((tenantId) => clientOf(tenantId).config.requestHandler);
  expect(others.every((handler) => handler === own)).toBe(true);
});
