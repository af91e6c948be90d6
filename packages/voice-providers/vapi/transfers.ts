import { keys } from "@vitaline/store";
import { parseArguments, type ToolCall } from "@vitaline/tools";
import type { TransferRequest } from "../voice-platform.ts";
import { assistantLanguage, conversationId, customerNumber, readMessage, tenantNumber, type Message } from "./webhook.ts";

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
    language: assistantLanguage(message),
    name: toolName,
    ...(lastTransferCall(message) ?? {
      toolCallId: message.type,
      args: { reason: "wants to speak with a person", outcome: "transferred" },
    }),
  };
  const tried = (message.artifact?.transfers ?? []).flatMap((one) => one?.destination?.number ?? []);
  return { call, tried };
}

/** The assistant's last call of the routing tool in this call, if it asked for a transfer. */
function lastTransferCall({ artifact }: Message): Pick<ToolCall, "toolCallId" | "args"> | undefined {
  const toolCalls = (artifact?.messages ?? []).flatMap((one) => one?.toolCalls ?? []);
  const last = toolCalls.findLast((one) => (one?.function?.name ?? one?.name) === toolName);
  const args = parseArguments(last?.function?.arguments ?? last?.arguments);
  return last?.id && args && (args["outcome"] ?? "transferred") === "transferred" ? { toolCallId: last.id, args } : undefined;
}
