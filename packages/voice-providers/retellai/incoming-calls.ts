import * as z from "zod/mini";
import { id } from "../decoding/fields.ts";
import type { AnsweringAgent, IncomingCall } from "../voice-platform.ts";

const Inbound = z.object({
  event: z.literal("call_inbound"),
  call_inbound: z.object({ agent_id: id, from_number: id, to_number: id }),
});

/** Sent before the call has an id; undefined for other bodies. Source: Retell's page on the inbound webhook. */
export function decodeIncoming(body: unknown): IncomingCall | undefined {
  const inbound = z.safeParse(Inbound, body).data?.call_inbound;
  return inbound && { platform: "retellai", agentId: inbound.agent_id, callerNumber: inbound.from_number, calledNumber: inbound.to_number };
}

/**
 * Other models are not overridden, because Retell drops the call over an unknown value. Source: retell-sdk 5.66.1
 * AgentOverride.RetellLlm.
 */
export const models: readonly string[] = [
  ...(["gpt-4.1", "gpt-4.1-mini", "gpt-4.1-nano", "gpt-5", "gpt-5-mini", "gpt-5-nano", "gpt-5.1", "gpt-5.2", "gpt-5.4"] as const),
  ...(["gpt-5.4-mini", "gpt-5.4-nano", "gpt-5.5", "gpt-5.6-terra", "gpt-5.6-luna", "claude-4.5-sonnet", "claude-4.6-sonnet"] as const),
  ...(["claude-5-sonnet", "claude-4.5-haiku", "gemini-3.0-flash", "gemini-3.1-flash-lite", "gemini-3.5-flash"] as const),
  ...(["gemini-3.5-flash-lite", "gemini-3.6-flash"] as const),
];

type InboundAnswer = {
  override_agent_id?: string;
  dynamic_variables?: Record<string, string>;
  agent_override?: { agent?: { voice_id: string }; retell_llm?: { model: string } };
};

/**
 * The assigned agent with the provider's voice and model. Empty if no agent answers: then Retell hangs up, unless the number has an
 * agent of its own. Source: Retell's page on the inbound webhook, retell-sdk 5.66.1 CallCreatePhoneCallParams.AgentOverride.
 */
export function answerIncoming(_incoming: IncomingCall, answering: AnsweringAgent | undefined): { call_inbound: InboundAnswer } {
  if (!answering) return { call_inbound: {} };
  const { agent, provider, tenant, office } = answering;
  const override = {
    ...(provider.voice ? { agent: { voice_id: provider.voice } } : {}),
    ...(provider.model && models.includes(provider.model) ? { retell_llm: { model: provider.model } } : {}),
  };
  return {
    call_inbound: {
      override_agent_id: agent.externalAgentId,
      dynamic_variables: { tenant_name: tenant.name, ...(office ? { office_name: office.name } : {}) },
      ...(Object.keys(override).length > 0 ? { agent_override: override } : {}),
    },
  };
}
