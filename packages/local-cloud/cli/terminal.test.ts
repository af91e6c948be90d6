import { expect, test } from "vitest";
import { finalBlock, terminalLine } from "./terminal.ts";
import type { Platform } from "../platform.ts";

const addresses = {
  origin: "http://localhost:1",
  awsUrl: "http://127.0.0.1:2",
  dataDir: "/home/o'neil/data",
  logFile: "/home/o'neil/data/logs/functions.log",
};
const sandbox = {
  origin: "http://127.0.0.1:3",
  r4: { baseUrl: "http://127.0.0.1:3/r4", tokenUrl: "http://127.0.0.1:3/oauth2/token" },
  client: { id: "vitaline-demo", scopes: "system/Slot.rs" },
} as Platform["sandbox"];
const voice = { origin: "http://127.0.0.1:4" } as Platform["voice"];
const empty = { ...addresses, sandbox, voice, demo: undefined };
const filled = {
  ...empty,
  demo: { systemAdmin: { email: "a@b.example", password: "p" }, tenants: [], patients: [], outbox: "http://localhost:1/outbox" },
} as unknown as Platform;

test("prints the five addresses with the outbox, the data folder and the log", () => {
  for (const block of [finalBlock(empty, false), finalBlock(filled, false)])
    for (const said of [...Object.values(addresses), sandbox.origin, voice.origin, "http://localhost:1/__local/outbox "])
      expect(block).toContain(said);
});

test("without demo data prints how to get an administrator and a registered EHR", () => {
  const block = finalBlock(empty, false);
  expect(block).toContain("npm run admin -- create --email");
  for (const said of [sandbox.r4.baseUrl, sandbox.r4.tokenUrl, "vitaline-demo", "system/Slot.rs"]) expect(block).toContain(said);
});

test("with demo data prints how to phone it", () => {
  expect(finalBlock(filled, false)).toContain("npm run call -- --platform vapi --scenario book");
});

test("tells of a history that is still being made", () => {
  const history = { isWhole: false, done: Promise.resolve(), stop: () => Promise.resolve() };
  expect(finalBlock({ ...filled, history }, false)).toContain("calls from earlier days are still being added");
  for (const other of [{ ...history, isWhole: true }, undefined])
    expect(finalBlock({ ...filled, history: other }, false)).not.toContain("being added");
});

test("prints the variable for a second terminal when the data folder was chosen", () => {
  expect(finalBlock(filled, true)).toContain(String.raw`export VITALINE_DATA='/home/o'\''neil/data'`);
  expect(finalBlock(filled, false)).not.toContain("VITALINE_DATA");
});

const now = new Date(2026, 0, 1, 9, 5, 7);
const shown = (entry: object): string | undefined => terminalLine(`vitaline-local-voice ${JSON.stringify(entry)}`, now);

test("a successful request appears only in the log file", () => {
  expect(shown({ level: "info", event: "request.answered", route: "POST /api/vapi/tool-call", status: 200 })).toBeUndefined();
});

test("a warning or an error is one short line with time, function, message and request id", () => {
  const refused = {
    at: "…",
    level: "warn",
    event: "request.refused",
    requestId: "r-1",
    route: "POST /api/auth/login",
    code: "unauthorized",
    ms: 3,
  };
  expect(shown(refused)).toBe("09:05:07  voice  request.refused  unauthorized  POST /api/auth/login  r-1");
  expect(shown({ level: "error", event: "tool.failed", errorName: "TypeError", tool: "getPatientInfo", requestId: "r-2" })).toBe(
    "09:05:07  voice  ERROR  tool.failed  TypeError  getPatientInfo  r-2",
  );
});

test("a crash shows its first line without the stack", () => {
  expect(terminalLine("vitaline-local-voice r-3 error: TypeError: x is not a function", now)).toBe(
    "09:05:07  voice  r-3 error: TypeError: x is not a function",
  );
  expect(terminalLine("vitaline-local-voice     at run (index.mjs:1:2)", now)).toBeUndefined();
  expect(terminalLine(`vitaline-local-voice ${"x".repeat(5000)}`, now)).toHaveLength(217);
});

test.each(["{", "{}", '{"level":"warn"}', "[]"])("a malformed log line is ignored: %s", (text) => {
  expect(() => terminalLine(`vitaline-local-voice ${text}`, now)).not.toThrow();
});
