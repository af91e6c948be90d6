import { expect, test } from "vitest";
import { terminalLine } from "./terminal-line.ts";

const now = new Date(2026, 0, 1, 9, 5, 7);
const shown = (entry: object): string | undefined => terminalLine(`vitaline-local-voice ${JSON.stringify(entry)}`, now);

test("a request that went well is for the log file alone", () => {
  expect(shown({ level: "info", event: "request", route: "POST /api/vapi/tool-call", status: 200 })).toBeUndefined();
});

test("a warning or an error is one short line: when, where, what, and the request to look for in the log", () => {
  const refused = {
    at: "…",
    level: "warn",
    event: "refused",
    requestId: "r-1",
    route: "POST /api/auth/login",
    code: "unauthorized",
    ms: 3,
  };
  expect(shown(refused)).toBe("09:05:07  voice  refused  unauthorized  POST /api/auth/login  r-1");
  expect(shown({ level: "error", event: "tool.failed", errorName: "TypeError", tool: "getPatientInfo", requestId: "r-2" })).toBe(
    "09:05:07  voice  ERROR  tool.failed  TypeError  getPatientInfo  r-2",
  );
});

test("of a crash the first line is shown and its stack is not", () => {
  expect(terminalLine("vitaline-local-voice r-3 error: TypeError: x is not a function", now)).toBe(
    "09:05:07  voice  r-3 error: TypeError: x is not a function",
  );
  expect(terminalLine("vitaline-local-voice     at run (index.mjs:1:2)", now)).toBeUndefined();
  expect(terminalLine(`vitaline-local-voice ${"x".repeat(5000)}`, now)).toHaveLength(217);
});

test.each(["{", "{}", '{"level":"warn"}', "[]"])("a line that only looks like one of the log breaks nothing: %s", (text) => {
  expect(() => terminalLine(`vitaline-local-voice ${text}`, now)).not.toThrow();
});
