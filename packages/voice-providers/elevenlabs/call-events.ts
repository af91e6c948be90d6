import type { CallEvent } from "@vitaline/calls";
import type { CallStatus } from "@vitaline/contract";
import * as z from "zod/mini";
import { turnLatency } from "../decoding/call-event.ts";
import { type Conversation, conversationId, readConversation, type Reading, type Turn } from "./webhook.ts";
import { id, word } from "../decoding/fields.ts";

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

/** The platform's own words, as they begin. Source: conversations seen live, and what others have published of theirs. */
const known: readonly RegExp[] = [
  /^(end_call|transfer_to_number|transfer_to_agent|voicemail_detection) tool was called\.?/i,
  /^client disconnected/i,
  /^call ended by remote party/i,
  /^inactivity timeout/i,
  /^silence timeout/i,
  /exceeded maximum duration/i,
  /exceeds your quota limit/i,
  /^non[ -]?retryable error/i,
];
/** An analysis is kept whole or not at all, so that this must not fill it. */
const mostFreeText = 2000;
/** A word of an enumeration, known or new: no sentence and no number. */
const isWord = (text: string): boolean => /^[a-z]+([_-][a-z]+){0,5}$/.test(text);

/** A word of the platform's enumerations, or "other". */
const plainWord = (word: string): string => (isWord(word) ? word : "other");

/**
 * Why a conversation ended: the platform's own words or its error's number, and its word for how it is where it says nothing more.
 * `termination_reason` is free text, which the agent's model may have written about the caller: beyond the known words it is "other",
 * and the text itself is for the sealed texts alone.
 */
function endedReasonOf({ status = "done", metadata }: Conversation, callResult?: string): { endedReason: string; freeText?: string } {
  const { termination_reason: text, error } = metadata ?? {};
  if (text !== undefined) {
    const words = known.map((pattern) => pattern.exec(text)?.[0]).find((match) => match !== undefined);
    return words === undefined ? { endedReason: "other", freeText: text.slice(0, mostFreeText) } : { endedReason: words };
  }
  const code = error?.code;
  if (typeof code === "number" || typeof code === "string")
    return { endedReason: /^\d{1,5}$/.test(String(code)) ? `error-${code}` : "error" };
  return { endedReason: plainWord(callResult ?? status) };
}

const Result = z.object({ result_type: word, transfer_number: id });

type ToolResult = NonNullable<NonNullable<NonNullable<Turn>["tool_results"]>[number]>;

/** The structured result, or the same as text. */
const resultOf = ({ result, result_value: value = "" }: ToolResult): z.infer<typeof Result> => {
  if (result) return result;
  try {
    return z.safeParse(Result, JSON.parse(value)).data ?? {};
  } catch {
    return {};
  }
};

/**
 * Whether a conversation was put through to a person or another number, and to which: by the results of the platform's own
 * tool `transfer_to_number`. `wasUsed` is the platform's word for it where no results are told, as without a transcript.
 */
function transferIn(transcript: readonly Turn[], wasUsed: boolean): Pick<CallEvent, "forwarded" | "forwardedTo"> {
  const tried = transcript
    .flatMap((turn) => turn?.tool_results ?? [])
    .flatMap((each) => (each ? [{ ...each, ...resultOf(each) }] : []))
    .filter(({ tool_name, result_type = "" }) => tool_name === "transfer_to_number" || result_type.startsWith("transfer_to_number"));
  const done = tried.findLast(
    ({ is_error, tool_has_been_called, result_type = "" }) => !is_error && tool_has_been_called !== false && !result_type.endsWith("error"),
  );
  if (done) return { forwarded: true, forwardedTo: done.transfer_number };
  return tried.length === 0 && wasUsed ? { forwarded: true } : {};
}

/**
 * How many milliseconds the caller waited for this turn: from their silence to the agent's voice; where the platform does not measure
 * it whole, from the model's start to that.
 */
const waited = (turn: Turn): number | undefined => {
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
