import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { inject } from "vitest";
import type { Demo } from "../../packages/local-cloud/demo/file.ts";
import { startPlatform, type Platform, type PlatformOptions } from "../../packages/local-cloud/platform.ts";

/** As JSON.parse gives it: what is in it, a test's expectations say. */
export type Json = ReturnType<typeof JSON.parse>;
/** `json` is undefined where the answer is none. */
export type Answer<T> = { status: number; headers: Headers; text: string; json: T };
export type Asking = { token?: string; key?: string; body?: unknown; headers?: Record<string, string> };
export type Api = <T = Json>(method: string, path: string, asking?: Asking) => Promise<Answer<T>>;

/** Asks a route of a platform. `token` is a session's, `key` a tenant's; a body that is text is sent as it is. */
export const apiOf =
  (origin: string): Api =>
  async <T>(method: string, route: string, { token, key, body, headers = {} }: Asking = {}) => {
    const credential = token ?? key;
    const response = await fetch(origin + route, {
      method,
      headers: {
        ...(credential && { authorization: `Bearer ${credential}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: jsonIn(text) as T };
  };

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Signs in through the public API; fails when these credentials open no session. */
export const tokenFrom =
  (api: Api): TestPlatform["tokenOf"] =>
  async (email, password) => {
    const { status, json, text } = await api<{ token: string }>("POST", "/api/auth/login", { body: { email, password } });
    if (status !== 200) throw new Error(`${email} cannot sign in: ${status} ${text}`);
    return json.token;
  };

/** What somebody chooses after a first password. */
export const ownPassword = (first: string): string => `my own ${first}`;

/** Signs in who got a first password from an administrator, and chooses another; the session that opens. */
export async function chosenPassword(api: Api, login: { email: string; password: string }): Promise<string> {
  const token = await tokenFrom(api)(login.email, login.password);
  const body = { currentPassword: login.password, newPassword: ownPassword(login.password) };
  const { status, json, text } = await api<{ token: string }>("POST", "/api/auth/change-password", { token, body });
  if (status !== 200) throw new Error(`${login.email} cannot change the password: ${status} ${text}`);
  return json.token;
}

export type TestPlatform = {
  platform: Platform;
  demo: Demo;
  origin: string;
  dataDir: string;
  api: Api;
  tokenOf(email: string, password: string): Promise<string>;
  /** Every line that functions have printed so far. */
  logText(): string;
  /** Stops it and throws its data away. */
  close(): Promise<void>;
};

/** Of two platforms at once, the second finds the ports of the seeded data taken. */
let seededRuns = false;

/** Where a platform begins: with a copy of the demo data that was added before the first test, else with nothing, on free ports. */
async function takePlace({ dataDir, empty }: Partial<PlatformOptions>): Promise<{ dataDir: string; port: number; leave(): void }> {
  const { dataDir: seeded, port } = inject("seeded");
  const own = dataDir ?? (await mkdtemp(path.join(tmpdir(), "vitaline-platform-")));
  if (seededRuns || empty || dataDir !== undefined) return { dataDir: own, port: 0, leave: () => {} };
  seededRuns = true;
  await cp(seeded, own, { recursive: true });
  return { dataDir: own, port, leave: () => void (seededRuns = false) };
}

/** The whole platform with its demo data, in a folder of its own. */
export async function startTestPlatform(options: Partial<PlatformOptions> = {}): Promise<TestPlatform> {
  const { dataDir, port, leave } = await takePlace(options);
  const lines: string[] = [];
  const platform = await startPlatform({ port, printLog: (line) => void lines.push(line), ...options, dataDir });
  const api = apiOf(platform.origin);
  return {
    platform,
    demo: platform.demo as Demo,
    origin: platform.origin,
    dataDir,
    api,
    tokenOf: tokenFrom(api),
    logText: () => lines.join("\n"),
    async close() {
      await platform.close();
      leave();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
