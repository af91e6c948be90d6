import { CallEvent } from "@vitaline/calls";
import { CallReport } from "@vitaline/contract";
import { expect, test } from "vitest";
import { callEventFromReport } from "./call-event.ts";

const ids = { platform: "mcp", callId: "c1" } as const;
const all = {
  ...ids,
  status: "completed",
  startedAt: "2026-03-01T10:00:00.000Z",
  endedAt: "2026-03-01T10:02:00.000Z",
  durationSeconds: 120,
  endedReason: "hangup",
  outcome: "booked",
  forwarded: true,
  success: true,
  officeId: "0".repeat(26),
  agentId: "agent-1",
  agentName: "Front desk",
  direction: "inbound",
  callerNumber: "+16175550101",
  calledNumber: "+16175550145",
  forwardedTo: "+16175550199",
  sentiment: "positive",
  rating: 5,
  language: "es",
  analysis: { wantsCallback: false },
  summary: "Was put through.",
} as const;
const messages = [
  { role: "assistant", text: "Hello.", atSeconds: 0 },
  { role: "staff", text: "Nurse speaking.", atSeconds: 60 },
];

test("every field of a client's report becomes part of the call event", () => {
  const report = {
    ...all,
    cost: { amount: 0.2, currency: "USD" },
    latency: { p50Ms: 800, p95Ms: 1400 },
    scores: [{ name: "Polite", score: 4, maxScore: 5 }],
    recordingConsent: { type: "verbal", grantedAt: "2026-03-01T10:00:09.000Z" },
    transcript: { text: "Hello.", messages },
  };
  const event = CallEvent.parse(callEventFromReport(CallReport.parse(report)));
  const measured = { costAmount: 0.2, costCurrency: "USD", latencyP50Ms: 800, latencyP95Ms: 1400 };
  const consent = { recordingConsentType: "verbal", recordingConsentAt: "2026-03-01T10:00:09.000Z" };
  const scores = [{ name: "Polite", score: 4, maxScore: 5, passed: null }];
  expect(event).toEqual({ ...all, ...measured, ...consent, scores, statedResolved: true, transcript: { text: "Hello.", messages } });
  expect(Object.keys(event).toSorted()).toEqual(
    Object.keys(CallEvent.shape)
      .filter((name) => name !== "transferTried")
      .toSorted(),
  );
});

test("omitted and null fields are left out", () => {
  expect(callEventFromReport(CallReport.parse(ids))).toEqual({ ...ids, status: "completed" });
  const nothing = { callerNumber: null, latency: { p50Ms: null }, analysis: null, transcript: null, cost: null };
  expect(callEventFromReport(CallReport.parse({ ...ids, ...nothing }))).toEqual({ ...ids, status: "completed" });
});
