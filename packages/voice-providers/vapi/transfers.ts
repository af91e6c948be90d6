import { contactOf } from "@vitaline/messages";
import { keys } from "@vitaline/store";
import { parseArgs, type ToolAnswer, type ToolCall } from "@vitaline/tools";
import * as z from "zod/mini";
import type { TransferRequest } from "../port.ts";
import { conversationId, customerNumber, type Message, noTransfer, ownNumber, readMessage } from "./webhook.ts";

const toolName = "logRoutingEvent";

/**
 * Vapi asks where to put a call through to, as its assistant's own transfer names no destination: that is what the routing
 * tool answers. If the assistant has asked it in this call, that very request is repeated, so that its reason counts and is
 * counted once. undefined: another message, or one without a call. Source: Vapi server SDK 2.0.1
 * ServerMessageTransferDestinationRequest.
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
    calledNumber: ownNumber(message),
    agentId: message.call?.assistantId,
    name: toolName,
    ...(routed(message) ?? { toolCallId: message.type, args: { reason: "wants to speak with a person", outcome: "transferred" } }),
  };
  const tried = (message.artifact?.transfers ?? []).flatMap((one) => one?.destination?.number ?? []);
  return { call, tried: tried.map(dialled) };
}

/** What the assistant last asked the routing tool in this call, if that was for a transfer. */
function routed({ artifact }: Message): Pick<ToolCall, "toolCallId" | "args"> | undefined {
  const asked = (artifact?.messages ?? []).flatMap((one) => one?.toolCalls ?? []);
  const last = asked.findLast((one) => (one?.function?.name ?? one?.name) === toolName);
  const args = parseArgs(last?.function?.arguments ?? last?.arguments);
  return last?.id && args && (args["outcome"] ?? "transferred") === "transferred" ? { toolCallId: last.id, args } : undefined;
}

const Routed = z.object({ destinations: z.array(z.object({ label: z.string(), phone: z.string() })) });

/** Vapi's answer: the first on duty who was not tried yet, else the sentence that the assistant says instead. */
export function encodeTransfer({ output, speech }: ToolAnswer, { tried }: Pick<TransferRequest, "tried">): object {
  const destinations = z.safeParse(Routed, output).data?.destinations ?? [];
  const next = destinations.find(({ phone }) => !tried.includes(dialled(phone)));
  if (!next) return { error: (destinations.length === 0 && speech) || noTransfer };
  const number = dialled(next.phone);
  return {
    destination: {
      type: "number",
      number,
      // Vapi would refuse the short numbers that only an office's own telephones know
      ...(/^\+[1-9]\d{6,14}$/.test(number) ? {} : { numberE164CheckEnabled: false }),
      message: `One moment, I'm connecting you with ${next.label}.`,
    },
  };
}

/** As telephones want it; an office's own short number stays as it is. */
const dialled = (phone: string): string => contactOf("sms", phone) ?? phone.replace(/\D/g, "");
