import * as z from "zod/mini";
import { flag, id, unknown } from "../decoding/fields.ts";
import type { AnsweringAgent, IncomingCall } from "../voice-platform.ts";

const Incoming = z.object({ agent_id: id, caller_id: id, called_number: id, call_sid: id, conversation_id: id });
/** Fields of conversation reports, which no initiation request has. */
const Report = z.object({ type: unknown, data: unknown, status: unknown, metadata: unknown });

/** Sent before a call begins; undefined for other bodies. Source: ElevenLabs' page on Twilio personalization. */
export function decodeIncoming(body: unknown): IncomingCall | undefined {
  const { data: incoming } = z.safeParse(Incoming, body);
  const { data: report = {} } = z.safeParse(Report, body);
  if (!incoming || Object.values(report).some((field) => field !== undefined)) return undefined;
  if ((incoming.agent_id ?? incoming.called_number ?? incoming.call_sid) === undefined) return undefined;
  const { conversation_id: callId, agent_id: agentId, called_number: calledNumber, caller_id: callerNumber } = incoming;
  return {
    platform: "elevenlabs",
    ...(callId ? { callId } : {}),
    ...(agentId ? { agentId } : {}),
    ...(calledNumber ? { calledNumber } : {}),
    ...(callerNumber ? { callerNumber } : {}),
  };
}

/** Wire format of the SDK's ConversationInitiationClientDataRequestInput. */
type InitiationData = {
  type: "conversation_initiation_client_data";
  dynamic_variables: { tenant_name: string; office_name: string; line_open: boolean; transfer_number: string };
  conversation_config_override?: { agent?: { prompt: { llm: string } }; tts?: { voice_id: string } };
};

/** Set by the routing tool's answer. */
const noDestinationYet = { transfer_number: "" };

const Settings = z.object({ allowOverrides: flag });

/**
 * Variables for the start of the conversation. ElevenLabs cannot reject the call or change its agent, so `line_open` is false if no
 * agent or another agent is assigned. All variables are always sent, because ElevenLabs ends a conversation that lacks one.
 * Model and voice are sent only with `allowOverrides: true` in the provider's settings: ElevenLabs ends the conversation of an
 * agent that does not allow both.
 * Source: elevenlabs-js 2.73.0 ConversationInitiationClientDataRequestInput; ElevenLabs' pages on Twilio personalization and
 * overrides.
 */
export function answerIncoming({ agentId }: IncomingCall, answering: AnsweringAgent | undefined): InitiationData {
  const type = "conversation_initiation_client_data";
  if (!answering || answering.agent.externalAgentId !== agentId)
    return { type, dynamic_variables: { tenant_name: "", office_name: "", line_open: false, ...noDestinationYet } };
  const { tenant, office, provider } = answering;
  const override = overridesOf(provider);
  return {
    type,
    dynamic_variables: { tenant_name: tenant.name, office_name: office?.name ?? tenant.name, line_open: true, ...noDestinationYet },
    ...(Object.keys(override).length > 0 ? { conversation_config_override: override } : {}),
  };
}

function overridesOf({ settings, model, voice }: AnsweringAgent["provider"]): NonNullable<InitiationData["conversation_config_override"]> {
  if (z.safeParse(Settings, JSON.parse(settings)).data?.allowOverrides !== true) return {};
  return { ...(model ? { agent: { prompt: { llm: model } } } : {}), ...(voice ? { tts: { voice_id: voice } } : {}) };
}
