import { isAppError } from "@vitaline/core";
import { expiresAfter, keys, put, type TenantContext, type ToolRunRow } from "@vitaline/store";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { followUpCall, readCall, recordCallEvent, type CallEvent } from "../index.ts";

let test: TestAws;
let one: TenantContext;
let two: TenantContext;
beforeEach(async () => {
  test = await startTestAws();
  [one, two] = test.tenants.map((id) => test.inTenant(id, { kind: "user", id: "admin", role: "tenant_admin", tenantId: id })) as [
    TenantContext,
    TenantContext,
  ];
});
afterEach(() => test.fault());
afterEach(() => test.close());

const keyOf = (callId: string) => keys.callKeyOf("vapi", callId);
const auditsOf = async ({ store, tenantId }: TenantContext) =>
  (await store.query(keys.tenantPartitions.audit(tenantId, new Date().toISOString().slice(0, 7), "patient_access"))).rows;
const report: Omit<CallEvent, "callId"> = {
  platform: "vapi",
  status: "completed",
  startedAt: "2026-03-01T10:00:00.000Z",
  endedAt: "2026-03-01T10:02:00.000Z",
  endedReason: "customer-ended-call",
  success: true,
  direction: "inbound",
  agentId: "agent-1",
  costAmount: 0.21,
  costCurrency: "USD",
  agentName: "Front desk",
  sentiment: "positive",
  latencyP50Ms: 640.4,
  callerNumber: "+16175550101",
  calledNumber: "+16175550145",
  analysis: { wantsCallback: false },
  summary: "Booked a check-up.",
  transcript: { text: "AI: Hello.", messages: [{ role: "assistant", text: "Hello.", atSeconds: 1.2 }] },
};

describe("the detail of a call", () => {
  it("has content and tool runs, and reading it is audited; note, numbers and analysis are sealed", async () => {
    await recordCallEvent(one, { ...report, callId: "told" });
    const run = (id: string, more: Partial<ToolRunRow>): ToolRunRow => ({
      id,
      tool: "getPatientInfo",
      at: "2026-03-01T10:01:00.000Z",
      ms: 40,
      success: true,
      requestId: `request-${id}`,
      callKey: keyOf("told"),
      gsi1pk: keys.tenantPartitions.runs(one.tenantId),
      gsi1sk: id,
      expiresAt: expiresAfter(Date.now(), 30),
      ...more,
    });
    const system = test.platform().platform.inTenant(one.tenantId);
    for (const row of [run("b", { success: false, code: "ehr_timeout" }), run("a", {})])
      await system.writeUnaudited(put(keys.toolRun(row.callKey, row.id), row));
    await followUpCall(one, keyOf("told"), { done: true, note: "All well with Mr. Example" });
    const before = (await auditsOf(one)).length;
    expect(await readCall(one, keyOf("told"))).toEqual({
      id: keyOf("told"),
      intent: null,
      numberEnding: "0101",
      results: [],
      platform: "vapi",
      platformCallId: "told",
      createdAt: report.startedAt,
      endedAt: report.endedAt,
      duration: 120,
      status: "completed",
      toolsUsed: [],
      resolved: true,
      forwarded: false,
      abandoned: false,
      outcome: null,
      endedReason: report.endedReason,
      officeId: null,
      agentId: "agent-1",
      direction: "inbound",
      success: true,
      needsFollowUp: false,
      version: 2,
      cost: { amount: 0.21, currency: "USD" },
      agentName: report.agentName,
      sentiment: report.sentiment,
      latency: { p50Ms: 640, p95Ms: null },
      callerNumber: report.callerNumber,
      calledNumber: report.calledNumber,
      forwardedTo: null,
      analysis: report.analysis,
      scores: [],
      rating: null,
      language: null,
      recordingConsent: null,
      summary: report.summary,
      transcript: report.transcript,
      textsRemovedAt: null,
      toolRuns: [
        {
          id: "a",
          createdAt: "2026-03-01T10:01:00.000Z",
          toolName: "getPatientInfo",
          status: "succeeded",
          code: null,
          ms: 40,
          requestId: "request-a",
          callId: keyOf("told"),
        },
        expect.objectContaining({ id: "b", status: "failed", code: "ehr_timeout" }),
      ],
      followUp: { doneAt: expect.any(String), doneBy: "admin", note: "All well with Mr. Example" },
    });
    const audits = await auditsOf(one);
    expect(audits).toHaveLength(before + 1);
    expect(audits.at(-1)).toMatchObject({ action: "call.read", actorId: "admin", resourceId: keyOf("told"), callKey: keyOf("told") });
    expect(JSON.stringify(audits)).not.toContain("Example");
    const row = await one.store.get(keys.call(keyOf("told")));
    expect(JSON.stringify(row)).not.toMatch(/Example|617555|wantsCallback/);
  });

  it("V08: has scores, rating, language and the consent to record, the scores sealed, for its own tenant only", async () => {
    const scores = [{ name: "Wanted a refill", score: 4, maxScore: 5, passed: true }];
    const recordingConsentAt = "2026-03-01T10:00:09.000Z";
    const more = { scores, rating: 4.5, language: "es", recordingConsentType: "verbal", recordingConsentAt };
    await recordCallEvent(one, { ...report, callId: "scored", ...more });
    await recordCallEvent(one, { platform: "vapi", callId: "only-scores", status: "completed", scores });
    const shown = { scores, rating: 4.5, language: "es", recordingConsent: { type: "verbal", grantedAt: recordingConsentAt } };
    expect(await readCall(one, keyOf("scored"))).toMatchObject(shown);
    expect(await readCall(one, keyOf("only-scores"))).toMatchObject({ scores, rating: null, language: null, recordingConsent: null });
    for (const callId of ["scored", "only-scores"]) {
      expect(JSON.stringify(await one.store.get(keys.call(keyOf(callId))))).not.toContain("refill");
      await expect(readCall(two, keyOf(callId))).rejects.toSatisfy((error) => isAppError(error, "not_found"));
    }
  });

  it("shows numbers and analysis of a call without a transcript", async () => {
    const unanswered = { platform: "vapi", callId: "unanswered", status: "no_answer", endedReason: "customer-did-not-answer" } as const;
    const { callerNumber, calledNumber, analysis } = report;
    await recordCallEvent(one, { ...unanswered, callerNumber, calledNumber });
    expect(await readCall(one, keyOf("unanswered"))).toMatchObject({ callerNumber, calledNumber, analysis: null, transcript: null });
    await recordCallEvent(one, { ...unanswered, analysis });
    expect(await readCall(one, keyOf("unanswered"))).toMatchObject({ callerNumber, calledNumber, analysis, summary: null });
    expect(JSON.stringify(await one.store.get(keys.call(keyOf("unanswered"))))).not.toMatch(/617555|wantsCallback/);
  });

  it("shows texts of one event and numbers of another together, in either order", async () => {
    const { callerNumber, calledNumber, analysis, summary, transcript } = report;
    const forwardedTo = "+16175550199";
    const end = { status: "completed", endedReason: "hangup" } as const;
    const told: Partial<CallEvent>[] = [
      { status: "in_progress", callerNumber, calledNumber },
      { ...end, forwardedTo },
      { ...end, analysis },
      { ...end, summary: "A first guess." },
      { ...end, summary, transcript },
    ];
    for (const [n, order] of [
      [0, 1, 2, 3, 4],
      [4, 3, 2, 1, 0],
      [3, 4, 0, 2, 1, 4, 0],
      [2, 0, 4, 1, 3],
    ].entries()) {
      const callId = `pieces-${n}`;
      for (const at of order) await recordCallEvent(one, { platform: "openai", callId, ...told[at] });
      const detail = await readCall(one, keys.callKeyOf("openai", callId));
      expect(detail).toMatchObject({ callerNumber, calledNumber, forwardedTo, analysis, summary, transcript });
    }
  });

  it("shows a summary without a transcript, and null without either", async () => {
    await recordCallEvent(one, { platform: "vapi", callId: "short", status: "completed", summary: "Short." });
    expect(await readCall(one, keyOf("short"))).toMatchObject({ summary: "Short.", transcript: null, cost: null, followUp: null });
    await recordCallEvent(one, { platform: "vapi", callId: "silent", status: "in_progress" });
    expect(await readCall(one, keyOf("silent"))).toMatchObject({ summary: null, transcript: null, endedAt: null, toolRuns: [] });
  });

  it("is not returned when the audit cannot be written", async () => {
    await recordCallEvent(one, { ...report, callId: "told" });
    test.fault(({ operation }) =>
      operation === "PutItem" ? { status: 400, code: "ProvisionedThroughputExceededException", message: "Too fast" } : undefined,
    );
    await expect(readCall(one, keyOf("told"))).rejects.toSatisfy((error) => isAppError(error, "unavailable"));
  }, 20_000);

  it("of another tenant's call is not found, and neither log has a row", async () => {
    await recordCallEvent(one, { ...report, callId: "told" });
    const before = [(await auditsOf(one)).length, (await auditsOf(two)).length];
    await expect(readCall(two, keyOf("told"))).rejects.toSatisfy((error) => isAppError(error, "not_found"));
    expect([(await auditsOf(one)).length, (await auditsOf(two)).length]).toEqual(before);
  });
});
