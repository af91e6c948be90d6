import { filledIn } from "@vitaline/core";
import { keys } from "@vitaline/store";
import type { ToolAnswer } from "@vitaline/tools";
import { noCallSpeech, wireName } from "../decoding/fields.ts";
import type { Around, ToolRequest } from "../port.ts";

/**
 * The one tool that an ElevenLabs webhook tool asks for: its name is in the path, the body is what the model filled in and
 * nothing else. Which conversation it is stands in headers that the tenant sets from the platform's own variables; nothing in
 * the body is taken for that, as a caller may talk a model into anything. undefined without a name in the path.
 *
 * ElevenLabs does not say which of the two numbers is the person's in a call that its agent makes. So attempts are counted by
 * `callerNumber` and an office is found by `calledNumber`, but nobody is known by either.
 * Source: elevenlabs-js 2.73.0 WebhookToolApiSchemaConfig; system__conversation_id, system__caller_id, system__agent_id and
 * system__called_number of ElevenLabs' page on dynamic variables.
 */
export function decodeToolCalls(body: unknown, { toolName, header }: Around): ToolRequest | undefined {
  if (toolName === undefined) return undefined;
  const name = wireName(toolName);
  const callId = filledIn(header("x-conversation-id"));
  if (callId === undefined) return { calls: [], refused: [{ toolCallId: "", name, speech: noCallSpeech }], single: true };
  return {
    calls: [
      {
        platform: "elevenlabs",
        callId,
        callKey: keys.callKeyOf("elevenlabs", callId),
        agentId: filledIn(header("x-agent-id")),
        callerNumber: filledIn(header("x-caller-id")),
        calledNumber: filledIn(header("x-called-number")),
        name,
        args: body,
      },
    ],
    refused: [],
    single: true,
  };
}

/** `data`: what was found, or which arguments are missing or wrong, for a model that reads structure. */
type Said = { ok: true; speech: string; data?: unknown } | { error: string; data?: unknown };

/**
 * What an ElevenLabs agent gets to read: what to say, and what was found. A failure comes with status 200 and the sentence to
 * say, because the platform hides the bodies of other answers from its agents.
 * Source: elevenlabs-js 2.73.0 ToolErrorHandlingMode, whose usual mode hides errors of webhook tools.
 */
export function encodeResults({ refused }: ToolRequest, [answer]: readonly ToolAnswer[]): Said {
  if (!answer) return { error: refused[0]?.speech ?? "I couldn't do that right now." };
  const data = answer.output ?? (answer.fields && { fields: answer.fields });
  const found = data === undefined ? {} : { data };
  return answer.ok ? { ok: true, speech: answer.speech, ...found } : { error: answer.speech, ...found };
}
