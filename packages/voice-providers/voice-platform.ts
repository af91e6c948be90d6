import type { CallEvent } from "@vitaline/calls";
import type { Call, Language } from "@vitaline/contract";
import type { Clock, Log, Pause } from "@vitaline/core";
import type { Audit, OfficeRow, TenantRow, VoiceAgentRow, VoiceProviderRow } from "@vitaline/store";
import type { CallControl, ToolAnswer, ToolCall } from "@vitaline/tools";

import type { Connection } from "./transport/request.ts";

/** A tool call that is answered with `speech` without being run. */
export type RefusedToolCall = { toolCallId: string; name: string; speech: string };

/** The tool calls of one request. Results are encoded in the order `calls`, then `refused`. */
export type ToolRequest = {
  calls: ToolCall[];
  refused: RefusedToolCall[];
  /** The platform's older form: one tool, one answer. */
  single: boolean;
};

/** Request data besides the body. `header` takes names in lower case. */
export type RequestMetadata = { toolName?: string; header(name: string): string | undefined };

/** `rawBody` is byte for byte as received. */
export type SignedRequest = { header(name: string): string | undefined; rawBody: Buffer; secret: string; now: Date };

/** Phone numbers are spelled as the platform sends them. */
export type IncomingCall = {
  platform: Call["platform"];
  callId?: string;
  agentId?: string;
  calledNumber?: string;
  callerNumber?: string;
};
/** The assigned agent with its provider, tenant and, if it belongs to one, office. */
export type AnsweringAgent = { agent: VoiceAgentRow; provider: VoiceProviderRow; tenant: TenantRow; office?: OfficeRow };

/** `call` runs the routing tool; `tried` holds the numbers already tried in this call, as the platform spells them. */
export type TransferRequest = { call: ToolCall; tried: string[] };

/** For platforms that learn who answers through an API request of ours. */
export type PlatformAccess = {
  origin: string;
  connection(): Promise<Connection>;
  /** Authorizes our tools for this call alone, in place of the tenant's key. */
  callToken(incoming: IncomingCall & { callId: string }, answering: AnsweringAgent): string;
  /** Records the call's progress for platforms that do not report it. */
  record(event: CallEvent): Promise<"recorded" | "unchanged">;
  log: Log;
};

/** For acting on a call in progress. */
export type CallAccess = Pick<PlatformAccess, "connection" | "record" | "log"> & {
  audit(entry: Pick<Audit, "action" | "success" | "code">): Promise<unknown>;
  /** The call's, with what a tool's arguments say of it. */
  language(args?: unknown): Promise<Language>;
  clock: Clock;
  pause: Pause;
};

/** One voice platform. Bodies are parsed JSON of any shape; decoding throws only AppError `invalid_request`. */
export type VoicePlatform = {
  /** undefined: the body contains no tool call. */
  decodeToolCalls(body: unknown, around: RequestMetadata): ToolRequest | undefined;
  /** `answers` match `request.calls` by index. */
  encodeResults(request: ToolRequest, answers: readonly ToolAnswer[]): unknown;
  /** The part of an answer that enters the conversation; undefined where tools come over MCP. See "What the model sees" in README.md. */
  modelText?(answer: ToolAnswer): string;
  /** Only for platforms that ask for a transfer destination; undefined: the body does not. */
  decodeTransfer?(body: unknown): TransferRequest | undefined;
  encodeTransfer?(answer: ToolAnswer, transfer: TransferRequest, language: Language): unknown;
  /** Only for platforms that report which language the caller has changed to; undefined: the body does not. */
  decodeLanguage?(body: unknown): { callKey: string; language: Language } | undefined;
  /** undefined: the body does not report call progress. */
  decodeCallEvent(body: unknown): CallEvent | undefined;
  /** undefined: the body does not announce an incoming call. */
  decodeIncoming(body: unknown): IncomingCall | undefined;
  /** `answering` is undefined where no agent answers. AppErrors of ListAgents if the platform's API has to be called. */
  answerIncoming(incoming: IncomingCall, answering: AnsweringAgent | undefined, access: PlatformAccess): unknown;
  /** Only for platforms that leave the transfer and the end of a call to us. */
  callControl?(callId: string, access: CallAccess): CallControl;
  /** False for a wrong secret and for a stale timestamp. */
  hasValidSignature(signed: SignedRequest): boolean;
  /** Answers any other body without affecting the call. */
  acknowledge(body: unknown): unknown;
};
