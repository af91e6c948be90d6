import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { Plugin } from "esbuild";
import { buildFunctions } from "../../infra/assets/bundle.ts";
import { dashed, functionNames } from "../../infra/config/functions.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { partialTransactions } from "../kit/store/consistency.ts";
import { projected, recount } from "../kit/store/recount.ts";
import { openLine } from "../kit/line.ts";
import { withFastHashes } from "../kit/fast-hashes.ts";
import { ownPlatform, type TestPlatform } from "../kit/platform.ts";
import { openTable, type Row } from "../kit/store/table.ts";

const repository = path.resolve(import.meta.dirname, "../..");
const nextCode = mkdtempSync(path.join(tmpdir(), "next-release-"));

type Change = { file: RegExp; former: string; next: string };
const releaseWith = (changes: Change[]): Plugin => ({
  name: "next-release",
  setup(bundler) {
    for (const { file, former, next } of changes)
      bundler.onLoad({ filter: file }, ({ path: name }) => {
        const source = readFileSync(name, "utf8");
        if (!source.includes(former)) throw new Error(`${name} has no ${former}: change this test.`);
        return { contents: source.replace(former, next), loader: "ts" };
      });
  },
});
/** It adds a field to each row that it puts. */
const addsField = releaseWith([
  { file: /store\/verbs\/commit\.ts$/, former: "Item: { ...write.row,", next: 'Item: { ...write.row, nextRelease: "added",' },
]);
/** It audits tool runs under a category that the former one does not know. */
const addsCategory = releaseWith([
  { file: /store\/entities\/audit\.ts$/, former: '"configuration_change"]', next: '"configuration_change", "tool_run"]' },
  { file: /tools\/engine\/run\/audit\.ts$/, former: ': "api_call"', next: ': "tool_run"' },
]);

let it: TestPlatform;
let table: ReturnType<typeof openTable>;
beforeAll(async () => {
  it = await ownPlatform({ tenants: 2 });
  table = openTable(it.dataDir);
});
afterAll(async () => {
  table?.close();
  await it?.close();
  rmSync(nextCode, { recursive: true, force: true });
});

/** A version of each function, by its name. */
async function publish(release: Plugin): Promise<Map<string, string>> {
  const { lambda } = it.platform.cloud;
  const built = mkdtempSync(path.join(nextCode, "code-"));
  (await buildFunctions(repository, built, { plugins: [release] })).write();
  return new Map(
    functionNames.map((name) => {
      const lambdaName = `vitaline-local-${dashed(name)}`;
      const code = { name: lambdaName, codeDir: path.join(built, dashed(name)), module: "index" };
      return [lambdaName, lambda.publish(lambdaName, withFastHashes(code, built).codeDir)];
    }),
  );
}

const share = (shares: (next: string) => Record<string, number>, published: Map<string, string>): void => {
  for (const [name, version] of published) it.platform.cloud.lambda.route(name, "live", shares(version));
};

/** At most five for each tenant, as a patient gets no more bookings by phone. A call and the administrator's work in each tenant. */
async function work(round: number, patientsFrom = 0): Promise<void> {
  for (const [at, tenant] of it.demo.tenants.entries()) {
    const line = openLine(it.api, tenant.apiKey, it.demo.patients[patientsFrom + at]!);
    const { speech, found } = await line.verify();
    expect([round, speech, found]).toEqual([round, expect.any(String), expect.objectContaining({ verified: true })]);
    const slotId = (await line.find()).found?.slots?.[0]?.slotId ?? "";
    const booked = await line.book(slotId);
    expect([round, booked.speech, booked.ok]).toEqual([round, expect.any(String), true]);
    expect((await line.end()).status).toBe(200);
    const token = await it.tokenOf(tenant.admin.email, tenant.admin.password);
    const name = `Office of round ${round}`;
    const made = await it.api<{ id: string }>("POST", "/api/tenant/offices", { token, body: { name } });
    expect([made.status, made.text]).toEqual([201, expect.any(String)]);
    const changed = await it.api("PUT", `/api/tenant/offices/${made.json.id}`, { token, body: { name: `${name}, changed` } });
    expect([changed.status, changed.text]).toEqual([200, expect.stringContaining("changed")]);
    for (const route of ["/api/tenant/calls", "/api/tenant/dashboard/offices", "/api/tenant/dashboard/metrics"])
      expect([route, (await it.api("GET", route, { token })).status]).toEqual([route, 200]);
  }
}

const ofNext = (rows: Row[]): Row[] => rows.filter((row) => row["nextRelease"] === "added");

test("A09: a release and the next serve together over one table, and the former alone again after a way back", async () => {
  const published = await publish(addsField);
  share((next) => ({ "1": 0.5, [next]: 0.5 }), published);
  for (let round = 0; round < 4; round++) await work(round);
  await it.platform.cloud.drained();
  const mixed = await table.rows();
  const before = ofNext(mixed).length;
  for (const count of [before, mixed.length - before]) expect(count).toBeGreaterThan(10);

  share(() => ({ "1": 1 }), published);
  await work(4);
  await it.platform.cloud.drained();
  const rows = await table.rows();
  expect([ofNext(rows).length <= before, rows.length > mixed.length]).toEqual([true, true]);
  expect(projected(rows)).toMatchObject(recount(rows));
  expect(partialTransactions(rows)).toEqual([]);
  expect(it.logText()).not.toContain('"event":"request.failed"');
  const { stdout } = await promisify(execFile)(process.execPath, ["functions/audit/verify-cli.ts"], {
    env: { ...process.env, VITALINE_DATA: it.dataDir },
  });
  expect(stdout).toMatch(/intact/);
  expect(stdout).not.toMatch(/DAMAGED/);
});

test("A09: what the former release's projection cannot read of the next one's rows is kept, and counted once when the next one projects", async () => {
  const published = await publish(addsCategory);
  const projection = "vitaline-local-events-project";
  const { email, password } = it.demo.systemAdmin;
  const kept = async () => (await it.api<object[]>("GET", "/api/admin/kept-events", { token: await it.tokenOf(email, password) })).json;
  share((next) => ({ [next]: 1 }), published);
  it.platform.cloud.lambda.route(projection, "live", { "1": 1 });
  await work(5, it.demo.tenants.length);
  await it.platform.cloud.drained();
  const unread = await kept();
  expect(unread.length).toBeGreaterThanOrEqual(it.demo.tenants.length);
  expect(unread).toMatchObject(unread.map(() => ({ from: "project", replayable: false })));
  expect(projected(await table.rows())).not.toMatchObject(recount(await table.rows()));

  share((next) => ({ [next]: 1 }), published);
  await it.platform.cloud.runScheduled("events-project");
  expect(await kept()).toEqual([]);
  await it.platform.cloud.drained();
  const rows = await table.rows();
  expect(projected(rows)).toMatchObject(recount(rows));
});
