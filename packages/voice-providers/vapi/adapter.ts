import type { VoicePlatform } from "../voice-platform.ts";
import { decodeCallEvent, decodeFlatSummary } from "./call-events.ts";
import { answerIncoming, decodeIncoming } from "./incoming-calls.ts";
import { decodeToolCalls, encodeResults, modelText } from "./tool-calls.ts";
import { decodeTransfer, encodeTransfer } from "./transfers.ts";
import { acknowledge, decodeLanguage, isSigned } from "./webhook.ts";

/** Vapi, plus the flat call summary that only Vapi automations send. */
export const vapi = {
  decodeToolCalls,
  encodeResults,
  modelText,
  decodeCallEvent,
  decodeFlatSummary,
  decodeIncoming,
  answerIncoming,
  isSigned,
  decodeTransfer,
  decodeLanguage,
  encodeTransfer,
  acknowledge,
} satisfies VoicePlatform & Record<string, unknown>;
