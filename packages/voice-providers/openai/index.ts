import type { VoicePlatform } from "../port.ts";
import { answerIncoming } from "./incoming-calls.ts";
import { decodeIncoming, isSigned } from "./webhook.ts";

/** OpenAI Realtime: its tools come over MCP, and it tells nothing of a call but that it comes in. */
export const openAi: VoicePlatform = {
  decodeToolCalls: () => undefined,
  encodeResults: () => ({}),
  decodeCallEvent: () => undefined,
  decodeIncoming,
  answerIncoming,
  isSigned,
  acknowledge: () => ({}),
};
