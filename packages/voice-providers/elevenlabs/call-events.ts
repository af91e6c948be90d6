import type { CallEvent } from "@vitaline/calls";
import type { CallScore, CallStatus } from "@vitaline/contract";
import * as z from "zod/mini";
import { turnLatency } from "../decoding/call-event.ts";
import { id, object, score, enumWord } from "../decoding/fields.ts";
import { conversationId, readConversation, type Conversation, type ConversationMessage, type Turn } from "./webhook.ts";

type Progress = Omit<CallEvent, "platform" | "callId">;

/**
 * Decodes `post_call_transcription`, `call_initiation_failure` and the API's answer about a conversation; undefined for other
 * events and without a conversation id. AppErrors as readCallId. Source: elevenlabs-js 2.73.0 GetConversationResponseModel;
 * ElevenLabs' page on post-call webhooks.
 */
export function decodeCallEvent(body: unknown): CallEvent | undefined {
  const message = readConversation(body);
  const progress = message && progressOf.get(message.type)?.(message);
  if (!message || !progress) return undefined;
  const callId = conversationId(message);
  if (callId === undefined) return undefined;
  const { agent_id: agentId, agent_name: agentName } = message.conversation;
  return { platform: "elevenlabs", callId, agentId, agentName, ...progress };
}

const statuses = new Map<string | undefined, CallStatus>([
  ["initiated", "ringing"],
  ["in-progress", "in_progress"],
  // The call has ended, its analysis is not finished.
  ["processing", "completed"],
  ["done", "completed"],
  ["failed", "failed"],
  [undefined, "completed"],
]);
/** The telephone's result overrides the conversation's status. */
const callResults = new Map<string | undefined, CallStatus>([
  ["voicemail", "no_answer"],
  ["busy", "no_answer"],
  ["no_answer", "no_answer"],
  ["failed", "failed"],
]);
const ongoing = new Set<string | undefined>(["initiated", "in-progress"]);

const report = ({ at, conversation }: ConversationMessage): Progress => {
  const { status, transcript = [], metadata } = conversation;
  const knownStatus = statuses.get(status) ?? "unknown";
  const participation = { ...participants(conversation), startedAt: metadata?.start_time_unix_secs };
  if (ongoing.has(status)) return { ...participation, status: knownStatus };
  const { call_duration_secs: durationSeconds } = metadata ?? {};
  const cost = costOf(metadata);
  const result = callResults.get(metadata?.phone_call?.call_result);
  return {
    ...participation,
    status: result ?? knownStatus,
    endedAt: endOf(participation.startedAt, durationSeconds) ?? at,
    durationSeconds,
    language: metadata?.main_language,
    transcript: transcriptOf(transcript),
    ...transferIn(transcript, metadata?.features_usage?.transfer_to_number?.used === true),
    ...turnLatency(transcript.flatMap((turn) => turnLatencyOf(turn) ?? [])),
    ...(cost === undefined ? {} : { costAmount: cost, costCurrency: "USD" }),
    ...(status === "processing" ? {} : analysisFields(conversation, result && metadata?.phone_call?.call_result)),
  };
};

const costOf = (metadata: Conversation["metadata"]): number | undefined => {
  const { llm_price: model, platform_price: platform } = metadata?.charging ?? {};
  const prices = model === undefined && platform === undefined ? undefined : (model ?? 0) + (platform ?? 0);
  return metadata?.cost_fiat ?? prices;
};

const failure = ({ at, conversation: { failure_reason: reason, metadata } }: ConversationMessage): Progress => {
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

/** Without a phone call the conversation took place in a browser. */
const participants = ({ metadata }: Conversation): Progress => {
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

const analysisFields = (conversation: Conversation, callResult: string | undefined): Progress => {
  const { analysis, metadata } = conversation;
  const { endedReason, freeText } = endedReasonOf(conversation, callResult);
  const found = {
    ...(freeText === undefined ? {} : { termination_reason: freeText }),
    ...collectedFields(analysis?.data_collection_results),
  };
  return {
    endedReason,
    success: evaluations.get(analysis?.call_successful),
    summary: analysis?.transcript_summary,
    scores: scoresOf(analysis?.evaluation_criteria_results),
    rating: metadata?.feedback?.rating,
    analysis: Object.keys(found).length === 0 ? undefined : found,
  };
};

const Collected = z.record(z.string(), z.object({ value: z.optional(z.unknown()) }));

/** The model's rationale is left out. */
const collectedFields = (results: unknown): Record<string, unknown> => {
  const { data = {} } = z.safeParse(Collected, results);
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, { value }]) => (value === undefined || value === null ? [] : [[name, value]])),
  );
};

const Criteria = z.record(z.string(), object({ result: enumWord, score, max_score: score }));

/** The model's rationale is left out. */
const scoresOf = (results: unknown): CallScore[] | undefined => {
  const { data = {} } = z.safeParse(Criteria, results);
  const scores = Object.entries(data).flatMap(([name, one]) =>
    one ? [{ name, score: one.score ?? null, maxScore: one.max_score ?? null, passed: evaluations.get(one.result) ?? null }] : [],
  );
  return scores.length === 0 ? undefined : scores;
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

const progressOf = new Map<string, (message: ConversationMessage) => Progress>([
  ["post_call_transcription", report],
  ["conversation", report],
  ["call_initiation_failure", failure],
]);

/** Prefixes of the platform's own texts. Source: conversations seen live and published ones. */
const knownReasons: readonly RegExp[] = [
  /^(end_call|transfer_to_number|transfer_to_agent|voicemail_detection) tool was called\.?/i,
  /^client disconnected/i,
  /^call ended by remote party/i,
  /^inactivity timeout/i,
  /^silence timeout/i,
  /exceeded maximum duration/i,
  /exceeds your quota limit/i,
  /^non[ -]?retryable error/i,
];
/** An analysis that exceeds its limit is dropped as a whole. */
const maxFreeText = 2000;
const isWord = (text: string): boolean => /^[a-z]+([_-][a-z]+){0,5}$/.test(text);

/** "other" for a sentence or a number. */
const plainWord = (enumWord: string): string => (isWord(enumWord) ? enumWord : "other");

/**
 * `termination_reason` may be text of the agent's model about the caller: unless it starts with a known text, the reason is "other"
 * and the text is returned as `freeText`, which is stored sealed.
 */
function endedReasonOf({ status = "done", metadata }: Conversation, callResult?: string): { endedReason: string; freeText?: string } {
  const { termination_reason: text, error } = metadata ?? {};
  if (text !== undefined) {
    const words = knownReasons.map((pattern) => pattern.exec(text)?.[0]).find((match) => match !== undefined);
    return words === undefined ? { endedReason: "other", freeText: text.slice(0, maxFreeText) } : { endedReason: words };
  }
  const code = error?.code;
  if (typeof code === "number" || typeof code === "string")
    return { endedReason: /^\d{1,5}$/.test(String(code)) ? `error-${code}` : "error" };
  return { endedReason: plainWord(callResult ?? status) };
}

const Result = z.object({ result_type: enumWord, transfer_number: id });

type ToolResult = NonNullable<NonNullable<NonNullable<Turn>["tool_results"]>[number]>;

/** From the structured result, or from the same as JSON text. */
const resultOf = ({ result, result_value: value = "" }: ToolResult): z.infer<typeof Result> => {
  if (result) return result;
  try {
    return z.safeParse(Result, JSON.parse(value)).data ?? {};
  } catch {
    return {};
  }
};

/** From the results of the platform's tool `transfer_to_number`; `wasUsed` decides where there are no results. */
function transferIn(transcript: readonly Turn[], wasUsed: boolean): Pick<CallEvent, "forwarded" | "forwardedTo" | "transferTried"> {
  const tried = transcript
    .flatMap((turn) => turn?.tool_results ?? [])
    .flatMap((each) => (each ? [{ ...each, ...resultOf(each) }] : []))
    .filter(({ tool_name, result_type = "" }) => tool_name === "transfer_to_number" || result_type.startsWith("transfer_to_number"));
  const last = tried.findLast(
    ({ is_error, tool_has_been_called, result_type = "" }) => !is_error && tool_has_been_called !== false && !result_type.endsWith("error"),
  );
  if (last) return { forwarded: true, forwardedTo: last.transfer_number };
  if (tried.length > 0) return { transferTried: true };
  return wasUsed ? { forwarded: true } : {};
}

/** Milliseconds from the caller's silence to the agent's voice, or from the model's start if the platform does not measure that. */
const turnLatencyOf = (turn: Turn): number | undefined => {
  const metrics = turn?.conversation_turn_metrics;
  const {
    convai_ttf_audio_since_silence: whole,
    convai_llm_service_ttf_sentence: sentence,
    convai_tts_service_ttfb: voice,
  } = metrics?.metrics ?? metrics ?? {};
  const seconds =
    whole?.elapsed_time ?? (sentence?.elapsed_time === undefined ? undefined : sentence.elapsed_time + (voice?.elapsed_time ?? 0));
  return seconds === undefined ? undefined : Math.round(seconds * 1000);
};
