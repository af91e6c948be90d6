import type { CallEvent } from "@vitaline/calls";
import type { CallScore, CallStatus, FlatCallSummary } from "@vitaline/contract";
import * as z from "zod/mini";
import { turnLatency } from "../decoding/call-event.ts";
import { object, score, text } from "../decoding/fields.ts";
import { conversationId, customerNumber, readMessage, tenantNumber, type Destination, type Message } from "./webhook.ts";

type Progress = Omit<CallEvent, "platform" | "callId">;

/**
 * Decodes `status-update`, `transfer-update` and `end-of-call-report`; undefined for other messages and without a call id.
 * AppErrors as readCallId. Recording links are left out: they expire, and open the recording to anyone. Source: Vapi server SDK
 * 2.0.1, and the legacy fields of reports seen live.
 */
export function decodeCallEvent(body: unknown): CallEvent | undefined {
  const message = readMessage(body);
  const progress = message && progressOf.get(message.type)?.(message);
  if (!message || !progress) return undefined;
  const callId = conversationId(message);
  return callId !== undefined ? { platform: "vapi", callId, ...aboutCall(message), ...progress } : undefined;
}

const aboutCall = (message: Message): Progress => {
  const { call, chat, assistant } = message;
  const direction = directions.get(call?.type);
  const [person, own] = [customerNumber(message), tenantNumber(message)];
  return {
    agentId: call?.assistantId ?? chat?.assistantId,
    agentName: assistant?.name ?? call?.assistant?.name,
    direction,
    ...(direction === "outbound" ? { callerNumber: own, calledNumber: person } : { callerNumber: person, calledNumber: own }),
  };
};

const directions = new Map<string | undefined, CallEvent["direction"]>([
  ["inboundPhoneCall", "inbound"],
  ["webCall", "inbound"],
  ["outboundPhoneCall", "outbound"],
]);

/** `deletion-failed` and unknown statuses report no progress. */
const ongoingStatuses = new Map<string | undefined, CallStatus>([
  ["scheduled", "queued"],
  ["queued", "queued"],
  ["ringing", "ringing"],
  ["in-progress", "in_progress"],
  ["forwarding", "in_progress"],
]);

const statusUpdate = (message: Message): Progress | undefined => {
  const { status, timestamp } = message;
  if (status === "ended") return ended(message, message.call?.endedAt ?? timestamp);
  if (status === "not-found") return { status: "failed", endedReason: "not-found", endedAt: timestamp };
  const ongoingStatus = ongoingStatuses.get(status);
  if (!ongoingStatus) return undefined;
  return {
    status: ongoingStatus,
    startedAt: message.call?.startedAt ?? (status === "in-progress" ? timestamp : undefined),
    ...(status === "forwarding" ? { forwarded: true, forwardedTo: addressOf(message.destination) } : {}),
  };
};

/** A handover between assistants is not a forwarded call. */
const leavesAssistant = (destination: Destination): boolean => destination !== undefined && destination.type !== "assistant";

const addressOf = (destination: Destination): string | undefined => destination?.number ?? destination?.sipUri;

const transferUpdate = ({ destination }: Message): Progress | undefined =>
  leavesAssistant(destination) ? { status: "in_progress", forwarded: true, forwardedTo: addressOf(destination) } : undefined;

const ended = (message: Message, endedAt: string | undefined): Progress => {
  const { call, destination, artifact } = message;
  const endedReason = message.endedReason ?? call?.endedReason;
  const transfer = artifact?.transfers?.findLast((one) => one?.status === "connected" || one?.status === "completed");
  const forwarded =
    isForwardedBy(endedReason) || leavesAssistant(destination) || leavesAssistant(call?.destination) || transfer !== undefined;
  const forwardedTo = [destination, call?.destination, transfer?.destination].map(addressOf).find((address) => address !== undefined);
  return {
    status: statusOfReason(endedReason),
    endedReason,
    startedAt: message.startedAt ?? call?.startedAt,
    endedAt,
    ...(forwarded ? { forwarded, forwardedTo } : {}),
    ...((artifact?.transfers ?? []).some((one) => leavesAssistant(one?.destination)) ? { transferTried: true } : {}),
  };
};

const report = (message: Message): Progress => {
  const { call, analysis, artifact, compliance, cost, durationSeconds, durationMs } = message;
  return {
    ...ended(message, message.endedAt ?? call?.endedAt ?? message.timestamp),
    durationSeconds: durationSeconds ?? (durationMs === undefined ? undefined : durationMs / 1000),
    success: isSuccess(analysis?.successEvaluation),
    summary: analysis?.summary ?? message.summary,
    transcript: transcriptOf(message),
    analysis: analysisOf(message),
    scores: scoresOf(artifact?.scorecards),
    recordingConsentType: compliance?.recordingConsent?.type,
    recordingConsentAt: compliance?.recordingConsent?.grantedAt,
    ...turnLatency((artifact?.performanceMetrics?.turnLatencies ?? []).flatMap((turn) => turn?.turnLatency ?? [])),
    ...(cost === undefined ? {} : { costAmount: cost, costCurrency: "USD" }),
  };
};

const analysisOf = ({ analysis, artifact }: Message): CallEvent["analysis"] => {
  const made = { ...analysis, structuredOutputs: artifact?.structuredOutputs };
  const fields = (["structuredData", "structuredDataMulti", "structuredOutputs"] as const).flatMap((name) =>
    made[name] === undefined || made[name] === null ? [] : [[name, made[name]] as const],
  );
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
};

const Scorecards = z.record(z.string(), object({ name: text, score, scoreNormalized: score }));

/** By the scorecard's name, or its id; the share reached is in percent. */
const scoresOf = (scorecards: unknown): CallScore[] | undefined => {
  const { data = {} } = z.safeParse(Scorecards, scorecards);
  const scores = Object.entries(data).flatMap(([id, card]) => {
    const reached = card?.score ?? card?.scoreNormalized;
    if (reached === undefined) return [];
    return [{ name: card?.name ?? id, score: reached, maxScore: card?.score === undefined ? 100 : null, passed: null }];
  });
  return scores.length === 0 ? undefined : scores;
};

const speakers = new Map<string | undefined, "caller" | "assistant">([
  ["user", "caller"],
  ["bot", "assistant"],
  ["assistant", "assistant"],
]);

/** Prompts and tool traffic are left out. */
const transcriptOf = ({ artifact, transcript }: Message): CallEvent["transcript"] => {
  const text = artifact?.transcript ?? transcript;
  const messages = (artifact?.messages ?? []).flatMap((turn) => {
    const role = speakers.get(turn?.role);
    return role && turn?.message ? [{ role, text: turn.message, atSeconds: turn.secondsFromStart }] : [];
  });
  return text === undefined && messages.length === 0 ? undefined : { text, messages };
};

const progressOf = new Map<string, (message: Message) => Progress | undefined>([
  ["status-update", statusUpdate],
  ["transfer-update", transferUpdate],
  ["end-of-call-report", report],
]);

/** The first match decides. Vapi has about 600 reasons, most of them errors of one vendor, so they are matched by pattern. */
const byReason: readonly [RegExp, CallStatus][] = [
  [/^(customer-did-not-answer|customer-busy|voicemail)$/, "no_answer"],
  [/^(manually-canceled|scheduled-call-deleted|call-deleted|call\.ringing\.sip-inbound-caller-hungup-before-call-connect)$/, "cancelled"],
  [
    /error|failed|rejected|disconnected|closed-websocket|shutdown|misdialed|did-not-give|bypass-enabled|^assistant-(not|join|request)-|^call\.forwarding\./,
    "failed",
  ],
  [/^(customer-ended-call|assistant-(ended-call|said-end-call-phrase|forwarded-call))/, "completed"],
  [/^(silence-timed-out|exceeded-max-duration)|-completed(-call)?$|\.hook-executed-/, "completed"],
];
const byForwarding = "assistant-request-returned-forwarding-phone-number";

/** `unknown` for an unlisted reason; without a reason the call ended normally. */
function statusOfReason(endedReason: string | undefined): CallStatus {
  if (endedReason === undefined || endedReason === byForwarding) return "completed";
  return byReason.find(([pattern]) => pattern.test(endedReason))?.[1] ?? "unknown";
}

const isForwardedBy = (endedReason = ""): boolean =>
  endedReason === "assistant-forwarded-call" || endedReason === byForwarding || endedReason.endsWith(".hook-executed-transfer");

const yes = new Set(["true", "yes", "pass", "passed", "success", "successful", "excellent", "good", "agree", "strongly agree"]);
const no = new Set(["false", "no", "fail", "failed", "failure", "unsuccessful", "poor", "disagree", "strongly disagree"]);

/** Vapi's success evaluation by pass/fail, enumWord, 1 to 10, or percentage; the upper half is a success. undefined if it fits none. */
function isSuccess(evaluation: unknown): boolean | undefined {
  if (typeof evaluation !== "string" && typeof evaluation !== "number" && typeof evaluation !== "boolean") return undefined;
  const value = String(evaluation).trim().toLowerCase();
  if (yes.has(value)) return true;
  if (no.has(value)) return false;
  const [, outOfTen] = /^(10|[1-9](?:\.\d+)?)(?: ?\/ ?10)?$/.exec(value) ?? [];
  if (outOfTen !== undefined) return Number(outOfTen) >= 5;
  const [, percent] = /^(100|\d{1,2}(?:\.\d+)?) ?%$/.exec(value) ?? [];
  return percent === undefined ? undefined : Number(percent) >= 50;
}

/** `resolved` is the sender's own success flag, and stands. */
export const decodeFlatSummary = ({ callId, summary, outcome, resolved, durationSeconds, endedReason }: FlatCallSummary): CallEvent => ({
  platform: "vapi",
  callId,
  status: statusOfReason(endedReason ?? undefined),
  ...(isForwardedBy(endedReason ?? undefined) ? { forwarded: true } : {}),
  endedReason: endedReason ?? undefined,
  durationSeconds: durationSeconds ?? undefined,
  success: resolved ?? undefined,
  statedResolved: resolved || undefined,
  summary,
  outcome: outcome ?? undefined,
});
