import type { VoicePlatform } from "../port.ts";
import { decodeCallEvent } from "./decode-call-event.ts";
import { decodeFlatSummary } from "./decode-flat-summary.ts";
import { decodeToolCalls } from "./decode-tool-calls.ts";
import { encodeResults } from "./encode-results.ts";
import { answerIncoming, decodeIncoming } from "./incoming.ts";
import { isSigned } from "./is-signed.ts";
import { safeAnswer } from "./safe-answer.ts";
import { decodeTransfer, encodeTransfer } from "./transfer.ts";

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
