import type { VoicePlatform } from "../voice-platform.ts";
import { decodeCallEvent } from "./call-events.ts";
import { answerIncoming, decodeIncoming } from "./incoming-calls.ts";
import { decodeToolCalls, encodeResults, modelText } from "./tool-calls.ts";
import { decodeTransfer } from "./transfers.ts";
import { acknowledge, decodeLanguage, hasValidSignature } from "./webhook.ts";

type EncodeTransfer = typeof import("./encode-transfer.ts").encodeTransfer;
/** Loads the countries' numbering plans. */
const encodeTransfer = async (...given: Parameters<EncodeTransfer>): Promise<object> =>
  (await import("./encode-transfer.ts")).encodeTransfer(...given);

export const vapi = {
  decodeToolCalls,
  encodeResults,
  modelText,
  decodeCallEvent,
  decodeIncoming,
  answerIncoming,
  hasValidSignature,
  decodeTransfer,
  decodeLanguage,
  encodeTransfer,
  acknowledge,
} satisfies VoicePlatform;
