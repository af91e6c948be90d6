import type { Vapi } from "@vapi-ai/server-sdk";
import type { OfficeRow, TenantRow, VoiceAgentRow, VoiceProviderRow } from "@vitaline/store";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AnsweringAgent } from "../voice-platform.ts";
import { vapi } from "./adapter.ts";
import { modelProviders, voiceProviders } from "./incoming-calls.ts";

const createdAt = "2026-11-20T10:00:00Z";
const agent: VoiceAgentRow = {
  ...{
    id: "a",
    voiceProviderId: "p",
    providerType: "vapi",
    externalAgentId: "assistant-1",
    agentName: "Front desk",
    isActive: true,
    createdAt,
  },
};
const tenant: TenantRow = {
  ...{
    id: "t",
    name: "Clinic",
    organizationType: "clinic",
    contactEmail: "x@y.example",
    isActive: true,
    epoch: 0,
    apiKeyId: "k",
    createdAt,
  },
  timeZone: "America/New_York",
};
const office: OfficeRow = { id: "o", name: "Main", phone: "617 555 0142", address: "1 Elm St", isActive: true, createdAt };
const provider = (more: Partial<VoiceProviderRow> = {}): VoiceProviderRow => ({
  ...{ id: "p", providerType: "vapi", providerName: "Vapi", settings: "{}", isActive: true, createdAt },
  ...more,
});
const incoming = { platform: "vapi" } as const;
const answer = (answering: AnsweringAgent | undefined) => vapi.answerIncoming(incoming, answering);
const answering = (more: Partial<VoiceProviderRow> = {}): AnsweringAgent => ({ agent, provider: provider(more), tenant, office });
type Answer = Vapi.ServerMessageResponseAssistantRequest;

describe("Vapi's assistant request", () => {
  it("is read from a message of Vapi's own types", () => {
    const message: Vapi.ServerMessageAssistantRequest = {
      type: "assistant-request",
      phoneNumber: { provider: "twilio", number: "+16175550142", twilioAccountSid: "AC" },
      customer: { number: "+16175550100" },
      call: { id: "call-a", orgId: "org", type: "inboundPhoneCall", createdAt, updatedAt: createdAt },
    };
    const asked = { platform: "vapi", callId: "call-a", calledNumber: "+16175550142", callerNumber: "+16175550100" };
    expect(vapi.decodeIncoming({ message })).toEqual(asked);
    const { phoneNumber, customer, call } = message;
    expect(vapi.decodeIncoming({ message: { type: "assistant-request", call: { ...call, phoneNumber, customer } } })).toEqual(asked);
    expect(vapi.decodeIncoming({ message: { ...message, call: { ...call, assistantId: "assistant-2" } } })?.agentId).toBe("assistant-2");
  });

  it("is asked by no other message, and odd fields of it count as absent", () => {
    for (const type of ["tool-calls", "status-update", "Assistant-Request", ""])
      expect(vapi.decodeIncoming({ message: { type } })).toBeUndefined();
    for (const odd of [7, null, "", "x".repeat(1001), []])
      expect(
        vapi.decodeIncoming({ message: { type: "assistant-request", call: { id: odd }, phoneNumber: odd, customer: { number: 7 } } }),
      ).toEqual({
        platform: "vapi",
      });
    fc.assert(fc.property(fc.jsonValue(), (body) => void expect(vapi.decodeIncoming(body)).toBeUndefined()));
    const message = fc.record({
      type: fc.constant("assistant-request"),
      call: fc.jsonValue(),
      phoneNumber: fc.jsonValue(),
      customer: fc.jsonValue(),
    });
    fc.assert(fc.property(message, (body) => void expect(vapi.decodeIncoming({ message: body })).toMatchObject(incoming)));
  });

  it("is answered with the assistant and its template variables", () => {
    const expected: Answer = {
      assistantId: "assistant-1",
      assistantOverrides: {
        variableValues: {
          tenant_name: "Clinic",
          time_zone: "America/New_York",
          office_name: "Main",
          office_phone: "617 555 0142",
          office_address: "1 Elm St",
        },
      },
    };
    expect(answer(answering())).toEqual(expected);
    expect(answer({ agent, provider: provider(), tenant })).toEqual({
      assistantId: "assistant-1",
      assistantOverrides: { variableValues: { tenant_name: "Clinic", time_zone: "America/New_York" } },
    });
  });

  it("is answered with a sentence for the caller if no agent answers", () => {
    const expected: Answer = {
      error:
        "This number is not set up for the assistant yet. Please call the office directly. Este número todavía no está configurado para el asistente. Por favor llame directamente al consultorio.",
    };
    expect(answer(undefined)).toEqual(expected);
  });
});

describe("the provider's model and voice", () => {
  const overrides = (more: Partial<VoiceProviderRow>): Vapi.AssistantOverrides => {
    const { variableValues: _places, ...others } = (answer(answering(more)) as Required<Pick<Answer, "assistantOverrides">>)
      .assistantOverrides;
    return others;
  };

  it("go along as Vapi takes them, from text that says whose they are", () => {
    const openai: Vapi.AssistantOverrides = {
      model: { provider: "openai", model: "gpt-4.1" },
      voice: { provider: "11labs", voiceId: "sarah" },
    };
    expect(overrides({ model: "openai/gpt-4.1", voice: " 11labs/sarah " })).toEqual(openai);
    const routed: Vapi.AssistantOverrides = { model: { provider: "openrouter", model: "meta-llama/llama-4" } };
    expect(overrides({ model: "openrouter/meta-llama/llama-4" })).toEqual(routed);
  });

  it("go along as objects of the settings, in place of text", () => {
    const model: Vapi.AssistantOverridesModel = {
      provider: "custom-llm",
      model: "house",
      url: "https://llm.clinic.example",
      temperature: 0.2,
    };
    const voice: Vapi.AssistantOverridesVoice = { provider: "cartesia", voiceId: "v-1", language: "es" };
    expect(overrides({ model: "openai/gpt-4.1", voice: "11labs/sarah", settings: JSON.stringify({ model, voice, other: 1 }) })).toEqual({
      model,
      voice,
    });
  });

  it("stay the assistant's own where half of them is missing: Vapi would refuse the whole answer", () => {
    for (const text of [
      "gpt-4.1",
      "openai",
      "openai/",
      "/gpt-4.1",
      "nobody/gpt",
      "openai/ gpt",
      "custom-llm/house",
      "vapi/x",
      "",
      "__proto__/x",
    ])
      expect([text, overrides({ model: text })]).toEqual([text, {}]);
    for (const text of ["sarah", "custom-voice/x", "neuphonic/x", "sesame/x", "elevenlabs/sarah"])
      expect([text, overrides({ voice: text })]).toEqual([text, {}]);
    for (const settings of [
      { model: "openai/gpt-4.1" },
      { model: { provider: "openai" }, voice: { voiceId: "v" } },
      { model: null, voice: [] },
    ])
      expect(overrides({ settings: JSON.stringify(settings) })).toEqual({});
    expect(overrides({ model: "openai/gpt-4.1", settings: JSON.stringify({ model: { provider: "openai" } }) })).toMatchObject({
      model: { model: "gpt-4.1" },
    });
  });

  it("are of every provider that Vapi's types know and that needs no more than a name", () => {
    type Model = Exclude<Vapi.AssistantOverridesModel["provider"], "custom-llm" | "vapi">;
    type Voice = Exclude<Vapi.AssistantOverridesVoice["provider"], "custom-voice" | "neuphonic" | "sesame">;
    const models: Record<Model, true> = Object.fromEntries(modelProviders.map((name) => [name, true])) as Record<
      (typeof modelProviders)[number],
      true
    >;
    const voices: Record<Voice, true> = Object.fromEntries(voiceProviders.map((name) => [name, true])) as Record<
      (typeof voiceProviders)[number],
      true
    >;
    for (const name of Object.keys(models)) expect(overrides({ model: `${name}/x` })).toEqual({ model: { provider: name, model: "x" } });
    for (const name of Object.keys(voices)) expect(overrides({ voice: `${name}/x` })).toEqual({ voice: { provider: name, voiceId: "x" } });
  });
});
