import { PlatformCallId } from "@vitaline/contract";
import { zoneOf } from "@vitaline/offices";
import * as z from "zod/mini";
import type { Answering, IncomingCall } from "../port.ts";
import { customerNumber, ownNumber, readMessage } from "./message.ts";
import { overridesOf } from "./overrides.ts";

const notSetUp = "This number is not set up for the assistant yet. Please call the office directly.";

/** Vapi asks who answers a call to a number that has no assistant of its own. Source: Vapi server SDK 2.0.1 ServerMessageAssistantRequest. */
export function decodeIncoming(body: unknown): IncomingCall | undefined {
  const message = readMessage(body);
  if (message?.type !== "assistant-request") return undefined;
  return {
    platform: "vapi",
    // Nothing is kept of the question, so an odd id is none.
    callId: z.safeParse(PlatformCallId, message.call?.id).data,
    agentId: message.call?.assistantId,
    calledNumber: ownNumber(message),
    callerNumber: customerNumber(message),
  };
}

/**
 * The assistant that answers, with the provider's model and voice and what its prompt may say of the place as `{{office_name}}`;
 * or a sentence for the caller, after which Vapi hangs up. Source: Vapi server SDK 2.0.1 ServerMessageResponseAssistantRequest.
 */
export function answerIncoming(_incoming: IncomingCall, answering: Answering | undefined): object {
  if (!answering) return { error: notSetUp };
  const { agent, provider, tenant, office } = answering;
  const variableValues = {
    tenant_name: tenant.name,
    time_zone: zoneOf(tenant, office),
    ...(office ? { office_name: office.name } : {}),
    ...(office?.phone ? { office_phone: office.phone } : {}),
    ...(office?.address ? { office_address: office.address } : {}),
  };
  return { assistantId: agent.externalAgentId, assistantOverrides: { ...overridesOf(provider), variableValues } };
}
