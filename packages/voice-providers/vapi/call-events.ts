import type { CallEvent } from "@vitaline/calls";
import type { CallStatus, FlatCallSummary } from "@vitaline/contract";
import { turnLatency } from "../decoding/call-event.ts";
import { conversationId, customerNumber, type Destination, type Message, ownNumber, readMessage } from "./webhook.ts";

type Progress = Omit<CallEvent, "platform" | "callId">;

/**
 * What a Vapi message says about how its call goes: `status-update`, `transfer-update` or `end-of-call-report`. undefined
 * for the others and where no call is named; AppError `invalid_request` where it is named by what cannot be an id. Recording
 * links are left out: they expire, and open a recording to anyone.
 * Source: Vapi server SDK 2.0.1, and the legacy fields of reports seen live.
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
  const [person, own] = [customerNumber(message), ownNumber(message)];
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

/** `deletion-failed` and statuses that Vapi added since say nothing about how the call goes. */
const ongoing = new Map<string | undefined, CallStatus>([
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
  const going = ongoing.get(status);
  if (!going) return undefined;
  return {
    status: going,
    startedAt: message.call?.startedAt ?? (status === "in-progress" ? timestamp : undefined),
    ...(status === "forwarding" ? { forwarded: true, forwardedTo: addressOf(message.destination) } : {}),
  };
};

/** A handover between assistants stays with the machine; any other destination is a person or another number. */
const leftFor = (destination: Destination): boolean => destination !== undefined && destination.type !== "assistant";

const addressOf = (destination: Destination): string | undefined => destination?.number ?? destination?.sipUri;

const transferUpdate = ({ destination }: Message): Progress | undefined =>
  leftFor(destination) ? { status: "in_progress", forwarded: true, forwardedTo: addressOf(destination) } : undefined;

const ended = (message: Message, endedAt: string | undefined): Progress => {
  const { call, destination, artifact } = message;
  const endedReason = message.endedReason ?? call?.endedReason;
  const transfer = artifact?.transfers?.findLast((one) => one?.status === "connected" || one?.status === "completed");
  const forwarded = isForwardedBy(endedReason) || leftFor(destination) || leftFor(call?.destination) || transfer !== undefined;
  const forwardedTo = [destination, call?.destination, transfer?.destination].map(addressOf).find((address) => address !== undefined);
  return {
    status: statusOfReason(endedReason),
    endedReason,
    startedAt: message.startedAt ?? call?.startedAt,
    endedAt,
    ...(forwarded ? { forwarded, forwardedTo } : {}),
  };
};

const report = (message: Message): Progress => {
  const { call, analysis, artifact, cost, durationSeconds, durationMs } = message;
  return {
    ...ended(message, message.endedAt ?? call?.endedAt ?? message.timestamp),
    durationSeconds: durationSeconds ?? (durationMs === undefined ? undefined : durationMs / 1000),
    success: succeeded(analysis?.successEvaluation),
    summary: analysis?.summary ?? message.summary,
    transcript: transcriptOf(message),
    analysis: analysisOf(message),
    ...turnLatency((artifact?.performanceMetrics?.turnLatencies ?? []).flatMap((turn) => turn?.turnLatency ?? [])),
    ...(cost === undefined ? {} : { costAmount: cost, costCurrency: "USD" }),
  };
};

/** What the tenant has had extracted from the call. */
const analysisOf = ({ analysis, artifact }: Message): CallEvent["analysis"] => {
  const made = { ...analysis, structuredOutputs: artifact?.structuredOutputs };
  const fields = (["structuredData", "structuredDataMulti", "structuredOutputs"] as const).flatMap((name) =>
    made[name] === undefined || made[name] === null ? [] : [[name, made[name]] as const],
  );
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
};

const speakers = new Map<string | undefined, "caller" | "assistant">([
  ["user", "caller"],
  ["bot", "assistant"],
  ["assistant", "assistant"],
]);

/** What was said aloud: prompts and tool traffic are no part of it. */
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

/** The first pattern that fits decides. Vapi knows about 600 reasons, most of them one provider's errors, so they go by form. */
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

/** What came of a call that ended for this reason; one that Vapi added since is `unknown`, none at all is an ordinary end. */
function statusOfReason(endedReason: string | undefined): CallStatus {
  if (endedReason === undefined || endedReason === byForwarding) return "completed";
  return byReason.find(([pattern]) => pattern.test(endedReason))?.[1] ?? "unknown";
}

/** Whether a call with this reason left for a person or another number. */
const isForwardedBy = (endedReason = ""): boolean =>
  endedReason === "assistant-forwarded-call" || endedReason === byForwarding || endedReason.endsWith(".hook-executed-transfer");

const yes = new Set(["true", "yes", "pass", "passed", "success", "successful", "excellent", "good", "agree", "strongly agree"]);
const no = new Set(["false", "no", "fail", "failed", "failure", "unsuccessful", "poor", "disagree", "strongly disagree"]);

/**
 * Vapi's success evaluation in one bit. Its rubric is the tenant's choice: pass or fail, a word, 1 to 10, or a percentage;
 * the upper half counts as success. undefined: none was made, or it says neither.
 */
function succeeded(evaluation: unknown): boolean | undefined {
  if (typeof evaluation !== "string" && typeof evaluation !== "number" && typeof evaluation !== "boolean") return undefined;
  const said = String(evaluation).trim().toLowerCase();
  if (yes.has(said)) return true;
  if (no.has(said)) return false;
  const [, outOfTen] = /^(10|[1-9](?:\.\d+)?)(?: ?\/ ?10)?$/.exec(said) ?? [];
  if (outOfTen !== undefined) return Number(outOfTen) >= 5;
  const [, percent] = /^(100|\d{1,2}(?:\.\d+)?) ?%$/.exec(said) ?? [];
  return percent === undefined ? undefined : Number(percent) >= 50;
}

/** The end of a call as another automation tells it, without Vapi's envelope; `resolved` is its word on success. */
export const decodeFlatSummary = ({ callId, summary, outcome, resolved, durationSeconds, endedReason }: FlatCallSummary): CallEvent => ({
  platform: "vapi",
  callId,
  status: statusOfReason(endedReason ?? undefined),
  ...(isForwardedBy(endedReason ?? undefined) ? { forwarded: true } : {}),
  endedReason: endedReason ?? undefined,
  durationSeconds: durationSeconds ?? undefined,
  success: resolved ?? undefined,
  summary,
  outcome: outcome ?? undefined,
});
