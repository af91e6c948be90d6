import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { get } from "node:http";
import path from "node:path";
import { promisify } from "node:util";
import { pause } from "@vitaline/core";
import { partitions } from "@vitaline/store/keys.ts";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openOpenAiCall } from "../call/platforms/openai.ts";
import type { PhoneCall } from "../call/phone-call.ts";
import type { Demo } from "../../packages/local-cloud/demo/file.ts";
import { openLine } from "../kit/line.ts";
import { ownPlatform, type TestPlatform } from "../kit/platform.ts";
import { openTable } from "../kit/store/table.ts";

const names = ["edge", "tokens", "cursors", "hashes", "sessions"] as const;
type Tenant = Demo["tenants"][number];
type Patient = Demo["patients"][number];
/** One kind of request; throws when a request failed. */
type Work = { kind: string; ask(): Promise<void> };

let it: TestPlatform;
beforeAll(async () => void (it = await ownPlatform({ tenants: 2, voices: true })));
afterAll(() => it?.close());

const rotate = async (...options: string[]): Promise<string> =>
  (
    await promisify(execFile)(process.execPath, [path.join(import.meta.dirname, "../../functions/keys/rotate-cli.ts"), ...options], {
      env: { PATH: process.env["PATH"], VITALINE_DATA: it.dataDir },
    })
  ).stdout;

const secretsInStore = (): Record<string, string> => {
  const stored = JSON.parse(readFileSync(path.join(it.dataDir, "secrets.json"), "utf8")) as Record<
    string,
    { versions: { value: string; stages: string[] }[] }
  >;
  return Object.fromEntries(
    names.map((name) => {
      const arn = it.platform.cloud.functions.map(({ env }) => env[`${name.toUpperCase()}_SECRET_ARN`]).find(Boolean) ?? "";
      const current = stored[arn]?.versions.find(({ stages }) => stages.includes("AWSCURRENT"));
      return [name, (JSON.parse(current?.value ?? "{}") as { value?: string }).value ?? ""];
    }),
  );
};

/** Past CloudFront, with a value of its header. */
async function askApi(edge: string): Promise<number> {
  const [gateway = ""] = it.platform.cloud.apiHosts;
  return new Promise((resolve, reject) => {
    const options = { headers: { host: gateway, "x-vitaline-edge": edge } };
    get(`${it.origin}/api/public/health`, options, (answer) => resolve(answer.resume().statusCode ?? 0)).on("error", reject);
  });
}

const must = (isDone: boolean, what: () => string): void => {
  if (!isDone) throw new Error(what());
};

async function callAtOpenAi(tenant: Tenant, { phone }: Patient): Promise<PhoneCall> {
  const account = tenant.voiceProviders.find(({ providerType }) => providerType === "openai")!;
  const call = openOpenAiCall({ origin: it.origin, apiKey: tenant.apiKey, caller: phone, called: account.calledNumber, account });
  await call.ring();
  await call.pickUp();
  return call;
}

const claimOf = ({ given, family, birthDate, phone }: Patient) => ({
  firstName: given,
  lastName: family,
  dateOfBirth: birthDate,
  phoneNumber: phone,
});

/** Requests of every kind, with what was given out at the start. */
async function workOf(tenant: Tenant, patient: Patient): Promise<Work[]> {
  const token = await it.tokenOf(tenant.admin.email, tenant.admin.password);
  const kept = await callAtOpenAi(tenant, patient);
  const proven = await kept.useTool("verifyPatientIdentity", claimOf(patient));
  must(proven.ok, () => proven.speech);

  const mcp = new Client({ name: "load", version: "1.0.0" });
  const requestInit = { headers: { Authorization: `Bearer ${tenant.apiKey}` } };
  await mcp.connect(new StreamableHTTPClientTransport(new URL(`${it.origin}/api/mcp/${tenant.id}`), { requestInit }));
  const useMcp = async (name: string, args: object) => {
    const { structuredContent } = await mcp.callTool({ name, arguments: { ...args } });
    const answer = structuredContent as { ok: boolean; speech: string; callHandle?: string };
    must(answer.ok, () => `${name}: ${answer.speech}`);
    return answer;
  };
  const { callHandle: first } = await useMcp("verifyPatientIdentity", claimOf(patient));
  let latest = first;

  const line = openLine(it.api, tenant.apiKey, patient);
  must((await line.verify()).ok, () => "not verified");

  const list = async (cursor?: string): Promise<string> => {
    const query = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const { status, text, headers } = await it.api("GET", `/api/tenant/dashboard/audit-logs?limit=1${query}`, { token });
    const next = /cursor=([^>&]+)/.exec(headers.get("link") ?? "")?.[1];
    must(status === 200 && next !== undefined, () => `${status} ${text} ${headers.get("link")}`);
    return decodeURIComponent(next ?? "");
  };
  const oldCursor = await list();
  const read = async (route: string, options = {}): Promise<void> => {
    const { status, text } = await it.api("GET", route, options);
    must(status === 200, () => `${route}: ${status} ${text}`);
  };

  return [
    {
      kind: "tool call with a call token of before",
      async ask() {
        const { ok, speech } = await kept.useTool("getPatientInfo", {});
        must(ok, () => speech);
      },
    },
    {
      kind: "new call, with a call token of now",
      async ask() {
        const call = await callAtOpenAi(tenant, patient);
        const { ok, speech } = await call.useTool("getOfficeInfo", {});
        must(ok, () => speech);
        await call.hangUp({ summary: "Asked for the office.", success: true });
      },
    },
    { kind: "MCP with a handle of before", ask: async () => void (await useMcp("getPatientInfo", { callHandle: first })) },
    {
      kind: "MCP with the latest handle",
      ask: async () => void (latest = (await useMcp("getPatientInfo", { callHandle: latest })).callHandle ?? latest),
    },
    {
      kind: "tool call of a verified caller",
      async ask() {
        const { ok, speech } = await line.useTool("getPatientInfo", {});
        must(ok, () => speech);
      },
    },
    { kind: "list from a cursor of before", ask: async () => void (await list(oldCursor)) },
    { kind: "list and its next page", ask: async () => void (await list(await list())) },
    { kind: "signed-in route, with a token of before", ask: () => read("/api/auth/me", { token }) },
    {
      kind: "sign-in, and a route with its token",
      ask: async () => read("/api/auth/me", { token: await it.tokenOf(tenant.admin.email, tenant.admin.password) }),
    },
    { kind: "public route", ask: () => read("/api/public/health") },
  ];
}

/** Repeats every kind of request until stopped; a tenant's in turn, the tenants at once. */
function load(tenants: Work[][]): { stop(): Promise<{ asked: Record<string, number>; failures: string[] }> } {
  let isOver = false;
  const asked: Record<string, number> = {};
  const failures: string[] = [];
  const running = tenants.map(async (works) => {
    for (let turn = 0; !isOver; turn++) {
      const { kind, ask } = works[turn % works.length]!;
      asked[kind] = (asked[kind] ?? 0) + 1;
      await ask().catch((error: unknown) => void failures.push(`${kind}: ${error instanceof Error ? error.message : "?"}`));
    }
  });
  return {
    async stop() {
      isOver = true;
      await Promise.all(running);
      return { asked, failures };
    },
  };
}

test("A05: each secret is replaced under load without one failed request, and no secret is in an environment or a log", async () => {
  const [one, two] = it.demo.tenants as [Tenant, Tenant];
  const works = await Promise.all([workOf(one, it.demo.patients[0]!), workOf(two, it.demo.patients[1]!)]);
  // Starts the functions, which takes longer than their time limits on a busy machine.
  await Promise.all(
    works.map(async (own) => {
      for (const { ask } of own) await ask().catch(ask);
    }),
  );
  const before = secretsInStore();
  const underLoad = load(works);
  const told = await rotate("all");
  const { asked, failures } = await underLoad.stop();
  for (const { kind, ask } of works.flat()) await ask().catch((error: unknown) => failures.push(`${kind}, afterwards: ${String(error)}`));
  process.stdout.write(`${JSON.stringify(asked, undefined, 1)}\n`);
  const reasons = it
    .logText()
    .split("\n")
    .filter((text) => /timeout:|error:|"level":"error"/.test(text));
  expect([failures, failures.length > 0 ? reasons : []]).toEqual([[], []]);
  const after = secretsInStore();
  // CloudFront's edges change one after the other.
  expect([await askApi(before["edge"]!), await askApi(after["edge"]!)]).toEqual([200, 200]);
  for (const name of names) {
    expect(told).toContain(`${name}: rotated`);
    expect([name, before[name]!.length >= 32, after[name]!.length >= 32, before[name] !== after[name]]).toEqual([name, true, true, true]);
  }
  const seen = [it.logText(), told, ...it.platform.cloud.functions.map(({ env }) => JSON.stringify(env))].join("\n");
  for (const secret of [...Object.values(before), ...Object.values(after)]) expect(seen.includes(secret)).toBe(false);
});

test("A05: values that leaked are refused at the end, and the new ones are accepted", async () => {
  const [tenant] = it.demo.tenants as [Tenant];
  const patient = it.demo.patients[2]!;
  const call = await callAtOpenAi(tenant, patient);
  expect(await call.useTool("getOfficeInfo", {})).toMatchObject({ ok: true });
  const { edge: leaked = "" } = secretsInStore();
  expect([await askApi(leaked), await askApi("another value, of no one at all")]).toEqual([200, 403]);
  const me = async (token: string) => (await it.api("GET", "/api/auth/me", { token })).status;
  const signedIn = await it.tokenOf(tenant.admin.email, tenant.admin.password);
  expect(await me(signedIn)).toBe(200);
  await Promise.all(["tokens", "edge", "sessions"].map((name) => rotate(name, "--leaked")));
  expect([await me(signedIn), await me(await it.tokenOf(tenant.admin.email, tenant.admin.password))]).toEqual([401, 200]);
  await expect(call.useTool("getOfficeInfo", {})).rejects.toThrow();
  const again = await callAtOpenAi(tenant, patient);
  expect(await again.useTool("getOfficeInfo", {})).toMatchObject({ ok: true });
  expect(await it.api("GET", "/api/public/health")).toMatchObject({ status: 200 });
  expect([await askApi(leaked), await askApi(secretsInStore()["edge"] ?? "")]).toEqual([403, 200]);
});

test("A05: the platform's signing key is replaced under load without one failed request", async () => {
  const { email, password } = it.demo.systemAdmin;
  const token = await it.tokenOf(email, password);
  const asRoot = async (method: "GET" | "POST", route: string, body?: object) => {
    const { status, json, text } = await it.api(method, route, { token, ...(body && { body }) });
    must(status < 300, () => `${route}: ${status} ${text}`);
    return json;
  };
  const { client, r4 } = it.platform.sandbox;
  const patientId = it.demo.patients[0]!.id;
  type Tested = { details: { step: string; ok: boolean }[]; error: string | null; message: string };
  /** On a busy machine the sandbox may answer too late. */
  const getToken = async (id: string, tries = 3): Promise<void> => {
    const { details, error, message } = (await asRoot("POST", `/api/admin/fhir/providers/${id}/test`, { patientId })) as Tested;
    if (details.some(({ step, ok }) => step === "token" && ok)) return;
    must(error === "ehr_timeout" && tries > 1, () => message);
    await getToken(id, tries - 1);
  };
  const signing: Work[] = [
    {
      kind: "a new record system, whose token the platform's key asks for",
      async ask() {
        const added = { name: "Signed", providerType: "custom", ...r4, clientId: client.id, scopes: client.scopes };
        const { id } = await asRoot("POST", "/api/admin/fhir/providers", added);
        await getToken(id);
        await pause(4000);
      },
    },
  ];
  const works = await workOf(it.demo.tenants[1]!, it.demo.patients[3]!);
  const unhurried = works.map(({ kind, ask }) => ({ kind, ask: async () => (await ask(), await pause(1000)) }));
  const underLoad = load([signing, unhurried]);
  const { kid } = await asRoot("POST", "/api/admin/platform/jwk/generate", { algorithm: "RS256" });
  const keyOf = async (): Promise<{ state: string; lastSignedAt: string | null }> =>
    (await asRoot("GET", "/api/admin/platform/keys")).find((key: { kid: string }) => key.kid === kid);
  expect(await keyOf()).toMatchObject({ state: "pending", lastSignedAt: null });
  // Two hours later
  const table = openTable(it.dataDir);
  const row = (await table.partition(partitions.platformKeys)).find((one) => JSON.stringify(one).includes(kid));
  await table.put({ ...row!, activeFrom: new Date().toISOString() });
  table.close();
  await expect.poll(keyOf, { timeout: 180_000, interval: 3000 }).toMatchObject({ state: "active", lastSignedAt: expect.any(String) });
  const { asked, failures } = await underLoad.stop();
  expect(failures).toEqual([]);
  expect(asked[signing[0]!.kind]).toBeGreaterThan(1);
});
