import type { VoicePlatform } from "../port.ts";
import { decodeCallEvent } from "./decode-call-event.ts";
import { decodeFlatSummary } from "./decode-flat-summary.ts";
import { decodeToolCalls } from "./decode-tool-calls.ts";
import { encodeResults } from "./encode-results.ts";
import { safeAnswer } from "./safe-answer.ts";

/** Vapi, and what it alone has: an answer of its own to every message, and a summary without an envelope. */
export const vapi = { decodeToolCalls, encodeResults, decodeCallEvent, decodeFlatSummary, safeAnswer } satisfies VoicePlatform &
  Record<string, unknown>;
