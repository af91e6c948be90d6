import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { demoOf, removeDemoFile, isCurrentDemo, writeDemo } from "./file.ts";

const origin = "http://localhost:1";
const server = (path: string) => ({ baseUrl: `http://127.0.0.1:3/${path}`, tokenUrl: "http://127.0.0.1:3/t" });
const sandbox = {
  origin: "http://127.0.0.1:3",
  r4: server("r4"),
  stu3: server("stu3"),
  dstu2: server("dstu2"),
  patients: [],
  children: [],
};
const login = { email: "a@b.example", password: "p" };
const state = {
  systemAdmin: login,
  otherProviders: {},
  tenants: [
    {
      name: "One",
      id: "t1",
      apiKey: "k",
      admin: login,
      firstPassword: "f",
      offices: [{ name: "Lost" }, { id: "o2", name: "Known" }],
      voiceProviders: {
        vapi: {
          id: "v1",
          baseUrl: "http://127.0.0.1:4/vapi",
          apiKey: "sandbox-key",
          webhookPath: "/api/vapi/hook/v1",
          webhookSecret: "s",
          agentId: "a",
          calledNumber: "+1",
          isAssigned: true,
        },
        openai: { webhookSecret: "s", agentId: "a", calledNumber: "+1", isAssigned: false },
      },
      calls: 0,
      wishes: {},
    },
  ],
};

let dataDir: string;
beforeEach(() => void (dataDir = mkdtempSync(path.join(tmpdir(), "demo-file-"))));
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test("demo.json is current only for the same platform and sandbox addresses", () => {
  expect(isCurrentDemo(dataDir, origin, sandbox)).toBe(false);
  writeDemo(dataDir, demoOf(state, origin, sandbox, `${origin}/outbox`));
  expect(isCurrentDemo(dataDir, origin, sandbox)).toBe(true);
  expect(isCurrentDemo(dataDir, "http://localhost:2", sandbox)).toBe(false);
  expect(isCurrentDemo(dataDir, origin, { r4: { ...sandbox.r4, baseUrl: "http://127.0.0.1:4/r4" } })).toBe(false);
  writeFileSync(path.join(dataDir, "demo.json"), "{");
  expect(isCurrentDemo(dataDir, origin, sandbox)).toBe(false);
  removeDemoFile(dataDir);
  expect(existsSync(path.join(dataDir, "demo.json"))).toBe(false);
});

test("demo.json holds the sandbox's address for each FHIR version", () => {
  const { ehr } = demoOf(state, origin, sandbox, "");
  expect(ehr).toEqual({ r4: sandbox.r4, stu3: sandbox.stu3, dstu2: sandbox.dstu2 });
});

test("an office without a noted id is left out", () => {
  expect(demoOf(state, origin, sandbox, "").tenants[0]?.offices).toEqual([{ id: "o2", name: "Known" }]);
});

test("a tenant's registered voice accounts are listed with their current address", () => {
  expect(demoOf(state, origin, sandbox, "").tenants[0]?.voiceProviders).toEqual([
    {
      id: "v1",
      providerType: "vapi",
      baseUrl: "http://127.0.0.1:4/vapi",
      sandboxKey: "sandbox-key",
      webhookUrl: `${origin}/api/vapi/hook/v1`,
      webhookSecret: "s",
      agentId: "a",
      calledNumber: "+1",
    },
  ]);
});
