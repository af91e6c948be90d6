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

/** The next release adds a field to each row that it puts. */
const nextRelease: Plugin = {
  name: "next-release",
  setup(bundler) {
    bundler.onLoad({ filter: /store\/verbs\/commit\.ts$/ }, ({ path: file }) => {
      const former = "Item: { ...write.row,";
      const source = readFileSync(file, "utf8");
      if (!source.includes(former)) throw new Error(`${file} puts rows in another way: change this test.`);
      return { contents: source.replace(former, `${former} nextRelease: "added",`), loader: "ts" };
    });
  },
};

let it: TestPlatform;
let table: ReturnType<typeof openTable>;
beforeAll(async () => {
  it = await ownPlatform({ tenants: 2 });
  table = openTable(it.dataDir);
  (await buildFunctions(repository, nextCode, { plugins: [nextRelease] })).write();
});
afterAll(async () => {
  table?.close();
  await it?.close();
  rmSync(nextCode, { recursive: true, force: true });
});

const share = (shares: (next: string) => Record<string, number>, published: Map<string, string>): void => {
  for (const [name, version] of published) it.platform.cloud.lambda.route(name, "live", shares(version));
};

/** At most five for each tenant, as a patient gets no more bookings by phone. A call and the administrator's work in each tenant. */
async function work(round: number): Promise<void> {
  for (const [at, tenant] of it.demo.tenants.entries()) {
    const line = openLine(it.api, tenant.apiKey, it.demo.patients[at]!);
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
  const { lambda } = it.platform.cloud;
  const published = new Map(
    functionNames.map((name) => {
      const lambdaName = `vitaline-local-${dashed(name)}`;
      const code = { name: lambdaName, codeDir: path.join(nextCode, dashed(name)), module: "index" };
      return [lambdaName, lambda.publish(lambdaName, withFastHashes(code, nextCode).codeDir)];
    }),
  );
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
