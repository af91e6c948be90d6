import { AppError } from "@vitaline/core";
import { keys } from "@vitaline/store";
import type { ToolAnswer, ToolCall } from "@vitaline/tools";
import type { VapiToolResults } from "@vitaline/contract";
import * as z from "zod/mini";
import { noCallSpeech, wireName } from "../decoding/fields.ts";
import type { Refused, ToolRequest } from "../port.ts";
import { type AskedTool, conversationId, customerNumber, type Message, ownNumber, readMessage } from "./webhook.ts";

const maxToolCalls = 16;
/** No assistant asks for more; whoever does gets no sentence for each. */
const maxAsked = 100;
const tooManySpeech = "That was too much at once. Please ask for fewer things at a time.";

type Asked = Pick<ToolCall, "toolCallId" | "name" | "args">;

/**
 * The tools that a Vapi message asks for, in its order; undefined for other messages. The same calls may stand in
 * `toolCallList`, `toolCalls` and `toolWithToolCallList`: the first that is filled counts. `function-call` is the form
 * before there were ids. Arguments come as an object, as JSON text or not at all, and go to the tool as they come.
 * AppError `invalid_request` for more than 100 tools, and where the call is named by what cannot be an id.
 * Source: Vapi server SDK 2.0.1 ServerMessageToolCalls, and Vapi's pages on custom tools.
 */
export function decodeToolCalls(body: unknown): ToolRequest | undefined {
  const message = readMessage(body);
  if (message?.type === "tool-calls") return sorted(message, askedTools(message), false);
  if (message?.type === "function-call") return sorted(message, [asked(message.functionCall)], true);
  return undefined;
}

const askedTools = ({ toolCallList = [], toolCalls = [], toolWithToolCallList = [] }: Message): Asked[] => {
  const bare = toolCallList.length > 0 ? toolCallList : toolCalls;
  return bare.length > 0
    ? bare.map((call) => asked(call))
    : toolWithToolCallList.map((tool) => asked(tool?.toolCall, tool?.function?.name ?? tool?.name));
};

const asked = (call: AskedTool, toolName?: string): Asked => ({
  toolCallId: call?.id,
  name: wireName(call?.function?.name ?? call?.name ?? toolName),
  args: call?.function?.arguments ?? call?.function?.parameters ?? call?.arguments ?? call?.parameters,
});

const sorted = (message: Message, all: Asked[], single: boolean): ToolRequest => {
  if (all.length > maxAsked)
    throw new AppError("invalid_request", "The message asks for too many tools.", {
      fields: { message: "Must ask for at most 100 tools" },
    });
  const callId = conversationId(message);
  if (callId === undefined) return { calls: [], refused: all.map(refusedFor(noCallSpeech)), single };
  const callKey = keys.callKeyOf("vapi", callId);
  const about = {
    callerNumber: customerNumber(message),
    calledNumber: ownNumber(message),
    agentId: message.call?.assistantId ?? message.chat?.assistantId,
  };
  return {
    calls: all.slice(0, maxToolCalls).map((each) => ({ platform: "vapi", callId, callKey, ...about, ...each })),
    refused: all.slice(maxToolCalls).map(refusedFor(tooManySpeech)),
    single,
  };
};

const refusedFor =
  (speech: string) =>
  ({ toolCallId = "", name }: Asked): Refused => ({ toolCallId, name, speech });

type VapiResult = VapiToolResults["results"][number] & { metadata?: Record<string, unknown> };

/**
 * Vapi's answer to `tool-calls`: one entry per tool call with its id and one line to say, as `error` when the tool could not
 * do it. What was found goes along as `metadata`, which Vapi hands to the tenant's own client. The older `function-call`
 * takes one `result`. Source: Vapi server SDK 2.0.1 ToolCallResult; a line break makes Vapi drop the result.
 */
export function encodeResults(
  { calls, refused, single }: ToolRequest,
  answers: readonly ToolAnswer[],
): { results: VapiResult[] } | { result: string } {
  const results: VapiResult[] = [
    ...calls.map(({ toolCallId = "", name }, index) => ({ toolCallId, name, ...said(answers[index]) })),
    ...refused.map(({ toolCallId, name, speech }) => ({ toolCallId, name, error: speech })),
  ];
  const [first] = results;
  return single ? { result: first?.result ?? first?.error ?? "" } : { results };
}

const Found = z.record(z.string(), z.unknown());

const said = (answer: ToolAnswer | undefined): Omit<VapiResult, "toolCallId" | "name"> => {
  const line = oneLine(answer?.speech ?? "I couldn't do that right now.");
  const { data: metadata } = z.safeParse(Found, answer?.output ?? (answer?.fields && { fields: answer.fields }));
  return { ...(answer?.ok ? { result: line } : { error: line }), ...(metadata ? { metadata } : {}) };
};

const oneLine = (text: string): string => text.replace(/\s+/gu, " ").trim();
