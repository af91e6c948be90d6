import type { CallEvent } from "@vitaline/calls";
import type { Call } from "@vitaline/contract";
import type { OfficeRow, TenantRow, VoiceAgentRow, VoiceProviderRow } from "@vitaline/store";
import type { ToolAnswer, ToolCall } from "@vitaline/tools";
import type { ListAgents } from "./transport/agent-pages.ts";
import type { Connection } from "./transport/request.ts";

/** A tool call that is answered without being run, and the line that says why. */
export type Refused = { toolCallId: string; name: string; speech: string };

/** What one request of a platform asks for. Every call in it is answered, in this order: `calls`, then `refused`. */
export type ToolRequest = {
  calls: ToolCall[];
  refused: Refused[];
  /** The platform's older form, which asks for one tool and wants one answer. */
  single: boolean;
};

/** What surrounds a body: a tool's name in the path, and headers, by their name in lower case. */
export type Around = { toolName?: string; header(name: string): string | undefined };

/** A signed request: `rawBody` as it came, byte for byte. */
export type Signed = { header(name: string): string | undefined; rawBody: Buffer; secret: string; now: Date };

/** A call that comes in, of which the platform asks who answers it. Numbers as the platform spells them. */
export type IncomingCall = {
  platform: Call["platform"];
  /** Where the platform names the call already. */
  callId?: string;
  agentId?: string;
  calledNumber?: string;
  callerNumber?: string;
};
/** Who answers a call: an agent as it is assigned, with its provider, its tenant and, where it is one's own, its office. */
export type Answering = { agent: VoiceAgentRow; provider: VoiceProviderRow; tenant: TenantRow; office?: OfficeRow };

/** Where to put a call through to is what the routing tool answers to `call`; `tried` are the numbers at which it has been tried already. */
export type TransferRequest = { call: ToolCall; tried: string[] };

/** The way to the platform itself, for those that are told by a request of ours who answers. */
export type Reach = {
  origin: string;
  connection(): Promise<Connection>;
  /** What opens our tools for this call alone, as whoever answers it, in place of the tenant's key. */
  callToken(incoming: IncomingCall & { callId: string }, answering: Answering): string;
  /** Takes in how the call goes, where the platform itself does not tell; "unchanged": it was known. */
  record(event: CallEvent): Promise<"recorded" | "unchanged">;
};

/**
 * What a voice platform's adapter does. Bodies are parsed JSON of any shape: decoding throws nothing but AppError
 * `invalid_request`, for what would else be lost unseen or be answered without bound.
 */
export type VoicePlatform = {
  /** undefined: the body asks for no tool. */
  decodeToolCalls(body: unknown, around: Around): ToolRequest | undefined;
  /** The body of the platform's answer; `answers` are those to `request.calls`, in their order. */
  encodeResults(request: ToolRequest, answers: readonly ToolAnswer[]): unknown;
  /** For platforms that ask where to put a call through to; undefined: this body does not. */
  decodeTransfer?(body: unknown): TransferRequest | undefined;
  /** The body of the answer to that, of the routing tool's. */
  encodeTransfer?(answer: ToolAnswer, transfer: TransferRequest): unknown;
  /** undefined: the body says nothing about how a call goes. */
  decodeCallEvent(body: unknown): CallEvent | undefined;
  /** undefined: the body does not ask who answers a call. */
  decodeIncoming(body: unknown): IncomingCall | undefined;
  /** The body of the answer to that; `answering` undefined: nobody does. AppErrors of the platform, where it must be asked. */
  answerIncoming(incoming: IncomingCall, answering: Answering | undefined, reach: Reach): unknown;
  /** Whether the request was signed with this secret, and lately. */
  isSigned(signed: Signed): boolean;
  /** The answer to anything else; it leaves the call unharmed. */
  acknowledge(body: unknown): unknown;
  listAgents: ListAgents;
};
