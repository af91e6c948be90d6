import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { demoOf, forgetDemo, tellsOf, writeDemo } from "./file.ts";

const origin = "http://localhost:1";
const sandbox = { origin: "http://127.0.0.1:3", r4: { baseUrl: "http://127.0.0.1:3/r4", tokenUrl: "http://127.0.0.1:3/t" }, patients: [] };
const login = { email: "a@b.example", password: "p" };
const state = {
  systemAdmin: login,
  tenants: [{ name: "One", id: "t1", apiKey: "k", admin: login, offices: [{ name: "Lost" }, { id: "o2", name: "Known" }], calls: 0 }],
};

let dataDir: string;
beforeEach(() => void (dataDir = mkdtempSync(path.join(tmpdir(), "demo-file-"))));
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test("demo.json tells of a platform and a sandbox that are where they were, and of no others", () => {
  expect(tellsOf(dataDir, origin, sandbox)).toBe(false);
  writeDemo(dataDir, demoOf(state, origin, sandbox, `${origin}/outbox`));
  expect(tellsOf(dataDir, origin, sandbox)).toBe(true);
  expect(tellsOf(dataDir, "http://localhost:2", sandbox)).toBe(false);
  expect(tellsOf(dataDir, origin, { r4: { ...sandbox.r4, baseUrl: "http://127.0.0.1:4/r4" } })).toBe(false);
  writeFileSync(path.join(dataDir, "demo.json"), "{");
  expect(tellsOf(dataDir, origin, sandbox)).toBe(false);
  forgetDemo(dataDir);
  expect(existsSync(path.join(dataDir, "demo.json"))).toBe(false);
});

test("an office whose id nobody noted is not told of", () => {
  expect(demoOf(state, origin, sandbox, "").tenants[0]?.offices).toEqual([{ id: "o2", name: "Known" }]);
});
