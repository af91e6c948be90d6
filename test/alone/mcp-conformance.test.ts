import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
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

/** Without an entry in the baseline. */
const whole = [
  "server-initialize",
  "server-session-lifecycle",
  "ping",
  "tools-list",
  "http-header-validation",
  "dns-rebinding-protection",
  "input-required-result-unsupported-methods",
  "input-required-result-validate-input",
];
/** The baseline lists the checks that do not apply. */
const inPart = [
  "server-stateless",
  "caching",
  "server-sse-polling",
  "server-sse-multiple-streams",
  "sep-2164-resource-not-found",
  "input-required-result-missing-input-response",
  "input-required-result-ignore-extra-params",
];

const runSuite = (): Promise<{ code: number; output: string }> =>
  new Promise((done) => {
    const args = [suite, "server", "--url", url, "--suite", "all", "--expected-failures", baseline];
    execFile(process.execPath, args, { timeout: 120_000 }, (error, out, err) => done({ code: error ? 1 : 0, output: `${out}${err}` }));
  });

test("V12 every scenario of the MCP conformance suite passes, but for those that the baseline lists with a reason", async () => {
  const { code, output } = await runSuite();
  expect([code, code === 0 ? "" : output]).toEqual([0, ""]);
  for (const scenario of whole) expect(output).toMatch(new RegExp(`^\u2713 ${scenario}: \\d+ passed, 0 failed$`, "m"));
  const listed = readFileSync(baseline, "utf8");
  for (const scenario of whole) expect(listed).not.toContain(`- ${scenario}`);
  for (const scenario of inPart) {
    expect(output).toMatch(new RegExp(`^. ${scenario}: \\d+ passed`, "m"));
    expect(listed).not.toMatch(new RegExp(`- ${scenario}$`, "m"));
  }
});
