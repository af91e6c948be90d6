import type { TaskAbout } from "@vitaline/contract";
import { isAppError, newId } from "@vitaline/core";
import { keys, type AuditRow, type TenantContext } from "@vitaline/store";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { closeTaskByCall, closeTask, createTask, listTasks, addFinding, readTask } from "./index.ts";

let it: TestAws;
let one: TenantContext;
let two: TenantContext;
beforeAll(async () => void (it = await startTestAws()));
beforeEach(() => {
  const tenant = (id: string) => it.inTenant(id, { kind: "user", id: "admin", role: "tenant_admin", tenantId: id });
  [one, two] = [tenant(newId()), tenant(newId())];
});
afterAll(() => it.close());

const audit = { category: "api_call", action: "tool.test", resourceType: "Tool" } as const;
const about: TaskAbout = { tool: "scheduleAppointment", patientId: "patient-4711", action: "book" };
const made = async (ctx: TenantContext, more: object = {}): Promise<string> => {
  const id = newId(ctx.clock().getTime());
  await ctx.store.commit([await createTask(ctx, id, { kind: "visit_request", about, callKey: "c".repeat(40), ...more })], audit);
  return id;
};
const auditsOf = async ({ store, tenantId }: TenantContext) =>
  (await store.query<AuditRow>(keys.tenantPartitions.audit(tenantId, new Date().toISOString().slice(0, 7), "patient_access"))).rows;
const is = (code: "not_found" | "stale_version" | "duplicate") => (error: unknown) => isAppError(error, code);

test("seals a task's patient, shows it to its own tenant only, and audits whose it was", async () => {
  const id = await made(one);
  const { rows } = await listTasks(one, {});
  expect(rows).toMatchObject([{ id, kind: "visit_request", callId: "c".repeat(40), closedAt: null, finding: null, version: 1 }]);
  expect(JSON.stringify([rows, await one.store.get(keys.task(id))])).not.toContain("patient-4711");
  expect(await readTask(one, id)).toEqual({ ...rows[0], about });
  await expect(readTask(two, id)).rejects.toSatisfy(is("not_found"));
  expect((await listTasks(two, {})).rows).toEqual([]);
  const audits = await auditsOf(one);
  expect(audits).toMatchObject([{ action: "task.read", resourceId: id, callKey: "c".repeat(40), patients: [{ id: "patient-4711" }] }]);
});

test("makes one task under one id", async () => {
  const id = newId();
  const commit = async () => one.store.commit([await createTask(one, id, { kind: "message", about })], audit);
  await commit();
  await expect(commit()).rejects.toSatisfy(is("duplicate"));
});

test("is due within a day, and within an hour if it is urgent or an outcome is unknown", async () => {
  for (const [kind, more, hours] of [
    ["message", {}, 24],
    ["message", { urgent: true }, 1],
    ["registration", {}, 24],
    ["unconfirmed_action", {}, 1],
  ] as const) {
    const { dueAt, createdAt } = await readTask(one, await made(one, { kind, about: { ...about, ...more } }));
    expect([kind, (Date.parse(dueAt) - Date.parse(createdAt)) / 3_600_000]).toEqual([kind, hours]);
  }
});

test("is closed and reopened at the expected version, and of concurrent changes one succeeds", async () => {
  const id = await made(two);
  expect(await closeTask(two, id, true, 1)).toMatchObject({ closedAt: expect.any(String), version: 2 });
  await expect(closeTask(two, id, false, 1)).rejects.toSatisfy(is("stale_version"));
  expect((await listTasks(two, { closed: false })).rows).toEqual([]);
  expect((await listTasks(two, { closed: true })).rows.map((task) => task.id)).toEqual([id]);
  expect(await closeTask(two, id, false)).toMatchObject({ closedAt: null, version: 3 });
  await expect(closeTask(one, id, true)).rejects.toSatisfy(is("not_found"));
  const raced = await Promise.allSettled([1, 2, 3].map(() => closeTask(two, id, true, 3)));
  expect(raced.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected", "rejected"]);
  expect((await auditsOf(two)).map(({ action }) => action)).toEqual(["task.close", "task.reopen", "task.close"]);
});

test("stays open with a later finding, and is closed if the caller was told in the call", async () => {
  const [found, told] = [await made(one, { kind: "unconfirmed_action" }), await made(one, { kind: "unconfirmed_action" })];
  await one.store.commit([addFinding(found, "did_not_happen"), closeTaskByCall(one, told, "happened")], audit);
  expect(await readTask(one, found)).toMatchObject({ finding: "did_not_happen", closedAt: null, version: 2 });
  expect(await readTask(one, told)).toMatchObject({ finding: "happened", closedAt: expect.any(String), version: 2 });
});

test("is listed newest first, one Query a page", async () => {
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) ids.push(await made(one));
  const seen: string[] = [];
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    it.resetUsage();
    const page = await listTasks(one, { limit: 2, cursor });
    expect(it.usage().map(({ operation }) => operation)).toEqual(["Query"]);
    seen.push(...page.rows.map(({ id }) => id));
    cursor = page.next;
  }
  expect(seen).toEqual(ids.toReversed());
});
