import type { CallEvent } from "@vitaline/calls";
import type { CallStatus } from "@vitaline/contract";
import * as z from "zod/mini";
import { turnLatency } from "../turn-latency.ts";
import { conversationId, readConversation, type Conversation, type Reading, type Turn } from "./conversation.ts";
import { endedReasonOf, plainWord } from "./ended-reason.ts";
import { transferIn } from "./transfer.ts";
import { waited } from "./waited.ts";

type Progress = Omit<CallEvent, "platform" | "callId">;

/**
 * What ElevenLabs says about how a conversation goes: `post_call_transcription`, `call_initiation_failure`, or the API's own
 * answer about a conversation. undefined for the others (`post_call_audio` is a recording) and where no conversation is named;
 * AppError `invalid_request` where it is named by what cannot be an id. The cost is that in US dollars, where the platform tells it:
 * its credits are no money and are not kept.
 * Source: elevenlabs-js 2.73.0 GetConversationResponseModel; ElevenLabs' page on post-call webhooks.
 */
export function decodeCallEvent(body: unknown): CallEvent | undefined {
  const told = readConversation(body);
  const progress = told && progressOf.get(told.type)?.(told);
  if (!told || !progress) return undefined;
  const callId = conversationId(told);
  if (callId === undefined) return undefined;
  const { agent_id: agentId, agent_name: agentName } = told.conversation;
  return { platform: "elevenlabs", callId, agentId, agentName, ...progress };
}

const statuses = new Map<string | undefined, CallStatus>([
  ["initiated", "ringing"],
  ["in-progress", "in_progress"],
  // Its end is known, what came of it is still being looked at.
  ["processing", "completed"],
  ["done", "completed"],
  ["failed", "failed"],
  [undefined, "completed"],
]);
/** What the telephone says counts for more than that the conversation was carried to its end. */
const callResults = new Map<string | undefined, CallStatus>([
  ["voicemail", "no_answer"],
  ["busy", "no_answer"],
  ["no_answer", "no_answer"],
  ["failed", "failed"],
]);
const going = new Set<string | undefined>(["initiated", "in-progress"]);

const report = ({ at, conversation }: Reading): Progress => {
  const { status, transcript = [], metadata } = conversation;
  const known = statuses.get(status) ?? "unknown";
  const talked = { ...numbersOf(conversation), startedAt: metadata?.start_time_unix_secs };
  if (going.has(status)) return { ...talked, status: known };
  const { call_duration_secs: durationSeconds, cost_fiat: cost } = metadata ?? {};
  const result = callResults.get(metadata?.phone_call?.call_result);
  return {
    ...talked,
    status: result ?? known,
    endedAt: endOf(talked.startedAt, durationSeconds) ?? at,
    durationSeconds,
    transcript: transcriptOf(transcript),
    ...transferIn(transcript, metadata?.features_usage?.transfer_to_number?.used === true),
    ...turnLatency(transcript.flatMap((turn) => waited(turn) ?? [])),
    ...(cost === undefined ? {} : { costAmount: cost, costCurrency: "USD" }),
    ...(status === "processing" ? {} : lookedInto(conversation, result && metadata?.phone_call?.call_result)),
  };
};

/** A call that somebody was to get, and that did not come about. */
const failure = ({ at, conversation: { failure_reason: reason, metadata } }: Reading): Progress => {
  const { Direction, From, To, direction = Direction, from_number = From, to_number = To } = metadata?.body ?? {};
  return {
    status: reason === "busy" || reason === "no-answer" || reason === "no_answer" ? "no_answer" : "failed",
    endedReason: plainWord(reason ?? "call_initiation_failure"),
    endedAt: at,
    direction: directions.get(direction?.split("-")[0]),
    callerNumber: from_number,
    calledNumber: to_number,
  };
};

const directions = new Map<string | undefined, CallEvent["direction"]>([
  ["inbound", "inbound"],
  ["outbound", "outbound"],
]);

/** Without a telephone it was somebody who opened the conversation in a browser. */
const numbersOf = ({ metadata }: Conversation): Progress => {
  const call = metadata?.phone_call;
  if (!call) return metadata ? { direction: "inbound" } : {};
  const { agent_number: ours, external_number: theirs } = call;
  const outbound = call.direction === "outbound";
  return {
    direction: directions.get(call.direction),
    callerNumber: outbound ? ours : theirs,
    calledNumber: outbound ? theirs : ours,
  };
};

const endOf = (startedAt: string | undefined, seconds: number | undefined): string | undefined =>
  startedAt === undefined || seconds === undefined ? undefined : new Date(Date.parse(startedAt) + seconds * 1000).toISOString();

const evaluations = new Map<string | undefined, boolean>([
  ["success", true],
  ["failure", false],
]);

/** What the platform says once it has looked into the conversation. */
const lookedInto = (conversation: Conversation, callResult: string | undefined): Progress => {
  const { analysis } = conversation;
  const { endedReason, freeText } = endedReasonOf(conversation, callResult);
  const found = { ...(freeText === undefined ? {} : { termination_reason: freeText }), ...collected(analysis?.data_collection_results) };
  return {
    endedReason,
    success: evaluations.get(analysis?.call_successful),
    summary: analysis?.transcript_summary,
    analysis: Object.keys(found).length === 0 ? undefined : found,
  };
};

const Collected = z.record(z.string(), z.object({ value: z.optional(z.unknown()) }));

/** The tenant's own fields with what was found out for each; the model's grounds for it are left out. */
const collected = (results: unknown): Record<string, unknown> => {
  const { data = {} } = z.safeParse(Collected, results);
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, { value }]) => (value === undefined || value === null ? [] : [[name, value]])),
  );
};

const speakers = new Map<string | undefined, "caller" | "assistant">([
  ["user", "caller"],
  ["agent", "assistant"],
]);

const transcriptOf = (transcript: readonly Turn[]): CallEvent["transcript"] => {
  const messages = transcript.flatMap((turn) => {
    const role = speakers.get(turn?.role);
    const text = turn?.message ?? spokenByVoices(turn);
    return role && text ? [{ role, text, atSeconds: turn?.time_in_call_secs }] : [];
  });
  return messages.length === 0 ? undefined : { messages };
};

const spokenByVoices = (turn: Turn): string => (turn?.multivoice_message?.parts ?? []).flatMap((part) => part?.text ?? []).join(" ");

const progressOf = new Map<string, (told: Reading) => Progress>([
  ["post_call_transcription", report],
  ["conversation", report],
  ["call_initiation_failure", failure],
]);
