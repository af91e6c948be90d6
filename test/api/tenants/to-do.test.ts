import type { TenantAssignments, ToDo } from "@vitaline/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openApiTest, type ApiTest, type Ask } from "../../kit/api-test.ts";
import { openTable } from "../../kit/store/table.ts";

let api: ApiTest;
let table: ReturnType<typeof openTable>;
beforeAll(async () => {
  api = await openApiTest();
  table = openTable(api.it.dataDir);
});
afterAll(() => {
  table.close();
  return api.close();
});

const toDo = async (ask: Ask, query = ""): Promise<ToDo[]> => (await ask<ToDo[]>("GET", `/api/tenant/to-do${query}`)).json;
/** Makes the tenant's checks due, and runs them. */
const check = async (id: string): Promise<void> => {
  const { cloud } = api.it.platform;
  await cloud.drained();
  for (const row of (await table.rows("PLATFORM#DUE#")).filter(({ kind, tenantId }) => kind === "trouble" && tenantId === id)) {
    const dueAt = new Date(Date.now() - 1000).toISOString();
    await table.remove(row);
    await table.put({ ...row, dueAt, sk: row.sk.replace(String(row["dueAt"]), dueAt) });
  }
  await cloud.runScheduled("retry");
  await cloud.drained();
};

test("a new clinic's missing record system is on its list under the deployed roles, takes another due time, and is done once assigned", async () => {
  const { id } = await api.newTenant();
  const { ask } = await api.newAdmin(id);
  await check(id);
  const [item, ...others] = await toDo(ask, "?unassigned=true");
  expect(others).toEqual([]);
  expect(item).toMatchObject({ kind: "connection", topic: "no_record_system", owner: null, doneAt: null });
  expect((await toDo(api.one.ask)).map(({ topic }) => topic)).not.toContain("no_record_system");

  const path = `/api/tenant/to-do/${item!.id}`;
  const asSeen = { headers: { "if-match": `"${item!.version}"` } };
  const dueAt = new Date(Date.now() + 86_400_000).toISOString();
  expect(await ask("PUT", path, { dueAt }, asSeen)).toMatchObject({ status: 200, json: { dueAt } });
  expect(await ask("PUT", path, { dueAt: item!.dueAt }, asSeen)).toMatchObject({
    status: 409,
    json: { code: "stale_version" },
  });
  expect(await ask("PUT", path, { dueAt: "2020-01-01T00:00:00Z" })).toMatchObject({ status: 400, json: { code: "invalid_request" } });
  expect((await toDo(ask)).map((one) => one.dueAt)).toEqual([dueAt]);

  const { json: assignments } = await api.root.ask<TenantAssignments[]>("GET", "/api/admin/fhir/assignments");
  const { defaultFhirProvider } = assignments.find(({ tenantId }) => tenantId === api.tenants[0].id)!;
  await api.root.ask("PUT", `/api/admin/tenants/${id}/fhir-provider`, { fhirProviderId: defaultFhirProvider!.id });
  await check(id);
  expect(await toDo(ask)).toEqual([]);
  expect(await toDo(ask, "?done=true")).toMatchObject([{ id: item!.id, doneBy: null }]);
});
