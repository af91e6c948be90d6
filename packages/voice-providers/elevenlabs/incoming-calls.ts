import * as z from "zod/mini";
import { flag, id, unknown } from "../decoding/fields.ts";
import type { Answering, IncomingCall } from "../port.ts";

const Incoming = z.object({ agent_id: id, caller_id: id, called_number: id, call_sid: id, conversation_id: id });
/** What tells of a conversation has one of these, and a question has none. */
const Telling = z.object({ type: unknown, data: unknown, status: unknown, metadata: unknown });

/**
 * The question that ElevenLabs asks before a call begins; undefined for anything else.
 * Source: ElevenLabs' page on Twilio personalization.
 */
export function decodeIncoming(body: unknown): IncomingCall | undefined {
  const { data: asked } = z.safeParse(Incoming, body);
  const { data: told = {} } = z.safeParse(Telling, body);
  if (!asked || Object.values(told).some((field) => field !== undefined)) return undefined;
  if ((asked.agent_id ?? asked.called_number ?? asked.call_sid) === undefined) return undefined;
  const { conversation_id: callId, agent_id: agentId, called_number: calledNumber, caller_id: callerNumber } = asked;
  return {
    platform: "elevenlabs",
    ...(callId ? { callId } : {}),
    ...(agentId ? { agentId } : {}),
    ...(calledNumber ? { calledNumber } : {}),
    ...(callerNumber ? { callerNumber } : {}),
  };
}

/** Of the SDK's ConversationInitiationClientDataRequestInput, as it is on the wire. */
type InitiationData = {
  type: "conversation_initiation_client_data";
  dynamic_variables: { tenant_name: string; office_name: string; line_open: boolean };
  conversation_config_override?: { agent?: { prompt: { llm: string } }; tts?: { voice_id: string } };
};

const Settings = z.object({ allowOverrides: flag });

/**
 * With which variables the conversation begins. ElevenLabs lets nobody turn a call down or give it to another agent: the agent that
 * the number has speaks all the same, so where nobody answers here, or another agent than that one, `line_open` is false for its
 * prompt to act on. All three variables are always there, as ElevenLabs ends a conversation that lacks one.
 *
 * The voice provider's model and voice go along only where its settings hold `allowOverrides: true`: the agent must allow both under
 * Security, or ElevenLabs ends the conversation.
 * Source: elevenlabs-js 2.73.0 ConversationInitiationClientDataRequestInput; ElevenLabs' pages on Twilio personalization and overrides.
 */
export function answerIncoming({ agentId }: IncomingCall, answering: Answering | undefined): InitiationData {
  const type = "conversation_initiation_client_data";
  if (!answering || answering.agent.externalAgentId !== agentId)
    return { type, dynamic_variables: { tenant_name: "", office_name: "", line_open: false } };
  const { tenant, office, provider } = answering;
  const override = overridesOf(provider);
  return {
    type,
    dynamic_variables: { tenant_name: tenant.name, office_name: office?.name ?? tenant.name, line_open: true },
    ...(Object.keys(override).length > 0 ? { conversation_config_override: override } : {}),
  };
}

function overridesOf({ settings, model, voice }: Answering["provider"]): NonNullable<InitiationData["conversation_config_override"]> {
  if (z.safeParse(Settings, JSON.parse(settings)).data?.allowOverrides !== true) return {};
  return { ...(model ? { agent: { prompt: { llm: model } } } : {}), ...(voice ? { tts: { voice_id: voice } } : {}) };
}
