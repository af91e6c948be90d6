import type { Language } from "@vitaline/contract";
import { dialableNumber } from "@vitaline/messages";
import { keys } from "@vitaline/store";
import { callLine, connectingWith, parseArguments, standardPhrasing, type ToolAnswer, type ToolCall } from "@vitaline/tools";
import * as z from "zod/mini";
import { summaryForStaff } from "../being-put-through.ts";
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
  return { call, tried: tried.map(dialableNumber) };
}

/** The assistant's last call of the routing tool in this call, if it asked for a transfer. */
function lastTransferCall({ artifact }: Message): Pick<ToolCall, "toolCallId" | "args"> | undefined {
  const toolCalls = (artifact?.messages ?? []).flatMap((one) => one?.toolCalls ?? []);
  const last = toolCalls.findLast((one) => (one?.function?.name ?? one?.name) === toolName);
  const args = parseArguments(last?.function?.arguments ?? last?.arguments);
  return last?.id && args && (args["outcome"] ?? "transferred") === "transferred" ? { toolCallId: last.id, args } : undefined;
}

const Routed = z.object({ destinations: z.array(z.object({ label: z.string(), phone: z.string() })), noted: z.optional(z.boolean()) });

/**
 * Staff hear who is calling once they have said hello, then the caller is connected. Source: Vapi server SDK 2.0.1 TransferPlan,
 * SummaryPlan.
 */
const transferPlan = {
  mode: "warm-transfer-wait-for-operator-to-speak-first-and-then-say-summary",
  summaryPlan: {
    enabled: true,
    messages: [
      { role: "system", content: `${summaryForStaff} Return nothing else.` },
      { role: "user", content: "Here is the transcript:\n\n{{transcript}}" },
    ],
    timeoutSeconds: 5,
  },
};

/** The first destination on duty that was not tried yet, else the sentence for the assistant to say. */
export function encodeTransfer({ output, speech }: ToolAnswer, { tried }: Pick<TransferRequest, "tried">, language: Language): object {
  const { destinations, noted: isNoted } = z.safeParse(Routed, output).data ?? { destinations: [] };
  const next = destinations.find(({ phone }) => !tried.includes(dialableNumber(phone)));
  if (!next && destinations.length > 0) return { error: callLine(isNoted ? "notPutThroughNoted" : "notPutThrough", language) };
  if (!next) return { error: speech || callLine("noTransfer", language) };
  const number = dialableNumber(next.phone);
  return {
    destination: {
      type: "number",
      number,
      // Vapi refuses internal extensions unless this check is off.
      ...(/^\+[1-9]\d{6,14}$/.test(number) ? {} : { numberE164CheckEnabled: false }),
      message: connectingWith(next.label, standardPhrasing(language)),
      transferPlan,
    },
  };
}
