import * as z from "zod/mini";
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { amount, id, instant, list, milliseconds, object, readCallId, seconds, text, unknown, verbatim, word } from "../decoding/fields.ts";
import type { Signed } from "../port.ts";

const named = { id: verbatim, name: text, arguments: unknown, parameters: unknown };
const toolCall = object({ ...named, function: object(named) });
const customer = object({ number: id });
const phoneNumber = object({ number: id });
const assistant = object({ name: text });
const destination = object({ type: text, number: id, sipUri: id });

/**
 * All that is read of Vapi's server messages; every other field, among them presigned recording links and the live
 * call's control links, ends here. The legacy fields of a report stand beside those of the SDK's types.
 * Source: Vapi server SDK 2.0.1 ServerMessage*, and messages seen live.
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
  /** `parameters` of the tool itself is its JSON schema, not what the model filled in. */
  toolWithToolCallList: list(object({ name: text, function: object({ name: text }), toolCall })),
  functionCall: object(named),

  status: word,
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
    performanceMetrics: object({ turnLatencies: list(object({ turnLatency: milliseconds })) }),
  }),
  durationSeconds: seconds,
  durationMs: milliseconds,
  transcript: text,
  summary: text,
});
export type Message = z.infer<typeof Message>;
export type AskedTool = z.infer<typeof toolCall>;
export type Destination = z.infer<typeof destination>;

/** The person's number, whoever of the two has called. */
export const customerNumber = ({ customer, call }: Message): string | undefined => customer?.number ?? call?.customer?.number;
/** The number of the tenant's that the call goes over. */
export const ownNumber = ({ phoneNumber, call }: Message): string | undefined => phoneNumber?.number ?? call?.phoneNumber?.number;

const Envelope = z.object({ message: Message });

/** undefined: no message of Vapi's at all. */
export const readMessage = (body: unknown): Message | undefined => z.safeParse(Envelope, body).data?.message;

/**
 * The conversation that a message is part of; undefined where it names none. A text chat's is its session, marked as a
 * chat's: a phone call of the same id is another conversation. AppError `invalid_request` for an id that is given and cannot
 * be one, because what the message says of that call would be lost without a word.
 */
export function conversationId({ call, chat }: Message): string | undefined {
  const callId = readCallId("message.call.id", call?.id);
  if (callId !== undefined) return callId;
  const chatId = readCallId("message.chat.sessionId", chat?.sessionId) ?? readCallId("message.chat.id", chat?.id);
  return chatId === undefined ? undefined : `chat:${chatId}`;
}

const windowMs = 5 * 60_000;
/** Seconds since 1970 stay below this for 3000 years, milliseconds have been above since 1973. */
const leastMilliseconds = 1e11;

/**
 * Whether Vapi's credential holds this secret. With `x-signature` by HMAC-SHA256 over `{x-timestamp}.{body}`, hex or base64,
 * at most five minutes from now in either direction. Without one by the secret itself: as `X-Vapi-Secret` or as a bearer
 * token, and where both are there, by both. Source: Vapi server SDK 2.0.1 HmacAuthenticationPlan, BearerAuthenticationPlan;
 * the unit of the timestamp is nowhere said.
 */
export function isSigned({ header, rawBody, secret, now }: Signed): boolean {
  const signature = header("x-signature");
  if (signature !== undefined) return isSignature({ signature, timestamp: header("x-timestamp") ?? "", rawBody, secret, now });
  const authorization = header("authorization");
  const shown = [header("x-vapi-secret"), authorization && (/^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? "")].filter(
    (one) => one !== undefined,
  );
  return shown.length > 0 && shown.every((one) => isSame(sha256(one), sha256(secret)));
}

type Signature = { signature: string; timestamp: string; rawBody: Buffer; secret: string; now: Date };

function isSignature({ signature, timestamp, rawBody, secret, now }: Signature): boolean {
  if (!/^\d{1,15}$/.test(timestamp)) return false;
  const at = Number(timestamp) < leastMilliseconds ? Number(timestamp) * 1000 : Number(timestamp);
  if (Math.abs(now.getTime() - at) > windowMs) return false;
  const expected = createHmac("sha256", secret).update(`${timestamp}.`).update(rawBody).digest();
  return isSame(bytesOf(signature.trim().replace(/^sha256=/i, "")), expected);
}

const bytesOf = (signature: string): Buffer => Buffer.from(signature, /^[0-9a-f]{64}$/i.test(signature) ? "hex" : "base64");
const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();
const isSame = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

/** Said where there is nobody to put a call through to. */
export const noTransfer = "I can't transfer this call right now.";

/**
 * Messages that want something back besides tool results, and what leaves the call unharmed while nobody has decided it.
 * A handoff needs a destination by its schema: an empty one, next to the reason why there is none.
 * Source: Vapi server SDK 2.0.1 ServerMessageResponse*.
 */
const wanted: Readonly<Record<string, object>> = {
  "transfer-destination-request": { error: noTransfer },
  "handoff-destination-request": { destination: {}, error: noTransfer },
  "knowledge-base-request": { documents: [] },
  "call.endpointing.request": { timeoutSeconds: 0.5 },
  "campaign.predial": { eligible: false },
};

/** The answer to a Vapi message that asks for no tool; `{}` to those that want none and to those we do not know. */
export function acknowledge(body: unknown): object {
  const type = readMessage(body)?.type ?? "";
  return Object.hasOwn(wanted, type) ? (wanted[type] ?? {}) : {};
}
