import { assignFhirProvider } from "@vitaline/fhir-providers";
import { dayIn, newId } from "@vitaline/core";
import {
  create,
  dueKey,
  dueShards,
  keys,
  put,
  remove,
  update,
  type DueRow,
  type FhirProviderRow,
  type OfficeRow,
  type TenantContext,
} from "@vitaline/store";
import { changeToDo, listToDo, troubleCheck } from "@vitaline/tasks";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { addTenantRow } from "../../../test/kit/store/tenant-row.ts";
import { shardedStream } from "../../lib/dynamodb-stream/stream.fixture.ts";
import { handler as project } from "../project/handler.ts";
import { handler as retain } from "../retain/handler.ts";
import { handler } from "./handler.ts";

let it: TestAws;
let one: TenantContext;
let two: TenantContext;
const timeZone = "America/New_York";
const providerId = newId();
beforeEach(async () => {
  it = await startTestAws();
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  for (const id of it.tenants) await addTenantRow(it.platform(), id, "Clinic", { timeZone });
  [one, two] = it.tenants.map((id) => it.inTenant(id, { kind: "user", id: "nurse", role: "tenant_admin", tenantId: id })) as [
    TenantContext,
    TenantContext,
  ];
  await provide(true);
  await assignFhirProvider(it.platform(), two.tenantId, providerId);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await it.close();
});

const configured = { category: "configuration_change", action: "test", resourceType: "Test" } as const;
const provide = (isActive: boolean) => {
  const row = { id: providerId, name: "EHR", providerType: "custom", fhirVersion: "R4", baseUrl: "https://ehr.example", scopes: "" };
  const provider = { ...row, clientId: "c", isActive, createdAt: "2026-01-01T00:00:00.000Z" } as FhirProviderRow;
  return it.platform().platform.commit([put(keys.fhirProvider(providerId), provider)], configured);
};
const run = () =>
  handler({}, { awsRequestId: "retry", functionName: "retry", invokedFunctionArn: "retry", getRemainingTimeInMillis: () => 55_000 });
const checks = async (): Promise<DueRow[]> => {
  const shards = await Promise.all(dueShards.map((shard) => it.platform().platform.query<DueRow>(keys.partitions.due(shard))));
  return shards.flatMap(({ rows }) => rows).filter(({ kind }) => kind === "trouble");
};
const forget = async () => {
  for (const row of await checks()) await it.inTenant(row.tenantId).store.writeUnaudited(remove(dueKey(row)));
};
const check = async () => {
  const dueAt = new Date(Date.now() - 1000).toISOString();
  for (const { tenantId, store } of [one, two]) await store.writeUnaudited(troubleCheck(tenantId, dueAt));
  await run();
};
const open = async (ctx: TenantContext) => (await listToDo(ctx, {})).rows;
const topics = async (ctx: TenantContext) => (await open(ctx)).map(({ topic }) => topic);

describe("a missing record system", () => {
  test("is on the clinic's list once, however often it is found, and is done by itself when one is assigned", async () => {
    await check();
    const items = await open(one);
    expect(items).toMatchObject([{ kind: "connection", topic: "no_record_system", callId: null, owner: null }]);
    await check();
    expect(await open(one)).toEqual(items);
    expect(await open(two)).toEqual([]);
    await assignFhirProvider(it.platform(), one.tenantId, providerId);
    await check();
    expect(await open(one)).toEqual([]);
    expect((await listToDo(one, { done: true })).rows).toMatchObject([{ id: items[0]!.id, doneBy: null }]);
  });

  test("is also one of an office, or one that is switched off", async () => {
    await provide(false);
    await check();
    expect(await topics(two)).toEqual(["no_record_system"]);
    await provide(true);
    await check();
    expect(await topics(two)).toEqual([]);
    const id = newId();
    const office: OfficeRow = { id, name: "Uptown", isActive: true, createdAt: "2026-01-01T00:00:00.000Z", fhirProviderId: newId() };
    await two.store.commit([create(keys.office(id), office)], configured);
    await check();
    expect(await topics(two)).toEqual(["no_record_system"]);
  });

  test("that someone has marked as done stays so until it has ended and begins again", async () => {
    await check();
    const { id } = (await open(one))[0]!;
    const { doneAt } = await changeToDo(one, id, { done: true });
    await check();
    expect(await open(one)).toEqual([]);
    await assignFhirProvider(it.platform(), one.tenantId, providerId);
    await check();
    expect((await listToDo(one, { done: true })).rows).toMatchObject([{ id, doneAt, doneBy: { id: "nurse" } }]);
    await assignFhirProvider(it.platform(), one.tenantId, null);
    await check();
    expect(await open(one)).toMatchObject([{ id, doneBy: null }]);
  });

  test("of a clinic that is switched off is no one's to mend", async () => {
    await one.store.commit([update(keys.tenantConfig(), { set: { isActive: false } })], configured);
    await check();
    expect(await open(one)).toEqual([]);
  });
});

describe("failing tools", () => {
  const count = (ctx: TenantContext, runs: number, succeeded: number) => {
    const row = `DAY#${dayIn(timeZone, new Date())}`;
    const counts = { row, tool_getPatientInfo: runs, toolok_getPatientInfo: succeeded };
    return it
      .platform()
      .platform.inTenant(ctx.tenantId)
      .writeUnaudited(put(keys.stats(row), counts));
  };

  test("are one item, which is looked at again until half of the runs succeed", async () => {
    await count(two, 10, 3);
    await check();
    const items = await open(two);
    expect(items).toMatchObject([{ kind: "connection", topic: "tools_fail" }]);
    expect(await topics(one)).toEqual(["no_record_system"]);
    await check();
    expect(await open(two)).toEqual(items);
    expect((await checks()).map(({ tenantId }) => tenantId)).toEqual([two.tenantId]);
    await forget();
    await count(two, 20, 13);
    await check();
    expect([await open(two), await checks()]).toEqual([[], []]);
  });
});

describe("a check", () => {
  const projectAll = async (times = 1) => {
    const [records = []] = await shardedStream(it, { shards: 1, recordsPerShard: 1_000_000 }).read();
    const event = { Records: records.map(({ record }) => record), shardId: "s", window: {}, state: {}, isFinalInvokeForWindow: false };
    for (let time = 0; time < times; time++) await project(event, { awsRequestId: "request", getRemainingTimeInMillis: () => 60_000 });
  };
  const isDue = ({ dueAt }: DueRow): boolean => Date.parse(dueAt) <= Date.now();
  const ran = (success: boolean, more: object = {}) =>
    two.store.commit([], {
      ...{ category: "patient_access", action: "tool.getPatientInfo", resourceType: "Patient", success },
      detail: { tool: "getPatientInfo", ms: 12, platform: "vapi", ...more },
    });

  test("follows a change of the record systems: at once where one was assigned, else when a new clinic's set-up may be complete", async () => {
    await projectAll();
    const of = async ({ tenantId }: TenantContext) => (await checks()).filter((row) => row.tenantId === tenantId).map(isDue);
    expect([await of(one), (await of(two)).toSorted()]).toEqual([[false], [false, true]]);
    await run();
    expect([await open(one), await open(two)]).toEqual([[], []]);
    expect([await of(one), await of(two)]).toEqual([[false], [false]]);
    await provide(false);
    await projectAll();
    expect([await of(one), (await of(two)).toSorted()]).toEqual([[false], [false, true]]);
  });

  test("is not made of all clinics at once that share a record system which is switched off", async () => {
    await assignFhirProvider(it.platform(), one.tenantId, providerId);
    await projectAll();
    await forget();
    await provide(false);
    await projectAll();
    const [first, second] = (await checks()).map(({ dueAt }) => Date.parse(dueAt)).toSorted((a, b) => a - b);
    expect(second! - first!).toBe(1000);
  });

  test("is made of each clinic once a day, whether or not a change has told of it", async () => {
    await retain({}, { awsRequestId: "retain", getRemainingTimeInMillis: () => 60_000 });
    expect((await checks()).map(({ tenantId }) => tenantId).toSorted()).toEqual([...it.tenants].toSorted());
  });

  test("follows the failures of a clinic's tools, one for many, however often the stream tells of them", async () => {
    await projectAll();
    await forget();
    for (const run of [ran(true), ran(false, { test: true }), ran(false, { testCall: true })]) await run;
    await projectAll();
    expect(await checks()).toEqual([]);
    for (let failures = 0; failures < 5; failures++) await ran(false);
    await projectAll(2);
    const due = await checks();
    expect(new Set(due.map(({ tenantId }) => tenantId))).toEqual(new Set([two.tenantId]));
    // Two if five minutes have just passed.
    expect(due.length).toBeLessThanOrEqual(2);
  });
});
