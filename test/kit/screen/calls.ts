import { tenantCalls, type CallDetail, type ListedCall } from "@vitaline/contract";
import { demo, recordedAt } from "./demo-answers.ts";
import { refusal, type FakeApi } from "./fake-api.ts";

export const minutesAgo = (minutes: number): string => new Date(recordedAt.getTime() - minutes * 60_000).toISOString();
export const callId = (number: number): string => String(number).padStart(40, "0");

const [newest] = demo("tenant_admin", tenantCalls.listCalls);
const recorded = demo("tenant_admin", tenantCalls.readCall, { callId: newest?.id ?? "" });

export const callDetail = (number: number, more: Partial<CallDetail> = {}): CallDetail => ({
  ...recorded,
  id: callId(number),
  createdAt: minutesAgo(30),
  duration: 272,
  status: "completed",
  intent: null,
  numberEnding: null,
  agentName: null,
  results: [],
  toolsUsed: [],
  toolRuns: [],
  resolved: true,
  forwarded: false,
  abandoned: false,
  needsFollowUp: false,
  toolFailed: undefined,
  followUp: null,
  version: 1,
  ...more,
});

export const badCall = (number: number, more: Partial<CallDetail> = {}): CallDetail =>
  callDetail(number, {
    platform: "openai",
    endedAt: minutesAgo(28),
    duration: 95,
    status: "failed",
    resolved: false,
    success: false,
    needsFollowUp: true,
    endedReason: "assistant-error",
    agentName: "Front desk",
    intent: "prescription",
    numberEnding: "0134",
    direction: "inbound",
    cost: { amount: 0.1234, currency: "USD" },
    callerNumber: "+14155550134",
    calledNumber: "+14155550100",
    sentiment: "negative",
    latency: { p50Ms: 640, p95Ms: 1210 },
    analysis: { wantsCallback: true, topic: "refill", details: { medication: "unknown" } },
    summary: "The caller asked for a refill, and the line broke before it was sent on.",
    transcript: {
      messages: [
        { role: "assistant", text: "Thank you for calling. How can I help you?", atSeconds: 1 },
        { role: "caller", text: "I need my <b>refill</b>, please.", atSeconds: 4.5 },
        { role: "staff", text: "This is the front desk.", atSeconds: 61 },
      ],
    },
    ...more,
  });

export const listedCall = (call: CallDetail): ListedCall => ({
  id: call.id,
  intent: call.intent,
  numberEnding: call.numberEnding,
  agentName: call.agentName,
  results: call.results,
  platform: call.platform,
  createdAt: call.createdAt,
  duration: call.duration,
  status: call.status,
  toolsUsed: call.toolsUsed,
  resolved: call.resolved,
  forwarded: call.forwarded,
  abandoned: call.abandoned,
  outcome: call.outcome,
  endedReason: call.endedReason,
  officeId: call.officeId,
  agentId: call.agentId,
  direction: call.direction,
  success: call.success,
  needsFollowUp: call.needsFollowUp,
  ...(call.toolFailed ? { toolFailed: true } : {}),
  ...(call.isTest ? { isTest: true } : {}),
  version: call.version,
});

export const knowsCalls =
  (calls: () => readonly CallDetail[]) =>
  (api: FakeApi): void => {
    api.on(tenantCalls.listCalls, ({ query: { from, to, status, outcome, intent, agentId, needsFollowUp, toolFailed, q, ...counted } }) =>
      calls()
        .filter(
          (call) =>
            (from === undefined || call.createdAt >= from) &&
            (to === undefined || call.createdAt <= to) &&
            (status === undefined || call.status === status) &&
            (outcome === undefined ||
              (outcome === "abandoned" && call.abandoned) ||
              (outcome === "ended" && call.endedAt !== null) ||
              outcome === (call.resolved ? "resolved" : call.forwarded ? "transferred" : "unresolved")) &&
            (intent === undefined || call.intent === intent) &&
            (agentId === undefined || call.agentId === agentId) &&
            (needsFollowUp === undefined || call.needsFollowUp === needsFollowUp) &&
            (toolFailed === undefined || (call.toolFailed ?? false) === toolFailed) &&
            (counted.isTest === undefined || (call.isTest ?? false) === counted.isTest) &&
            (counted.loggedReason === undefined || call.intent === counted.loggedReason) &&
            (counted.result === undefined || call.results.includes(counted.result)) &&
            (counted.tool === undefined || call.toolsUsed.includes(counted.tool)) &&
            (counted.failedTool === undefined ||
              call.toolRuns.some(({ toolName, status: ended }) => toolName === counted.failedTool && ended === "failed")) &&
            (q === undefined || (call.endedReason ?? "").includes(q.toLowerCase())),
        )
        .map(listedCall),
    );
    api.on(
      tenantCalls.readCall,
      ({ params }) =>
        calls().find(({ id }) => id === params.callId) ?? refusal(404, { error: "There is nothing here.", code: "not_found" }),
    );
  };
