import { templateValue } from "@vitaline/core";
import { keys } from "@vitaline/store";
import { modelAnswer, readLanguage, emergencyOrRefusal, requestLanguage, type ToolAnswer, fallbackAnswer } from "@vitaline/tools";
import { readToolName } from "../decoding/fields.ts";
import type { RequestMetadata, ToolRequest } from "../voice-platform.ts";

/**
 * The name is in the path and the body holds only the arguments; undefined without a name in the path. The conversation is named by
 * headers that the tenant sets from the platform's variables, never by the body, which the model fills in.
 * In outbound calls ElevenLabs does not say which number is the patient's: `callerNumber` counts attempts and `calledNumber` finds
 * the office, but neither identifies the patient.
 * Source: elevenlabs-js 2.73.0 WebhookToolApiSchemaConfig; ElevenLabs' page on dynamic variables.
 */
export function decodeToolCalls(body: unknown, { toolName, header }: RequestMetadata): ToolRequest | undefined {
  if (toolName === undefined) return undefined;
  const name = readToolName(toolName);
  const callId = templateValue(header("x-conversation-id"));
  const language = readLanguage(header("x-language"));
  // Without a call no identity can be verified, so no tool runs.
  if (callId === undefined)
    return {
      calls: [],
      refused: [{ toolCallId: "", name, speech: emergencyOrRefusal("unknownCall", { args: body, language }) }],
      single: true,
    };
  return {
    calls: [
      {
        platform: "elevenlabs",
        callId,
        callKey: keys.callKeyOf("elevenlabs", callId),
        agentId: templateValue(header("x-agent-id")),
        callerNumber: templateValue(header("x-caller-id")),
        calledNumber: templateValue(header("x-called-number")),
        language,
        name,
        args: body,
      },
    ],
    refused: [],
    single: true,
  };
}

type ToolResult = { ok: true; speech: string; data?: unknown } | { error: string; data?: unknown };

/**
 * An error is sent with status 200, because the platform hides the bodies of other answers from its agents. Source: elevenlabs-js
 * 2.73.0 ToolErrorHandlingMode.
 */
export function encodeResults({ calls: [call], refused }: ToolRequest, [answer]: readonly ToolAnswer[]): ToolResult {
  return answer ? toResult(answer) : { error: refused[0]?.speech ?? fallbackAnswer(call && requestLanguage(call)).speech };
}

const toResult = (answer: ToolAnswer): ToolResult => {
  const { speech, ...data } = modelAnswer(answer, answer.ok ? { ok: true } : {});
  return answer.ok ? { ok: true, speech, ...data } : { error: speech, ...data };
};

export const modelText = (answer: ToolAnswer): string => JSON.stringify(toResult(answer));
