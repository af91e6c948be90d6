import type { VoicePlatform } from "../voice-platform.ts";
import { answerIncoming } from "./incoming-calls.ts";
import { decodeIncoming, isSigned } from "./webhook.ts";

/** OpenAI Realtime: tools come over MCP, and the only webhook is the incoming call. */
export const openAi: VoicePlatform = {
  decodeToolCalls: () => undefined,
  encodeResults: () => ({}),
  decodeCallEvent: () => undefined,
  decodeIncoming,
  answerIncoming,
  isSigned,
  acknowledge: () => ({}),
};
