import { spawn, type ChildProcess } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signIn } from "./demo/client.ts";
import type { Demo } from "./demo/file.ts";
import type { DemoState } from "./demo/state.ts";
import { openEngine } from "./aws/dynamodb/index.ts";
import { startPlatform, type Platform } from "./platform.ts";

const folder = mkdtempSync(path.join(tmpdir(), "platform-"));
const dataDir = path.join(folder, "data");
const copy = path.join(folder, "copy");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const readJson = <T>(name: string): T | undefined => {
  try {
    return JSON.parse(readFileSync(path.join(dataDir, name), "utf8")) as T;
  } catch {
    return undefined;
  }
};

/** `npm start` in its own process, so that it can be killed. */
function startProcess(dataDir: string): { child: ChildProcess; printed(): string; complained(): string; ended: Promise<number | null> } {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, "start.ts"), "--no-history"], {
    env: { ...process.env, PORT: "0", VITALINE_DATA: dataDir },
  });
  let [printed, complained] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (complained += chunk.toString()));
  return { child, printed: () => printed, complained: () => complained, ended: new Promise((resolve) => child.once("close", resolve)) };
}

async function killWhen(reached: (state: DemoState) => boolean): Promise<void> {
  const { child, complained, ended } = startProcess(dataDir);
  for (let state = readJson<DemoState>("demo-state.json"); !state || !reached(state); state = readJson("demo-state.json")) {
    if (child.exitCode !== null) throw new Error(`The platform ended by itself:\n${complained()}`);
    await sleep(5);
  }
  child.kill("SIGKILL");
  await ended;
}

describe("a platform that was killed twice while its demo data was added", () => {
  let platform: Platform;

  beforeAll(async () => {
    await killWhen(({ tenants: [first] }) => first?.offices.length === 1);
    await killWhen(({ tenants: [first] }) => first?.calls === 1);
    cpSync(dataDir, copy, { recursive: true });
    platform = await startPlatform({ port: 0, dataDir, quiet: true });
  }, 240_000);
  afterAll(() => platform?.close());

  const demo = (): Demo => platform.demo as Demo;
  const asTenant = async (index: number, route: string): Promise<unknown> => {
    const token = await signIn(platform.origin, demo().tenants[index]?.admin ?? { email: "", password: "" });
    return (await fetch(`${platform.origin}${route}`, { headers: { authorization: `Bearer ${token}` } })).json();
  };

  test("has each part of it once", async () => {
    expect(demo().tenants.map(({ name, offices }) => [name, offices.length])).toEqual([
      ["Riverside Family Clinic", 2],
      ["Lakeside Pediatrics", 1],
    ]);
    const token = await signIn(platform.origin, demo().systemAdmin);
    const list = async (route: string) =>
      (await (await fetch(`${platform.origin}${route}`, { headers: { authorization: `Bearer ${token}` } })).json()) as object[];
    expect(await list("/api/admin/tenants")).toHaveLength(2);
    expect(await list("/api/admin/users")).toHaveLength(3);
    const names = (await list("/api/admin/fhir/providers")).map((one) => (one as { name: string }).name);
    expect(names.toSorted()).toEqual([
      "Sandbox EHR",
      "Sandbox EHR, DSTU2",
      "Sandbox EHR, STU3",
      "Sandbox EHR, read only",
      "Sandbox like Epic",
      "Sandbox like Oracle Health",
    ]);
    for (const { id, voiceProviders } of demo().tenants) {
      const registered = (await list(`/api/admin/tenants/${id}/voice-providers`)) as { id: string; providerType: string }[];
      expect(registered.map(({ providerType }) => providerType).toSorted()).toEqual(["elevenlabs", "openai", "retellai", "vapi"]);
      expect(voiceProviders.map((one) => one.id).toSorted()).toEqual(registered.map((one) => one.id).toSorted());
      expect(await list(`/api/admin/tenants/${id}/voice-agents`)).toHaveLength(4);
    }
  });

  test("counts each of its calls once, and what was booked", async () => {
    await platform.cloud.drained();
    for (const [index, totalCalls] of [3, 2].entries()) {
      expect(await asTenant(index, "/api/tenant/dashboard/metrics")).toMatchObject({ totalCalls, revenueEvents: 1 });
    }
  });

  test("writes addresses and accounts to a file with mode 0600", () => {
    const written = readJson<Demo>("demo.json");
    expect(written).toEqual(demo());
    expect(Object.keys(written ?? {})).toEqual(["origin", "systemAdmin", "tenants", "ehr", "patients", "children", "outbox", "faults"]);
    expect(written?.patients.length).toBeGreaterThanOrEqual(5);
    for (const name of ["demo.json", "demo-state.json", "local.json"]) expect(statSync(path.join(dataDir, name)).mode & 0o777).toBe(0o600);
  });

  test("shows pages, an outbox that is empty, and the costs of what was asked", async () => {
    expect((await fetch(`${platform.origin}/`)).headers.get("content-security-policy")).toContain("script-src");
    expect(await (await fetch(demo().outbox)).text()).toContain("It is empty");
    await platform.cloud.drained();
    const [last] = platform.usage().slice(-1);
    await fetch(`${platform.origin}/.well-known/jwks.json`);
    const asked = platform.usage(last?.id).filter(({ principalArn }) => principalArn.includes("wellknown"));
    expect(asked).toMatchObject([{ operation: "Query", writeUnits: 0 }]);
  });

  test("refuses a second platform on its data", async () => {
    await expect(startPlatform({ port: 0, dataDir, quiet: true })).rejects.toThrow("is in use by another running platform");
  });

  test("has not used the network in a function without an invocation", () => {
    expect(platform.cloud.lambda.violations).toEqual([]);
  });

  test("reports any damaged data folder in one sentence", async () => {
    // Opening a database that was copied while running moves its log into blocks
    const { level } = await openEngine({
      path: path.join(copy, "dynamodb"),
      region: "us-east-1",
      account: "0",
      holdTransaction: async () => {},
    });
    await level.close();
    const block = readdirSync(path.join(copy, "dynamodb")).find((name) => name.endsWith(".ldb"))!;
    for (const name of ["keys.json", "demo-state.json", path.join("dynamodb", "CURRENT"), path.join("dynamodb", block)]) {
      const file = path.join(copy, name);
      const sound = readFileSync(file);
      // Truncates a block, so that the database opens and fails on read
      writeFileSync(file, name.endsWith(".ldb") ? Buffer.from(sound).fill(0xff, 0, Math.floor(sound.length / 2)) : "}");
      const { complained, ended } = startProcess(copy);
      expect(await ended).toBe(1);
      expect(complained().trim()).toMatch(
        /^(The data folder )?\S+ (cannot be read|is (not|no longer) readable)[^\n]+npm start -- --reset[^\n]*\.$/,
      );
      writeFileSync(file, sound);
    }
  });

  test("exits with 0 on SIGTERM after its ready line and prints that the data is kept", async () => {
    const { child, printed, ended } = startProcess(copy);
    await expect.poll(() => printed(), { timeout: 60_000 }).toMatch(/^ready http:\/\/localhost:\d+$/m);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(printed()).toMatch(/curl -s http:\/\/localhost:\d+\/api\/vapi\/tool-call -H 'Authorization: Bearer vtl_live_/);
    expect(printed().endsWith(`\nStopping …\nStopped. The data is kept in ${copy}.\n`)).toBe(true);
    expect(statSync(path.join(copy, "dynamodb", "LOG")).mode & 0o777).toBe(0o600);
  });
});
