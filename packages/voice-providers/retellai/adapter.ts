import type { VoicePlatform } from "../voice-platform.ts";
import { decodeCallEvent } from "./call-events.ts";
import { answerIncoming, decodeIncoming } from "./incoming-calls.ts";
import { decodeToolCalls, encodeResults, modelText } from "./tool-calls.ts";
import { hasValidSignature } from "./webhook.ts";

/** Retell AI: one tool per request; its events need no answer. */
export const retellAi = {
  decodeToolCalls,
  encodeResults,
  modelText,
  decodeCallEvent,
  decodeIncoming,
  answerIncoming,
  hasValidSignature,
  acknowledge: () => ({}),
} satisfies VoicePlatform;
