import { createHash, createHmac } from "node:crypto";
import type { Language } from "@vitaline/contract";
import { keys } from "@vitaline/store";
import { callLine, readLanguage } from "@vitaline/tools";
import * as z from "zod/mini";
import {
  amount,
  id,
  instant,
  isEqual,
  list,
  milliseconds,
  object,
  readCallId,
  seconds,
  text,
  unknown,
  untrimmedText,
  enumWord,
} from "../decoding/fields.ts";
import type { SignedRequest } from "../voice-platform.ts";

const named = { id: untrimmedText, name: text, arguments: unknown, parameters: unknown };
const toolCall = object({ ...named, function: object(named) });
const customer = object({ number: id });
const phoneNumber = object({ number: id });
const assistant = object({ name: text, transcriber: object({ language: enumWord }) });
const destination = object({ type: text, number: id, sipUri: id });

/**
 * The fields read from Vapi's server messages. Recording links and control links of the live call are left out on purpose. Source:
 * Vapi server SDK 2.0.1 ServerMessage*, plus legacy report fields seen live.
 */
const Message = z.object({
  type: z.string(),
  timestamp: instant,
  customer,
  phoneNumber,
  assistant,
  call: object({
    id: unknown,
    assistantId: id,
    type: text,
    customer,
    phoneNumber,
    assistant,
    startedAt: instant,
    endedAt: instant,
    endedReason: text,
    destination,
  }),
  chat: object({ id: unknown, sessionId: unknown, assistantId: id }),

  toolCallList: list(toolCall),
  toolCalls: list(toolCall),
  /** `parameters` of the tool itself is its JSON schema, not the arguments. */
  toolWithToolCallList: list(object({ name: text, function: object({ name: text }), toolCall })),
  functionCall: object(named),

  language: enumWord,
  status: enumWord,
  endedReason: text,
  startedAt: instant,
  endedAt: instant,
  destination,
  cost: amount,
  analysis: object({ summary: text, successEvaluation: unknown, structuredData: unknown, structuredDataMulti: unknown }),
  artifact: object({
    transcript: text,
    messages: list(object({ role: text, message: text, secondsFromStart: seconds, toolCalls: list(toolCall) })),
    transfers: list(object({ status: text, destination })),
    structuredOutputs: unknown,
    scorecards: unknown,
    performanceMetrics: object({ turnLatencies: list(object({ turnLatency: milliseconds })) }),
  }),
  compliance: object({ recordingConsent: object({ type: enumWord, grantedAt: instant }) }),
  durationSeconds: seconds,
  durationMs: milliseconds,
  transcript: text,
  summary: text,
});
export type Message = z.infer<typeof Message>;
export type VapiToolCall = z.infer<typeof toolCall>;
export type Destination = z.infer<typeof destination>;

export const customerNumber = ({ customer, call }: Message): string | undefined => customer?.number ?? call?.customer?.number;
/** undefined also for Vapi's "multi", a transcriber of any language. */
export const assistantLanguage = ({ assistant, call }: Message): Language | undefined =>
  readLanguage(assistant?.transcriber?.language ?? call?.assistant?.transcriber?.language);
export const tenantNumber = ({ phoneNumber, call }: Message): string | undefined => phoneNumber?.number ?? call?.phoneNumber?.number;

const Envelope = z.object({ message: Message });

export const readMessage = (body: unknown): Message | undefined => z.safeParse(Envelope, body).data?.message;

/** The call id, or `chat:` and the session id of a text chat; undefined if the message names neither. AppErrors as readCallId. */
export function conversationId({ call, chat }: Message): string | undefined {
  const callId = readCallId("message.call.id", call?.id);
  if (callId !== undefined) return callId;
  const chatId = readCallId("message.chat.sessionId", chat?.sessionId) ?? readCallId("message.chat.id", chat?.id);
  return chatId === undefined ? undefined : `chat:${chatId}`;
}

/** Source: Vapi server SDK 2.0.1 ServerMessageLanguageChangeDetected. */
export function decodeLanguage(body: unknown): { callKey: string; language: Language } | undefined {
  const message = readMessage(body);
  const language = message?.type === "language-change-detected" ? readLanguage(message.language) : undefined;
  const callId = message && language && conversationId(message);
  return callId ? { callKey: keys.callKeyOf("vapi", callId), language } : undefined;
}

const windowMs = 5 * 60_000;
/** Timestamps below are seconds, timestamps above milliseconds. */
const minMilliseconds = 1e11;

/**
 * Checks `x-signature`, an HMAC-SHA256 over `{x-timestamp}.{body}` in hex or base64, at most five minutes old or ahead. Without it
 * checks the secret itself in `X-Vapi-Secret` or as a bearer token; if both are sent, both must match. Source: Vapi server SDK
 * 2.0.1 HmacAuthenticationPlan, BearerAuthenticationPlan; the timestamp's unit is undocumented.
 */
export function hasValidSignature({ header, rawBody, secret, now }: SignedRequest): boolean {
  const signature = header("x-signature");
  if (signature !== undefined) return isSignature({ signature, timestamp: header("x-timestamp") ?? "", rawBody, secret, now });
  const authorization = header("authorization");
  const presentedSecrets = [header("x-vapi-secret"), authorization && (/^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? "")].filter(
    (one) => one !== undefined,
  );
  return presentedSecrets.length > 0 && presentedSecrets.every((one) => isEqual(sha256(one), sha256(secret)));
}

type Signature = { signature: string; timestamp: string; rawBody: Buffer; secret: string; now: Date };

function isSignature({ signature, timestamp, rawBody, secret, now }: Signature): boolean {
  if (!/^\d{1,15}$/.test(timestamp)) return false;
  const at = Number(timestamp) < minMilliseconds ? Number(timestamp) * 1000 : Number(timestamp);
  if (Math.abs(now.getTime() - at) > windowMs) return false;
  const expected = createHmac("sha256", secret).update(`${timestamp}.`).update(rawBody).digest();
  return isEqual(decodeSignature(signature.trim().replace(/^sha256=/i, "")), expected);
}

const decodeSignature = (signature: string): Buffer => Buffer.from(signature, /^[0-9a-f]{64}$/i.test(signature) ? "hex" : "base64");
const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();

/**
 * Leaves the call unchanged; `{}` for messages that expect no answer and for unknown messages. A handoff requires a destination by schema,
 * so it is sent empty. Source: Vapi server SDK 2.0.1 ServerMessageResponse*.
 */
export function acknowledge(body: unknown): object {
  const message = readMessage(body);
  if (!message) return {};
  switch (message.type) {
    case "transfer-destination-request":
      return { error: callLine("noTransfer", assistantLanguage(message)) };
    case "handoff-destination-request":
      return { destination: {}, error: callLine("noTransfer", assistantLanguage(message)) };
    case "knowledge-base-request":
      return { documents: [] };
    case "call.endpointing.request":
      return { timeoutSeconds: 0.5 };
    case "campaign.predial":
      return { eligible: false };
    default:
      return {};
  }
}
