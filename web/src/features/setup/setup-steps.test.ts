import { expect, test } from "vitest";
import { setupStepsOf } from "./setup-steps.ts";

type Facts = Parameters<typeof setupStepsOf>[2];
const done = (facts: Partial<Facts>, platform: Parameters<typeof setupStepsOf>[0] = "vapi"): boolean[] =>
  setupStepsOf(platform, "Vapi", { keys: [], calls: [], ...facts }).map(({ isDone }) => isDone);
const call: Facts["calls"][number] = { platform: "vapi", toolsUsed: ["getPatientInfo"], status: "completed" };

test("without data no step is done", () => {
  expect(done({})).toEqual([false, false, false, false, false]);
});

test("a revoked key is none", () => {
  expect(done({ keys: [{ status: "revoked" }] })[0]).toBe(false);
  expect(done({ keys: [{ status: "active" }] })).toEqual([true, false, false, false, false]);
});

test("a test call, which uses the key, does only its own step, and only once it has ended with a tool", () => {
  expect(done({ calls: [{ ...call, isTest: true }] })).toEqual([false, true, false, false, false]);
  expect(done({ calls: [{ ...call, isTest: true, status: "in_progress" }] })).toEqual([false, false, false, false, false]);
  expect(done({ calls: [{ ...call, isTest: true, toolsUsed: [] }] })).toEqual([false, false, false, false, false]);
});

test("a caller's call counts for its own platform alone", () => {
  expect(done({ calls: [{ ...call, status: "in_progress" }] })).toEqual([false, false, true, true, false]);
  expect(done({ calls: [call] })).toEqual([false, false, true, true, true]);
  expect(done({ calls: [call] }, "elevenlabs")).toEqual([false, false, false, false, false]);
});

test("a test call for OpenAI is an MCP client's, as it is recorded", () => {
  expect(done({ calls: [{ ...call, platform: "mcp", isTest: true }] }, "openai")[1]).toBe(true);
});
