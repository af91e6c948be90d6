import type { CallEvent } from "@vitaline/calls";
import type { ToolAnswer, ToolCall } from "@vitaline/tools";

/** A tool call that is answered without being run, and the line that says why. */
export type Refused = { toolCallId: string; name: string; speech: string };

/** What one request of a platform asks for. Every call in it is answered, in this order: `calls`, then `refused`. */
export type ToolRequest = {
  calls: ToolCall[];
  refused: Refused[];
  /** The platform's older form, which asks for one tool and wants one answer. */
  single: boolean;
};

/**
 * What a voice platform's adapter does. Bodies are parsed JSON of any shape: decoding throws nothing but AppError
 * `invalid_request`, for what would else be lost unseen or be answered without bound.
 */
export type VoicePlatform = {
  /** undefined: the body asks for no tool. */
  decodeToolCalls(body: unknown): ToolRequest | undefined;
  /** The body of the platform's answer; `answers` are those to `request.calls`, in their order. */
  encodeResults(request: ToolRequest, answers: readonly ToolAnswer[]): unknown;
  /** undefined: the body says nothing about how a call goes. */
  decodeCallEvent(body: unknown): CallEvent | undefined;
};
