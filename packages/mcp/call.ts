import { randomBytes } from "node:crypto";
import type { Call } from "@vitaline/contract";
import { isKeyedHash, keyedHash, templateValue } from "@vitaline/core";
import { keys } from "@vitaline/store";
import { readLanguage, type ToolCall } from "@vitaline/tools";
import * as z from "zod/mini";

/** `own` is set if no platform named the call: the id for the client's next handle. */
type McpCall = { platform: Call["platform"]; callId: string; callKey: string; own?: string } & Participants;
type Participants = Pick<ToolCall, "agentId" | "callerNumber" | "callerMark" | "calledNumber" | "language">;
/** The call of the request's call token. */
export type GrantedCall = { platform: Call["platform"]; callId: string; officeId?: string; agentId?: string; callerMark?: string };
type CallRequest = {
  header(name: string): string | undefined;
  meta: unknown;
  handle: unknown;
  holder: string;
  now: Date;
};

/** Headers sent by the platforms or by their configuration. */
const headers = [
  ["x-call-id", "vapi"],
  ["x-conversation-id", "elevenlabs"],
  ["x-retell-call-id", "retellai"],
] as const;
/** For any client; the call's platform is then "mcp". */
const metaKeys = ["vitaline/call-id", "callId", "call_id"];
const handleKey = "vitaline/call-handle";

const callWithId = (platform: Call["platform"], callId: string): McpCall => ({
  platform,
  callId,
  callKey: keys.callKeyOf(platform, callId),
});

/**
 * The platform's call id first, then our handle, else a new call. Headers: X-Call-Id (Vapi; X-Chat-Id with X-Session-Id in a text
 * chat), X-Conversation-Id (ElevenLabs), X-Retell-Call-Id (Retell AI); else `_meta` "vitaline/call-id", "callId" or "call_id".
 * Also X-Agent-Id, X-Caller-Id, X-Called-Number, X-Language.
 */
export const resolveCall = (request: CallRequest): McpCall => ({ ...identifyCall(request), ...readParticipants(request) });

function identifyCall(request: CallRequest): McpCall {
  const meta = z.safeParse(z.record(z.string(), z.unknown()), request.meta).data ?? {};
  const named = callFromHeaders(request) ?? callFromMeta(meta);
  if (named) return named;
  const handles = [request.handle, meta[handleKey]].flatMap((value) => templateValue(value) ?? []);
  const own = handles.map((handle) => readHandle(request.holder, handle, request.now)).find((id) => id !== undefined) ?? newCallId();
  // The key is separate from client-given ids and per holder, so that an old handle cannot name the call.
  return { platform: "mcp", callId: own, callKey: keys.callKeyOf("mcp/own", `${request.holder}/${own}`), own };
}

export const callOfGrant = ({ platform, callId, agentId, callerMark }: GrantedCall): McpCall => ({
  ...callWithId(platform, callId),
  ...(agentId === undefined ? {} : { agentId }),
  ...(callerMark === undefined ? {} : { callerMark }),
});

function readParticipants({ header }: CallRequest): Participants {
  const [agentId, callerNumber, calledNumber] = ["x-agent-id", "x-caller-id", "x-called-number"].map((name) => templateValue(header(name)));
  const language = readLanguage(header("x-language"));
  return {
    ...(agentId === undefined ? {} : { agentId }),
    ...(callerNumber === undefined ? {} : { callerNumber }),
    ...(calledNumber === undefined ? {} : { calledNumber }),
    ...(language === undefined ? {} : { language }),
  };
}

function callFromHeaders({ header }: CallRequest): McpCall | undefined {
  for (const [name, platform] of headers) {
    const callId = templateValue(header(name));
    if (callId) return callWithId(platform, callId);
  }
  const chatId = templateValue(header("x-chat-id"));
  // As in Vapi's other chat messages; a session id alone may come from any client.
  return chatId === undefined ? undefined : callWithId("vapi", `chat:${templateValue(header("x-session-id")) ?? chatId}`);
}

function callFromMeta(meta: Record<string, unknown>): McpCall | undefined {
  const callId = metaKeys.map((key) => templateValue(meta[key])).find((value) => value !== undefined);
  return callId === undefined ? undefined : callWithId("mcp", callId);
}

const lifetimeMinutes = 15;
const minuteMs = 60_000;
const pattern = /^([\w-]{16})\.(\d{1,10})\.([\w-]{22})$/;

const signatureLength = 22;

/** Unguessable, because a handle proves that the client took part in the call. */
export const newCallId = (): string => randomBytes(12).toString("base64url");

export function createHandle(holder: string, callId: string, now: Date): string {
  const until = Math.floor(now.getTime() / minuteMs) + lifetimeMinutes;
  // Bound to the holder: invalid for another tenant or key.
  return `${callId}.${until}.${keyedHash("mcp-handle", [holder, callId, until]).slice(0, signatureLength)}`;
}

/** undefined for an expired handle and any other text. */
export function readHandle(holder: string, handle: string, now: Date): string | undefined {
  const [, callId = "", until = "", signature = ""] = pattern.exec(handle.trim()) ?? [];
  if (!callId || Number(until) * minuteMs < now.getTime()) return undefined;
  return isKeyedHash(signature, "mcp-handle", [holder, callId, Number(until)], signatureLength) ? callId : undefined;
}
