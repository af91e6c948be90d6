import type { VoicePlatform } from "../port.ts";
import { decodeCallEvent } from "./decode-call-event.ts";
import { decodeToolCalls } from "./decode-tool-calls.ts";
import { encodeResults } from "./encode-results.ts";
import { answerIncoming, decodeIncoming } from "./incoming.ts";
import { isSigned } from "./is-signed.ts";

/** ElevenLabs, whose tools carry nothing but their arguments and whose calls are told once they are over. */
export const elevenLabs = {
  decodeToolCalls,
  encodeResults,
  decodeCallEvent,
  decodeIncoming,
  answerIncoming,
  isSigned,
  acknowledge: () => ({}),
} satisfies VoicePlatform;
