import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { allRoutes } from "@vitaline/contract";
import type { Demo } from "../../../packages/local-cloud/demo/file.ts";
import { startPlatform } from "../../../packages/local-cloud/platform.ts";

/**
 * Writes answers.json, formatted: the API's answers on the demo data by address, for the first tenant's administrator and the system administrator.
 */

type Recorded = Record<string, unknown>;

const most = 3;
/** The demo's tenants may not set up voice platforms themselves. */
const refused = "/api/tenant/voice-providers/{providerId}";
const unused = new Set(["/api/openapi.json", "/.well-known/jwks.json", "/api/tenant/calls/export", "/api/tenant/leads/export", refused]);

const idsIn = (value: unknown, ids = new Map<string, Set<string>>()): Map<string, Set<string>> => {
  if (Array.isArray(value)) for (const one of value) idsIn(one, ids);
  else if (value !== null && typeof value === "object")
    for (const [name, one] of Object.entries(value)) {
      if (typeof one === "string" && /^(id|\w+Id|jti|kid)$/.test(name)) ids.set(name, (ids.get(name) ?? new Set()).add(one));
      else idsIn(one, ids);
    }
  return ids;
};

const dataDir = await mkdtemp(path.join(tmpdir(), "vitaline-record-"));
const platform = await startPlatform({ port: 0, dataDir, quiet: true });
const demo = platform.demo as Demo;

const ask = async (method: string, address: string, token?: string, body?: object): Promise<{ status: number; json: unknown }> => {
  const response = await fetch(platform.origin + address, {
    method,
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...(body && { "content-type": "application/json" }) },
    body: body ? JSON.stringify(body) : null,
  });
  const text = await response.text();
  return { status: response.status, json: response.headers.get("content-type")?.includes("json") ? JSON.parse(text) : undefined };
};

const record = async (auth: "tenant_admin" | "system_admin", login: { email: string; password: string }): Promise<Recorded> => {
  const { json } = await ask("POST", "/api/auth/login", undefined, login);
  const { token } = json as { token: string };
  // So that the audit has the sign-in.
  await platform.cloud.drained();
  const recorded: Recorded = {};
  const routes = allRoutes().filter(
    ({ route }) => route.method === "GET" && [auth, "user", "public"].includes(route.auth) && !unused.has(route.path),
  );
  const read = async (address: string): Promise<void> => {
    if (address in recorded) return;
    const { status, json: body } = await ask("GET", address, token);
    if (status === 200 && body !== undefined) recorded[address] = body;
  };
  for (const { route } of routes) if (!route.path.includes("{")) await read(route.path);
  for (let round = 0; round < 2; round++) {
    const ids = idsIn(recorded);
    for (const { route } of routes) {
      const params = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
      if (params.length === 0) continue;
      const pools = params.map((name) => [
        ...(ids.get(name) ?? []),
        ...(params.length === 1 || name !== "tenantId" ? (ids.get("id") ?? []) : []),
      ]);
      const addresses = pools.reduce<string[]>(
        (paths, pool, at) => paths.flatMap((one) => [...new Set(pool)].map((id) => one.replace(`{${params[at]}}`, encodeURIComponent(id)))),
        [route.path],
      );
      const of = () =>
        Object.keys(recorded).filter((one) => new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(one)).length;
      for (const address of addresses.slice(0, 400)) if (of() < most * params.length) await read(address);
    }
  }
  return recorded;
};

await platform.cloud.drained();
const recordedAt = new Date().toISOString();
const answers = {
  tenant_admin: await record("tenant_admin", demo.tenants[0]!.admin),
  system_admin: await record("system_admin", demo.systemAdmin),
};
await platform.close();
await rm(dataDir, { recursive: true, force: true });
const file = path.resolve(import.meta.dirname, "answers.json");
await writeFile(file, JSON.stringify({ recordedAt, ...answers }).replaceAll(platform.origin, "http://localhost:8080"));
execFileSync("oxfmt", [file]);
process.stdout.write(`${Object.keys(answers.tenant_admin).length} and ${Object.keys(answers.system_admin).length} answers in ${file}\n`);
