import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Json } from "../kit/api.ts";
import { openApiTest, type ApiTest } from "../kit/api-test.ts";
import { openTable, type Row } from "../kit/store/table.ts";

let apiTest: ApiTest;
beforeAll(async () => void (apiTest = await openApiTest({ own: true })));
afterAll(() => apiTest.close());

const verify = () =>
  promisify(execFile)(process.execPath, [path.resolve("functions/audit/verify-cli.ts")], {
    env: { ...process.env, VITALINE_DATA: apiTest.it.dataDir },
  }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
  );
const tenantRows = async (): Promise<Row[]> => {
  const table = openTable(apiTest.it.dataDir);
  const rows = await table.rows();
  table.close();
  return rows;
};

const keptRows = /^TENANT#\w+#(AUDIT#|CHAIN$|IDEMPOTENCY#|COUNTER#|CHANGED#|SEND#)/;

test("C06: an organization that leaves is erased whole while the other goes on, its audit stays whole, and without its certificate the audit's check fails", async () => {
  const [one, two] = apiTest.tenants;
  await apiTest.it.platform.cloud.drained();
  const before = (await apiTest.two.ask("GET", "/api/tenant/calls")).json as Json[];
  const { json: tenant } = await apiTest.root.ask("GET", `/api/admin/tenants/${one.id}`);
  const { name, contactEmail } = tenant;
  await apiTest.root.ask("PUT", `/api/admin/tenants/${one.id}`, { name, contactEmail, organizationType: "clinic", isActive: false });
  const asked = await apiTest.root.ask("POST", `/api/admin/tenants/${one.id}/erasures`, {
    ...{ kind: "tenant", confirmName: name, reason: "contract_ended" },
  });
  expect(asked.status).toBe(202);
  const address = `/api/admin/erasures/${asked.json.id}`;
  const become = async (status: string): Promise<void> =>
    await expect.poll(async () => (await apiTest.root.ask("GET", address)).json.status, { timeout: 240_000, interval: 500 }).toBe(status);
  const { email, password } = await apiTest.it.newUser();
  const token = await apiTest.it.tokenOf(email, password);
  expect((await apiTest.it.api("POST", `${address}/approve`, { token })).status).toBe(200);
  await become("done");
  const { copyUrls } = (await apiTest.root.ask("GET", `${address}?withCopy=true`)).json;
  const lines = (await (await fetch(copyUrls[0])).text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Json);
  const types = new Set(lines.map(({ type }) => type));
  for (const type of ["tenant", "office", "user", "call", "toolRun", "audit"]) expect(types).toContain(type);
  expect(JSON.stringify(lines)).not.toMatch(/passwordHash|\$argon2|vtl_live_/);

  await apiTest.it.platform.cloud.drained();

  const rows = await tenantRows();
  const left = rows.filter((row) => row.pk.startsWith(`TENANT#${one.id}#`) && !keptRows.test(row.pk));
  expect(left.map(({ pk, sk }) => `${pk} ${sk}`)).toEqual([]);
  const elsewhere = rows.filter(
    (row) =>
      JSON.stringify(row).includes(one.id) && !row.pk.startsWith("TENANT#") && row["actorKind"] === undefined && row["kind"] !== "erasure",
  );
  expect(elsewhere.map(({ pk }) => pk)).toEqual(["PLATFORM#ERASURES"]);
  expect((await apiTest.asAnonymous("POST", "/api/auth/login", one.admin)).status).toBe(401);
  expect((await apiTest.it.api("POST", "/api/vapi/tool-call", { key: one.apiKey, body: { message: {} } })).status).toBe(401);
  expect((await apiTest.root.ask("GET", `/api/admin/tenants/${one.id}`)).status).toBe(404);
  expect(((await apiTest.root.ask("GET", "/api/admin/tenants")).json as Json[]).map(({ id }) => id)).toEqual(
    expect.not.arrayContaining([one.id]),
  );
  expect((await apiTest.two.ask("GET", "/api/tenant/calls")).json).toEqual(before);
  expect((await apiTest.it.api("POST", "/api/auth/login", { body: two.admin })).status).toBe(200);

  const checked = await verify();
  expect(checked).toMatchObject({ code: 0, stdout: expect.stringMatching(new RegExp(`^${one.id} .*intact$`, "m")) });
  const table = openTable(apiTest.it.dataDir);
  const certificate = rows.find(({ pk }) => pk === "PLATFORM#ERASURES") as Row;
  await table.put({ ...certificate, erased: { calls: 0 } });
  expect(await verify()).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(new RegExp(`altered certificate: erasure ${asked.json.id}[\\s\\S]*tenant ${one.id}, and no certificate`)),
  });
  await table.put(certificate);
  table.close();
  expect((await verify()).code).toBe(0);
});
