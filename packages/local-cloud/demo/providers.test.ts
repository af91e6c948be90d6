import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startSandboxEhr, type SandboxEhr } from "@vitaline/sandbox-ehr";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ensureProviders } from "./providers.ts";
import type { DemoState } from "./state.ts";

type Body = { name: string; baseUrl: string; scopes: string; providerType: string; fhirVersion: string };
type Provider = Body & { id: string; ownerTenantId: null };

let registered: Provider[] = [];
let asked: string[] = [];
const platform = createServer((request, response) => {
  let text = "";
  request.on("data", (piece: Buffer) => (text += piece.toString()));
  request.on("end", () => {
    asked.push(request.method ?? "");
    const id = request.url?.split("/")[5];
    const said = text ? (JSON.parse(text) as Body) : undefined;
    if (said && request.method === "POST") registered.push({ ...said, id: `p${registered.length + 1}`, ownerTenantId: null });
    if (said && id) registered = registered.map((one) => (one.id === id ? { ...one, ...said } : one));
    const answer = said ? registered.find((one) => one.id === id || (!id && one.name === said.name)) : registered;
    response.writeHead(200).end(JSON.stringify(answer));
  });
});
let sandbox: SandboxEhr;
let origin: string;
beforeAll(async () => {
  sandbox = await startSandboxEhr();
  await new Promise<void>((done) => platform.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`;
});
afterAll(async () => {
  platform.close();
  await sandbox.close();
});

let state: DemoState;
let saves = 0;
beforeEach(() => {
  [registered, asked, saves] = [[], [], 0];
  state = { systemAdmin: { email: "a@b.example", password: "p" }, otherProviders: {}, tenants: [] };
});
const ensure = (at: Pick<SandboxEhr, "r4" | "servers" | "client"> = sandbox) =>
  ensureProviders({ origin, token: "t", sandbox: at, state, save: () => (saves += 1) });

test("the sandbox's servers are registered once with version and vendor, and noted one by one", async () => {
  const main = await ensure();
  expect(registered.map(({ providerType, fhirVersion }) => `${providerType} ${fhirVersion}`)).toEqual([
    "custom R4",
    "custom STU3",
    "custom DSTU2",
    "custom R4",
    "epic R4",
    "cerner R4",
  ]);
  expect([main, saves]).toEqual([registered[0]?.id, 6]);
  asked = [];
  expect(await ensure()).toBe(main);
  expect(asked).toEqual([]);
});

test("a provider that was registered but not noted is found by its name", async () => {
  await ensure();
  delete state.provider;
  delete state.otherProviders["Sandbox like Epic"];
  await ensure();
  expect(registered).toHaveLength(6);
});

test("old scopes are updated, and a moved sandbox is followed", async () => {
  const main = await ensure();
  state.provider = { id: main, baseUrl: sandbox.r4.baseUrl };
  registered[0]!.scopes = "system/Patient.rs";
  await ensure();
  expect(registered[0]?.scopes).toBe(sandbox.client.scopes);
  const moved = { ...sandbox, r4: { ...sandbox.r4, baseUrl: "http://127.0.0.1:9/r4" } };
  expect(await ensure(moved)).toBe(main);
  expect([registered.length, registered[0]?.baseUrl]).toEqual([6, "http://127.0.0.1:9/r4"]);
});
