import { CallStatus } from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { formatDuration } from "../../lib/format/times.ts";
import {
  formatToolCount,
  formatCost,
  formatLatency,
  formatOffset,
  formatScore,
  isLive,
  offsetInCall,
  outcomeBadge,
  outcomeNote,
  speakerName,
} from "./call-format.ts";

describe("call formats", () => {
  test("formats the duration in minutes and seconds, or N/A if unknown", () => {
    expect([null, 0, 59.6, 272].map(formatDuration)).toEqual(["N/A", "0m 0s", "1m 0s", "4m 32s"]);
  });

  test("is resolved or transferred once it has ended", () => {
    for (const status of CallStatus.options) expect(outcomeBadge({ resolved: true, status }).name).toBe("Resolved");
    expect(CallStatus.options.filter((status) => outcomeBadge({ resolved: false, status }).name !== "Transferred")).toEqual([
      "queued",
      "ringing",
      "in_progress",
    ]);
  });

  test("U08: a transferred call says whether a person took it, and only calls that are going on are live", () => {
    const call = { resolved: false, forwarded: false, abandoned: false, status: "completed" } as const;
    expect(outcomeNote(call)).toBe("not resolved, and not transferred to a person");
    expect(outcomeNote({ ...call, forwarded: true })).toBe("transferred to a person");
    expect(outcomeNote({ ...call, abandoned: true })).toContain("gave up or was cut off");
    expect([outcomeNote({ ...call, resolved: true }), outcomeNote({ ...call, status: "ringing" })]).toEqual([undefined, undefined]);
    expect(CallStatus.options.filter(isLive)).toEqual(["queued", "ringing", "in_progress"]);
  });

  test("formats the number of tools", () => {
    expect([0, 1, 2].map(formatToolCount)).toEqual(["None", "1 tool", "2 tools"]);
  });

  test("names the speaker", () => {
    expect(["caller", "assistant", "staff", "bot_two"].map(speakerName)).toEqual(["Caller", "Agent", "Staff", "Bot two"]);
  });

  test("formats offsets from the call's start, except outside the call", () => {
    expect([0, 59.9, 65, 3723].map(formatOffset)).toEqual(["0:00", "0:59", "1:05", "1:02:03"]);
    const call = { createdAt: "2026-11-22T10:00:00Z", endedAt: "2026-11-22T10:05:00Z" };
    expect(offsetInCall(call, "2026-11-22T10:01:00Z")).toBe(60);
    expect([offsetInCall(call, "2026-11-22T09:59:59Z"), offsetInCall(call, "2026-11-22T10:05:01Z")]).toEqual([undefined, undefined]);
  });

  test("formats the cost in its currency", () => {
    expect(formatCost({ amount: 0.1234, currency: "USD" })).toBe("$0.1234");
    expect(formatCost({ amount: 2, currency: "EUR" })).toBe("€2.00");
    expect(formatCost({ amount: 2.5, currency: null })).toBe("2.5");
    expect(formatCost({ amount: 2.5, currency: "<b>" })).toBe("2.5");
  });

  test("formats the measured latencies", () => {
    expect(formatLatency({ p50Ms: 640, p95Ms: 1200.4 })).toBe("640 ms median, 1,200 ms at the 95th percentile");
    expect(formatLatency({ p50Ms: null, p95Ms: 900 })).toBe("900 ms at the 95th percentile");
  });
});

test("V08: a score is shown with its maximum and whether it was passed", () => {
  const score = { name: "Manners", score: 4, maxScore: 5, passed: true };
  expect(formatScore(score)).toBe("Manners: 4 of 5, passed");
  expect(formatScore({ ...score, maxScore: null, passed: null })).toBe("Manners: 4");
  expect(formatScore({ ...score, score: null, passed: false })).toBe("Manners: not passed");
  expect(formatScore({ ...score, score: null, passed: null })).toBe("Manners: no result");
});
