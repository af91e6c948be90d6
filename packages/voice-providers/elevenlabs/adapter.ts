import type { VoicePlatform } from "../voice-platform.ts";
import { decodeCallEvent } from "./call-events.ts";
import { answerIncoming, decodeIncoming } from "./incoming-calls.ts";
import { decodeToolCalls, encodeResults, modelText } from "./tool-calls.ts";
import { hasValidSignature } from "./webhook.ts";

/** ElevenLabs: tool webhooks carry only arguments, and calls are reported after they end. */
export const elevenLabs = {
  decodeToolCalls,
  encodeResults,
  modelText,
  decodeCallEvent,
  decodeIncoming,
  answerIncoming,
  hasValidSignature,
  acknowledge: () => ({}),
} satisfies VoicePlatform;
