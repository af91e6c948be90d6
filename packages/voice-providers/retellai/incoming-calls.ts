import * as z from "zod/mini";
import { id } from "../decoding/fields.ts";
import type { Answering, IncomingCall } from "../port.ts";

const Inbound = z.object({
  event: z.literal("call_inbound"),
  call_inbound: z.object({ agent_id: id, from_number: id, to_number: id }),
});

/** The question who answers, which Retell puts before the call has an id; undefined: the body is another. Source: Retell's page on it. */
export function decodeIncoming(body: unknown): IncomingCall | undefined {
  const asked = z.safeParse(Inbound, body).data?.call_inbound;
  return asked && { platform: "retellai", agentId: asked.agent_id, callerNumber: asked.from_number, calledNumber: asked.to_number };
}

/** Others are left to the agent: an answer that Retell does not understand would cost the call. Source: retell-sdk 5.66.1 AgentOverride.RetellLlm. */
export const models: readonly string[] = [
  ...(["gpt-4.1", "gpt-4.1-mini", "gpt-4.1-nano", "gpt-5", "gpt-5-mini", "gpt-5-nano", "gpt-5.1", "gpt-5.2", "gpt-5.4"] as const),
  ...(["gpt-5.4-mini", "gpt-5.4-nano", "gpt-5.5", "gpt-5.6-terra", "gpt-5.6-luna", "claude-4.5-sonnet", "claude-4.6-sonnet"] as const),
  ...(["claude-5-sonnet", "claude-4.5-haiku", "gemini-3.0-flash", "gemini-3.1-flash-lite", "gemini-3.5-flash"] as const),
  ...(["gemini-3.5-flash-lite", "gemini-3.6-flash"] as const),
];

type AnswerToInbound = {
  override_agent_id?: string;
  dynamic_variables?: Record<string, string>;
  agent_override?: { agent?: { voice_id: string }; retell_llm?: { model: string } };
};

/**
 * The agent that is assigned, with the provider's voice and model where it has its own, and the names of
 * tenant and office as variables of the agent's prompt. When nobody answers it is empty: then Retell hangs up, unless the
 * number has an agent of its own at Retell, who answers. Source: Retell's page on the inbound webhook, retell-sdk 5.66.1
 * CallCreatePhoneCallParams.AgentOverride.
 */
export function answerIncoming(_incoming: IncomingCall, answering: Answering | undefined): { call_inbound: AnswerToInbound } {
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
