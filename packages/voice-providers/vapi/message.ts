import * as z from "zod/mini";
import { readCallId } from "../call-id.ts";
import { amount, id, instant, list, milliseconds, object, seconds, text, unknown, verbatim, word } from "../fields.ts";

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
