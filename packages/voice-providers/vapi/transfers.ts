import { normalizeContact } from "@vitaline/messages";
import { keys } from "@vitaline/store";
import { parseArguments, type ToolAnswer, type ToolCall } from "@vitaline/tools";
import * as z from "zod/mini";
import type { TransferRequest } from "../voice-platform.ts";
import { conversationId, customerNumber, noTransfer, readMessage, tenantNumber, type Message } from "./webhook.ts";

const toolName = "logRoutingEvent";

/**
 * `transfer-destination-request` is answered by the routing tool. If the assistant already called that tool for a transfer in this
 * call, the same request is repeated, so that its reason counts and it is counted once. undefined for other messages and without a
 * call. Source: Vapi server SDK 2.0.1 ServerMessageTransferDestinationRequest.
 */
export function decodeTransfer(body: unknown): TransferRequest | undefined {
  const message = readMessage(body);
  const callId = message?.type === "transfer-destination-request" ? conversationId(message) : undefined;
  if (!message || callId === undefined) return undefined;
  const call: ToolCall = {
    platform: "vapi",
    callId,
    callKey: keys.callKeyOf("vapi", callId),
    callerNumber: customerNumber(message),
    calledNumber: tenantNumber(message),
    agentId: message.call?.assistantId,
    name: toolName,
    ...(lastTransferCall(message) ?? {
      toolCallId: message.type,
      args: { reason: "wants to speak with a person", outcome: "transferred" },
    }),
  };
  const tried = (message.artifact?.transfers ?? []).flatMap((one) => one?.destination?.number ?? []);
  return { call, tried: tried.map(toDialable) };
}

/** The assistant's last call of the routing tool in this call, if it asked for a transfer. */
function lastTransferCall({ artifact }: Message): Pick<ToolCall, "toolCallId" | "args"> | undefined {
  const toolCalls = (artifact?.messages ?? []).flatMap((one) => one?.toolCalls ?? []);
  const last = toolCalls.findLast((one) => (one?.function?.name ?? one?.name) === toolName);
  const args = parseArguments(last?.function?.arguments ?? last?.arguments);
  return last?.id && args && (args["outcome"] ?? "transferred") === "transferred" ? { toolCallId: last.id, args } : undefined;
}

const RoutingOutput = z.object({ destinations: z.array(z.object({ label: z.string(), phone: z.string() })) });

/** The first destination on duty that was not tried yet, else the sentence for the assistant to say. */
export function encodeTransfer({ output, speech }: ToolAnswer, { tried }: Pick<TransferRequest, "tried">): object {
  const destinations = z.safeParse(RoutingOutput, output).data?.destinations ?? [];
  const next = destinations.find(({ phone }) => !tried.includes(toDialable(phone)));
  if (!next) return { error: (destinations.length === 0 && speech) || noTransfer };
  const number = toDialable(next.phone);
  return {
    destination: {
      type: "number",
      number,
      // Vapi refuses internal extensions unless this check is off.
      ...(/^\+[1-9]\d{6,14}$/.test(number) ? {} : { numberE164CheckEnabled: false }),
      message: `One moment, I'm connecting you with ${next.label}.`,
    },
  };
}

/** E.164; internal extensions are kept. */
const toDialable = (phone: string): string => normalizeContact("sms", phone) ?? phone.replace(/\D/g, "");
