import type { CallAcceptParams } from "openai/resources/realtime/calls";
import { expect, test } from "vitest";
import type { AnsweringAgent } from "../voice-platform.ts";
import { sessionFor } from "./incoming-calls.ts";

const createdAt = "2026-03-02T10:00:00.000Z";
const answering = (provider: Partial<AnsweringAgent["provider"]> = {}, office?: AnsweringAgent["office"]): AnsweringAgent => ({
  agent: {
    id: "a1",
    voiceProviderId: "v1",
    providerType: "openai",
    externalAgentId: "gpt-realtime",
    agentName: "Front desk",
    isActive: true,
    createdAt,
  },
  provider: { id: "v1", providerType: "openai", providerName: "OpenAI", settings: "{}", isActive: true, createdAt, ...provider },
  tenant: {
    id: "t1",
    name: "River Clinic",
    organizationType: "clinic",
    contactEmail: "office@clinic.example",
    isActive: true,
    createdAt,
    epoch: 0,
    apiKeyId: "k1",
    timeZone: "UTC",
  },
  ...(office ? { office } : {}),
});
const reach = { origin: "https://voice.example", callToken: "vtl_call_x.y" };

test("a call is accepted with the agent's model, the tenant's name and our tools, which the call's token opens without asking", () => {
  const session: CallAcceptParams = sessionFor(answering(), reach);
  expect(session).toEqual({
    type: "realtime",
    model: "gpt-realtime",
    instructions: expect.stringContaining("River Clinic") as string,
    tools: [
      {
        type: "mcp",
        server_label: "vitaline",
        server_url: "https://voice.example/api/mcp/t1",
        authorization: "vtl_call_x.y",
        require_approval: "never",
      },
    ],
  });
});

test("the provider's model, voice and instructions override the defaults, and an office has its own URL", () => {
  const own = { model: "gpt-realtime-2.1", voice: "marin", settings: JSON.stringify({ instructions: "Speak Spanish." }) };
  const session: CallAcceptParams = sessionFor(answering(own, { id: "o1", name: "North", isActive: true, createdAt }), reach);
  expect(session).toMatchObject({
    model: "gpt-realtime-2.1",
    audio: { output: { voice: "marin" } },
    instructions: "Speak Spanish.",
    tools: [{ server_url: "https://voice.example/api/mcp/t1/o1" }],
  });
});

test.each(["[]", '"x"', '{"instructions":7}', '{"instructions":"  "}'])("settings of %s leave the usual instructions", (settings) => {
  expect(sessionFor(answering({ settings }), reach).instructions).toContain("verifyPatientIdentity");
});
