import type { VoicePlatform } from "../port.ts";
import { decodeCallEvent } from "./decode-call-event.ts";
import { decodeToolCalls } from "./decode-tool-calls.ts";
import { encodeResults } from "./encode-results.ts";
import { answerIncoming, decodeIncoming } from "./incoming.ts";
import { isSigned } from "./is-signed.ts";

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
