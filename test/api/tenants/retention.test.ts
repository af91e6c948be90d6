import { keys } from "@vitaline/store";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedPlatform, type TestPlatform } from "../../kit/platform.ts";
import { openTable } from "../../kit/store/table.ts";
import { tenantAt } from "../calls/main-job.ts";

let it: TestPlatform;
let table: ReturnType<typeof openTable>;
beforeAll(async () => {
  it = await sharedPlatform();
  table = openTable(it.dataDir);
});
afterAll(() => {
  table.close();
  return it.close();
});

const daySeconds = 86_400;

test("C06: a new retention period reaches calls and their files under the deployed roles and is audited", async () => {
  const { id, apiKey } = tenantAt(it, 0);
  const root = await it.tokenOf(it.demo.systemAdmin.email, it.demo.systemAdmin.password);
  const report = {
    type: "end-of-call-report",
    call: { id: "kept" },
    durationSeconds: 60,
    artifact: { transcript: "I would like a refill" },
    analysis: { summary: "A refill" },
  };
  expect((await it.api("POST", "/api/vapi/server", { key: apiKey, body: { message: report } })).status).toBe(200);
  const call = () => table.row(keys.call(keys.callKeyOf("vapi", "kept")).primaryKeyIn(id));
  const days = (row: Record<string, unknown> | undefined, name: string) =>
    Math.round((Number(row?.[name]) - Date.parse(String(row?.["startedAt"])) / 1000) / daySeconds);
  const first = await call();
  expect([days(first, "expiresAt"), days(first, "textsUntil")]).toEqual([2557, 365]);

  const { json: now } = await it.api("GET", `/api/admin/tenants/${id}?withKey=false`, { token: root });
  const { name, contactEmail, organizationType } = now;
  const policies = { retention: { calls: 1095, transcripts: 90 } };
  const body = { name, contactEmail, organizationType, isActive: true, policies };
  expect((await it.api("PUT", `/api/admin/tenants/${id}`, { token: root, body })).status).toBe(200);
  for (const row of (await table.rows("PLATFORM#DUE#")).filter(({ kind, tenantId }) => kind === "retention" && tenantId === id)) {
    const dueAt = new Date(Date.now() - 1000).toISOString();
    await table.remove(row);
    await table.put({ ...row, dueAt, sk: row.sk.replace(String(row["dueAt"]), dueAt) });
  }
  await it.platform.cloud.runScheduled("retry");
  await it.platform.cloud.drained();
  const after = await call();
  expect([days(after, "expiresAt"), days(after, "textsUntil")]).toEqual([1095, 90]);
  const month = new Date().toISOString().slice(0, 7);
  const audited = await table.partition(`TENANT#${id}#AUDIT#${month}#configuration_change`);
  expect(audited.filter(({ action }) => action === "retention.apply")).toMatchObject([
    { actorKind: "system", actorId: "retain", success: true, detail: { calls: 1095, transcripts: 90, leads: 365, messages: 90, files: 1 } },
  ]);
});
