import { execFile } from "node:child_process";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ownPlatform, type TestPlatform } from "../kit/platform.ts";

const root = path.resolve(import.meta.dirname, "../..");
const suite = path.join(root, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
const baseline = path.join(root, "test/conformance/baseline.yml");

let it: TestPlatform;
let proxy: Server;
let url: string;

/** The suite sends no credentials, so the proxy adds them. */
const withKey = (origin: URL, at: string, apiKey: string): Server =>
  createServer((asked, answer) => {
    const { hostname, port } = origin;
    const headers = { ...asked.headers, authorization: `Bearer ${apiKey}` };
    const upstream = request({ hostname, port, method: asked.method, path: at, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    upstream.on("error", () => answer.destroy());
    asked.pipe(upstream);
  });

beforeAll(async () => {
  it = await ownPlatform({ voices: true, calls: true });
  const { id, apiKey } = it.demo.tenants[0]!;
  proxy = withKey(new URL(it.origin), `/api/mcp/${id}`, apiKey);
  await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
  url = `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`;
});
afterAll(async () => {
  proxy?.closeAllConnections();
  proxy?.close();
  await it?.close();
});

const whole = [
  "server-initialize",
  "ping",
  "tools-list",
  "http-header-validation",
  "dns-rebinding-protection",
  "sep-2164-resource-not-found",
];
const withBaseline = ["server-stateless", "caching"];

const run = (scenario: string, more: string[]): Promise<{ code: number; output: string }> =>
  new Promise((done) => {
    const args = [suite, "server", "--url", url, "--scenario", scenario, ...more];
    execFile(process.execPath, args, { timeout: 60_000 }, (error, out, err) => done({ code: error ? 1 : 0, output: `${out}${err}` }));
  });

const scenarios: readonly [scenario: string, more: string[]][] = [
  ...whole.map((scenario): [string, string[]] => [scenario, []]),
  ...withBaseline.map((scenario): [string, string[]] => [scenario, ["--expected-failures", baseline]]),
];

test.each(scenarios)("the MCP conformance suite passes: %s", async (scenario, more) => {
  const { code, output } = await run(scenario, more);
  expect(output).toMatch(/Passed: \d+\/\d+/);
  expect([code, code === 0 ? "" : output]).toEqual([0, ""]);
});
