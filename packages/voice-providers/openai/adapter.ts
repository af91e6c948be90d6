import type { VoicePlatform } from "../voice-platform.ts";
import { openAiCallControl } from "./call-control.ts";
import { answerIncoming } from "./incoming-calls.ts";
import { decodeIncoming, hasValidSignature } from "./webhook.ts";

/** OpenAI: tools come over MCP, the only webhook is the incoming call, and transfers and hangups are ours to request. */
export const openAi: VoicePlatform = {
  decodeToolCalls: () => undefined,
  encodeResults: () => ({}),
  decodeCallEvent: () => undefined,
  decodeIncoming,
  answerIncoming,
  callControl: openAiCallControl,
  hasValidSignature,
  acknowledge: () => ({}),
};
