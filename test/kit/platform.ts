import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { inject } from "vitest";
import { writeDemo, type Demo } from "../../packages/local-cloud/demo/file.ts";
import { startPlatform, type Platform, type PlatformOptions } from "../../packages/local-cloud/platform.ts";
import { apiOf, tokenFrom, type Api } from "./api.ts";
import { withFastHashes } from "./fast-hashes.ts";
import { openTable } from "./store/table.ts";
import { tenantFactory, type PopulateOptions, type TenantFactory } from "./tenant.ts";

type Fault = NonNullable<PlatformOptions["fault"]>;

export type TestPlatform = TenantFactory & {
  platform: Platform;
  /** Same form as demo.json, with this test file's administrator, tenants and patients. */
  demo: Demo;
  demoFolder: string;
  origin: string;
  dataDir: string;
  api: Api;
  tokenOf(email: string, password: string): Promise<string>;
  logText(): string;
  /** Breaks AWS calls until it is called without a hook. */
  fault(hook?: Fault): void;
  /** Resets rate limits, since all tests share one address. */
  forgetAttempts(): Promise<void>;
  /** Makes a server on this machine reachable for functions and returns its address. */
  reachable(origin: string): string;
  close(): Promise<void>;
};

type Running = {
  platform: Platform;
  dataDir: string;
  lines: string[];
  fault(hook?: Fault): void;
  relays: Relay[];
  root: { email: string; password: string };
  patients: { taken: number };
};

export const supportEmail = "support@vitaline.example";
const relayCount = 3;
const egressVariable = "EGRESS_LOOPBACK_ORIGINS";

type Relay = { origin: string; pass(to: string): void; close(): Promise<void> };

/** A reserved address that functions may reach, for a server started later. */
async function startRelay(): Promise<Relay> {
  let target = 0;
  const server = createServer((incoming) => {
    const outgoing = connect(target, "127.0.0.1");
    incoming.pipe(outgoing).pipe(incoming);
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const)
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pass: (to) => void (target = Number(new URL(to).port)),
    close: () => new Promise((done) => void server.close(() => done())),
  };
}

type OwnOptions = Omit<Partial<PlatformOptions>, "dataDir" | "port" | "empty"> & {
  /** Where the data folder is made; by default where the test run deletes it. */
  parent?: string;
};

async function start({ fault, parent, prepareFunction = (spec) => spec, ...options }: OwnOptions = {}): Promise<Running> {
  const dataDir = await mkdtemp(path.join(parent ?? inject("testData"), "platform-"));
  const relays = await Promise.all(Array.from({ length: relayCount }, startRelay));
  const origins = relays.map(({ origin }) => origin).join(",");
  const lines: string[] = [];
  let hook = fault;
  const platform = await startPlatform({
    port: 0,
    empty: true,
    // Tests count mails
    evaluatesAlarms: false,
    printLog: (line) => void lines.push(line),
    ...options,
    dataDir,
    fault: (call) => hook?.(call),
    prepareFunction(spec) {
      const { env } = spec;
      const more = {
        ...(env[egressVariable] === undefined ? {} : { [egressVariable]: `${env[egressVariable]},${origins}` }),
        ...(env["MAIL_FROM"] === undefined || options.mutateTemplate ? {} : { SUPPORT_EMAIL: supportEmail, PROMOTION_REMAINING: "7" }),
      };
      return prepareFunction(withFastHashes({ ...spec, env: { ...env, ...more } }, dataDir));
    },
  });
  const root = { email: "root@kit.example", password: "" };
  return { platform, dataDir, lines, fault: (next) => void (hook = next), relays, root, patients: { taken: 6 } };
}

/** Closing fails if a function was refused a right, unless the test breaks or changes the platform. */
async function openFor(
  running: Running,
  { isBroken = false, ...options }: PopulateOptions & { isBroken?: boolean },
  close: () => Promise<void>,
): Promise<TestPlatform> {
  const { platform, dataDir, lines, relays } = running;
  const api = apiOf(platform.origin);
  const firstLine = lines.length;
  let usedRelays = 0;
  const factory = await tenantFactory(running, options);
  const demoFolder = await mkdtemp(path.join(dataDir, "demo-"));
  writeDemo(demoFolder, factory.demo);
  return {
    ...factory,
    demoFolder,
    platform,
    origin: platform.origin,
    dataDir,
    api,
    tokenOf: tokenFrom(api),
    logText: () => lines.slice(firstLine).join("\n"),
    fault(hook) {
      isBroken ||= hook !== undefined;
      running.fault(hook);
    },
    forgetAttempts: () => resetAttempts(dataDir),
    reachable(origin) {
      const relay = relays[usedRelays++];
      if (!relay) throw new Error(`A test file may have ${relayCount} servers of its own`);
      relay.pass(origin);
      return relay.origin;
    },
    async close() {
      await close();
      const refused = isBroken ? [] : lines.slice(firstLine).filter((line) => /"(errorName|code)":"AccessDenied/.test(line));
      if (refused.length > 0) throw new Error(`A function lacks a right:\n${[...new Set(refused)].slice(0, 10).join("\n")}`);
    },
  };
}

const place: { platform?: Promise<Running> } = ((globalThis as { vitalineTests?: { platform?: Promise<Running> } }).vitalineTests ??= {});

/** Uses this worker's platform with new tenants and users. Closing it ends all faults. */
export async function sharedPlatform({ fault, ...options }: PopulateOptions & { fault?: Fault } = {}): Promise<TestPlatform> {
  const running = await (place.platform ??= start());
  const settle = async (): Promise<void> => {
    running.fault();
    running.platform.voice.agents = 3;
    await fetch(`${running.platform.sandbox.origin}/faults`, { method: "DELETE" });
    await running.platform.cloud.drained();
  };
  await resetAttempts(running.dataDir);
  const opened = await openFor(running, { ...options, isBroken: fault !== undefined }, settle);
  running.fault(fault);
  return opened;
}

async function resetAttempts(dataDir: string): Promise<void> {
  const table = openTable(dataDir);
  await Promise.all((await table.rows("THROTTLE#")).map(table.remove));
  table.close();
}

/** A separate platform that a test may kill, fill, slow or change. */
export async function ownPlatform({ tenants, voices, calls, ...options }: OwnOptions & PopulateOptions = {}): Promise<TestPlatform> {
  const running = await start(options);
  const { platform, dataDir, relays } = running;
  const isBroken = [options.fault, options.mutateTemplate, options.prepareFunction].some((one) => one !== undefined);
  return openFor(running, { tenants, voices, calls, isBroken }, async () => {
    await platform.close();
    await Promise.all(relays.map((relay) => relay.close()));
    await rm(dataDir, { recursive: true, force: true });
  });
}
