import type { VoicePlatform } from "../port.ts";
import { decodeCallEvent } from "./call-events.ts";
import { decodeToolCalls, encodeResults } from "./tool-calls.ts";
import { answerIncoming, decodeIncoming } from "./incoming-calls.ts";
import { isSigned } from "./webhook.ts";

/** Retell AI, which asks for one tool at a time and wants no answer to its events. */
export const retell = {
  decodeToolCalls,
  encodeResults,
  decodeCallEvent,
  decodeIncoming,
  answerIncoming,
  isSigned,
  acknowledge: () => ({}),
} satisfies VoicePlatform;
