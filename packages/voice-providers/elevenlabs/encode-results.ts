import type { ToolAnswer } from "@vitaline/tools";
import type { ToolRequest } from "../port.ts";

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
