import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Answer, Asking } from "../kit/api.ts";
import { ownPlatform, type TestPlatform } from "../kit/platform.ts";
import { openTable } from "../kit/store/table.ts";
import { tenantAt } from "../api/calls/main-job.ts";

type Exported = {
  exportId: string;
  state: string;
  rows: number | null;
  bytes: number | null;
  url?: string;
  urlExpiresAt?: string;
  tenantId: string | null;
};
type ReportRow = { class: string; action: string; tenantId: string; time: string };

let it: TestPlatform;
let two: Asking;
beforeAll(async () => {
  it = await ownPlatform({ voices: true, calls: true });
  const session = async ({ email, password }: { email: string; password: string }) => ({ token: await it.tokenOf(email, password) });
  two = await session(tenantAt(it, 1).admin);
});
afterAll(() => it.close());

const mine = "/api/tenant/audit/export";

const ask = (asking: Asking, body: object, route = mine): Promise<Answer<Exported>> => it.api<Exported>("POST", route, { ...asking, body });
const asked = async (asking: Asking, body: object, route = mine): Promise<Exported> => {
  const { status, json, text } = await ask(asking, body, route);
  if (status !== 202) throw new Error(`${route}: ${status} ${text}`);
  return json;
};
const ready = async (asking: Asking, { exportId }: Exported, route = mine): Promise<Exported> => {
  for (;;) {
    const { status, json, text } = await it.api<Exported>("GET", `${route}s/${exportId}`, asking);
    if (status !== 200) throw new Error(`${route}s: ${status} ${text}`);
    if (json.state !== "queued" && json.state !== "running") return json;
    await new Promise((resolve) => void setTimeout(resolve, 200));
  }
};
const fileOf = async ({ url = "" }: Exported): Promise<{ body: Buffer; headers: Headers }> => {
  const response = await fetch(url);
  const body = Buffer.from(await response.arrayBuffer());
  if (!response.ok) throw new Error(`The link answers ${response.status}: ${body.toString()}`);
  return { body, headers: response.headers };
};
const reportOf = async (exported: Exported): Promise<ReportRow[]> => JSON.parse((await fileOf(exported)).body.toString()) as ReportRow[];

test("a report of more than 2,000 rows is written by its own function, whole; one that fell silent is begun again, three times in all", async () => {
  const tenantId = tenantAt(it, 1).id;
  const table = openTable(it.dataDir);
  const [sample] = (await table.rows()).filter(({ pk }) => pk.startsWith(`TENANT#${tenantId}#AUDIT#`));
  const planted = Array.from({ length: 2100 }, (_, at) => ({
    ...sample!,
    sk: `${String(sample!.id).slice(0, -5)}${String(at).padStart(5, "0")}`,
  }));
  await Promise.all(planted.map((row) => table.put({ ...row, id: row.sk, action: "test.planted" })));
  const queued = await asked(two, { format: "json" });
  expect(queued).toMatchObject({ state: "queued", rows: null });
  expect(queued.url).toBeUndefined();
  const written = await ready(two, queued);
  const rows = await reportOf(written);
  expect(written).toMatchObject({ state: "ready", rows: rows.length });
  expect(rows.filter(({ action }) => action === "test.planted")).toHaveLength(2100);

  const find = async () => (await table.rows()).find(({ pk, sk }) => pk === `TENANT#${tenantId}#EXPORTS` && sk === queued.exportId)!;
  const silent = new Date(Date.now() - 200_000).toISOString();
  await table.put({ ...(await find()), status: "running", heartbeatAt: silent });
  expect((await ready(two, queued)).state).toBe("ready");
  expect(await find()).toMatchObject({ tries: 2, status: "ready" });
  await table.put({ ...(await find()), status: "running", tries: 3, heartbeatAt: silent });
  expect((await ready(two, queued)).state).toBe("failed");
  table.close();
});

describe("npm run audit:verify", () => {
  const project = path.resolve(import.meta.dirname, "../..");
  const verify = async (): Promise<{ code: number; text: string }> => {
    const run = promisify(execFile)(process.execPath, ["functions/audit/verify-cli.ts"], {
      cwd: project,
      env: { ...process.env, VITALINE_DATA: it.dataDir },
    });
    return run.then(
      ({ stdout }) => ({ code: 0, text: stdout }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, text: stdout + stderr }),
    );
  };
  type Record = { key: string; versions: { file: string }[] };
  const batchFile = (tenantId: string): string => {
    const { archiveBucket } = JSON.parse(readFileSync(path.join(it.dataDir, "local.json"), "utf8")) as { archiveBucket: string };
    const folder = path.join(it.dataDir, "s3", archiveBucket);
    const records = readdirSync(path.join(folder, "records")).map(
      (name) => JSON.parse(readFileSync(path.join(folder, "records", name), "utf8")) as Record,
    );
    const [file] = records
      .filter(({ key }) => key === `archive/${tenantId}/0000000001.ndjson.gz`)
      .map(({ versions }) => versions.at(-1)?.file ?? "");
    return path.join(folder, "blobs", file ?? "");
  };

  test("finds every chain of the running platform whole, and names the batch with a flipped byte on disk", async () => {
    await it.platform.cloud.drained();
    const [damaged, other] = [tenantAt(it, 0).id, tenantAt(it, 1).id];
    const whole = await verify();
    expect(whole.text).toMatch(/^All rows are intact\.$/m);
    for (const chain of ["platform", damaged, other]) expect(whole.text).toMatch(new RegExp(`^${chain} .* intact$`, "m"));
    expect(whole.code).toBe(0);

    const file = batchFile(damaged);
    const bytes = readFileSync(file);
    const at = Math.floor(bytes.length / 2);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    const { code, text } = await verify();
    expect(code).toBe(1);
    expect(text).toMatch(new RegExp(`^${damaged} .* DAMAGED$`, "m"));
    expect(text).toContain("unreadable in the archive: batch 1");
    expect(text).toMatch(/missing in the archive: row [0-9a-z]{26}/);
    expect(text).not.toMatch(new RegExp(`^${other} .* DAMAGED$`, "m"));
  });
});
