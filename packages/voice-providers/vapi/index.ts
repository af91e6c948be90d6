import type { VoicePlatform } from "../port.ts";
import { decodeCallEvent, decodeFlatSummary } from "./call-events.ts";
import { decodeToolCalls, encodeResults } from "./tool-calls.ts";
import { answerIncoming, decodeIncoming } from "./incoming-calls.ts";
import { isSigned, safeAnswer } from "./webhook.ts";
import { decodeTransfer, encodeTransfer } from "./transfers.ts";

/** Vapi, and what it alone has: a summary without an envelope. */
export const vapi = {
  decodeToolCalls,
  encodeResults,
  decodeCallEvent,
  decodeFlatSummary,
  decodeIncoming,
  answerIncoming,
  isSigned,
  decodeTransfer,
  encodeTransfer,
  acknowledge: safeAnswer,
} satisfies VoicePlatform & Record<string, unknown>;
