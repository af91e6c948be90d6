import type { CallEvent } from "@vitaline/calls";
import type { CallStatus } from "@vitaline/contract";
import { turnLatency } from "../turn-latency.ts";
import { isForwardedBy, statusOfReason } from "./ended-reason.ts";
import { conversationId, customerNumber, ownNumber, readMessage, type Destination, type Message } from "./message.ts";
import { succeeded } from "./success.ts";

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
