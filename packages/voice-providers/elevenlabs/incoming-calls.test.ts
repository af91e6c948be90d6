import type { ConversationInitiationClientDataRequestInput as InitiationData } from "@elevenlabs/elevenlabs-js/serialization/index.js";
import type { OfficeRow, TenantRow, VoiceAgentRow, VoiceProviderRow } from "@vitaline/store";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AnsweringAgent, IncomingCall } from "../voice-platform.ts";
import { elevenLabs } from "./adapter.ts";
import { told, webhook } from "./conversation.fixture.ts";

const asked = { caller_id: "+16175550142", agent_id: "agent_1", called_number: "+16175550100", call_sid: "CA1" };
const incoming = { platform: "elevenlabs", agentId: "agent_1", calledNumber: "+16175550100", callerNumber: "+16175550142" } as const;

describe("a call that comes in at ElevenLabs", () => {
  it("contains caller, called number and the number's agent", () => {
    expect(elevenLabs.decodeIncoming(asked)).toEqual(incoming);
    expect(elevenLabs.decodeIncoming({ ...asked, conversation_id: "conv_a", caller_id: "" })).toEqual({
      platform: "elevenlabs",
      callId: "conv_a",
      agentId: "agent_1",
      calledNumber: "+16175550100",
    });
  });

  it("is also one without a telephone, as its variables must be given then, too", () => {
    expect(elevenLabs.decodeIncoming({ agent_id: "agent_1" })).toEqual({ platform: "elevenlabs", agentId: "agent_1" });
  });

  it("is neither a conversation report nor any other body", () => {
    for (const body of [
      told(),
      webhook(told()),
      webhook({}, "post_call_audio"),
      { ...asked, type: "x" },
      { caller_id: "x" },
      { conversation_id: "x" },
      {},
      [],
      null,
      "x",
    ])
      expect(elevenLabs.decodeIncoming(body)).toBeUndefined();
    fc.assert(fc.property(fc.jsonValue(), (body) => void expect(() => elevenLabs.decodeIncoming(body)).not.toThrow()));
  });
});

const tenant = { name: "North Clinic" } as TenantRow;
const office = { name: "Main Street" } as OfficeRow;
const answering = (provider: Partial<VoiceProviderRow>, own?: OfficeRow): AnsweringAgent => ({
  agent: { externalAgentId: "agent_1" } as VoiceAgentRow,
  provider: { settings: "{}", ...provider } as VoiceProviderRow,
  tenant,
  ...(own ? { office: own } : {}),
});
const answer = (given: AnsweringAgent | undefined, asked: IncomingCall = incoming) => elevenLabs.answerIncoming(asked, given);
const closed = {
  type: "conversation_initiation_client_data",
  dynamic_variables: { tenant_name: "", office_name: "", line_open: false, transfer_number: "" },
};
const allowed = JSON.stringify({ allowOverrides: true });
const type = "conversation_initiation_client_data";

describe("how its conversation begins", () => {
  it("is with the names of whom it is for, and the model and voice that the provider has where its settings say that the agent allows it", () => {
    expect(answer(answering({ model: "gpt-4o", voice: "voice_1", settings: allowed }, office))).toEqual({
      type,
      dynamic_variables: { tenant_name: "North Clinic", office_name: "Main Street", line_open: true, transfer_number: "" },
      conversation_config_override: { agent: { prompt: { llm: "gpt-4o" } }, tts: { voice_id: "voice_1" } },
    } satisfies InitiationData.Raw & { type: string });
  });

  it("contains no override without allowOverrides, because an agent that forbids it would not speak", () => {
    expect(answer(answering({}))).toEqual({
      type,
      dynamic_variables: { tenant_name: "North Clinic", office_name: "North Clinic", line_open: true, transfer_number: "" },
    });
    expect(answer(answering({ settings: allowed }))).not.toHaveProperty("conversation_config_override");
    expect(answer(answering({ voice: "voice_1", settings: allowed })).conversation_config_override).toEqual({
      tts: { voice_id: "voice_1" },
    });
    for (const settings of ["{}", "[]", '{"allowOverrides":false}', '{"allowOverrides":"true"}', '{"allowOverrides":1}'])
      expect(answer(answering({ model: "gpt-4o", voice: "voice_1", settings }))).not.toHaveProperty("conversation_config_override");
  });

  it("has line_open false and all variables if no agent answers", () => {
    expect(answer(undefined)).toEqual(closed);
  });

  it("has line_open false and no model or voice if the number's agent is not the assigned one", () => {
    const other = answering({ model: "gpt-4o", voice: "voice_1", settings: allowed }, office);
    for (const agentId of ["agent_2", "", undefined])
      expect(
        answer(other, { platform: "elevenlabs", calledNumber: "+16175550100", ...(agentId === undefined ? {} : { agentId }) }),
      ).toEqual(closed);
  });
});
