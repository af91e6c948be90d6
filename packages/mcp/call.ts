import type { Call } from "@vitaline/contract";
import { filledIn, keyedHash } from "@vitaline/core";
import { keys } from "@vitaline/store";
import type { ToolCall } from "@vitaline/tools";
import * as z from "zod/mini";
import { randomBytes, timingSafeEqual } from "node:crypto";

/** Which call a request belongs to; `own` where no platform named it: what the client's next handle is made of. */
type McpCall = { platform: Call["platform"]; callId: string; callKey: string; own?: string } & Participants;
/** Who takes part, as far as the platform says. */
type Participants = Pick<ToolCall, "agentId" | "callerNumber" | "calledNumber">;
/** The call that a request's token was given for; in it nothing else names a call. */
export type GrantedCall = { platform: Call["platform"]; callId: string; officeId?: string; agentId?: string; callerMark?: string };
type Asked = {
  header(name: string): string | undefined;
  /** `_meta` of the request. */
  meta: unknown;
  /** What the model handed back, if anything. */
  handle: unknown;
  /** Whose key it is. */
  holder: string;
  now: Date;
};

/** Headers that platforms send, or that their configuration tells them to. */
const headers = [
  ["x-call-id", "vapi"],
  ["x-conversation-id", "elevenlabs"],
  ["x-retell-call-id", "retellai"],
] as const;
/** Keys of `_meta`, by which any client can say the same; its call is then of the platform "mcp". */
const metaKeys = ["vitaline/call-id", "callId", "call_id"];
const handleKey = "vitaline/call-handle";

const callNamed = (platform: Call["platform"], callId: string): McpCall => ({
  platform,
  callId,
  callKey: keys.callKeyOf(platform, callId),
});

/**
 * The platform's word counts first; then a handle of ours; without either it is a new call. A call is named by X-Call-Id
 * (Vapi; in a text chat by X-Chat-Id with X-Session-Id), X-Conversation-Id (ElevenLabs), X-Retell-Call-Id (Retell AI), else
 * by `_meta` under "vitaline/call-id", "callId" or "call_id". The client reports its end under the same id. Who takes part stands in
 * X-Agent-Id, X-Caller-Id and X-Called-Number, as at the addresses of ElevenLabs' webhook tools.
 */
export const callOf = (asked: Asked): McpCall => ({ ...nameOf(asked), ...participantsIn(asked) });

function nameOf(asked: Asked): McpCall {
  const meta = z.safeParse(z.record(z.string(), z.unknown()), asked.meta).data ?? {};
  const given = inHeaders(asked) ?? inMeta(meta);
  if (given) return given;
  const handles = [asked.handle, meta[handleKey]].flatMap((value) => filledIn(value) ?? []);
  const own = handles.map((handle) => callIdIn(asked.holder, handle, asked.now)).find((id) => id !== undefined) ?? newCallId();
  // Keyed apart from the names that clients give, and each holder's own: who has read an old handle cannot name its call
  return { platform: "mcp", callId: own, callKey: keys.callKeyOf("mcp/own", `${asked.holder}/${own}`), own };
}

/** As the token says, whatever else the request says. */
export const callGranted = ({ platform, callId, agentId, callerMark }: GrantedCall): McpCall => ({
  ...callNamed(platform, callId),
  ...(agentId === undefined ? {} : { agentId }),
  ...(callerMark === undefined ? {} : { callerNumber: callerMark }),
});

function participantsIn({ header }: Asked): Participants {
  const [agentId, callerNumber, calledNumber] = ["x-agent-id", "x-caller-id", "x-called-number"].map((name) => filledIn(header(name)));
  return {
    ...(agentId === undefined ? {} : { agentId }),
    ...(callerNumber === undefined ? {} : { callerNumber }),
    ...(calledNumber === undefined ? {} : { calledNumber }),
  };
}

function inHeaders({ header }: Asked): McpCall | undefined {
  for (const [name, platform] of headers) {
    const callId = filledIn(header(name));
    if (callId) return callNamed(platform, callId);
  }
  const chatId = filledIn(header("x-chat-id"));
  // As Vapi's other messages of a chat are known; a session alone may be any client's
  return chatId === undefined ? undefined : callNamed("vapi", `chat:${filledIn(header("x-session-id")) ?? chatId}`);
}

function inMeta(meta: Record<string, unknown>): McpCall | undefined {
  const callId = metaKeys.map((key) => filledIn(meta[key])).find((value) => value !== undefined);
  return callId === undefined ? undefined : callNamed("mcp", callId);
}

/** A handle is good for this long after the answer that brought it. */
const lifetimeMinutes = 15;
const minuteMs = 60_000;
const pattern = /^([\w-]{16})\.(\d{1,10})\.([\w-]{22})$/;

/** Bound to the key's holder: another tenant's handle, or one under another key, is none. */
const sign = (holder: string, callId: string, untilMinute: number): string =>
  keyedHash("mcp-handle", [holder, callId, untilMinute]).slice(0, 22);

/** An id for a call whose platform names none. Nobody guesses it: whoever names it in a handle took part in the call. */
export const newCallId = (): string => randomBytes(12).toString("base64url");

/** What a client hands back to say that it is still the same call. */
export function handleOf(holder: string, callId: string, now: Date): string {
  const until = Math.floor(now.getTime() / minuteMs) + lifetimeMinutes;
  return `${callId}.${until}.${sign(holder, callId, until)}`;
}

/** The call of a handle that we gave to this holder and that is not over; undefined for any other text. */
export function callIdIn(holder: string, handle: string, now: Date): string | undefined {
  const [, callId = "", until = "", signature = ""] = pattern.exec(handle.trim()) ?? [];
  if (!callId || Number(until) * minuteMs < now.getTime()) return undefined;
  const expected = sign(holder, callId, Number(until));
  return timingSafeEqual(Buffer.from(expected), Buffer.from(signature)) ? callId : undefined;
}
