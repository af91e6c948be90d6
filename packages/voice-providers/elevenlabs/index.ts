import type { VoicePlatform } from "../port.ts";
import { decodeCallEvent } from "./call-events.ts";
import { decodeToolCalls, encodeResults } from "./tool-calls.ts";
import { answerIncoming, decodeIncoming } from "./incoming-calls.ts";
import { isSigned } from "./webhook.ts";

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
