import type { OfficeRow, TenantRow, VoiceAgentRow, VoiceProviderRow } from "@vitaline/store";
import fc from "fast-check";
import type Retell from "retell-sdk";
import { describe, expect, it } from "vitest";
import type { AnsweringAgent } from "../voice-platform.ts";
import { retellAi } from "./adapter.ts";
import { models } from "./incoming-calls.ts";

const createdAt = "2026-03-01T10:00:00.000Z";
const agent: VoiceAgentRow = {
  id: "a",
  voiceProviderId: "p",
  providerType: "retellai",
  externalAgentId: "agent-1",
  agentName: "Receptionist",
  isActive: true,
  createdAt,
};
const provider: VoiceProviderRow = { id: "p", providerType: "retellai", providerName: "Retell", settings: "{}", isActive: true, createdAt };
const tenant: TenantRow = {
  id: "t",
  name: "Harbor Clinic",
  organizationType: "clinic",
  contactEmail: "office@clinic.example",
  isActive: true,
  createdAt,
} as TenantRow;
const office = { id: "o", name: "Downtown" } as OfficeRow;

const asked = { event: "call_inbound", call_inbound: { agent_id: "agent-0", from_number: "+14155550101", to_number: "+16175550100" } };
const incoming = retellAi.decodeIncoming(asked)!;
const answer = (answering: AnsweringAgent | undefined) => retellAi.answerIncoming(incoming, answering);

describe("an incoming call at Retell", () => {
  it("contains both numbers and the number's own agent, and no id yet", () => {
    expect(incoming).toEqual({ platform: "retellai", agentId: "agent-0", callerNumber: "+14155550101", calledNumber: "+16175550100" });
    const bare = { event: "call_inbound", call_inbound: { agent_id: null, from_number: 7 } };
    expect(retellAi.decodeIncoming(bare)).toEqual({ platform: "retellai" });
  });

  it("is distinguished from every other message, and no JSON makes decoding throw", () => {
    for (const body of [{ ...asked, event: "chat_inbound" }, { event: "call_inbound" }, { event: "call_started", call: {} }, null, []])
      expect(retellAi.decodeIncoming(body)).toBeUndefined();
    const body = fc.oneof(
      fc.jsonValue(),
      fc.record({
        event: fc.constantFrom("call_inbound", "call_started"),
        call_inbound: fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue())),
      }),
    );
    fc.assert(fc.property(body, (given) => void expect(() => retellAi.decodeIncoming(given)).not.toThrow()));
  });

  it("is answered by the assigned agent with tenant and office names", () => {
    expect(answer({ agent, provider, tenant })).toEqual({
      call_inbound: { override_agent_id: "agent-1", dynamic_variables: { tenant_name: "Harbor Clinic" } },
    });
    expect(answer({ agent, provider, tenant, office })).toEqual({
      call_inbound: { override_agent_id: "agent-1", dynamic_variables: { tenant_name: "Harbor Clinic", office_name: "Downtown" } },
    });
  });

  it("is spoken with the provider's voice and model, as Retell's own types name them", () => {
    const override: Retell.CallCreatePhoneCallParams.AgentOverride = {
      agent: { voice_id: "11labs-Grace" },
      retell_llm: { model: "gpt-4.1" },
    };
    const told = (own: Partial<VoiceProviderRow>) => answer({ agent, provider: { ...provider, ...own }, tenant });
    expect(told({ voice: "11labs-Grace", model: "gpt-4.1" })).toMatchObject({ call_inbound: { agent_override: override } });
    expect(told({ voice: "11labs-Grace" }).call_inbound.agent_override).toEqual({ agent: override.agent });
    expect(told({ model: "gpt-4.1" }).call_inbound.agent_override).toEqual({ retell_llm: override.retell_llm });
  });

  it("keeps the agent's model if the provider's is not in Retell's complete list", () => {
    const all: Record<NonNullable<Retell.CallCreatePhoneCallParams.AgentOverride.RetellLlm["model"]>, true> = {
      "gpt-4.1": true,
      "gpt-4.1-mini": true,
      "gpt-4.1-nano": true,
      "gpt-5": true,
      "gpt-5-mini": true,
      "gpt-5-nano": true,
      "gpt-5.1": true,
      "gpt-5.2": true,
      "gpt-5.4": true,
      "gpt-5.4-mini": true,
      "gpt-5.4-nano": true,
      "gpt-5.5": true,
      "gpt-5.6-terra": true,
      "gpt-5.6-luna": true,
      "claude-4.5-sonnet": true,
      "claude-4.6-sonnet": true,
      "claude-5-sonnet": true,
      "claude-4.5-haiku": true,
      "gemini-3.0-flash": true,
      "gemini-3.1-flash-lite": true,
      "gemini-3.5-flash": true,
      "gemini-3.5-flash-lite": true,
      "gemini-3.6-flash": true,
    };
    expect([...models].sort()).toEqual(Object.keys(all).sort());
    expect(answer({ agent, provider: { ...provider, model: "gpt-4o" }, tenant })).toEqual(answer({ agent, provider, tenant }));
  });

  it("gets an empty answer if no agent answers, so that Retell hangs up if the number has no agent", () => {
    expect(answer(undefined)).toEqual({ call_inbound: {} });
  });
});

it("any other message of Retell is acknowledged with an empty answer", () => {
  expect(retellAi.acknowledge()).toEqual({});
});
