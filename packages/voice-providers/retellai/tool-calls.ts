import type { Language } from "@vitaline/contract";
import { templateValue } from "@vitaline/core";
import { keys } from "@vitaline/store";
import {
  modelAnswer,
  readLanguage,
  emergencyOrRefusal,
  requestLanguage,
  type ToolAnswer,
  type ToolCall,
  fallbackAnswer,
} from "@vitaline/tools";
import * as z from "zod/mini";
import { readCallId, readToolName } from "../decoding/fields.ts";
import type { RequestMetadata, ToolRequest } from "../voice-platform.ts";
import { Call } from "./webhook.ts";

const callIdHeader = "x-retell-call-id";
const languageHeader = "x-language";

const Fields = z.record(z.string(), z.unknown());

/**
 * undefined for a webhook, which carries an `event`. The body is `{name, call, args}` or, with "Payload: args only", the arguments
 * themselves and the name in the path. A name in the path wins. Retell sends no tool call id.
 * The call id is `call.call_id` or header `x-retell-call-id`, which the tenant sets to `{{call_id}}`; if they differ, there is
 * none. Bare arguments may be filled in by the model, so their `call` is ignored. Without a call id the tool call is refused.
 * AppErrors as readCallId.
 * Source: retell-sdk 5.66.1 LlmResponse.CustomTool, Retell's pages on custom functions.
 */
export function decodeToolCalls(body: unknown, { toolName, header }: RequestMetadata): ToolRequest | undefined {
  const fields = z.safeParse(Fields, body).data;
  if (toolName === undefined && (!fields || typeof fields["event"] === "string")) return undefined;
  const { name, args, call } = readRequest(fields, toolName, body);
  const callId = agreedCallId(readCallId("call.call_id", call?.call_id), templateValue(header(callIdHeader)));
  const language = languageOf(call, header);
  // Without a call no identity can be verified, so no tool runs.
  if (callId === undefined)
    return { calls: [], refused: [{ toolCallId: "", name, speech: emergencyOrRefusal("unknownCall", { args, language }) }], single: true };
  const callKey = keys.callKeyOf("retellai", callId);
  return {
    calls: [
      {
        platform: "retellai",
        callId,
        callKey,
        ...phoneNumbers(call),
        agentId: call?.agent_id,
        language,
        name,
        args,
      },
    ],
    refused: [],
    single: true,
  };
}

type VapiToolCallFields = Pick<ToolCall, "name" | "args"> & { call: Call | undefined };

/** A tool argument may also be called `name`; then there is no `args`. */
const readRequest = (fields: Record<string, unknown> | undefined, toolName: string | undefined, body: unknown): VapiToolCallFields => {
  const { name, call: givenCall, ...rest } = fields ?? {};
  const call = z.parse(Call, givenCall);
  const word = typeof name === "string" ? name : undefined;
  const isEnvelope = toolName === undefined || (word !== undefined && "args" in rest);
  if (isEnvelope) return { name: readToolName(toolName ?? word), args: rest["args"], call };
  const args = fields ? { ...rest, ...(name === undefined ? {} : { name }) } : body;
  return { name: readToolName(toolName), args, call: undefined };
};

/** `callerNumber` is the patient's number, also in outbound calls. */
const phoneNumbers = (call: Call | undefined): Pick<ToolCall, "callerNumber" | "calledNumber"> =>
  call?.direction === "outbound"
    ? { callerNumber: call.to_number, calledNumber: call.from_number }
    : { callerNumber: call?.from_number, calledNumber: call?.to_number };

/** Retell sends no language of its own: a variable named `language`, collected in the call or set for it, or a header. */
const languageOf = (call: Call | undefined, header: RequestMetadata["header"]): Language | undefined =>
  readLanguage(call?.collected_dynamic_variables?.language ?? call?.retell_llm_dynamic_variables?.language ?? header(languageHeader));

const agreedCallId = (inBody: string | undefined, inHeader: string | undefined): string | undefined =>
  inBody === undefined || inHeader === undefined || inBody === inHeader ? (inBody ?? inHeader) : undefined;

type RetellResult = { ok: true; speech: string; data?: unknown } | { ok: false; error: string; data?: unknown };

/**
 * The whole answer enters the conversation, up to 15,000 characters. Source: Retell's pages on custom functions.
 */
export function encodeResults({ calls: [call], refused }: ToolRequest, answers: readonly ToolAnswer[]): RetellResult {
  const [answer = refused[0] ? { ok: false, speech: refused[0].speech } : fallbackAnswer(call && requestLanguage(call))] = answers;
  return toResult(answer);
}

const toResult = (answer: ToolAnswer): RetellResult => {
  const { speech, ...data } = modelAnswer(answer, { ok: answer.ok });
  return answer.ok ? { ok: true, speech, ...data } : { ok: false, error: speech, ...data };
};

export const modelText = (answer: ToolAnswer): string => JSON.stringify(toResult(answer));
