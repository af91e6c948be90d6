import type { Language, VapiToolResults } from "@vitaline/contract";
import { AppError } from "@vitaline/core";
import { keys } from "@vitaline/store";
import {
  type CallLine,
  modelAnswer,
  emergencyOrRefusal,
  requestLanguage,
  type ToolAnswer,
  type ToolCall,
  fallbackAnswer,
} from "@vitaline/tools";
import * as z from "zod/mini";
import { readToolName } from "../decoding/fields.ts";
import type { RefusedToolCall, ToolRequest } from "../voice-platform.ts";
import {
  assistantLanguage,
  conversationId,
  customerNumber,
  readMessage,
  tenantNumber,
  type VapiToolCall,
  type Message,
} from "./webhook.ts";

const maxToolCalls = 16;
/** More are refused as a whole instead of getting one answer each. */
const maxPerMessage = 100;

type VapiToolCallFields = Pick<ToolCall, "toolCallId" | "name" | "args">;

/**
 * undefined for other messages. The first filled list of `toolCallList`, `toolCalls` and `toolWithToolCallList` counts, as they
 * repeat each other; `function-call` is the older form without ids. Arguments (object or JSON text) are passed on unparsed.
 * AppError `invalid_request` for more than 100 tools or an invalid call id. Source: Vapi server SDK 2.0.1 ServerMessageToolCalls,
 * and Vapi's pages on custom tools.
 */
export function decodeToolCalls(body: unknown): ToolRequest | undefined {
  const message = readMessage(body);
  if (message?.type === "tool-calls") return toToolRequest(message, readToolCalls(message), false);
  if (message?.type === "function-call") return toToolRequest(message, [readToolCall(message.functionCall)], true);
  return undefined;
}

const readToolCalls = ({ toolCallList = [], toolCalls = [], toolWithToolCallList = [] }: Message): VapiToolCallFields[] => {
  const bare = toolCallList.length > 0 ? toolCallList : toolCalls;
  return bare.length > 0
    ? bare.map((call) => readToolCall(call))
    : toolWithToolCallList.map((tool) => readToolCall(tool?.toolCall, tool?.function?.name ?? tool?.name));
};

const readToolCall = (call: VapiToolCall, toolName?: string): VapiToolCallFields => ({
  toolCallId: call?.id,
  name: readToolName(call?.function?.name ?? call?.name ?? toolName),
  args: call?.function?.arguments ?? call?.function?.parameters ?? call?.arguments ?? call?.parameters,
});

const toToolRequest = (message: Message, all: VapiToolCallFields[], single: boolean): ToolRequest => {
  if (all.length > maxPerMessage)
    throw new AppError("invalid_request", "The message calls too many tools.", {
      fields: { message: "Must ask for at most 100 tools" },
    });
  const callId = conversationId(message);
  const language = assistantLanguage(message);
  // Without a call no identity can be verified, so no tool runs.
  if (callId === undefined) return { calls: [], refused: all.map(refusedFor("unknownCall", language)), single };
  const callKey = keys.callKeyOf("vapi", callId);
  const about = {
    callerNumber: customerNumber(message),
    calledNumber: tenantNumber(message),
    agentId: message.call?.assistantId ?? message.chat?.assistantId,
    language,
  };
  return {
    calls: all.slice(0, maxToolCalls).map((each) => ({ platform: "vapi", callId, callKey, ...about, ...each })),
    refused: all.slice(maxToolCalls).map(refusedFor("tooMany", language)),
    single,
  };
};

const refusedFor =
  (line: CallLine, language: Language | undefined) =>
  ({ toolCallId = "", name, args }: VapiToolCallFields): RefusedToolCall => ({
    toolCallId,
    name,
    speech: emergencyOrRefusal(line, { args, language }),
  });

type VapiResult = VapiToolResults["results"][number] & { metadata?: Record<string, unknown> };

/**
 * One entry per tool call with `result` or `error`: the sentence, with its data as one line of JSON, because a line break makes Vapi drop
 * it and nothing else enters the conversation. `metadata` is passed on to the tenant's client. `function-call` takes a single `result`.
 * Source: Vapi server SDK 2.0.1 ToolCallResult, and Vapi's pages on custom tools.
 */
export function encodeResults(
  { calls, refused, single }: ToolRequest,
  answers: readonly ToolAnswer[],
): { results: VapiResult[] } | { result: string } {
  const results: VapiResult[] = [
    ...calls.map(({ toolCallId = "", ...call }, index) => ({
      toolCallId,
      name: call.name,
      ...toResult(answers[index] ?? fallbackAnswer(requestLanguage(call))),
    })),
    ...refused.map(({ toolCallId, name, speech }) => ({ toolCallId, name, ...toResult({ ok: false, speech }) })),
  ];
  const [first] = results;
  return single ? { result: first?.result ?? first?.error ?? "" } : { results };
}

const Metadata = z.record(z.string(), z.unknown());

export const modelText = (answer: ToolAnswer): string => {
  const { speech, ...data } = modelAnswer(answer);
  return "data" in data ? JSON.stringify({ speech, ...data }) : speech;
};

const toResult = (answer: ToolAnswer): Omit<VapiResult, "toolCallId" | "name"> => {
  const line = modelText(answer);
  const { data: metadata } = z.safeParse(Metadata, answer.output ?? (answer.fields && { fields: answer.fields }));
  return { ...(answer.ok ? { result: line } : { error: line }), ...(metadata ? { metadata } : {}) };
};
